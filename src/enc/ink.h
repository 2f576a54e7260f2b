/* ink.h: every colour that a drawing has. */
#ifndef MAPWRIGHT_INK_H
#define MAPWRIGHT_INK_H

#include <stdint.h>

enum ink {
    INK_NONE, /* nothing is drawn */
    /* Light fills that people with any colour vision tell apart (after Paul Tol's light scheme). */
    INK_LABEL,
    INK_LABEL_END = INK_LABEL + 9,
    /* paper */
    INK_SEA = INK_LABEL_END,
    INK_BORDER,
    INK_MARK,
    INK_BRIDGE,
    INK_WHITE,
    INK_PAPER,
    INK_RULE,
    INK_LETTER,
    /* night */
    INK_NIGHT,
    INK_LANE,
    INK_TRUNK,
    INK_STAR,
    INK_HOME,
    INK_END
};

enum { INK_LABELS = INK_LABEL_END - INK_LABEL };

extern const uint32_t ink_rgb[INK_END]; /* 0xrrggbb */

#endif
