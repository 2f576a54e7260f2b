/*
 * ink_scheme.c: colours for the dark, for those who see fewer, and for paper.
 *
 * Each is said by what differs from ink.c; what is not said is 0. A palette goes before the theme.
 *
 * The page has the same (src/web/palette.js): its dark theme mixes fills with its ground. The
 * palette of Okabe and Ito is for all kinds of colour vision, and so is that of ink.c, but its
 * colours are stronger. On paper all is black on white and light greys, whatever the theme.
 */
#include "ink.h"

/* clang-format off */
static const uint32_t dark[INK_END] = {
    [INK_LABEL] = 0x5c83ab, 0xb56a52, 0xb5a96c, 0xc18391, 0x76a9c4, 0x379078,
                  0x8f9c2d, 0x828307, 0xa8a9ab,
    [INK_SEA] = 0x1a2735,
    [INK_BORDER] = 0x161b22,
    [INK_MARK] = 0xf7f9fb,
    [INK_BRIDGE] = 0xc98a4b,
    [INK_WHITE] = 0x11151b,
    [INK_PAPER] = 0x1a2028,
    [INK_RULE] = 0x343d48,
    [INK_SKY] = 0x15263d,
    [INK_WALL] = 0x5d6876,
    [INK_TEXT] = 0x0c1015,
    [INK_NET] = 0x2b333d,
    [INK_TRACK] = 0x628db8, 0xf17e8d, 0x459b54, 0xd4c662, 0x7ed4f1, 0xb8548d, 0xf19b54,
                  0x54459b, 0x62b8a9, 0xa9a954, 0xd47e8d, 0x9b4570, 0x9bd4f1, 0x378d54,
                  0xe2d48d, 0xb862a9, 0xcfa859, 0x88ddd9, 0xb63595, 0x8fcf59, 0x8896dd,
                  0xb64535, 0x59cf8a, 0xc488dd, 0xb5b635, 0x59accf, 0xdd88ab, 0x44b635,
                  0x6d59cf, 0xddaf88, 0x35b696, 0xcf59c9, 0xc0dd88, 0x3565b6, 0xcf5962,
                  0x88dd9a, 0x7635b6, 0xcfb759, 0x88d5dd, 0xb63585, 0x80cf59, 0x888bdd,
                  0xb65635, 0x59cf99, 0xcf88dd, 0xa5b635, 0x599dcf, 0xdd88a0, 0x35b636,
                  0x7c59cf, 0xddba88, 0x35b6a7, 0xcf59ba, 0xb5dd88, 0x3554b6, 0xcf5f59,
                  0x88dda5, 0x8635b6, 0xcfc659, 0x88cadd, 0xb63574, 0x71cf59,
};

static const uint32_t colorblind[INK_END] = {
    [INK_LABEL] = 0x56b4e9, 0xe69f00, 0xf0e442, 0xcc79a7, 0x9ad0f5, 0x009e73,
                  0xffd28a, 0xd8d8d8, 0xd55e00,
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
    [INK_BORDER] = 0x222222,
    [INK_MARK] = 0x111111,
    [INK_BRIDGE] = 0x777777,
    [INK_WHITE] = 0xffffff,
    [INK_PAPER] = 0xffffff,
    [INK_RULE] = 0xb0b0b0,
    [INK_SKY] = 0xffffff,
    [INK_WALL] = 0x333333,
    [INK_TEXT] = 0x111111,
    [INK_NET] = 0xaaaaaa,
    [INK_NIGHT] = 0xffffff,
    [INK_LANE] = 0xa0a0a0,
    [INK_TRUNK] = 0x555555,
    [INK_STAR] = 0x111111,
    [INK_HOME] = 0x111111,
    [INK_GLOW] = 0xdddddd,
    [INK_DUSK] = 0xeeeeee,
};
/* clang-format on */

uint32_t ink_seen(const struct mw_look *look, enum ink ink)
{
    static const uint32_t *const palettes[] = {NULL, colorblind, print};
    const uint32_t *palette = palettes[look->palette];
    assert(ink > INK_NONE && ink < INK_END);
    if (palette && palette[ink])
        return palette[ink];
    return look->theme == MW_THEME_DARK && dark[ink] ? dark[ink] : ink_rgb[ink];
}

/* By how bright the eye finds it, in thousandths of white. */
enum ink ink_upon(const struct mw_look *look, enum ink ink)
{
    uint32_t rgb = ink_seen(look, ink);
    uint32_t bright = 299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255);
    return bright > 140 * 1000 ? INK_LETTER : INK_PALE;
}
