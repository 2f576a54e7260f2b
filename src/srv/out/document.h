/* document.h: small JSON documents, built with jansson. Maps are written by the library. */
#ifndef MAPWRIGHT_DOCUMENT_H
#define MAPWRIGHT_DOCUMENT_H

#include "srv/base/strbuf.h"

#include <jansson.h>

/* Appends the document, and takes its reference; NULL: there was no memory for it. Real numbers
   have three digits. */
void document_put(struct strbuf *, json_t *);
/* The document on a line. NULL without memory. */
struct blob *document_blob(json_t *, const char *media);

#endif
