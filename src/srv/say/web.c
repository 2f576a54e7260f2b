/*
 * web.c: files carried inside the program: the page for browsers, and the tiles that maps for Tiled
 * name.
 *
 * The assembler takes them in as they are, one behind the other: path, length, bytes; an empty path
 * is the end. WEB comes from the Makefile, which lists them: WEB_FILE(/web/app.js, src/web/app.js)
 * ...
 */
#include "web.h"

#include <stdint.h>
#include <string.h>

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

/* What a path ends in tells what it is. */
static const struct {
    const char *suffix, *media;
} kinds[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
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

bool web_next(struct web_file *file)
{
    const char *path = file->path ? file->bytes + file->length : web_files;
    if (!*path)
        return false;
    const char *length = path + strlen(path) + 1;
    uint32_t n;
    memcpy(&n, length, sizeof n);
    *file = (struct web_file){path, media_of(path), length + sizeof n, n};
    return true;
}
