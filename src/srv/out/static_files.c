/*
 * static_files.c: files that do not change while the server runs, coded once at the start:
 * the page for browsers, the tiles that maps for Tiled name, the OpenAPI document.
 *
 * The assembler takes files in as they are, one behind the other: path, length, bytes; an empty
 * path is the end. WEB comes from the Makefile, which lists them:
 * WEB_FILE(/web/app.js, src/web/app.js) ...
 */
#include "static_files.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files carried inside the program -------------------------------------------------------- */

struct file {
    const char *path, *media, *bytes; /* path: where it is served */
    size_t length;
};

#define WEB_FILE(path, file) \
    ".asciz \"" #path "\"\n" \
    ".4byte 2f - 1f\n" \
    "1: .incbin \"" #file "\"\n" \
    "2:\n"

__asm__(".section .rodata\n"
        ".globl web_files\n"
        "web_files:\n" WEB ".byte 0\n"
        ".text\n");

extern const char web_files[];

/* The media type follows from the suffix. */
static const struct {
    const char *suffix, *media;
} kinds[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".wasm", "application/wasm"},
    {".yaml", "application/yaml"},
    {".json", "application/json"},
};

static const char *media_of(const char *path)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t whole = strlen(path), end = strlen(kinds[i].suffix);
        if (whole > end && !strcmp(path + whole - end, kinds[i].suffix))
            return kinds[i].media;
    }
    return "application/octet-stream";
}

/* Moves to the next file; a zeroed one is before the first. False at the end. */
static bool next_file(struct file *file)
{
    const char *path = file->path ? file->bytes + file->length : web_files;
    if (!*path)
        return false;
    const char *length = path + strlen(path) + 1;
    uint32_t n;
    memcpy(&n, length, sizeof n);
    *file = (struct file){path, media_of(path), length + sizeof n, n};
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

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
        struct blob *blob = coding_apply(coding, EFFORT_SMALL, bytes, length, media);
        if (!blob)
            return false;
        blob_keep(blob);
        file->blobs[coding] = blob;
        file->tags[coding] = etag_of(blob->bytes, blob->length);
    }
    return true;
}

/* The page itself is served at the root. */
static bool add_file(struct static_files *files, const struct file *file)
{
    bool root = !strcmp(file->path, "/web/index.html");
    return add(files, root ? "/" : file->path, file->bytes, file->length, file->media);
}

static bool fill(struct static_files *files)
{
    bool good = true;
    for (struct file file = {0}; good && next_file(&file);)
        good = add_file(files, &file);
    return good;
}

struct static_files *static_files_new(void)
{
    size_t n = 0;
    for (struct file file = {0}; next_file(&file);)
        n++;
    struct static_files *files = calloc(1, sizeof *files + n * sizeof *files->list);
    bool good = files && fill(files);
    if (good)
        return files;
    static_files_drop(files);
    return NULL;
}

void static_files_drop(struct static_files *files)
{
    if (!files)
        return;
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
