/*
 * members.c: the text of a JSON object (RFC 8259) to arguments.
 *
 * The text is read twice: first it is checked to be JSON and its members are counted, then they are
 * read. A value is written as it would be in a URL, with its shape beside it. No value is longer in
 * that spelling than in JSON, so a copy of the text has room for all of them.
 *
 * It always ends: each turn of a loop moves on in the text, and nesting deeper than DEPTH_MOST is
 * refused.
 */
#include "number.h"
#include "run.h"
#include "span.h"

enum { DEPTH_MOST = 64 };

struct reader {
    struct mw_run *run;
    const char *start, *at, *end;
    int depth;
    char *to; /* where the next spelling is written */
    struct mw_arg *args;
    size_t count;
};

/* ---- judging --------------------------------------------------------------------------------- */

_Noreturn static void refuse(const struct reader *r, const char *what)
{
    int line = 1, column = 1;
    for (const char *c = r->start; c < r->at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    mw_fail(r->run, MW_BAD_PARAM, "", "line %d, column %d: %s", line, column, what);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* The next character that is not blank; '\0' at the end. */
static char peek(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    return r->at < r->end ? *r->at : '\0';
}

static bool take(struct reader *r, char c)
{
    bool here = peek(r) == c && r->at < r->end;
    r->at += here;
    return here;
}

/* Four hexadecimal digits; -1: there are none. */
static int32_t read_unit(const char *at, const char *end)
{
    int32_t unit = 0;
    assert(at <= end);
    for (int i = 0; i < 4; i++) {
        int digit = at + i < end ? mw_hex_digit(at[i]) : -1;
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* The character that \uXXXX, or a pair of them, stands for at `at`, behind the u; 0: none. */
static int32_t read_code(const char *at, const char *end, size_t *length)
{
    int32_t high = read_unit(at, end);
    *length = 4;
    if (high <= 0 || (high >= 0xdc00 && high <= 0xdfff))
        return 0;
    if (high < 0xd800 || high > 0xdfff)
        return high;
    bool two = end - at > 6 && at[4] == '\\' && at[5] == 'u';
    int32_t low = two ? read_unit(at + 6, end) : -1;
    *length = 10;
    return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : 0;
}

static void skip_escape(struct reader *r)
{
    size_t length = 0;
    char c = r->at + 1 < r->end ? r->at[1] : '\0';
    if (c == 'u' ? !read_code(r->at + 2, r->end, &length) : !c || !strchr("\"\\/bfnrt", c))
        refuse(r, "is no escape, of which there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0001 to "
                  "\\uffff");
    r->at += 2 + length;
}

static void skip_string(struct reader *r)
{
    if (!take(r, '"'))
        refuse(r, "must be a string in double quotes");
    while (r->at < r->end && *r->at != '"') {
        size_t n = span_character((struct span){r->at, (size_t)(r->end - r->at)});
        if (!n)
            refuse(r, "is not UTF-8");
        if ((unsigned char)*r->at < 0x20)
            refuse(r, "is a control character, which must be escaped");
        if (*r->at == '\\')
            skip_escape(r);
        else
            r->at += n;
    }
    if (r->at++ == r->end) {
        r->at = r->end;
        refuse(r, "the text ends within a string");
    }
}

static bool skip_digits(struct reader *r)
{
    const char *before = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > before;
}

static bool take_one_of(struct reader *r, const char *set)
{
    bool here = r->at < r->end && *r->at && strchr(set, *r->at);
    r->at += here;
    return here;
}

static void skip_number(struct reader *r)
{
    take_one_of(r, "-");
    bool good = take_one_of(r, "0") || skip_digits(r);
    if (good && take_one_of(r, "."))
        good = skip_digits(r);
    if (good && take_one_of(r, "eE")) {
        take_one_of(r, "+-");
        good = skip_digits(r);
    }
    if (!good)
        refuse(r, "must be a number, a string, a list, true, false or null");
}

static bool skip_word(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    bool here = (size_t)(r->end - r->at) >= n && !memcmp(r->at, word, n);
    r->at += here ? n : 0;
    return here;
}

static void skip_value(struct reader *r);

/* What stands between brackets, separated by commas; how much there is. */
static size_t skip_all(struct reader *r, char close, void (*skip)(struct reader *))
{
    size_t n = 0;
    r->at++;
    if (++r->depth > DEPTH_MOST)
        refuse(r, "is nested too deep");
    if (!take(r, close)) {
        do {
            skip(r);
            n++;
        } while (take(r, ','));
        if (!take(r, close))
            refuse(r, close == ']' ? "must be , or ]" : "must be , or }");
    }
    r->depth--;
    return n;
}

static void skip_member(struct reader *r)
{
    skip_string(r);
    if (!take(r, ':'))
        refuse(r, "must be : between a name and its value");
    skip_value(r);
}

static void skip_value(struct reader *r)
{
    switch (peek(r)) {
    case '"': skip_string(r); return;
    case '[': skip_all(r, ']', skip_value); return;
    case '{': skip_all(r, '}', skip_member); return;
    default: break;
    }
    if (!skip_word(r, "true") && !skip_word(r, "false") && !skip_word(r, "null"))
        skip_number(r);
}

/* ---- reading what is JSON -------------------------------------------------------------------- */

static char *write_character(char *to, int32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    assert(code > 0 && code < 0x110000); /* which the first pass has seen to */
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
    while (more--)
        *to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return to;
}

static void read_escape(struct reader *r)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t length = 0;
    char c = r->at[1];
    if (c == 'u')
        r->to = write_character(r->to, read_code(r->at + 2, r->end, &length));
    else
        *r->to++ = meant[strchr(letters, c) - letters];
    r->at += 2 + length;
}

static struct span read_string(struct reader *r)
{
    const char *text = r->to;
    for (take(r, '"'); *r->at != '"';) {
        if (*r->at == '\\')
            read_escape(r);
        else
            *r->to++ = *r->at++;
    }
    r->at++;
    return (struct span){text, (size_t)(r->to - text)};
}

static void copy(struct reader *r, const char *from)
{
    memcpy(r->to, from, (size_t)(r->at - from));
    r->to += r->at - from;
}

static void copy_number(struct reader *r)
{
    peek(r);
    const char *from = r->at;
    skip_number(r);
    copy(r, from);
}

static bool is_number(char c) { return c == '-' || (c >= '0' && c <= '9'); }

static bool skip_if_number(struct reader *r)
{
    bool here = is_number(peek(r));
    if (here)
        skip_number(r);
    return here;
}

/* What the next element of a list is. */
static char read_kind(struct reader *r)
{
    struct reader pair = *r;
    char c = peek(r);
    bool two = take(&pair, '[') && skip_if_number(&pair) && take(&pair, ',') &&
               skip_if_number(&pair) && take(&pair, ']');
    skip_value(r);
    return two            ? MW_KIND_PAIR
           : c == '"'     ? MW_KIND_STRING
           : is_number(c) ? MW_KIND_NUMBER
                          : MW_KIND_OTHER;
}

/* A slash inside a row must not begin another row: it becomes a byte that no alphabet has. */
static void spell_row(struct reader *r)
{
    struct span row = read_string(r);
    for (char *c = r->to - row.length; c < r->to; c++)
        *c = *c == '/' ? MW_SLASH : *c;
}

static void spell_element(struct reader *r, char kind)
{
    if (kind == MW_KIND_STRING) {
        spell_row(r);
        return;
    }
    bool pair = kind == MW_KIND_PAIR && take(r, '[');
    copy_number(r);
    if (!pair)
        return;
    *r->to++ = ',';
    take(r, ',');
    copy_number(r);
    take(r, ']');
}

/* A list of one kind, from its first element on. */
static void spell_list(struct reader *r, char kind)
{
    char between = kind == MW_KIND_NUMBER ? ',' : kind == MW_KIND_PAIR ? ';' : '/';
    for (spell_element(r, kind); take(r, ','); spell_element(r, kind))
        *r->to++ = between;
    take(r, ']');
}

static enum mw_shape shape_of_kind(char kind)
{
    return kind == MW_KIND_NUMBER   ? MW_NUMBERS
           : kind == MW_KIND_PAIR   ? MW_PAIRS
           : kind == MW_KIND_STRING ? MW_STRINGS
                                    : MW_MIXED;
}

/* Writes a letter for each element; the letter that all have, or MW_KIND_OTHER. */
static char read_kinds(struct reader *r)
{
    char *first = r->to;
    bool same = true;
    do {
        *r->to++ = read_kind(r);
        same = same && r->to[-1] == *first;
    } while (take(r, ','));
    take(r, ']');
    return same ? *first : MW_KIND_OTHER;
}

static enum mw_shape read_list(struct reader *r)
{
    take(r, '[');
    if (take(r, ']'))
        return MW_EMPTY;
    const char *first = r->at;
    char *text = r->to, kind = read_kinds(r);
    if (kind != MW_KIND_OTHER) {
        r->at = first;
        r->to = text;
        spell_list(r, kind);
    }
    return shape_of_kind(kind);
}

static enum mw_shape copy_value(struct reader *r, enum mw_shape shape)
{
    const char *from = r->at;
    skip_value(r);
    if (shape != MW_NIL && shape != MW_OTHER)
        copy(r, from);
    return shape;
}

static enum mw_shape read_value(struct reader *r)
{
    switch (peek(r)) {
    case '"': read_string(r); return MW_TEXT;
    case '[': return read_list(r);
    case '{': return copy_value(r, MW_OTHER);
    case 'n': return copy_value(r, MW_NIL);
    case 't':
    case 'f': return copy_value(r, MW_TRUTH);
    default: return copy_value(r, MW_NUMBER);
    }
}

static void read_member(struct reader *r)
{
    struct mw_arg *arg = &r->args[r->count++];
    struct span name = read_string(r);
    take(r, ':');
    *arg = (struct mw_arg){.name = name.at, .name_length = name.length, .text = r->to};
    arg->shape = read_value(r);
    arg->length = (size_t)(r->to - arg->text);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static size_t judge(struct reader *r)
{
    if (!peek(r) && r->at == r->end)
        return 0;
    if (peek(r) != '{')
        mw_fail(r->run, MW_BAD_PARAM, "", "must be an object in UTF-8: {\"name\": value, ...}");
    size_t members = skip_all(r, '}', skip_member);
    peek(r);
    if (r->at < r->end)
        refuse(r, "must be the end of the text");
    return members;
}

static void read_members(struct mw_run *run, void *context)
{
    struct reader *r = context;
    size_t members = judge(r);
    r->run = run;
    r->args = MW_NEW(run, struct mw_arg, members);
    char *room = r->to = MW_NEW(run, char, r->end - r->start);
    r->at = r->start;
    take(r, '{');
    while (r->count < members) {
        read_member(r);
        take(r, ',');
        assert(r->to - room <= r->end - r->start); /* no spelling is longer than in JSON */
    }
    assert(!r->depth && r->at <= r->end);
    (void)room;
}

bool mw_read_json(struct mw_run *run, const char *text, size_t length, const struct mw_arg **args,
                  size_t *count)
{
    struct span all = span_unmarked((struct span){text, length});
    struct reader r = {.run = run, .start = all.at, .at = all.at, .end = text + length};
    bool good = mw_guarded(run, read_members, &r);
    *args = r.args;
    *count = r.count;
    return good;
}
