/* ink.c: all colors of drawings. */
#include "ink.h"

/* clang-format off */
const uint32_t ink_rgb[INK_END] = {
    [INK_LABEL] = 0xa4d195, 0xeab169, 0xfdefa6, 0xd78386, 0x78c4b3, 0xb08bc0,
                  0xdfeecc, 0xe5c8f9, 0x87985b,
    [INK_SEA] = 0xbfd9e8,
    [INK_SHALLOWS] = 0xd5e8f2,
    [INK_FREE] = 0xf6f3ec,
    [INK_BORDER] = 0x445566,
    [INK_WALK] = 0x47617c,
    [INK_MARK] = 0x223344,
    [INK_BRIDGE] = 0xbb5533,
    [INK_WHITE] = 0xffffff,
    [INK_PAPER] = 0xf7f9fb,
    [INK_RULE] = 0xc4ccd4,
    [INK_LETTER] = 0x111111,
    [INK_SKY] = 0x8fc3e8, [INK_SKY + INK_SKIES / 2] = 0xcfe6f4, [INK_SKY_END - 1] = 0xf4f8fa,
    /* The higher, the lighter, so that layers differ without their hues, too. */
    [INK_LAND] = 0x6fae5c, 0x568c52, 0x3f6e49, 0x7db66c,
                 0x93c165, 0x74a058, 0x577f4b, 0x9ec774,
                 0xb9d274, 0x96b063, 0x728c53, 0xc0d682,
                 0xd6d98f, 0xb1b276, 0x8b8c60, 0xdadd9a,
                 0xd9cfae, 0xb0a588, 0x86806c, 0xddd4b6,
                 0xd9d6cc, 0xaaa89f, 0x807f7b, 0xdddad1,
                 0xe9eaea, 0xb9bfc4, 0x8d959d, 0xebecec,
                 0xffffff, 0xcfdae4, 0xa3b3c4, 0xf4f7fa,
    [INK_EARTH] = 0xa8835a, 0x80623f,
                  0x957257, 0x6f5440,
                  0x82685a, 0x604c42,
                  0x6e5f5b, 0x514644,
    [INK_DECK] = 0xd8a26a, 0xa8743f, 0x7f5430,
                 0xffd65c, 0xd3a02c, 0xa67a1e,
    [INK_TREE] = 0x418c4e, 0x2f6b44, 0x57a35c, 0x3a7f4b,
    [INK_WOOD] = 0x6f4d2f,
    [INK_FLAG] = 0x0077bb, 0xcc3311,
    [INK_NIGHT] = 0x0a0f24, [INK_NIGHT + INK_NIGHTS / 2] = 0x10102b, [INK_NIGHT_END - 1] = 0x161032,
    [INK_LANE] = 0x5b78b4,
    [INK_TRUNK] = 0x9fc0ff,
    [INK_SPARE] = 0x2c3458,
    [INK_STAR] = 0xa3bfff, 0xd7e2ff, 0xfff8ec, 0xffdba6, 0xffaf87,
    [INK_HOME] = 0xffcc44,
    [INK_DARK] = 0x3f7f2e, 0xb06a12, 0xa88c14, 0xa83a3f, 0x1f7f6a, 0x744389,
                 0x6f8f45, 0x8f55b5, 0x4d5a22, 0x993311,
    [INK_PLACE] = 0xcc0033,
    [INK_TURF] = 0x008000, 0x128c12,
    [INK_WALL] = 0x56616e,
    [INK_TEXT] = 0x1f2731,
    [INK_HALO] = 0xffffff,
    [INK_NET] = 0x7c8896,
    [INK_PALE] = 0xffffff,
    [INK_TRACK] = 0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee, 0xaa3377, 0xee8833,
                  0x332288, 0x44aa99, 0x999933, 0xcc6677, 0x882255, 0x88ccee, 0x117733,
                  0xddcc77, 0xaa4499, 0xc69739, 0x69d3cf, 0x962c7b, 0x79c639, 0x697ad3,
                  0x96392c, 0x39c674, 0xb569d3, 0x96962c, 0x399cc6, 0xd36995, 0x39962c,
                  0x5139c6, 0xd39a69, 0x2c967c, 0xc639bf, 0xafd369, 0x2c5396, 0xc63944,
                  0x69d380, 0x612c96, 0xc6a939, 0x69cad3, 0x962c6e, 0x67c639, 0x696dd3,
                  0x96472c, 0x39c686, 0xc269d3, 0x88962c, 0x398ac6, 0xd36987, 0x2c962c,
                  0x6339c6, 0xd3a869, 0x2c968a, 0xc639ad, 0xa2d369, 0x2c4596, 0xc64039,
                  0x69d38d, 0x6f2c96, 0xc6bb39, 0x69bcd3, 0x962c60, 0x55c639,
};
/* clang-format on */

