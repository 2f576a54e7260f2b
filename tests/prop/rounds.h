/*
 * rounds.h: how often something is tried.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as often; a sanitizer, which is some eight times as slow and
 * looks at what code does, not at what many maps come to, a tenth.
 */
#ifndef MAPWRIGHT_ROUNDS_H
#define MAPWRIGHT_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>

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

#endif
