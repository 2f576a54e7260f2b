/* format.c: digits, and the part of printf that the library needs. */
#include "run.h"

/* The two digits of 0 .. 99. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Writes a number so that it ends before `past`; where it begins. */
static char *write_before(char *past, uint64_t n, bool negative)
{
    for (; n > UINT32_MAX; n /= 10)
        *--past = (char)('0' + n % 10);
    uint32_t rest = (uint32_t)n; /* which is divided in half the time */
    for (; rest >= 100; rest /= 100)
        past = memcpy(past - 2, pairs + rest % 100 * 2, 2);
    if (rest >= 10)
        past = memcpy(past - 2, pairs + rest * 2, 2);
    else
        *--past = (char)('0' + rest);
    if (negative)
        *--past = '-';
    return past;
}

static inline char *write_number(char *to, uint64_t n, bool negative)
{
    char digits[MW_DIGITS], *past = digits + MW_DIGITS;
    const char *from = write_before(past, n, negative);
    memcpy(to, from, (size_t)(past - from));
    return to + (past - from);
}

static uint64_t magnitude(int64_t n) { return n < 0 ? -(uint64_t)n : (uint64_t)n; }

char *mw_write_int(char *to, int32_t value)
{
    return write_number(to, magnitude(value), value < 0);
}
char *mw_write_long(char *to, int64_t value)
{
    return write_number(to, magnitude(value), value < 0);
}
char *mw_write_digits(char *to, uint64_t n) { return write_number(to, n, false); }

char *mw_write_thousandths(char *to, int32_t value)
{
    uint32_t n = (uint32_t)magnitude(value);
    if (value < 0)
        *to++ = '-';
    to = mw_write_digits(to, n / 1000);
    uint32_t rest = n % 1000;
    if (rest)
        *to++ = '.';
    for (uint32_t unit = 100; rest; rest %= unit, unit /= 10)
        *to++ = (char)('0' + rest / unit);
    return to;
}

static const char *put_number(mw_putter *put, void *context, const char *after, uint64_t n,
                              bool negative)
{
    char digits[MW_DIGITS];
    put(context, digits, (size_t)(write_number(digits, n, negative) - digits));
    return after;
}

/* Puts the argument of the conversion at f; returns what follows it. */
static const char *put_argument(mw_putter *put, void *context, const char *f, va_list *args)
{
    int64_t value = 0;
    switch (*f) {
    case 's': {
        const char *text = va_arg(*args, const char *);
        put(context, text, strlen(text));
        return f + 1;
    }
    case '.': {
        int length = va_arg(*args, int);
        put(context, va_arg(*args, const char *), (size_t)length);
        return f + strlen(".*s");
    }
    case 'd':
        value = va_arg(*args, int);
        return put_number(put, context, f + 1, magnitude(value), value < 0);
    case 'u': return put_number(put, context, f + 1, va_arg(*args, unsigned), false);
    case 'z': return put_number(put, context, f + 2, va_arg(*args, size_t), false);
    case 'l': {
        assert(!strncmp(f, "lld", 3) || !strncmp(f, "llu", 3));
        unsigned long long n = va_arg(*args, unsigned long long);
        value = f[2] == 'd' ? (int64_t)n : 0;
        return put_number(put, context, f + 3, f[2] == 'd' ? magnitude(value) : n, value < 0);
    }
    default: {
        assert(*f == 'c' || *f == '%');
        char c = *f == 'c' ? (char)va_arg(*args, int) : '%';
        put(context, &c, 1);
        return f + 1;
    }
    }
}

void mw_format(mw_putter *put, void *context, const char *f, va_list given)
{
    va_list args; /* of a type of its own: a parameter may be a pointer to it */
    va_copy(args, given);
    while (*f) {
        const char *plain = f;
        while (*f && *f != '%')
            f++;
        if (f > plain)
            put(context, plain, (size_t)(f - plain));
        if (*f)
            f = put_argument(put, context, f + 1, &args);
    }
    va_end(args);
}
