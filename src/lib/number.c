/*
 * number.c: text to numbers. Decimal text becomes whole numbers of a unit, without floats.
 *
 * `12.3456e1` in thousandths is 123456: the text is taken as digits and a power of ten, so that
 * JSON, URL and shell agree to the last digit on every machine.
 */
#include "number.h"

#include <assert.h>
#include <string.h>

struct number_reading {
    const char *at, *end;
    uint64_t digits; /* the number is digits * 10^power, and a little more when `rest` */
    int power;
    bool rest;
};

/* Whether there are any. */
static bool read_digits(struct number_reading *r, bool fraction)
{
    const char *from = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        int digit = *r->at - '0';
        if (r->digits < UINT64_C(100000000000000000)) {
            r->digits = r->digits * 10 + (unsigned)digit;
            r->power -= fraction;
        } else {
            r->rest |= digit != 0;
            r->power += !fraction;
        }
    }
    return r->at > from;
}

static bool take(struct number_reading *r, char c)
{
    bool here = r->at < r->end && *r->at == c;
    r->at += here;
    return here;
}

static bool read_exponent(struct number_reading *r)
{
    enum { FAR = 100000 };
    if (!take(r, 'e') && !take(r, 'E'))
        return true;
    bool minus = take(r, '-');
    if (!minus)
        take(r, '+');
    struct number_reading power = {.at = r->at, .end = r->end};
    if (!read_digits(&power, false))
        return false;
    int n = power.power || power.digits > FAR ? FAR : (int)power.digits;
    r->at = power.at;
    r->power += minus ? -n : n;
    return true;
}

/* digits * 10^power, rounded half away from zero, held below MW_NUMBER_MOST */
static int64_t scaled(const struct number_reading *r, int power, bool *exact)
{
    uint64_t n = r->digits, rest = 0, unit = 1;
    assert(n < UINT64_C(1000000000000000000)); /* so that it is 0, rounded, at 10^-19 */
    for (; power > 0 && n && n < MW_NUMBER_MOST; power--)
        n *= 10;
    if (power < -18) {
        *exact = !n;
        return 0;
    }
    for (; power < 0; power++)
        unit *= 10;
    rest = n % unit;
    *exact = !rest && !r->rest;
    n = n / unit + (unit > 1 && rest >= unit / 2);
    return n > MW_NUMBER_MOST ? MW_NUMBER_MOST : (int64_t)n;
}

bool mw_read_number(const char *text, size_t length, int decimals, int64_t *value, bool *exact)
{
    assert(decimals >= 0 && decimals <= 18);
    struct number_reading r = {.at = text, .end = text + length};
    bool minus = take(&r, '-'), any = read_digits(&r, false);
    if (take(&r, '.'))
        any |= read_digits(&r, true);
    if (!any || !read_exponent(&r) || r.at != r.end)
        return false;
    int64_t n = scaled(&r, r.power + decimals, exact);
    assert(n >= 0 && n <= MW_NUMBER_MOST);
    *value = minus ? -n : n;
    return true;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

bool mw_read_size(const char *text, int64_t *bytes)
{
    static const char units[] = "KMG";
    size_t digits = 0;
    bool exact;
    while (text[digits] >= '0' && text[digits] <= '9')
        digits++;
    const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (text[digits + !!unit] || !mw_read_number(text, digits, 0, bytes, &exact) ||
        *bytes >= MW_NUMBER_MOST >> shift)
        return false;
    *bytes <<= shift;
    return true;
}

/* ---- hexadecimal ----------------------------------------------------------------------------- */

int mw_hex_digit(char c)
{
    char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

int mw_read_escape(const char *at, const char *end)
{
    if (end - at < 3 || *at != '%')
        return -1;
    int high = mw_hex_digit(at[1]), low = mw_hex_digit(at[2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}
