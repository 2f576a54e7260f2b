/*
 * ways.c: how a path can pass a cell.
 *
 * What can happen at a cell depends on the codes at its two plugs, of which there are a few dozen
 * pairs, not on the rest of a state, of which there are thousands. So each pair is worked out once,
 * when the first state has it, and stored in a table: a step, with at most two ways. For each state
 * it remains to write two codes, sometimes that of a mate, and to test one bit: whether the next
 * cell can continue the piece from above.
 */
#include "ways.h"

static unsigned colour_of(const struct passage *p, int path)
{
    return COLOURS + (unsigned)p->name[path];
}

static bool is_pair(const struct passage *p, unsigned code)
{
    return code >= COLOURS && !(p->single >> (code - COLOURS) & 1);
}

/* ---- the next cell --------------------------------------------------------------------------- */

enum { NO_COLOUR = 0, ANY_COLOUR = 1 }; /* or that one */

static void take(struct way *way, bool nothing, bool opens, bool closes, unsigned colour)
{
    way->takes[0] = (uint64_t)(nothing << NOTHING | opens << OPENS | closes << CLOSES);
    if (colour >= COLOURS)
        way->takes[colour >> 6] |= UINT64_C(1) << (colour & 63);
    if (colour != ANY_COLOUR)
        return;
    way->takes[0] |= UINT64_MAX << COLOURS;
    way->takes[1] = UINT64_MAX;
}

/* What the next cell can take from above after this way. */
static void find_takes(const struct passage *p, struct way *way)
{
    const unsigned left = way->next_left = p->same_row ? way->right : NOTHING;
    const bool exits = p->next_exits > 0;
    if (p->next_path == WALL) {
        take(way, true, true, true, ANY_COLOUR);
    } else if (p->next_path >= 0) {
        unsigned own = colour_of(p, p->next_path);
        if (left)
            take(way, left < COLOURS || left == own, false, false, NO_COLOUR);
        else
            take(way, exits, true, true, own);
    } else if (!left) {
        take(way, p->rule == CLASSIC || p->next_exits == 2, exits, exits, exits);
    } else {
        take(way, exits, true, left != OPENS, left < COLOURS ? ANY_COLOUR : left);
    }
}

/* ---- this one -------------------------------------------------------------------------------- */

/* Where the way leads down onto an end, the piece gets that colour, and its mate too: the mate of
   the plug `from`, by which the piece came; or the piece to the right, if `from` is -1. */
static void add_way(const struct passage *p, struct step *step, struct way way, int from)
{
    if (way.down && p->at.below >= 0) {
        unsigned own = colour_of(p, p->at.below);
        if (way.down >= COLOURS && way.down != own)
            return;
        if (way.down < COLOURS && from < 0) {
            way.right = (uint8_t)own;
        } else if (way.down < COLOURS) {
            way.turned = (int16_t)from;
            way.into = (uint8_t)own;
        }
        way.moves_pair |= way.down < COLOURS && is_pair(p, own);
        way.down = (uint8_t)own;
    }
    way.below = (uint64_t)way.down << (p->left & 63);
    way.beside = (uint64_t)way.right << (p->up & 63);
    find_takes(p, &way);
    if (!(way.takes[0] | way.takes[1]))
        return;
    assert(step->count < WAYS_MOST);
    step->way[step->count++] = way;
}

/* A piece that is here goes on downward or to the right. */
static void extend(const struct passage *p, struct step *step, unsigned code, int from, bool moves)
{
    struct way way = {.turned = -1, .moves_pair = moves};
    if (p->at.down) {
        way.down = (uint8_t)code;
        add_way(p, step, way, from);
    }
    if (p->at.right) {
        way.down = NOTHING;
        way.right = (uint8_t)code;
        add_way(p, step, way, from);
    }
}

/* At an end: at most one piece comes in, and fits. */
static void pass_end(const struct passage *p, struct step *step, unsigned left, unsigned up)
{
    unsigned own = colour_of(p, p->at.path), code = left | up;
    if ((left && up) || (code >= COLOURS && code != own))
        return;
    if (!code) {
        extend(p, step, own, -1, is_pair(p, own));
        return;
    }
    struct way way = {.turned = -1, .into = (uint8_t)own, .moves_pair = is_pair(p, own)};
    if (code < COLOURS)
        way.turned = (int16_t)(left ? p->left : p->up);
    add_way(p, step, way, -1);
}

/* Two pieces meet in the cell. */
static void join(const struct passage *p, struct step *step, unsigned left, unsigned up)
{
    struct way way = {.turned = -1, .moves_pair = is_pair(p, left) || is_pair(p, up)};
    if (left >= COLOURS && up >= COLOURS && left != up)
        return;
    if (left == OPENS && up == CLOSES)
        return; /* a ring */
    if (up < COLOURS && (left >= COLOURS || (left == OPENS && up == OPENS))) {
        way.turned = (int16_t)p->up;
        way.into = (uint8_t)left;
    } else if (left < COLOURS && (up >= COLOURS || (left == CLOSES && up == CLOSES))) {
        way.turned = (int16_t)p->left;
        way.into = (uint8_t)up;
    } /* of `)` and `(` the mates match as they are */
    add_way(p, step, way, -1);
}

static void pass_open(const struct passage *p, struct step *step, unsigned left, unsigned up)
{
    if (left && up) {
        join(p, step, left, up);
        return;
    }
    if (left || up) {
        extend(p, step, left | up, left ? p->left : p->up, false);
        return;
    }
    if (p->rule == CLASSIC)
        add_way(p, step, (struct way){.turned = -1}, -1);
    if (p->at.down && p->at.right)
        add_way(p, step, (struct way){.down = OPENS, .right = CLOSES, .turned = -1}, -1);
}

const struct step *step_of(struct passage *p, unsigned left, unsigned up)
{
    struct step *step = &p->steps[(left + 16 * up) % STEPS];
    uint32_t of = (uint32_t)(p->at.cell + 1) << 16 | left << 8 | up;
    if (step->of == of)
        return step;
    step->of = of;
    step->count = 0;
    if (p->at.path == WALL)
        add_way(p, step, (struct way){.turned = -1}, -1);
    else if (p->at.path >= 0)
        pass_end(p, step, left, up);
    else
        pass_open(p, step, left, up);
    return step;
}
