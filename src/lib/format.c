/* format.c: digits, and the part of printf that the library needs. */
#include "run.h"

/* The two digits of 0 .. 99. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

static inline char *write_number(char *to, uint64_t n, bool negative)
{
    char digits[MW_DIGITS], *end = digits + MW_DIGITS, *from = end;
    for (; n > UINT32_MAX; n /= 10)
        *--from = (char)('0' + n % 10);
    uint32_t rest = (uint32_t)n; /* is divided in half the time */
    for (; rest >= 100; rest /= 100)
        from = memcpy(from - 2, pairs + rest % 100 * 2, 2);
    if (rest >= 10)
        from = memcpy(from - 2, pairs + rest * 2, 2);
    else
        *--from = (char)('0' + rest);
    if (negative)
        *--from = '-';
    memcpy(to, from, (size_t)(end - from));
    return to + (end - from);
}

char *mw_write_int(char *to, int64_t value)
{
    return write_number(to, value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0);
}

char *mw_write_decimal(char *to, int64_t value, int64_t unit)
{
    uint64_t n = value < 0 ? -(uint64_t)value : (uint64_t)value, part = (uint64_t)unit;
    assert(unit > 0);
    to = write_number(to, n / part, value < 0);
    if (n %= part)
        *to++ = '.';
    for (; n; n %= part) {
        part /= 10;
        *to++ = (char)('0' + n / part);
    }
    return to;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Puts the argument of the conversion at f; returns what follows it. */
static const char *put_argument(mw_putter *put, void *context, const char *f, va_list *args)
{
    char digits[MW_DIGITS];
    const char *text = digits, *end = digits;
    switch (*f++) {
    case 's':
        text = va_arg(*args, const char *);
        end = text + strlen(text);
        break;
    case '.': {
        int length = va_arg(*args, int);
        text = va_arg(*args, const char *);
        end = text + length;
        f += strlen("*s");
        break;
    }
    case 'd': end = mw_write_int(digits, va_arg(*args, int)); break;
    case 'u': end = mw_write_int(digits, va_arg(*args, unsigned)); break;
    case 'z':
        end = write_number(digits, va_arg(*args, size_t), false);
        f++;
        break;
    case 'l':
        assert(!strncmp(f, "ld", 2) || !strncmp(f, "lu", 2));
        end = f[1] == 'd' ? mw_write_int(digits, va_arg(*args, long long))
                          : write_number(digits, va_arg(*args, unsigned long long), false);
        f += 2;
        break;
    default:
        assert(f[-1] == 'c' || f[-1] == '%');
        digits[0] = f[-1] == 'c' ? (char)va_arg(*args, int) : '%';
        end = digits + 1;
    }
    put(context, text, (size_t)(end - text));
    return f;
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
