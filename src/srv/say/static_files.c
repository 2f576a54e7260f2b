/* static_files.c: what does not change while the server runs, made at the start in every coding. */
#include "static_files.h"

#include "api/openapi.h"
#include "web.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS = 2 }; /* OpenAPI in YAML and in JSON */

struct static_files {
    size_t count;
    struct static_file list[];
};

static bool add(struct static_files *files, const char *path, const void *bytes, size_t length,
                const char *media)
{
    struct static_file *file = &files->list[files->count++];
    assert(strlen(path) < sizeof file->path && !static_files_find(files, path));
    snprintf(file->path, sizeof file->path, "%s", path);
    for (enum coding coding = 0; coding < CODING_END; coding++) {
        struct blob *blob = coding_apply_best(coding, bytes, length, media);
        if (!blob)
            return false;
        file->blobs[coding] = blob;
        file->tags[coding] = etag_of(blob->bytes, blob->length);
    }
    return true;
}

static bool add_document(struct static_files *files, enum openapi_syntax syntax, const char *path,
                         const char *media)
{
    char *text = openapi_write(syntax);
    bool good = text && add(files, path, text, strlen(text), media);
    free(text);
    return good;
}

/* The page itself is the root. */
static bool add_file(struct static_files *files, const struct web_file *file)
{
    bool root = !strcmp(file->path, "/web/index.html");
    return add(files, root ? "/" : file->path, file->bytes, file->length, file->media);
}

static bool fill(struct static_files *files)
{
    bool good = add_document(files, OPENAPI_YAML, "/openapi.yaml", "application/yaml") &&
                add_document(files, OPENAPI_JSON, "/openapi.json", "application/json");
    for (struct web_file file = {0}; good && web_next(&file);)
        good = add_file(files, &file);
    return good;
}

struct static_files *static_files_new(void)
{
    size_t n = DOCUMENTS;
    for (struct web_file file = {0}; web_next(&file);)
        n++;
    struct static_files *files = calloc(1, sizeof *files + n * sizeof *files->list);
    if (!files || fill(files))
        return files;
    static_files_drop(files);
    return NULL;
}

void static_files_drop(struct static_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        for (int coding = 0; coding < CODING_END; coding++)
            blob_drop(files->list[i].blobs[coding]);
    free(files);
}

const struct static_file *static_files_find(const struct static_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->list[i].path, path))
            return &files->list[i];
    return NULL;
}
