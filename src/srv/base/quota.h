/*
 * quota.h: the part of the machine that the service may use.
 *
 * A container sees all cores and all memory of its machine, but is stopped or killed beyond its
 * part of them. Its control group (version 2) has the limits, and so has each group that contains
 * it: the least counts.
 */
#ifndef MAPWRIGHT_QUOTA_H
#define MAPWRIGHT_QUOTA_H

#include <stdint.h>

struct quota {
    int cpus;       /* whole ones, rounded up; at least 1 */
    int64_t memory; /* bytes */
};

/* All memory, and the cores that this process may run on. */
struct quota quota_of_machine(void);
/* The same, lowered by the control groups below `root` ("" outside of tests). */
struct quota quota_read(const char *root, struct quota machine);

#endif
