/*
 * tiles.c: pictures of tiles, put beside the maps that name them.
 *
 * The assembler takes them in as they are: name, length, bytes; an empty name is the end. TILES
 * comes from the Makefile: TILE(mapwright-hex.png) ...
 */
#include "cli.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TILE(file) \
    ".asciz \"" #file "\"\n" \
    ".4byte 2f - 1f\n" \
    "1: .incbin \"src/web/tiles/" #file "\"\n" \
    "2:\n"

__asm__(".section .rodata\n"
        ".globl tile_files\n"
        "tile_files:\n" TILES ".byte 0\n"
        ".text\n");

extern const char tile_files[];

static bool is_file(const char *path)
{
    struct stat told;
    return !stat(path, &told) && S_ISREG(told.st_mode);
}

/* The name as it stands in JSON: "mapwright-hex.png". */
static bool is_named(const char *bytes, size_t length, const char *name)
{
    size_t n = strlen(name);
    const char *end = bytes + length;
    for (const char *at = bytes; (at = memchr(at, '"', (size_t)(end - at))); at++)
        if ((size_t)(end - at) > n + 1 && !memcmp(at + 1, name, n) && at[n + 1] == '"')
            return true;
    return false;
}

/* One that is there already is left alone: it may be somebody's own. */
static int write_beside(const char *output, const char *name, const char *bytes, size_t length)
{
    const char *slash = strrchr(output, '/');
    size_t folder = slash ? (size_t)(slash - output) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);
    if (!path)
        return complain(STATUS_SYSTEM, "out of memory");
    memcpy(path, output, folder);
    strcpy(path + folder, name);
    FILE *file = fopen(path, "wbx");
    bool good = file ? fwrite(bytes, 1, length, file) == length : errno == EEXIST;
    good = (!file || !fclose(file)) && good;
    int status =
        good ? STATUS_DONE : complain(STATUS_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    if (file && !good)
        remove(path);
    free(path);
    return status;
}

int write_tiles(const char *output, const char *bytes, size_t length)
{
    int status = STATUS_DONE;
    for (const char *at = is_file(output) ? tile_files : ""; *at && status == STATUS_DONE;) {
        const char *name = at;
        uint32_t size;
        at += strlen(name) + 1;
        memcpy(&size, at, sizeof size);
        at += sizeof size;
        if (is_named(bytes, length, name))
            status = write_beside(output, name, at, size);
        at += size;
    }
    return status;
}
