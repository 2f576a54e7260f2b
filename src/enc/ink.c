/* ink.c: every colour that a drawing has. */
#include "ink.h"

const uint32_t ink_rgb[INK_END] = {
    [INK_LABEL] = 0x77aadd, 0xee8866, 0xeedd88, 0xffaabb, 0x99ddff, 0x44bb99, 0xbbcc33, 0xaaaa00, 0xdddddd,
    [INK_SEA] = 0xe8eef2,
    [INK_BORDER] = 0x445566,
    [INK_MARK] = 0x223344,
    [INK_BRIDGE] = 0xbb5533,
    [INK_WHITE] = 0xffffff,
    [INK_PAPER] = 0xf7f9fb,
    [INK_RULE] = 0xc4ccd4,
    [INK_LETTER] = 0x111111,
    [INK_NIGHT] = 0x0b1026,
    [INK_LANE] = 0x5b78b4,
    [INK_TRUNK] = 0x9fc0ff,
    [INK_STAR] = 0xf4f6ff,
    [INK_HOME] = 0xffcc44,
};
