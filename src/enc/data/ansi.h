/* ansi.h: the colours of a terminal: the 256 that all have had for long. */
#ifndef MAPWRIGHT_ANSI_H
#define MAPWRIGHT_ANSI_H

#include <stdint.h>

/* 16 .. 255, or 0: as the terminal has it. */
struct paint {
    uint8_t back, fore;
};

/* The nearest of the 256 to 0xrrggbb. */
uint8_t ansi_colour(uint32_t rgb);
/* Some thousandths of the way from one colour to another. */
uint32_t ansi_mix(uint32_t from, uint32_t to, int32_t thousandths);

enum { ANSI_ROOM = 24 };
/* Writes up to ANSI_ROOM bytes at `to`, where the paint is to change; the byte past the last. */
char *ansi_paint(char *to, struct paint *now, struct paint next);

#endif
