/* svg.c: vector drawings: which drawing suits a map, and what they all begin with. */
#include "svg.h"

const char *const svg_palette[SVG_COLOURS] = {"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff",
                                              "#44bb99", "#bbcc33", "#aaaa00", "#dddddd"};

void svg_attribute(struct mw_run *run, const char *name, int64_t value)
{
    mw_put_char(run, ' ');
    mw_put(run, name);
    mw_put(run, "=\"");
    mw_put_int(run, value);
    mw_put_char(run, '"');
}

void svg_begin(struct mw_run *run, const struct mw_map *map, int32_t width, int32_t height,
               const char *background)
{
    mw_put(run, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    mw_put_int(run, width);
    mw_put_char(run, ' ');
    mw_put_int(run, height);
    mw_put(run, "\" width=\"");
    mw_put_int(run, width);
    mw_put(run, "\" height=\"");
    mw_put_int(run, height);
    mw_put(run, "\">\n<title>");
    mw_put_xml(run, map->request->generator->name);
    if (map->request->seed) {
        mw_put(run, ", seed ");
        mw_put_xml(run, map->request->seed);
    }
    mw_put(run, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"");
    mw_put(run, background);
    mw_put(run, "\"/>\n");
}

/* What draws a map: the first of these parts that it has. */
static const struct drawing {
    enum mw_kind kind;
    enum mw_role role;
    void (*draw)(struct mw_run *, const struct mw_map *, int p);
} drawings[] = {
    {MW_GRID, MW_LABEL_GRID, svg_cells},
    {MW_EDGES, MW_PLAIN, svg_lanes},
    {MW_VALUE, MW_BOARD, svg_board},
};

static const struct drawing *drawing_of(const struct mw_generator *generator, int *p)
{
    for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++) {
        *p = draw_part(generator, drawings[i].kind, drawings[i].role);
        if (*p >= 0)
            return &drawings[i];
    }
    return NULL;
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    int p;
    drawing_of(map->request->generator, &p)->draw(run, map, p);
    mw_put(run, "</svg>\n");
}

static bool fits(const struct mw_generator *generator)
{
    int p;
    return drawing_of(generator, &p) != NULL;
}

const struct mw_encoder mw_svg = {.name = "svg", .media = "image/svg+xml", .help = "a drawing, for people",
                                  .fits = fits, .encode = encode};
