/*
 * golden.c: maps to look at, kept as text.
 *
 * A golden file, <generator>-<n>.txt with `-` for the `/` of a name, holds an address and the map
 * of that address, as the text encoder draws it. A new file has the address alone, in any spelling.
 *
 *     golden check DIRECTORY     every file holds the map of its address; every generator has two
 *                                or more
 *     golden update DIRECTORY    writes files that are new, or whose generator has a higher
 *                                version; refuses where bytes changed under the same version
 */
#include "mapwright_host.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATORS_MAX = 64 };

struct file {
    char path[4096];
    const char *name;
    char *text, *body; /* the address; the map, "" in a new file */
};

static struct mw_limits limits = {.size = (size_t)256 << 20};
static int faults, maps_of[GENERATORS_MAX];

#define FAULT(name, ...) (printf("golden: %s: ", name), printf(__VA_ARGS__), puts(""), faults++)

static FILE *open_file(const char *path, const char *mode)
{
    FILE *stream = fopen(path, mode);
    if (!stream) {
        perror(path);
        exit(2);
    }
    return stream;
}

static void read_golden(struct file *file)
{
    FILE *stream = open_file(file->path, "rb");
    size_t room = 0;
    if (getdelim(&file->text, &room, '\0', stream) < 1)
        exit(2);
    fclose(stream);
    size_t first = strcspn(file->text, "\n");
    file->body = file->text + first + (file->text[first] == '\n');
    file->text[first] = '\0';
}

/* Takes `v`, which a canonical address has first, out of the address; 0 where there is none. */
static unsigned long take_version(char *address)
{
    char *v = strstr(address, "?v="), *end;
    if (!v)
        return 0;
    unsigned long version = strtoul(v + 3, &end, 10);
    memmove(v + 1, end + (*end == '&'), strlen(end + (*end == '&')) + 1);
    return version;
}

static void report_problems(const char *name, const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    for (size_t i = 0; i < problems->count; i++)
        FAULT(name, "%s: %s", problems->list[i].pointer, problems->list[i].detail);
}

/* Line and column of the first difference. */
static void report_difference(const struct file *file, struct mw_bytes map)
{
    size_t line = 2, column = 1;
    for (size_t i = 0; i < map.length && file->body[i] == map.at[i]; i++) {
        column = map.at[i] == '\n' ? 1 : column + 1;
        line += map.at[i] == '\n';
    }
    FAULT(file->name, "the map differs from line %zu, column %zu on", line, column);
}

/* The name says which generator. */
static void check_name(const char *name, const struct mw_generator *generator)
{
    char wanted[100];
    size_t n = (size_t)snprintf(wanted, sizeof wanted, "%s-", generator->name);
    for (char *slash = wanted; (slash = strchr(slash, '/'));)
        *slash = '-';
    if (strncmp(name, wanted, n) != 0 || !strspn(name + n, "0123456789"))
        FAULT(name, "should be called %s<n>.txt", wanted);
    for (size_t g = 0; mw_generators[g]; g++)
        maps_of[g] += mw_generators[g] == generator;
}

static void write_golden(const struct file *file, const char *address, struct mw_bytes map)
{
    FILE *stream = open_file(file->path, "wb");
    fprintf(stream, "%s\n", address);
    fwrite(map.at, 1, map.length, stream);
    if (fclose(stream)) {
        perror(file->path);
        exit(2);
    }
    printf("golden: %s: written\n", file->name);
}

static void judge(const struct file *file, bool update)
{
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    char *given = strdup(file->text);
    unsigned long version = update ? take_version(given) : 0;
    bool bound = mw_bind_address(run, given, strlen(given), &request);
    free(given);
    request.look.tables = true;
    request.look.columns = 100;
    const struct mw_map *map = bound ? mw_make(run, &request) : NULL;
    if (!map) {
        report_problems(file->name, run);
        return;
    }
    struct mw_bytes text = mw_encode_with(run, mw_encoder_named("text"), map);
    bool same = strlen(file->body) == text.length && !memcmp(file->body, text.at, text.length);
    bool same_address = !strcmp(request.address, file->text);
    check_name(file->name, request.generator);
    if (update && !same && *file->body && version >= request.generator->version)
        FAULT(file->name, "its bytes change under version %lu: raise the version of %s first",
              version, request.generator->name);
    else if (update && !(same && same_address))
        write_golden(file, request.address, text);
    else if (!same)
        report_difference(file, text);
    else if (!same_address)
        FAULT(file->name, "its address is spelled %s now", request.address);
}

static int is_text(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && !strcmp(entry->d_name + n - 4, ".txt");
}

int main(int argc, char **argv)
{
    bool update = argc == 3 && !strcmp(argv[1], "update");
    if (argc != 3 || (!update && strcmp(argv[1], "check")))
        return fprintf(stderr, "usage: golden check|update DIRECTORY\n"), 2;
    struct dirent **files;
    int count = scandir(argv[2], &files, is_text, alphasort);
    limits.memory = malloc(limits.size);
    if (count < 0 || !limits.memory)
        return perror(argv[2]), 2;
    for (int i = 0; i < count; free(files[i++])) {
        struct file file = {.name = files[i]->d_name};
        snprintf(file.path, sizeof file.path, "%s/%s", argv[2], file.name);
        read_golden(&file);
        judge(&file, update);
        free(file.text);
    }
    for (size_t g = 0; mw_generators[g] && !update; g++)
        if (maps_of[g] < 2)
            FAULT(mw_generators[g]->name, "has fewer than two golden maps");
    printf("golden: %d maps, %d faults\n", count, faults);
    free(files);
    free(limits.memory);
    return faults ? 1 : 0;
}
