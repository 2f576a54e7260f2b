/* ink.h: all colors of drawings. */
#ifndef MAPWRIGHT_INK_H
#define MAPWRIGHT_INK_H

#include "lib/gen.h"

enum ink {
    INK_NONE,
    /* Fills of labels: any two differ by 12 for every color vision, and by 25 from the sea, in
       both themes (CIE 1976; see tests/unit/enc/check_ink.c). The first ones look like land. */
    INK_LABEL,
    INK_LABEL_END = INK_LABEL + 9,
    /* paper */
    INK_SEA = INK_LABEL_END,
    INK_SHALLOWS, /* the sea along a shore */
    INK_FREE,     /* land that has no label */
    INK_BORDER,
    INK_WALK,
    INK_MARK,
    INK_BRIDGE,
    INK_WHITE,
    INK_PAPER,
    INK_RULE,
    INK_LETTER,
    /* a world of voxels: the top, left side and right side of each solid; of land also the top of
       every other cell */
    INK_SKY, /* from the top of the picture down */
    INK_SKY_END = INK_SKY + 65,
    INK_LAND = INK_SKY_END, /* from the shore to the peaks */
    INK_LAND_END = INK_LAND + 8 * 4,
    INK_EARTH = INK_LAND_END, /* downward; left and right only */
    INK_EARTH_END = INK_EARTH + 4 * 2,
    INK_DECK = INK_EARTH_END, /* of a bridge; then of one on the route */
    INK_DECK_END = INK_DECK + 2 * 3,
    INK_TREE = INK_DECK_END, /* light and shade of the lower cone, then of the upper one */
    INK_TREE_END = INK_TREE + 2 * 2,
    INK_WOOD = INK_TREE_END,
    INK_FLAG,
    INK_FLAG_END = INK_FLAG + 2,
    /* night, from the top down; stars, from the hottest to the coolest; glow around each of the
       hottest kinds, then around homes, from the outside in */
    INK_NIGHT = INK_FLAG_END,
    INK_NIGHT_END = INK_NIGHT + 9,
    INK_LANE = INK_NIGHT_END,
    INK_TRUNK,
    INK_SPARE, /* a lane that would be possible */
    INK_STAR,
    INK_STAR_END = INK_STAR + 5,
    INK_HOME = INK_STAR_END,
    INK_GLOW,
    INK_GLOW_END = INK_GLOW + 3 * 3,
    /* for lines whose fill is 20 % opaque: those of labels, darkened, and that of bridges */
    INK_DARK = INK_GLOW_END,
    INK_DARK_END = INK_DARK + (INK_LABEL_END - INK_LABEL) + 1,
    INK_PLACE = INK_DARK_END,
    INK_TURF, /* voxels at the shore; then those of every other cell */
    INK_TURF_END = INK_TURF + 2,
    INK_WALL = INK_TURF_END,
    INK_TEXT, /* names on the map, and the halo around them */
    INK_HALO,
    INK_NET,   /* between cells */
    INK_PALE,  /* letters on dark colors */
    INK_TRACK, /* paths of a board, all different */
    INK_TRACK_END = INK_TRACK + 62,
    INK_TINT = INK_TRACK_END, /* cells on them, in the same order */
    INK_TINT_END = INK_TINT + (INK_TRACK_END - INK_TRACK),
    /* labels on land with heights: each label on each layer, from the shore to the peaks */
    INK_RELIEF = INK_TINT_END,
    INK_RELIEF_END = INK_RELIEF + (INK_LABEL_END - INK_LABEL) * (INK_LAND_END - INK_LAND) / 4,
    /* tops of land on islands of the tints after the first: for each tint and layer a top, and that
       of every other cell */
    INK_ISLE = INK_RELIEF_END,
    INK_ISLE_END = INK_ISLE + 5 * 8 * 2,
    INK_END = INK_ISLE_END
};

enum { INK_LABELS = INK_LABEL_END - INK_LABEL };
enum { INK_SKIES = INK_SKY_END - INK_SKY, INK_NIGHTS = INK_NIGHT_END - INK_NIGHT };
enum { INK_STARS = INK_STAR_END - INK_STAR, INK_GLOWS = 3 };
enum { INK_LIT = (INK_GLOW_END - INK_GLOW) / INK_GLOWS - 1 };
enum { INK_LANDS = (INK_LAND_END - INK_LAND) / 4, INK_EARTHS = (INK_EARTH_END - INK_EARTH) / 2 };
/* Tints of islands; in the first, tops have the colors of INK_LAND. */
enum { INK_ISLE_TINTS = 1 + (INK_ISLE_END - INK_ISLE) / (2 * INK_LANDS) };
enum { INK_FLAGS = INK_FLAG_END - INK_FLAG, INK_TRACKS = INK_TRACK_END - INK_TRACK };

extern const uint32_t ink_rgb[INK_END]; /* 0xrrggbb */
/* The color in the theme and palette of a look. */
uint32_t ink_color(const struct mw_look *, enum ink);
/* A color with some hundredths of another. */
uint32_t ink_mix(uint32_t rgb, uint32_t other, uint32_t share);
/* The more legible ink for letters on an ink. */
enum ink ink_for_text_on(const struct mw_look *, enum ink);
/* Writes #rrggbb. */
void ink_put_rgb(struct mw_run *, uint32_t rgb);

/* Of the tops of a layer, 1 to `layers`; if these are more than inks, several share one. */
enum ink ink_of_layer(int32_t layer, int32_t layers);
/* Of the tops of that layer on islands of a tint; `other`: of every other cell. */
enum ink ink_of_top(enum ink layer, int tint, bool other);

#endif
