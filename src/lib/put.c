/* put.c: text, numbers and quoting, out. */
#include "gen.h"

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

void mw_put_int(struct mw_run *run, int64_t value)
{
    char digits[24], *p = digits + sizeof digits;
    uint64_t n = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    if (value < 0)
        *--p = '-';
    mw_put_bytes(run, p, (size_t)(digits + sizeof digits - p));
}

void mw_put_thousandths(struct mw_run *run, int64_t value)
{
    if (value < 0)
        mw_put_char(run, '-');
    uint64_t n = value < 0 ? -(uint64_t)value : (uint64_t)value;
    mw_put_int(run, (int64_t)(n / 1000));
    int rest = (int)(n % 1000);
    if (!rest)
        return;
    char digits[3] = {(char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                      (char)('0' + rest % 10)};
    mw_put_char(run, '.');
    mw_put_bytes(run, digits, digits[2] != '0' ? 3 : digits[1] != '0' ? 2 : 1);
}

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
