/* pace.h: learns how long work takes on this machine, compared with the estimate. */
#ifndef MAPWRIGHT_PACE_H
#define MAPWRIGHT_PACE_H

#include <stdint.h>

enum { PACE_KINDS = 256 }; /* kinds of work; higher numbers share the last one */

struct pace {
    double ratios[PACE_KINDS]; /* expected to estimated */
};

void pace_init(struct pace *);
/* Expected nanoseconds on this machine. */
uint64_t pace_expect(const struct pace *, unsigned kind, uint64_t estimated);
void pace_learn(struct pace *, unsigned kind, uint64_t estimated, uint64_t measured);

#endif
