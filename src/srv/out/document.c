/* document.c: small JSON documents. */
#include "document.h"

enum { DIGITS = 3 };

static int append(const char *bytes, size_t length, void *to)
{
    strbuf_put(to, bytes, length);
    return 0;
}

void document_put(struct strbuf *to, json_t *document)
{
    to->failed |= json_dump_callback(document, append, to, JSON_REAL_PRECISION(DIGITS)) != 0;
    json_decref(document);
}

struct blob *document_blob(json_t *document, const char *media)
{
    struct strbuf text = {0};
    document_put(&text, document);
    strbuf_char(&text, '\n');
    return strbuf_blob(&text, media);
}
