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
