/* shelf.c: what does not change while the server runs, made at the start in every coding. */
#include "shelf.h"

#include "api/identity.h"
#include "api/openapi.h"
#include "coding.h"
#include "web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS = 2 }; /* OpenAPI in YAML and in JSON */

struct shelf {
    size_t count;
    struct leaf leaves[];
};

static bool make_leaf(struct leaf *leaf, const void *bytes, size_t length, const char *media)
{
    for (enum coding coding = 0; coding < CODING_END; coding++) {
        struct blob *blob = coding_apply_best(coding, bytes, length, media);
        if (!blob)
            return false;
        leaf->blobs[coding] = blob;
        leaf->tags[coding][0] = '"';
        identity_of(blob->bytes, blob->length, leaf->tags[coding] + 1);
        memcpy(leaf->tags[coding] + 37, "\"", 2);
    }
    return true;
}

static bool add_document(struct shelf *shelf, enum openapi_syntax syntax, const char *path,
                         const char *media)
{
    struct leaf *leaf = &shelf->leaves[shelf->count++];
    char *text = openapi_write(syntax);
    snprintf(leaf->path, sizeof leaf->path, "%s", path);
    bool good = text && make_leaf(leaf, text, strlen(text), media);
    free(text);
    return good;
}

/* The page itself is the root. */
static bool add_file(struct shelf *shelf, const struct web_file *file)
{
    struct leaf *leaf = &shelf->leaves[shelf->count++];
    bool root = !strcmp(file->path, "/web/index.html");
    snprintf(leaf->path, sizeof leaf->path, "%s", root ? "/" : file->path);
    return make_leaf(leaf, file->bytes, file->length, file->media);
}

static bool fill(struct shelf *shelf)
{
    bool good = add_document(shelf, OPENAPI_YAML, "/openapi.yaml", "application/yaml") &&
                add_document(shelf, OPENAPI_JSON, "/openapi.json", "application/json");
    for (struct web_file file = {0}; good && web_next(&file);)
        good = add_file(shelf, &file);
    return good;
}

struct shelf *shelf_new(void)
{
    size_t n = DOCUMENTS;
    for (struct web_file file = {0}; web_next(&file);)
        n++;
    struct shelf *shelf = calloc(1, sizeof *shelf + n * sizeof *shelf->leaves);
    if (!shelf || fill(shelf))
        return shelf;
    shelf_drop(shelf);
    return NULL;
}

void shelf_drop(struct shelf *shelf)
{
    for (size_t i = 0; i < shelf->count; i++)
        for (int coding = 0; coding < CODING_END; coding++)
            blob_drop(shelf->leaves[i].blobs[coding]);
    free(shelf);
}

const struct leaf *shelf_find(const struct shelf *shelf, const char *path)
{
    for (size_t i = 0; i < shelf->count; i++)
        if (!strcmp(shelf->leaves[i].path, path))
            return &shelf->leaves[i];
    return NULL;
}
