/*
 * golden.c: maps that one can look at, kept as text.
 *
 * A golden file, <generator>-<n>.txt with `-` for the `/` of a name, holds an address and the map
 * that it gives, as the text encoder draws it. A new one begins as the address alone, in any
 * spelling; one that nobody relies on yet is cut back to that.
 *
 *     golden check DIRECTORY     every file still gives what it holds; every generator has two or
 *                                more
 *     golden update DIRECTORY    writes anew what is new, or of a generator of a raised version;
 *                                refuses where bytes changed under the same version
 */
#include "mapwright_host.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file {
    const char *directory, *name;
    char *text; /* all of it */
    size_t length;
    char *body; /* after the first line; "" in a new file */
};

static struct mw_limits limits = {.size = (size_t)256 << 20};
static int faults;

#define FAULT(file, ...) \
    (printf("golden: %s: ", (file)->name), printf(__VA_ARGS__), puts(""), faults++)

/* ---- files ----------------------------------------------------------------------------------- */

static FILE *open_file(const struct file *file, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", file->directory, file->name);
    FILE *stream = fopen(path, mode);
    if (!stream) {
        perror(path);
        exit(2);
    }
    return stream;
}

/* Reads the file and parts it into address and body. */
static void read_golden(struct file *file)
{
    FILE *stream = open_file(file, "rb");
    fseek(stream, 0, SEEK_END);
    file->length = (size_t)ftell(stream);
    rewind(stream);
    file->text = calloc(file->length + 2, 1);
    if (!file->text || fread(file->text, 1, file->length, stream) != file->length)
        exit(2);
    fclose(stream);
    char *end = strchr(file->text, '\n');
    file->body = end ? end + 1 : file->text + file->length + 1;
    if (end)
        *end = '\0';
}

static void write_golden(const struct file *file, const struct mw_request *request,
                         struct mw_bytes map)
{
    FILE *stream = open_file(file, "wb");
    fprintf(stream, "%s\n", request->address);
    fwrite(map.at, 1, map.length, stream);
    if (fclose(stream)) {
        perror(file->name);
        exit(2);
    }
    printf("golden: %s: written\n", file->name);
}

/* ---- what an address gives ------------------------------------------------------------------- */

static const struct mw_generator *generator_of(const char *address)
{
    char name[100];
    size_t n = strcspn(address, "?");
    if (address[0] != '/' || n >= sizeof name)
        return NULL;
    memcpy(name, address + 1, n - 1);
    name[n - 1] = '\0';
    return mw_find(name);
}

