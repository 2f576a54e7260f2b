/* put.c: text, numbers and quoting, out. */
#include "run.h"

void mw_put_bytes(struct mw_run *run, const char *bytes, size_t n)
{
    memcpy(mw_room(run, n), bytes, n);
    run->bottom += n;
}

void mw_put(struct mw_run *run, const char *text) { mw_put_bytes(run, text, strlen(text)); }

/* The two digits of 0 .. 99. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* The longest is 2^64 - 1, or -2^63: 20 bytes. */
enum { DIGITS = 20 };

/* Writes down to where they begin; they end before `past`. */
static inline char *write_digits(char *past, uint64_t n, bool negative)
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

char *mw_write_int(char *to, int32_t value)
{
    char digits[DIGITS], *past = digits + DIGITS;
    const char *from =
        write_digits(past, value < 0 ? -(uint32_t)value : (uint32_t)value, value < 0);
    memcpy(to, from, (size_t)(past - from));
    return to + (past - from);
}

static uint64_t magnitude(int64_t n) { return n < 0 ? -(uint64_t)n : (uint64_t)n; }

void mw_put_int(struct mw_run *run, int64_t value)
{
    char digits[DIGITS], *past = digits + DIGITS;
    const char *from = write_digits(past, magnitude(value), value < 0);
    mw_put_bytes(run, from, (size_t)(past - from));
}

void mw_put_thousandths(struct mw_run *run, int64_t value)
{
    if (value < 0)
        mw_put_char(run, '-');
    uint64_t n = magnitude(value);
    mw_put_int(run, (int64_t)(n / 1000));
    int rest = (int)(n % 1000);
    if (!rest)
        return;
    char digits[3] = {(char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                      (char)('0' + rest % 10)};
    mw_put_char(run, '.');
    mw_put_bytes(run, digits, digits[2] != '0' ? 3 : digits[1] != '0' ? 2 : 1);
}

void mw_put_next(struct mw_run *run)
{
    assert(run->bottom > run->output);
    if (run->bottom[-1] != '[' && run->bottom[-1] != '{')
        mw_put_char(run, ',');
}

/* ---- formats --------------------------------------------------------------------------------- */

static const char *put_number(mw_putter *put, void *context, const char *after, uint64_t n,
                              bool negative)
{
    char digits[DIGITS], *past = digits + DIGITS;
    const char *from = write_digits(past, n, negative);
    put(context, from, (size_t)(past - from));
    return after;
}

/* The argument that the letters at f ask for; what comes after them. */
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

static void put_piece(void *run, const char *text, size_t n) { mw_put_bytes(run, text, n); }

void mw_print(struct mw_run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mw_format(put_piece, run, format, args);
    va_end(args);
}

/* ---- quoting --------------------------------------------------------------------------------- */

static const char hexadecimal[] = "0123456789ABCDEF";

/* The letter of a short escape, or 0: tab is \t. */
static char short_escape(unsigned char c)
{
    static const char letters[] = {['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
                                   ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't'};
    return c < sizeof letters ? letters[c] : '\0';
}

void mw_put_json_string(struct mw_run *run, const char *text, size_t n)
{
    mw_put_char(run, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        char letter = short_escape(c);
        if (letter) {
            mw_put_char(run, '\\');
            mw_put_char(run, letter);
        } else if (c < 0x20) {
            char escape[6] = {'\\', 'u', '0', '0', hexadecimal[c >> 4], hexadecimal[c & 15]};
            mw_put_bytes(run, escape, 6);
        } else {
            mw_put_char(run, (char)c);
        }
    }
    mw_put_char(run, '"');
}

/* U+FFFE and U+FFFF, which are no characters of XML. */
static bool is_noncharacter(const char *at)
{
    return !strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3);
}

void mw_put_xml(struct mw_run *run, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': mw_put(run, "&amp;"); break;
        case '<': mw_put(run, "&lt;"); break;
        case '>': mw_put(run, "&gt;"); break;
        case '"': mw_put(run, "&quot;"); break;
        case '\xef':
            mw_put(run, is_noncharacter(text) ? "?" : "\xef");
            text += is_noncharacter(text) ? 2 : 0;
            break;
        default: mw_put_char(run, (unsigned char)*text < 0x20 ? ' ' : *text);
        }
    }
}

static bool unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

void mw_put_url(struct mw_run *run, const char *text, size_t n, const char *also)
{
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (unreserved(c) || (c && strchr(also, c))) {
            mw_put_char(run, c);
            continue;
        }
        unsigned char byte = (unsigned char)c;
        char escape[3] = {'%', hexadecimal[byte >> 4], hexadecimal[byte & 15]};
        mw_put_bytes(run, escape, 3);
    }
}
