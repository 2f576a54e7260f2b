/*
 * colour.c: what follows from the colours of cells, which are the paths that they are on.
 *
 * Written as clauses, bit by bit, colours took two thirds of a search under strict: each link has
 * two clauses for each bit, and passes on six bits where a cell gets one colour. Here a colour is
 * one value: each path has a literal in each cell, "it is on that path", of which at most one
 * holds. Implications are found when a link or a colour becomes known, from one literal or two:
 *
 *     linked cells have one colour; so cells of different colours are not linked
 *     neighbours of one colour are linked, as no path touches itself
 *
 * When a cell gets a colour, its other colours are not set to false, except those that were false
 * once, as learnt clauses may have them; and that a cell does not have a colour is not passed on:
 * three times the propagation for a tenth fewer conflicts. A literal gets its variable when it is
 * first needed, as few are.
 *
 * WHY IT IS ENOUGH. Each link is looked at once it and the colours of its cells are known. So when
 * all links are known, colours have spread from the ends along the links, and where two ends of
 * different paths were joined, or where neighbours touch, there was a contradiction.
 *
 * COST. A colour looks at four neighbours. 50x50 takes half the time that bits take.
 */
#include "colour.h"

enum { MAX_COLOURS = 64 }; /* at least MAX_PATHS; a power of two, by which division is cheap */

sat_literal colours_is(const struct colours *c, int32_t cell, int path)
{
    int32_t place = MAX_COLOURS * cell + path;
    if (!c->names[place]) {
        uint32_t variable = sat_variable(c->sat);
        c->place[variable] = place;
        c->names[place] = 2 * variable;
    }
    return c->names[place];
}

void colours_init(struct colours *c, struct mw_run *run)
{
    int32_t cells = c->board->cells;
    c->value = sat_values(c->sat);
    c->place = MW_NEW(run, int32_t, c->first + colours_variables(c->board));
    c->names = MW_NEW0(run, sat_literal, MAX_COLOURS * cells);
    c->now = MW_NEW(run, int8_t, cells);
    memset(c->now, 0xff, (size_t)cells);
    c->denied = MW_NEW0(run, uint64_t, cells);
    for (int32_t cell = 0; cell < cells; cell++)
        for (int side = RIGHT; side <= DOWN; side++)
            c->place[c->link[cell][side] >> 1] = SIDES * cell + side;
}

/* Of two neighbours, the first of which has a colour. */
static bool follow_meeting(struct colours *c, int32_t cell, int side)
{
    int32_t other = c->board->next[cell][side];
    sat_literal link = c->link[cell][side];
    sat_literal this = colours_is(c, cell, c->now[cell]), like = colours_is(c, other, c->now[cell]);
    int linked = c->value[link], alike = c->value[like];
    if (linked > 0)
        return sat_imply(c->sat, like, this, link);
    if (alike > 0)
        return sat_imply(c->sat, link, this, like);
    if (linked < 0)
        return true;
    if (alike < 0)
        return sat_imply(c->sat, link ^ 1, this, like ^ 1);
    int colour = c->now[other];
    return colour < 0 || sat_imply(c->sat, link ^ 1, this, colours_is(c, other, colour));
}

static bool follow_meetings(struct colours *c, int32_t cell)
{
    for (int side = 0; side < SIDES; side++)
        if (c->board->next[cell][side] >= 0 && c->link[cell][side] >= 2 &&
            !follow_meeting(c, cell, side))
            return false;
    return true;
}

static bool follow_colour(struct colours *c, sat_literal literal, int32_t cell, int path)
{
    uint64_t bit = UINT64_C(1) << path;
    if (c->now[cell] >= 0) /* two at once */
        return sat_imply(c->sat, colours_is(c, cell, c->now[cell]) ^ 1, literal, literal);
    c->now[cell] = (int8_t)path;
    for (uint64_t left = c->denied[cell] & ~bit; left; left &= left - 1)
        if (!sat_imply(c->sat, colours_is(c, cell, __builtin_ctzll(left)) ^ 1, literal, literal))
            return false;
    return follow_meetings(c, cell);
}

static bool follow_link(struct colours *c, int32_t cell, int side)
{
    if (c->now[cell] >= 0)
        return follow_meeting(c, cell, side);
    int32_t other = c->board->next[cell][side];
    return c->now[other] < 0 || follow_meeting(c, other, opposite(side));
}

bool colours_follow(void *colours, sat_literal literal)
{
    struct colours *c = colours;
    uint32_t variable = literal >> 1;
    if (!variable)
        return true;
    if (variable < c->first)
        return follow_link(c, c->place[variable] / SIDES, c->place[variable] % SIDES);
    int32_t cell = c->place[variable] / MAX_COLOURS;
    int path = c->place[variable] % MAX_COLOURS;
    if (!(literal & 1))
        return follow_colour(c, literal, cell, path);
    c->denied[cell] |= UINT64_C(1) << path;
    return true;
}

void colours_take_back(void *colours, sat_literal literal)
{
    struct colours *c = colours;
    uint32_t variable = literal >> 1;
    if (variable < c->first || literal & 1)
        return;
    int32_t cell = c->place[variable] / MAX_COLOURS;
    if (c->now[cell] == c->place[variable] % MAX_COLOURS)
        c->now[cell] = -1;
}
