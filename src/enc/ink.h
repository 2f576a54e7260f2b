/* ink.h: every colour that a drawing has. */
#ifndef MAPWRIGHT_INK_H
#define MAPWRIGHT_INK_H

#include "lib/gen.h"

enum ink {
    INK_NONE, /* nothing is drawn */
    /* Light fills that people with any colour vision tell apart (after Paul Tol's light scheme). */
    INK_LABEL,
    INK_LABEL_END = INK_LABEL + 9,
    /* paper */
    INK_SEA = INK_LABEL_END,
    INK_FREE, /* land that has no label */
    INK_BORDER,
    INK_WALK,
    INK_MARK,
    INK_BRIDGE,
    INK_WHITE,
    INK_PAPER,
    INK_RULE,
    INK_LETTER,
    /* a world in the sky: of each solid its top, its left side, its right side; of land, every
       other cell's top */
    INK_SKY, /* from the zenith down */
    INK_SKY_END = INK_SKY + 65,
    INK_LAND = INK_SKY_END, /* from the shore to the peaks */
    INK_LAND_END = INK_LAND + 8 * 4,
    INK_EARTH = INK_LAND_END, /* from below the turf downward; left and right alone */
    INK_EARTH_END = INK_EARTH + 4 * 2,
    INK_DECK = INK_EARTH_END, /* of a bridge; then of one on the way that stands out */
    INK_DECK_END = INK_DECK + 2 * 3,
    INK_TREE = INK_DECK_END, /* of its lower cone the light and the shade, then of its upper one */
    INK_TREE_END = INK_TREE + 2 * 2,
    INK_WOOD = INK_TREE_END,
    INK_FLAG,
    INK_FLAG_END = INK_FLAG + 2,
    /* night, from the upper rim down; stars, from the hottest to the coolest; light around each of
       the hottest kinds, then around homes, from the outermost */
    INK_NIGHT = INK_FLAG_END,
    INK_NIGHT_END = INK_NIGHT + 9,
    INK_LANE = INK_NIGHT_END,
    INK_TRUNK,
    INK_SPARE, /* a lane that might have been */
    INK_STAR,
    INK_STAR_END = INK_STAR + 5,
    INK_HOME = INK_STAR_END,
    INK_GLOW,
    INK_GLOW_END = INK_GLOW + 3 * 3,
    /* of lines, where fills are a fifth of them: the labels' darkened, and that of bridges */
    INK_DARK = INK_GLOW_END,
    INK_DARK_END = INK_DARK + (INK_LABEL_END - INK_LABEL) + 1,
    INK_PLACE = INK_DARK_END,
    INK_TURF, /* of voxels at the shore; then every other cell's */
    INK_TURF_END = INK_TURF + 2,
    INK_WALL = INK_TURF_END,
    INK_TEXT,  /* numbers on the map */
    INK_NET,   /* between cells */
    INK_PALE,  /* letters on what is dark */
    INK_TRACK, /* of a board: no two are the same */
    INK_TRACK_END = INK_TRACK + 62,
    INK_TINT = INK_TRACK_END, /* of its cells, in the same order */
    INK_TINT_END = INK_TINT + (INK_TRACK_END - INK_TRACK),
    /* light over labels on land with heights, through which they are seen: of each layer and all
       above it, from the shore to the peaks */
    INK_SHADE = INK_TINT_END,
    INK_SHADE_END = INK_SHADE + 8,
    INK_RELIEF = INK_SHADE_END, /* each label, in shadow, on each layer */
    INK_RELIEF_END = INK_RELIEF + (INK_LABEL_END - INK_LABEL) * (INK_SHADE_END - INK_SHADE),
    INK_END = INK_RELIEF_END
};

enum { INK_LABELS = INK_LABEL_END - INK_LABEL };
enum { INK_SKIES = INK_SKY_END - INK_SKY, INK_NIGHTS = INK_NIGHT_END - INK_NIGHT };
enum { INK_STARS = INK_STAR_END - INK_STAR, INK_GLOWS = 3 };
enum { INK_LIT = (INK_GLOW_END - INK_GLOW) / INK_GLOWS - 1 };
enum { INK_LANDS = (INK_LAND_END - INK_LAND) / 4, INK_EARTHS = (INK_EARTH_END - INK_EARTH) / 2 };
enum { INK_SHADES = INK_SHADE_END - INK_SHADE };
/* So many at most does one drawing have: a board has neither a sky nor shades, all else has no
   tracks, and either the one or the other. */
enum { INK_AT_ONCE = INK_END - INK_SKIES - (INK_RELIEF_END - INK_SHADE) };
_Static_assert(INK_TINT_END - INK_TRACK >= INK_SKIES &&
                   INK_TINT_END - INK_TRACK >= INK_RELIEF_END - INK_SHADE,
               "a board has most");
enum { INK_FLAGS = INK_FLAG_END - INK_FLAG, INK_TRACKS = INK_TRACK_END - INK_TRACK };

extern const uint32_t ink_rgb[INK_END]; /* 0xrrggbb */
/* The same in the theme and the palette of a look (ink_scheme.c). */
uint32_t ink_seen(const struct mw_look *, enum ink);
/* The ink of letters that is read best on one. */
enum ink ink_upon(const struct mw_look *, enum ink);
/* Writes #rrggbb. */
void ink_put(struct mw_run *, enum ink);
void ink_put_rgb(struct mw_run *, uint32_t rgb);

/* How much of what is under it an ink hides, in hundredths: shades alone not all. */
uint32_t ink_hides(enum ink);
/* Of the tops of a layer, 1 to `layers`: its own, or, where there are too many, its share of
   them. */
enum ink ink_of_layer(int32_t layer, int32_t layers);

#endif
