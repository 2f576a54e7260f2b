/*
 * map.c: islands as a picture, islands.png, and how large each island is.
 *
 *     make install                                        in Mapwright's folder, as root
 *     cc map.c -o map $(pkg-config --cflags --libs mapwright)
 *     ./map
 */
#include <mapwright.h>
#include <stdio.h>

static _Alignas(64) char memory[16 << 20];

static int report(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    for (size_t i = 0; i < problems->count; i++)
        fprintf(stderr, "%s: %s\n", problems->list[i].pointer, problems->list[i].detail);
    return 1;
}

int main(void)
{
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = memory, .size = sizeof memory});
    const struct mw_request *request = mw_ask(run, "/islands.png?seed=7", NULL, NULL);
    const struct mw_map *map = request ? mw_make(run, request) : NULL;
    struct mw_bytes png = {NULL, 0};
    if (map)
        png = mw_encode(run, map, NULL);
    if (!png.at)
        return report(run);
    struct mw_ints sizes = mw_ints_of(map, "islands", "size");
    for (int32_t i = 0; i < sizes.count; i++)
        printf("island %d has %d cells\n", i + 1, sizes.at[i]);
    FILE *file = fopen("islands.png", "wb");
    return !file || fwrite(png.at, 1, png.length, file) != png.length || fclose(file);
}
