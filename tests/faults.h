/*
 * faults.h: memory, descriptors and threads that cannot be had, at a moment of the test's choice.
 *
 * What the objects of the server and of the tests ask of libc, libmicrohttpd, zlib and zstd passes
 * through here (--wrap), on all threads. A sweep lets each request fail in turn:
 *
 *     for (int n = 1; faults_begin(n), attempt(), faults_end(); n++)
 *         judge();
 */
#ifndef MAPWRIGHT_FAULTS_H
#define MAPWRIGHT_FAULTS_H

#include <stdbool.h>

/* The n-th request from now on fails, and that one alone. */
void faults_begin(int n);
/* Nothing fails any more. False: there were fewer than n requests. */
bool faults_end(void);

#endif
