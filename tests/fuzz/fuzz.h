/* fuzz.h: a fuzz target is one function of bytes; it aborts when something is wrong. */
#ifndef MAPWRIGHT_FUZZ_H
#define MAPWRIGHT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Unlike assert, in every mode. */
#define MUST(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: must be: %s\n", __FILE__, __LINE__, #condition); \
            abort(); \
        } \
    } while (0)

#endif
