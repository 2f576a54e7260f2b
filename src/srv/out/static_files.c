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
#include <string.h>

/* ---- files carried inside the program -------------------------------------------------------- */

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

/* ---- all of them ----------------------------------------------------------------------------- */

enum { MOST_FILES = 128 };

static struct static_file files[MOST_FILES];
static size_t count;

/* The page itself is served at the root. False without memory. */
static bool add(const char *path, const void *bytes, size_t length)
{
    struct static_file *file = &files[count++];
    assert(count <= MOST_FILES);
    file->path = strcmp(path, "/web/index.html") ? path : "/";
    for (enum coding coding = 0; coding < CODING_END; coding++) {
        struct blob *blob = coding_apply(coding, EFFORT_SMALL, bytes, length, media_of(path));
        if (!blob)
            return false;
        blob_keep(blob);
        file->blobs[coding] = blob;
        file->tags[coding] = etag_of(blob->bytes, blob->length);
    }
    return true;
}

bool static_files_start(void)
{
    bool good = true;
    uint32_t length;
    for (const char *path = count ? "" : web_files, *bytes; good && *path; path = bytes + length) {
        bytes = path + strlen(path) + 1 + sizeof length;
        memcpy(&length, bytes - sizeof length, sizeof length);
        good = add(path, bytes, length);
    }
    return good;
}

const struct static_file *static_files_find(const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(files[i].path, path))
            return &files[i];
    return NULL;
}