void ink_put_rgb(struct mw_run *run, uint32_t rgb)
{
    static const char digits[] = "0123456789abcdef";
    mw_put_char(run, '#');
    for (int shift = 20; shift >= 0; shift -= 4)
        mw_put_char(run, digits[rgb >> shift & 15]);
}

enum ink ink_of_layer(int32_t layer, int32_t layers)
{
    assert(layer >= 1 && layer <= layers);
    int32_t share = layers <= INK_LANDS ? layer - 1 : (layer - 1) * (INK_LANDS - 1) / (layers - 1);
    return (enum ink)(INK_LAND + 4 * share);
}

enum ink ink_of_top(enum ink layer, int tint, bool other)
{
    int32_t number = ((int32_t)layer - INK_LAND) / 4;
    assert(number >= 0 && number < INK_LANDS && tint >= 0 && tint < INK_ISLE_TINTS);
    if (!tint)
        return (enum ink)(layer + (other ? 3 : 0));
    return (enum ink)(INK_ISLE + ((tint - 1) * INK_LANDS + number) * 2 + other);
}

/* ---- themes and palettes --------------------------------------------------------------------- */

/* The dark theme, and palettes for color-blind people and for print, list what differs; 0: the
   same. A palette overrides the theme. Shades of the sky, the glow around stars and tints of cells
   are mixed from these. In the dark theme fills are mixed with the background and tracks with
   white, as on the page (src/web/draw/palette.js). `colorblind` has stronger contrasts, after the
   palette of Okabe and Ito. `print` is black on white with light grays in both themes. */
enum { COLORBLIND = 1, PRINT }; /* palettes of a look, after the default */

/* clang-format off */
static const uint32_t dark[INK_END] = {
    [INK_SEA] = 0x1a2735,
    [INK_SHALLOWS] = 0x22364a,
    [INK_FREE] = 0x454a4e,
    [INK_BORDER] = 0x161b22,
    [INK_WALK] = 0x2b3a4c,
    [INK_MARK] = 0xf7f9fb,
    [INK_BRIDGE] = 0xc98a4b,
    [INK_WHITE] = 0x11151b,
    [INK_PAPER] = 0x1a2028,
    [INK_RULE] = 0x343d48,
    [INK_SKY] = 0x0b1424, [INK_SKY + INK_SKIES / 2] = 0x15263d, [INK_SKY_END - 1] = 0x2a4059,
    [INK_WALL] = 0x5d6876,
    [INK_TEXT] = 0xf7f9fb,
    [INK_HALO] = 0x1a2028,
    [INK_NET] = 0x2b333d,
};

static const uint32_t colorblind[INK_END] = {
    [INK_LABEL] = 0xf2a91b, 0x7599d7, 0xf0e662, 0x9d4f80, 0x08ab80, 0xe1eec8,
                  0xce6000, 0xe1afc6, 0x987843,
    [INK_BRIDGE] = 0x8a4a00,
    [INK_TRACK] = 0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xf0e442,
    [INK_FLAG] = 0x0072b2, 0xd55e00,
    [INK_LANE] = 0x56b4e9,
    [INK_TRUNK] = 0xffffff,
    [INK_HOME] = 0xe69f00,
};

