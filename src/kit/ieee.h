/* ieee.h: fractions as IEEE 754 floating-point numbers, computed with integers alone. */
#ifndef MAPWRIGHT_IEEE_H
#define MAPWRIGHT_IEEE_H

#include <assert.h>
#include <stdint.h>

/*
 * The bits of the number nearest to n / d, a tie going to the even one, with `digits` binary digits
 * and an exponent bias of `bias`, by long division. |n| and d are below 2^62, and the quotient is
 * neither too large nor too small for its kind.
 */
static inline uint64_t mw_ieee(int64_t n, int64_t d, int digits, int bias)
{
    assert(d > 0 && digits < 64);
    uint64_t a = n < 0 ? -(uint64_t)n : (uint64_t)n, b = (uint64_t)d, kept = 0;
    int exponent = bias;
    if (!n)
        return 0;
    for (; a < b; exponent--)
        a *= 2;
    for (; a >= 2 * b; exponent++)
        b *= 2;
    for (int i = 0; i < digits; i++) { /* a / b is below 2, and at first not below 1 */
        uint64_t digit = a >= b;
        kept = kept << 1 | digit;
        a = (a - digit * b) * 2;
    }
    kept += a > b || (a == b && kept & 1);
    /* A kept 2^digits carries into the exponent by itself, as the first digit is not stored. */
    return (n < 0 ? (uint64_t)bias * 2 + 2 : 0) << (digits - 1) |
           (((uint64_t)exponent << (digits - 1)) + kept - (UINT64_C(1) << (digits - 1)));
}

static inline uint64_t mw_double(int64_t n, int64_t d) { return mw_ieee(n, d, 53, 1023); }

#endif
