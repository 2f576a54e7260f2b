/* pace.h: how long work takes here, against what was estimated for some other machine. */
#ifndef MAPWRIGHT_PACE_H
#define MAPWRIGHT_PACE_H

#include <stdint.h>

enum { PACE_KINDS = 256 }; /* sorts of work; what is beyond counts as the last one */

struct pace {
    uint32_t ratios[PACE_KINDS]; /* expected to estimated, in 1/4096 */
};

void pace_init(struct pace *);
/* Nanoseconds that are to be expected. */
uint64_t pace_expect(const struct pace *, unsigned kind, uint64_t estimated);
void pace_learn(struct pace *, unsigned kind, uint64_t estimated, uint64_t measured);

#endif