static const uint32_t print[INK_END] = {
    [INK_LABEL] = 0xffffff, 0xe2e2e2, 0xc8c8c8, 0xf1f1f1, 0xd5d5d5, 0xbababa,
                  0xeaeaea, 0xcfcfcf, 0xdcdcdc,
    [INK_SEA] = 0xffffff,
    [INK_SHALLOWS] = 0xffffff,
    [INK_FREE] = 0xf4f4f4,
    [INK_BORDER] = 0x222222,
    [INK_WALK] = 0x777777,
    [INK_MARK] = 0x111111,
    [INK_BRIDGE] = 0x777777,
    [INK_WHITE] = 0xffffff,
    [INK_PAPER] = 0xffffff,
    [INK_RULE] = 0xb0b0b0,
    [INK_SKY] = 0xffffff, [INK_SKY + INK_SKIES / 2] = 0xffffff, [INK_SKY_END - 1] = 0xffffff,
    [INK_LAND] = 0xb4b4b4, 0x818181, 0x5a5a5a, 0xbbbbbb,
                 0xbebebe, 0x888888, 0x5f5f5f, 0xc5c5c5,
                 0xc9c9c9, 0x909090, 0x646464, 0xd0d0d0,
                 0xd4d4d4, 0x989898, 0x6a6a6a, 0xdbdbdb,
                 0xdedede, 0x9f9f9f, 0x6f6f6f, 0xe5e5e5,
                 0xe9e9e9, 0xa7a7a7, 0x747474, 0xf0f0f0,
                 0xf4f4f4, 0xafafaf, 0x7a7a7a, 0xfbfbfb,
                 0xffffff, 0xb7b7b7, 0x7f7f7f, 0xffffff,
    [INK_EARTH] = 0x989898, 0x6a6a6a,
                  0x888888, 0x5f5f5f,
                  0x787878, 0x545454,
                  0x686868, 0x484848,
    [INK_DECK] = 0xe6e6e6, 0x8a8a8a, 0x606060,
                 0x222222, 0x111111, 0x050505,
    [INK_TREE] = 0x6a6a6a, 0x454545, 0x808080, 0x555555,
    [INK_WOOD] = 0x303030,
    [INK_FLAG] = 0x555555, 0x222222,
    [INK_WALL] = 0x333333,
    [INK_TEXT] = 0x111111,
    [INK_HALO] = 0xffffff,
    [INK_NET] = 0xaaaaaa,
    [INK_NIGHT] = 0xffffff, [INK_NIGHT + INK_NIGHTS / 2] = 0xffffff, [INK_NIGHT_END - 1] = 0xffffff,
    [INK_LANE] = 0xa0a0a0,
    [INK_TRUNK] = 0x555555,
    [INK_SPARE] = 0xdddddd,
    [INK_STAR] = 0x111111, 0x111111, 0x111111, 0x111111, 0x111111,
    [INK_HOME] = 0x111111,
    [INK_TRACK] = 0xd2d2d2, 0xa6a6a6, 0xe6e6e6, 0xbcbcbc, /* repeated: see base_color */
};
/* clang-format on */

/* A mixture: `share` of `whole` is the other color; rounded to the nearest. */
static uint32_t blend(uint32_t rgb, uint32_t other, uint32_t share, uint32_t whole)
{
    uint32_t sum = 0;
    assert(share <= whole && whole > 0);
    for (int shift = 16; shift >= 0; shift -= 8) {
        uint32_t part = (rgb >> shift & 255) * (whole - share) + (other >> shift & 255) * share;
        sum |= (part + whole / 2) / whole << shift;
    }
    return sum;
}

uint32_t ink_mix(uint32_t rgb, uint32_t other, uint32_t share)
{
    return blend(rgb, other, share, 100);
}

static uint32_t dark_color(enum ink ink)
{
    if (ink >= INK_LABEL && ink < INK_LABEL_END)
        return ink_mix(ink_rgb[ink], dark[INK_WHITE], 20);
    if (ink >= INK_TRACK && ink < INK_TRACK_END)
        return ink_mix(ink_rgb[ink], 0xffffff, 16);
    return dark[ink] ? dark[ink] : ink_rgb[ink];
}

