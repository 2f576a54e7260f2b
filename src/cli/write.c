/*
 * write.c: output, and the images of tiles that a map for Tiled refers to.
 *
 * The assembler embeds the images as they are: name, length, bytes; an empty name is the end. TILES
 * comes from the Makefile: TILE(mapwright-hex.png) ...
 */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#define READ_ONLY ".section .rdata,\"dr\"\n"
#else
#define READ_ONLY ".section .rodata\n"
#endif
#define TILE(file) \
    ".asciz \"" #file "\"\n" \
    ".4byte 2f - 1f\n" \
    "1: .incbin \"src/web/tiles/" #file "\"\n" \
    "2:\n"

__asm__(READ_ONLY ".globl tile_files\n"
                  "tile_files:\n" TILES ".byte 0\n"
                  ".text\n");

extern const char tile_files[];

int write_out(const char *output, const char *bytes, size_t length)
{
    assert(bytes);
    if (output && !write_file(output, bytes, length))
        return complain(STATUS_SYSTEM, "cannot write %s: %s", output, strerror(errno));
    if (!output && (fwrite(bytes, 1, length, stdout) != length || fflush(stdout)))
        return complain(STATUS_SYSTEM, "cannot write: %s", strerror(errno));
    return STATUS_DONE;
}

int flush_out(void)
{
    if (ferror(stdout) || fflush(stdout))
        return complain(STATUS_SYSTEM, "cannot write: %s", strerror(errno));
    return STATUS_DONE;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Whether the map has the name as a string of JSON: "mapwright-hex.png". */
static bool refers_to(const char *bytes, size_t length, const char *name)
{
    size_t n = strlen(name);
    const char *end = bytes + length;
    for (const char *at = bytes; (at = memchr(at, '"', (size_t)(end - at))); at++)
        if ((size_t)(end - at) > n + 1 && !memcmp(at + 1, name, n) && at[n + 1] == '"')
            return true;
    return false;
}

/* A file that is there already is left alone: it may be the user's own. */
static int write_beside_map(const char *output, const char *name, const char *bytes, size_t length)
{
    const char *slash = strrchr(output, '/');
    size_t folder = slash ? (size_t)(slash - output) + 1 : 0;
    char *path = need(malloc(folder + strlen(name) + 1));
    memcpy(path, output, folder);
    strcpy(path + folder, name);
    int status = access(path, F_OK) ? write_out(path, bytes, length) : STATUS_DONE;
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
        if (refers_to(bytes, length, name))
            status = write_beside_map(output, name, at, size);
        at += size;
    }
    return status;
}
