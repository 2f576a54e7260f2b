/* check_bridges.c: bridges on worlds drawn as text. */
#include "worlds.h"

#include <stdio.h>

/* A world from rows of digits (islands) and dots (air), a slash after each but the last. */
static struct island_map draw(struct mw_run *run, const char *text)
{
    static const int32_t islands[2] = {1, 9}, size[2] = {1, 99};
    int32_t width = (int32_t)strcspn(text, "/"), height = (int32_t)(strlen(text) + 1) / (width + 1);
    struct island_map s = worlds_new(run, width, height, islands, size);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            char c = text[y * (width + 1) + x];
            int32_t id = c == '.' ? 0 : c - '0';
            s.at[world_cell(&s, x, y)] = id;
            s.count = mw_max(s.count, id);
            s.size[id]++;
        }
    return s;
}

/* Writes "1-2: 3,0 4,0" for each bridge, a line each. */
static const char *bridge(struct island_map *s, int32_t loops, struct bridges *b)
{
    static char text[4096];
    size_t n = 0;
    uint16_t *steps = MW_NEW(s->run, uint16_t, s->cells);
    islands_bridge(s, loops, steps, b);
    text[0] = '\0';
    for (int32_t i = 0; i < b->count; i++) {
        struct mw_point *at = MW_NEW(s->run, struct mw_point, b->list[i].length);
        islands_lay(s, steps, &b->list[i], at);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d-%d:", i ? "; " : "", b->list[i].from,
                              b->list[i].to);
        for (int32_t k = 0; k < b->list[i].length; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, " %d,%d", at[k].x, at[k].y);
    }
    return text;
}

TEST(bridges_are_short_and_pass_no_third)
{
    static const struct {
        const char *world, *bridges;
        int32_t loops;
    } rows[] = {
        {"1", "", 0},
        {"1.2", "1-2: 1,0", 0},
        {"1..2", "1-2: 1,0 2,0", 1000},
        {"1/././2", "1-2: 0,1 0,2", 0},
        {"2.1.3", "1-2: 1,0; 1-3: 3,0", 0},
        {"1.2/.../3.4", "1-2: 1,0; 1-3: 0,1; 2-4: 2,1", 0},
        {"1.2/.../3.4", "1-2: 1,0; 1-3: 0,1; 2-4: 2,1; 3-4: 1,2", 1000},
        /* Four ties around a cell that no zone reaches. */
        {".1.2./1...2/...../3...4/.3.4.", "1-2: 2,0; 1-3: 0,2; 2-4: 4,2", 0},
        /* The figure of the essay. */
        {"11..2/111.2/1..../..33.", "1-2: 3,1; 1-3: 2,2", 0},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        struct island_map s = draw(unit_open(), rows[i].world);
        struct bridges b;
        const char *text = bridge(&s, rows[i].loops, &b);
        ck_assert_msg(!strcmp(text, rows[i].bridges), "%s: %s", rows[i].world, text);
    }
}
