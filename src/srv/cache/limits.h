/*
 * limits.h: limits of each client: requests a second, and connections at a time.
 *
 * For any thread. Memory is fixed, however many clients there are; limits.c tells how.
 */
#ifndef MAPWRIGHT_LIMITS_H
#define MAPWRIGHT_LIMITS_H

#include <stdint.h>

struct limits;

/* Requests a second (0: any), and at once (0: as many as in a second). NULL without memory. */
struct limits *limits_new(int rate, int burst);
void limits_drop(struct limits *);

struct allowance {
    int64_t wait;  /* microseconds until a request would be granted; 0: this one is */
    int64_t left;  /* requests that would be granted now */
    int64_t reset; /* microseconds until a whole burst would be granted */
};

/* Counts a request of the client at that time (clock_now), if it is granted. There must be a
   rate. */
struct allowance limits_take(struct limits *, uint64_t client, int64_t now);

/* RateLimit-Policy: "default";q=100;w=2, requests and seconds; NULL: there is no rate. */
const char *limits_policy(const struct limits *);

/* Counts a connection of the client that is new (1), or has ended (-1); returns how many it has. */
int limits_count_connection(struct limits *, uint64_t client, int change);

#endif
