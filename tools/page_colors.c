/*
 * page_colors.c: writes src/web/draw/colors.js, the page's colors, letters and trees, from those
 * of the pictures.
 *
 *     build/page_colors > src/web/draw/colors.js
 *
 * The page draws with the colors of src/enc/ink.c in each theme and palette, so that a map looks
 * the same on the page and in a download. `make` runs this when a color changes.
 */
#include "enc/ink.h"
#include "enc/picture/glyphs.h"
#include "enc/picture/isles/isles.h"

#include <stdio.h>

/* A scheme, and the one whose colors it has unless it says otherwise. */
struct scheme {
    const char *name, *base;
    struct mw_look look, base_look;
};

static bool is_same(const struct scheme *s, int first, int count, int step)
{
    bool same = s->base != NULL;
    for (int i = 0; same && i < count; i++)
        same = ink_color(&s->look, (enum ink)(first + i * step)) ==
               ink_color(&s->base_look, (enum ink)(first + i * step));
    return same;
}

static void put_list(const struct scheme *s, const char *name, int first, int count, int step)
{
    if (is_same(s, first, count, step))
        return;
    printf("    %s: list(\"", name);
    for (int i = 0; i < count; i++)
        printf("%s%06x", i ? " " : "", ink_color(&s->look, (enum ink)(first + i * step)));
    printf("\"),\n");
}

static void put_one(const struct scheme *s, const char *name, enum ink ink)
{
    if (!is_same(s, (int)ink, 1, 1))
        printf("    %s: \"#%06x\",\n", name, ink_color(&s->look, ink));
}

static void put_scheme(const struct scheme *s)
{
    printf("const %s = {\n", s->name);
    if (s->base)
        printf("    ...%s,\n", s->base);
    put_list(s, "countries", INK_LABEL, INK_LABELS, 1);
    put_list(s, "reliefs", INK_RELIEF, INK_LABELS * INK_LANDS, 1);
    put_one(s, "water", INK_SEA);
    put_one(s, "shallows", INK_SHALLOWS);
    put_one(s, "ground", INK_FREE);
    put_one(s, "border", INK_BORDER);
    put_one(s, "net", INK_NET);
    put_one(s, "walk", INK_WALK);
    put_one(s, "text", INK_TEXT);
    put_one(s, "textHalo", INK_HALO);
    put_one(s, "mark", INK_MARK);
    /* Skies have many shades on pictures; the page mixes its own from three. */
    put_list(s, "sky", INK_SKY, 3, INK_SKIES / 2);
    put_one(s, "board", INK_PAPER);
    put_one(s, "boardLine", INK_RULE);
    put_one(s, "wall", INK_WALL);
    put_list(s, "tracks", INK_TRACK, INK_TRACKS, 1);
    put_list(s, "night", INK_NIGHT, 2, INK_NIGHTS - 1);
    put_one(s, "lane", INK_LANE);
    put_one(s, "spine", INK_TRUNK);
    put_one(s, "spare", INK_SPARE);
    put_one(s, "gold", INK_HOME);
    put_list(s, "stars", INK_STAR, INK_STARS, 1);
    put_list(s, "land", INK_LAND, 4 * INK_LANDS, 1);
    put_list(s, "isles", INK_ISLE, INK_ISLE_END - INK_ISLE, 1);
    put_list(s, "earth", INK_EARTH, 2 * INK_EARTHS, 1);
    put_list(s, "decks", INK_DECK, 6, 1);
    put_list(s, "tree", INK_TREE, 4, 1);
    put_one(s, "trunk", INK_WOOD);
    put_list(s, "flags", INK_FLAG, INK_FLAGS, 1);
    printf("};\n");
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
           "export const GLYPHS = {\n",
           GLYPH_CAPITAL);
    for (char c = '!'; c <= '~'; c++) {
        struct mw_point last = {-1, -1};
        if (c == '"' || c == '\\')
            continue;
        const char word[] = {c, '\0'};
        printf("    \"%c\": [%d, \"", c, glyph_text_width(word));
        glyph_trace(word, put_curve, &last);
        printf("\"],\n");
    }
    printf("};\n");
}

static void put_trees(void)
{
    printf("\n// Trees: of how many cells one may have a tree; of each size the lower and the upper cone:\n"
           "// the rim and the tip in units above the foot, and half of the width of the rim.\n"
           "export const TREE_CELLS = %d;\nexport const TREES = [",
           ISLES_TREE_CELLS);
    for (int size = 0; size < ISLES_TREES; size++) {
        const struct isles_cone *low = &isles_trees[size][0], *high = &isles_trees[size][1];
        printf("%s[[%d, %d, %d], [%d, %d, %d]]", size ? ", " : "", low->rim, low->tip, low->half,
               high->rim, high->tip, high->half);
    }
    printf("];\n");
}

int main(void)
{
    /* A palette is its number among the choices of the look. */
    static const struct mw_look light = {0}, dark = {.theme = MW_THEME_DARK};
    const struct scheme schemes[] = {
        {"light", NULL, light, light},
        {"dark", "light", dark, light},
        {"colorblind", "light", {.palette = 1}, light},
        {"darkColorblind", "dark", {.theme = MW_THEME_DARK, .palette = 1}, dark},
        {"print", "light", {.palette = 2}, light},
    };
    printf(
        "// colors.js: written by tools/page_colors.c from the colors of the pictures; do not edit.\n"
        "const list = (text) => text.split(\" \").map((digits) => `#${digits}`);\n\n");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        put_scheme(&schemes[i]);
    printf("\nexport const COLORS = { light, dark, colorblind, darkColorblind, print };\n");
    put_glyphs();
    put_trees();
    return 0;
}
