/* put.c: text, numbers and quoting, out. */
#include "run.h"

void mw_put_bytes(struct mw_run *run, const char *bytes, size_t n)
{
    memcpy(mw_reserve_output(run, n), bytes, n);
    run->bottom += n;
}

void mw_put(struct mw_run *run, const char *text) { mw_put_bytes(run, text, strlen(text)); }

void mw_put_int(struct mw_run *run, int64_t value)
{
    mw_end_output(run, mw_write_int(mw_reserve_output(run, MW_DIGITS), value));
}

void mw_put_decimal(struct mw_run *run, int64_t n, int64_t unit)
{
    mw_end_output(run, mw_write_decimal(mw_reserve_output(run, 2 * MW_DIGITS), n, unit));
}

void mw_put_next(struct mw_run *run)
{
    assert(run->bottom > run->output);
    if (run->bottom[-1] != '[' && run->bottom[-1] != '{')
        mw_put_char(run, ',');
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

void mw_put_xml(struct mw_run *run, const char *text)
{
    const char *end = text + strlen(text);
    for (size_t n; text < end; text += n) {
        uint32_t code = 0;
        n = span_character((struct span){text, (size_t)(end - text)}, &code);
        if (n && is_control(code))
            continue;
        n += !n; /* it is no UTF-8 */
        switch (code) {
        case '&': mw_put(run, "&amp;"); break;
        case '<': mw_put(run, "&lt;"); break;
        case '>': mw_put(run, "&gt;"); break;
        case '"': mw_put(run, "&quot;"); break;
        case 0xfffe: /* no characters of XML */
        case 0xffff: mw_put_char(run, '?'); break;
        default: mw_put_bytes(run, text, n);
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
