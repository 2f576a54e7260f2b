/*
 * quota.h: what of the machine is ours.
 *
 * A container sees all cores and all memory of its machine, and is stopped or killed past its part
 * of them, which its control groups tell: those of version 2, of version 1, and each that they lie
 * in, as the least counts.
 */
#ifndef MAPWRIGHT_QUOTA_H
#define MAPWRIGHT_QUOTA_H

#include <stdint.h>

struct quota {
    int cpus;       /* whole ones, rounded up; at least 1 */
    int64_t memory; /* bytes */
};

/* What the machine has, as far as this process may run on it. */
struct quota quota_of_machine(void);
/* What is left of it by the control groups whose files are found under `root` ("" as a rule). */
struct quota quota_read(const char *root, struct quota machine);

#endif
