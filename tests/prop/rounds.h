/*
 * rounds.h: how often something is tried.
 *
 * Where single maps may be slow, a loop also ends when the test has used its CPU seconds:
 *
 *     clock_t end = cpu_limit(10);
 *     for (int i = 0; i < rounds(300) && clock() < end; i++)
 *
 * MAPWRIGHT_LONG=1 tries twenty times as often; a sanitizer, which is some eight times as slow and
 * looks at what code does, not at what many maps come to, a tenth.
 */
#ifndef MAPWRIGHT_ROUNDS_H
#define MAPWRIGHT_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static inline bool is_long(void) { return getenv("MAPWRIGHT_LONG") != NULL; }

static inline bool is_sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

static inline int rounds(int n) { return is_long() ? 20 * n : is_sanitized() ? (n + 9) / 10 : n; }

static inline clock_t cpu_limit(int seconds)
{
    return clock() + (clock_t)rounds(seconds) * CLOCKS_PER_SEC;
}

#endif
