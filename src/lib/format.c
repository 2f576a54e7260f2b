/* format.c: numbers and messages as text, wherever it goes. */
#include "run.h"

/* ---- numbers --------------------------------------------------------------------------------- */

/* The two digits of 0 .. 99. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

char *mw_write_int(char *to, int32_t value)
{
    char digits[12], *p = digits + sizeof digits;
    uint32_t n = value < 0 ? -(uint32_t)value : (uint32_t)value;
    while (n >= 100) {
        p -= 2;
        memcpy(p, pairs + n % 100 * 2, 2);
        n /= 100;
    }
    if (n >= 10) {
        p -= 2;
        memcpy(p, pairs + n * 2, 2);
    } else {
        *--p = (char)('0' + n);
    }
    if (value < 0)
        *--p = '-';
    size_t length = (size_t)(digits + sizeof digits - p);
    memcpy(to, p, length);
    return to + length;
}

char *mw_write_digits(char *to, uint64_t n)
{
    char digits[20], *p = digits + sizeof digits;
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    size_t length = (size_t)(digits + sizeof digits - p);
    memcpy(to, p, length);
    return to + length;
}

char *mw_write_long(char *to, int64_t n)
{
    if (n < 0)
        *to++ = '-';
    return mw_write_digits(to, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

char *mw_write_thousandths(char *to, int32_t value)
{
    uint32_t n = value < 0 ? -(uint32_t)value : (uint32_t)value;
    if (value < 0)
        *to++ = '-';
    to = mw_write_int(to, (int32_t)(n / 1000));
    uint32_t rest = n % 1000;
    if (rest)
        *to++ = '.';
    for (uint32_t unit = 100; rest; rest %= unit, unit /= 10)
        *to++ = (char)('0' + rest / unit);
    return to;
}

/* ---- formats --------------------------------------------------------------------------------- */

enum { DIGITS = 24 };

/* Writes an argument that is a number, by the letters that say its type; how many those are, or
   0. */
static size_t write_number(char **to, const char *f, va_list *args)
{
    size_t letters = strncmp(f, "ll", 2) ? 1 + (*f == 'z') : 3;
    if (*f == 'd')
        *to = mw_write_long(*to, va_arg(*args, int));
    else if (*f == 'u')
        *to = mw_write_digits(*to, va_arg(*args, unsigned));
    else if (!strncmp(f, "zu", 2))
        *to = mw_write_digits(*to, va_arg(*args, size_t));
    else if (!strncmp(f, "lld", 3))
        *to = mw_write_long(*to, va_arg(*args, long long));
    else if (!strncmp(f, "llu", 3))
        *to = mw_write_digits(*to, va_arg(*args, unsigned long long));
    else
        return 0;
    return letters;
}

/* The argument that the letters at f ask for; what comes after them. */
static const char *put_argument(mw_putter *put, void *context, const char *f, va_list *args)
{
    char digits[DIGITS], *end = digits;
    size_t letters = write_number(&end, f, args);
    if (letters) {
        put(context, digits, (size_t)(end - digits));
        return f + letters;
    }
    if (*f == 's' || *f == '.') {
        int length = *f == 's' ? -1 : va_arg(*args, int);
        const char *text = va_arg(*args, const char *);
        put(context, text, length < 0 ? strlen(text) : (size_t)length);
        return f + (length < 0 ? 1 : strlen(".*s"));
    }
    assert(*f == 'c' || *f == '%');
    char c = *f == 'c' ? (char)va_arg(*args, int) : '%';
    put(context, &c, 1);
    return f + 1;
}

void mw_format(mw_putter *put, void *context, const char *f, va_list given)
{
    va_list args; /* of a type of its own: a parameter may be a pointer to it */
    va_copy(args, given);
    for (const char *percent; (percent = strchr(f, '%')) != NULL;) {
        if (percent > f)
            put(context, f, (size_t)(percent - f));
        f = put_argument(put, context, percent + 1, &args);
    }
    put(context, f, strlen(f));
    va_end(args);
}
