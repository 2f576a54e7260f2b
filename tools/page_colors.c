/*
 * page_colors.c: writes src/web/draw/colors.js, the page's colours and letters, from those of the
 * pictures.
 *
 *     build/page_colors > src/web/draw/colors.js
 *
 * The page draws with the colours of src/enc/ink.c in each theme and palette, so that a map looks
 * the same on the page and in a download. `make` runs this when a colour changes.
 */
#include "enc/ink.h"
#include "enc/picture/glyphs.h"

#include <stdio.h>

struct scheme {
    const char *name;
    struct mw_look look;
};

static void put_list(const struct mw_look *look, const char *name, int first, int count, int step)
{
    printf("        %s: list(\"", name);
    for (int i = 0; i < count; i++)
        printf("%s%06x", i ? " " : "", ink_colour(look, (enum ink)(first + i * step)));
    printf("\"),\n");
}

static void put_one(const struct mw_look *look, const char *name, enum ink ink)
{
    printf("        %s: \"#%06x\",\n", name, ink_colour(look, ink));
}

/* Skies have many shades on pictures; the page mixes its own from three. */
static void put_sky(const struct mw_look *look)
{
    put_list(look, "sky", INK_SKY, 3, INK_SKIES / 2);
}

static void put_scheme(const struct scheme *scheme)
{
    const struct mw_look *look = &scheme->look;
    printf("    %s: {\n", scheme->name);
    put_list(look, "countries", INK_LABEL, INK_LABELS, 1);
    put_list(look, "reliefs", INK_RELIEF, INK_LABELS * INK_SHADES, 1);
    put_one(look, "water", INK_SEA);
    put_one(look, "ground", INK_FREE);
    put_one(look, "border", INK_BORDER);
    put_one(look, "net", INK_NET);
    put_one(look, "walk", INK_WALK);
    put_one(look, "text", INK_TEXT);
    put_one(look, "textHalo", INK_HALO);
    put_one(look, "mark", INK_MARK);
    put_sky(look);
    put_one(look, "board", INK_PAPER);
    put_one(look, "boardLine", INK_RULE);
    put_one(look, "wall", INK_WALL);
    put_list(look, "tracks", INK_TRACK, INK_TRACKS, 1);
    put_list(look, "night", INK_NIGHT, 2, INK_NIGHTS - 1);
    put_one(look, "lane", INK_LANE);
    put_one(look, "spine", INK_TRUNK);
    put_one(look, "spare", INK_SPARE);
    put_one(look, "gold", INK_HOME);
    put_list(look, "stars", INK_STAR, INK_STARS, 1);
    put_list(look, "land", INK_LAND, 4 * INK_LANDS, 1);
    put_list(look, "earth", INK_EARTH, 2 * INK_EARTHS, 1);
    put_list(look, "decks", INK_DECK, 6, 1);
    put_list(look, "tree", INK_TREE, 4, 1);
    put_one(look, "trunk", INK_WOOD);
    put_list(look, "flags", INK_FLAG, INK_FLAGS, 1);
    printf("    },\n");
}

/* Paths in half steps, as in SVG. */
static void put_curve(void *of, struct mw_point a, struct mw_point bend, struct mw_point b)
{
    struct mw_point *last = of;
    if (a.x != last->x || a.y != last->y)
        printf("M%d %d", a.x, a.y);
    if (2 * bend.x == a.x + b.x && 2 * bend.y == a.y + b.y)
        printf("L%d %d", b.x, b.y);
    else
        printf("Q%d %d %d %d", bend.x, bend.y, b.x, b.y);
    *last = b;
}

static void put_glyphs(void)
{
    printf("\n// Letters: the width and the path of each, in half steps; a capital is %d high.\n"
           "export const GLYPHS = {\n", GLYPH_CAPITAL);
    for (char c = '!'; c <= '~'; c++) {
        struct mw_point last = {-1, -1};
        if (c == '"' || c == '\\')
            continue;
        printf("    \"%c\": [%d, \"", c, glyph_width(c));
        glyph_trace(c, put_curve, &last);
        printf("\"],\n");
    }
    printf("};\n");
}

int main(void)
{
    /* A palette is its number among the choices of the look. */
    static const struct scheme schemes[] = {
        {"light", {0}},
        {"dark", {.theme = MW_THEME_DARK}},
        {"colorblind", {.palette = 1}},
        {"darkColorblind", {.theme = MW_THEME_DARK, .palette = 1}},
        {"print", {.palette = 2}},
    };
    printf("// colors.js: written by tools/page_colors.c from the colours of the pictures; do not edit.\n"
           "const list = (text) => text.split(\" \").map((digits) => `#${digits}`);\n\n"
           "export const COLORS = {\n");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        put_scheme(&schemes[i]);
    printf("};\n");
    put_glyphs();
    return 0;
}
