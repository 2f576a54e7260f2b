/*
 * json.c: a grid of region numbers as JSON, ours against a tree of jansson's, with the same bytes.
 *
 *     json WIDTH HEIGHT COUNT
 *
 * The map is made by /regions. Jansson builds an array of arrays of integers and dumps it
 * compactly, as a program on that library would; both are timed to the finished text, allocation
 * included. Ours is the whole answer, envelope and table too.
 */
#include "mapwright_host.h"
#include "measure.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { ROUNDS = 15 };

static const struct mw_cells *grid_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    int p = 0;
    while (parts[p].kind != MW_GRID)
        p++;
    return &map->slots[p].as.grid;
}

static char *dump_tree(const struct mw_cells *cells)
{
    json_t *rows = json_array();
    for (int32_t y = 0; y < cells->lattice.height; y++) {
        json_t *row = json_array();
        for (int32_t x = 0; x < cells->lattice.width; x++)
            json_array_append_new(
                row, json_integer(cells->at[(size_t)y * (size_t)cells->lattice.width + (size_t)x]));
        json_array_append_new(rows, row);
    }
    char *text = json_dumps(rows, JSON_COMPACT);
    json_decref(rows);
    return text;
}

int main(int argc, char **argv)
{
    char address[128];
    if (argc != 4)
        return fprintf(stderr, "usage: json WIDTH HEIGHT COUNT\n"), 2;
    snprintf(address, sizeof address, "/regions?width=%s&height=%s&count=%s&seed=1", argv[1],
             argv[2], argv[3]);
    struct mw_limits limits = {.size = (size_t)2 << 30};
    limits.memory = mmap(NULL, limits.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    double ours[ROUNDS], tree[ROUNDS];
    size_t bytes = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct mw_run *run = mw_open(&limits);
        struct mw_request request;
        const struct mw_map *map = mw_bind_address(run, address, strlen(address), &request)
                                       ? mw_make(run, &request)
                                       : NULL;
        if (!map)
            return fprintf(stderr, "%s: no map\n", address), 1;
        mw_encode_with(run, mw_encoder_named("json"),
                       map); /* so that both find the grid equally warm */
        double start = measure_now();
        struct mw_bytes json = mw_encode_with(run, mw_encoder_named("json"), map);
        double middle = measure_now();
        char *text = dump_tree(grid_of(map));
        double end = measure_now();
        ours[i] = middle - start;
        tree[i] = end - middle;
        bytes = strlen(text);
        const char *cells = json.at ? memmem(json.at, json.length, "\"cells\":", 8) : NULL;
        if (!cells || memcmp(cells + 8, text, bytes))
            return fprintf(stderr, "the bytes differ\n"), 1;
        free(text);
    }
    double a = measure_median(ours, ROUNDS), b = measure_median(tree, ROUNDS);
    printf("json of a %sx%s grid (%zu bytes, the same): ours %.3f ms, jansson's tree %.3f ms, "
           "ratio %.0f\n",
           argv[1], argv[2], bytes, a * 1e3, b * 1e3, b / a);
    return 0;
}