/* Text of an argument, which does not end in NUL. */
static unsigned number_of(const char *text, size_t length)
{
    unsigned n = 0;
    for (size_t i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        n = n * 10 + (unsigned)(text[i] - '0');
    return n;
}

/* Binds all but `v`, which is given back: 0 where there is none. */
static bool bind_any_version(struct mw_run *run, const char *address, struct mw_request *request,
                             unsigned *v)
{
    const struct mw_generator *generator = generator_of(address);
    const struct mw_arg *read;
    struct mw_arg args[100];
    size_t count, kept = 0;
    const char *query = strchr(address, '?');
    *v = 0;
    if (!generator ||
        !mw_read_query(run, query ? query + 1 : "", query ? strlen(query + 1) : 0, &read, &count))
        return false;
    for (size_t i = 0; i < count && kept < sizeof args / sizeof *args; i++)
        if (read[i].name_length == 1 && read[i].name[0] == 'v')
            *v = number_of(read[i].text, read[i].length);
        else
            args[kept++] = read[i];
    return mw_bind(run, generator, args, kept, NULL, request);
}

/* With all that is known of it. */
static struct mw_bytes draw(struct mw_run *run, struct mw_request *request)
{
    request->look.tables = true;
    request->look.columns = 100;
    const struct mw_map *map = mw_make(run, request);
    return map ? mw_encode_with(run, mw_encoder_named("text"), map) : (struct mw_bytes){NULL, 0};
}

static void report_problems(const struct file *file, const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    if (!problems->count)
        FAULT(file, "its first line is no address of a map");
    for (size_t i = 0; i < problems->count; i++)
        FAULT(file, "%s: %s", problems->list[i].pointer, problems->list[i].detail);
}

/* Line and column of the first difference. */
static void report_difference(const struct file *file, const char *map, size_t length)
{
    size_t line = 2, column = 1, i = 0;
    while (i < length && file->body[i] && file->body[i] == map[i]) {
        column = map[i] == '\n' ? 1 : column + 1;
        line += map[i++] == '\n';
    }
    FAULT(file, "the map is another from line %zu, column %zu on", line, column);
}

/* ---- checking and updating ------------------------------------------------------------------- */

static bool same_body(const struct file *file, struct mw_bytes map)
{
    return strlen(file->body) == map.length && !memcmp(file->body, map.at, map.length);
}

/* The name says which generator. */
static void check_name(const struct file *file, const struct mw_generator *generator)
{
    size_t n = strlen(generator->name);
    bool good = !strncmp(file->name + n, "-", 1) && strspn(file->name + n + 1, "0123456789") > 0;
    for (size_t i = 0; i < n && good; i++)
        good = file->name[i] == (generator->name[i] == '/' ? '-' : generator->name[i]);
    if (!good)
        FAULT(file, "should be called %s-<n>.txt, with - for /", generator->name);
}

static void check_file(struct file *file)
{
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    if (!mw_bind_address(run, file->text, strlen(file->text), &request)) {
        report_problems(file, run);
        return;
    }
    check_name(file, request.generator);
    if (strcmp(request.address, file->text))
        FAULT(file, "its address is spelled %s now", request.address);
    struct mw_bytes map = draw(run, &request);
    if (!map.at)
        report_problems(file, run);
    else if (!same_body(file, map))
        report_difference(file, map.at, map.length);
}

static void update_file(struct file *file)
{
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    unsigned v;
    bool bound = bind_any_version(run, file->text, &request, &v);
    struct mw_bytes map = bound ? draw(run, &request) : (struct mw_bytes){NULL, 0};
    if (!map.at) {
        report_problems(file, run);
        return;
    }
    bool same = same_body(file, map), is_new = !*file->body;
    if (same && !strcmp(request.address, file->text))
        return;
    if (!same && !is_new && v >= request.generator->version) {
        FAULT(file,
              "its bytes change under version %u: raise the version of %s in its descriptor first",
              v, request.generator->name);
        return;
    }
    write_golden(file, &request, map);
}

/* Files in order of name, so that reports are. */
static int next_name(const char *directory, char name[256])
{
    DIR *all = opendir(directory);
    char best[256] = "";
    if (!all) {
        perror(directory);
        exit(2);
    }
    for (struct dirent *entry; (entry = readdir(all));) {
        size_t n = strlen(entry->d_name);
        if (n > 4 && n < sizeof best && !strcmp(entry->d_name + n - 4, ".txt") &&
            strcmp(entry->d_name, name) > 0 && (!*best || strcmp(entry->d_name, best) < 0))
            memcpy(best, entry->d_name, n + 1);
    }
    closedir(all);
    memcpy(name, best, sizeof best);
    return *best;
}

static int count_golden(const char *directory, const struct mw_generator *generator)
{
    char name[256] = "";
    int n = 0;
    while (next_name(directory, name)) {
        struct file file = {.directory = directory, .name = name};
        read_golden(&file);
        n += generator_of(file.text) == generator;
        free(file.text);
    }
    return n;
}

int main(int argc, char **argv)
{
    bool update = argc == 3 && !strcmp(argv[1], "update");
    if (argc != 3 || (!update && strcmp(argv[1], "check"))) {
        fprintf(stderr, "usage: golden check|update DIRECTORY\n");
        return 2;
    }
    limits.memory = malloc(limits.size);
    if (!limits.memory)
        return 2;
    char name[256] = "";
    int files = 0;
    for (; next_name(argv[2], name); files++) {
        struct file file = {.directory = argv[2], .name = name};
        read_golden(&file);
        (update ? update_file : check_file)(&file);
        free(file.text);
    }
    for (const struct mw_generator *const *g = mw_generators; *g && !update; g++)
        if (count_golden(argv[2], *g) < 2)
            FAULT(&(struct file){.name = (*g)->name}, "has fewer than two golden maps");
    printf("golden: %d maps, %d faults\n", files, faults);
    free(limits.memory);
    return faults ? 1 : 0;
}