static uint32_t base_color(const struct mw_look *look, enum ink ink)
{
    static const uint32_t *const palettes[] = {[COLORBLIND] = colorblind, [PRINT] = print};
    const uint32_t *palette = palettes[look->palette];
    if (palette == print && ink >= INK_TRACK && ink < INK_TRACK_END)
        return print[INK_TRACK + (ink - INK_TRACK) % 4];
    if (palette && palette[ink])
        return palette[ink];
    return look->theme == MW_THEME_DARK ? dark_color(ink) : ink_rgb[ink];
}

/* The n-th of an odd number of shades, interpolated from the first, the middle and the last. */
static uint32_t shade(const struct mw_look *look, enum ink first, uint32_t shades, uint32_t n)
{
    uint32_t half = shades / 2, from = n < half ? 0 : half;
    return blend(base_color(look, (enum ink)(first + from)),
                 base_color(look, (enum ink)(first + from + half)), n - from, half);
}

/* The color of a star mixed into the night. */
static uint32_t glow(const struct mw_look *look, uint32_t n)
{
    static const uint8_t light[INK_GLOWS] = {6, 11, 23};
    uint32_t kind = n / INK_GLOWS;
    return ink_mix(base_color(look, INK_NIGHT),
                   base_color(look, kind < INK_LIT ? (enum ink)(INK_STAR + kind) : INK_HOME),
                   light[n % INK_GLOWS]);
}

/* A darkened label, lighter with each layer up to this one. */
static uint32_t relief(const struct mw_look *look, enum ink label, int32_t layer)
{
    static const uint8_t light[INK_LANDS] = {0, 9, 8, 7, 6, 6, 5, 5};
    uint32_t rgb = ink_mix(base_color(look, label), 0, 12);
    for (int32_t i = 1; i <= layer; i++)
        rgb = ink_mix(rgb, 0xffffff, light[i]);
    return rgb;
}

/* The top of a layer of land, mixed with a little of its tint; print has no tints. */
static uint32_t isle(const struct mw_look *look, int32_t n)
{
    static const uint32_t tints[INK_ISLE_TINTS - 1] = {0x00ffff, 0xc00000, 0xffff00, 0xc000c0,
                                                       0x4080ff};
    int32_t layer = n / 2 % INK_LANDS, other = n % 2;
    uint32_t rgb = base_color(look, (enum ink)(INK_LAND + 4 * layer + 3 * other));
    return look->palette == PRINT ? rgb : ink_mix(rgb, tints[n / 2 / INK_LANDS], 14);
}

uint32_t ink_color(const struct mw_look *look, enum ink ink)
{
    assert(ink > INK_NONE && ink < INK_END);
    if (ink >= INK_SKY && ink < INK_SKY_END)
        return shade(look, INK_SKY, INK_SKIES, ink - INK_SKY);
    if (ink >= INK_NIGHT && ink < INK_NIGHT_END)
        return shade(look, INK_NIGHT, INK_NIGHTS, ink - INK_NIGHT);
    if (ink >= INK_GLOW && ink < INK_GLOW_END)
        return glow(look, ink - INK_GLOW);
    if (ink >= INK_RELIEF && ink < INK_RELIEF_END)
        return relief(look, (enum ink)(INK_LABEL + (ink - INK_RELIEF) / INK_LANDS),
                      ((int32_t)ink - INK_RELIEF) % INK_LANDS);
    if (ink >= INK_ISLE && ink < INK_ISLE_END)
        return isle(look, (int32_t)ink - INK_ISLE);
    if (ink >= INK_TINT && ink < INK_TINT_END)
        return ink_mix(base_color(look, INK_PAPER),
                       base_color(look, (enum ink)(ink - INK_TINT + INK_TRACK)), 17);
    return base_color(look, ink);
}

/* By its luminance, roughly the weighted squares of its components: at .23 dark letters are as
   legible as pale ones. */
enum ink ink_for_text_on(const struct mw_look *look, enum ink ink)
{
    uint32_t rgb = ink_color(look, ink);
    uint32_t red = rgb >> 16, green = rgb >> 8 & 255, blue = rgb & 255;
    uint32_t light = 213 * red * red + 715 * green * green + 72 * blue * blue;
    return light > 230 * 255 * 255 ? INK_LETTER : INK_PALE;
}
