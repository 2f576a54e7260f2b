/*
 * web.c: the page for browsers: the files of src/web, carried inside the program.
 *
 * The assembler takes them in as they are, one behind the other: name, length, bytes; an empty name
 * is the end. WEB comes from the Makefile, which lists them: WEB_FILE(index.html) ...
 */
#include "web.h"

#include <stdint.h>
#include <string.h>

#define WEB_FILE(name) \
    ".asciz \"" #name "\"\n" \
    ".4byte 2f - 1f\n" \
    "1: .incbin \"src/web/" #name "\"\n" \
    "2:\n"

__asm__(".section .rodata\n"
        ".globl web_files\n"
        "web_files:\n" WEB ".byte 0\n"
        ".text\n");

extern const char web_files[];

/* What a name ends in tells what it is. */
static const struct {
    const char *suffix, *media;
} kinds[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
};

static const char *media_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t whole = strlen(name), end = strlen(kinds[i].suffix);
        if (whole > end && !strcmp(name + whole - end, kinds[i].suffix))
            return kinds[i].media;
    }
    return "application/octet-stream";
}

bool web_next(struct web_file *file)
{
    const char *name = file->name ? file->bytes + file->length : web_files;
    if (!*name)
        return false;
    const char *length = name + strlen(name) + 1;
    uint32_t n;
    memcpy(&n, length, sizeof n);
    *file = (struct web_file){name, media_of(name), length + sizeof n, n};
    return true;
}
