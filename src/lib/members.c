/*
 * members.c: the text of a JSON object (RFC 8259) to arguments.
 *
 * A value is written without escapes, with its shape beside it. No value is longer in that spelling
 * than in JSON, so memory of the text's length has room for all of them. A member has a colon, and
 * is not shorter than `"":0,`: that bounds how many there are.
 *
 * It always ends: each turn of a loop moves on in the text, and nesting deeper than DEPTH_MOST is
 * refused.
 */
#include "number.h"
#include "run.h"

enum { DEPTH_MOST = 64 };
#define DIGITS "0123456789"

struct json_reader {
    struct mw_run *run;
    const char *start, *at, *end;
    int depth;
    char *to; /* where the next spelling is written */
    const struct mw_arg *given;
    struct mw_arg *args; /* those that were given, and the members */
    size_t count;
};

_Noreturn static void refuse(const struct json_reader *r, const char *what)
{
    int line = 1, column = 1;
    for (const char *c = r->start; c < r->at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    mw_fail(r->run, MW_BAD_PARAM, "", "line %d, column %d: %s", line, column, what);
}

/* Moves past up to `most` characters of a set; whether there was one. */
static bool skip(struct json_reader *r, const char *set, ptrdiff_t most)
{
    const char *from = r->at;
    while (r->at < r->end && r->at - from < most && *r->at && strchr(set, *r->at))
        r->at++;
    return r->at > from;
}

/* The next character that is not blank; '\0' at the end. */
static char peek(struct json_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
    return r->at < r->end ? *r->at : '\0';
}

static bool take(struct json_reader *r, char c)
{
    bool here = peek(r) == c && r->at < r->end;
    r->at += here;
    return here;
}

/* Adds what was read since `from`, as it is. */
static void copy(struct json_reader *r, const char *from)
{
    memcpy(r->to, from, (size_t)(r->at - from));
    r->to += r->at - from;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* The unit of UTF-16 that \u and four digits stand for; -1: they are none. */
static int32_t read_unit(const char *at, const char *end)
{
    int32_t unit = end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? 0 : -1;
    assert(at <= end);
    for (int i = 2; i < 6 && unit >= 0; i++) {
        int digit = mw_hex_digit(at[i]);
        unit = digit < 0 ? -1 : unit * 16 + digit;
    }
    return unit;
}

/* The character that such a unit, or a pair of them, stands for; 0: none. */
static int32_t read_code(const char *at, const char *end, size_t *length)
{
    int32_t high = read_unit(at, end), low = high < 0 ? -1 : read_unit(at + 6, end);
    bool pair = high >> 10 == 0xd800 >> 10 && low >> 10 == 0xdc00 >> 10;
    *length = pair ? 12 : 6;
    if (pair)
        return 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
    return high > 0 && high >> 11 != 0xd800 >> 11 ? high : 0;
}

static char *write_character(char *to, int32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    assert(code < 0x110000);
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
    while (more--)
        *to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return to;
}

static void read_escape(struct json_reader *r)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t length = 2;
    char c = r->at + 1 < r->end ? r->at[1] : '\0';
    const char *letter = c ? strchr(letters, c) : NULL;
    int32_t code = c == 'u' ? read_code(r->at, r->end, &length)
                   : letter ? meant[letter - letters]
                            : 0;
    if (!code)
        refuse(r, "is no escape, of which there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0001 to "
                  "\\uffff");
    r->to = write_character(r->to, code);
    r->at += length;
}

/* A character of its own, or as many of ASCII as there are. */
static void read_plain(struct json_reader *r)
{
    const char *from = r->at;
    while (r->at < r->end && *r->at >= 0x20 && *r->at < 0x7f && *r->at != '"' && *r->at != '\\')
        r->at++;
    if (r->at == from) {
        uint32_t code;
        if ((unsigned char)*r->at < 0x20)
            refuse(r, "is a control character, which must be escaped");
        r->at += span_character((struct span){r->at, (size_t)(r->end - r->at)}, &code);
        if (r->at == from)
            refuse(r, "is not UTF-8");
    }
    copy(r, from);
}

static void read_string(struct json_reader *r)
{
    if (!take(r, '"'))
        refuse(r, "must be a string in double quotes");
    while (r->at < r->end && *r->at != '"')
        if (*r->at == '\\')
            read_escape(r);
        else
            read_plain(r);
    if (r->at == r->end)
        refuse(r, "the text ends within a string");
    r->at++;
}

/* ---- numbers and words ----------------------------------------------------------------------- */

static bool skip_number(struct json_reader *r)
{
    skip(r, "-", 1);
    bool good = skip(r, "0", 1) || skip(r, DIGITS, PTRDIFF_MAX);
    if (good && skip(r, ".", 1))
        good = skip(r, DIGITS, PTRDIFF_MAX);
    if (good && skip(r, "eE", 1)) {
        skip(r, "+-", 1);
        good = skip(r, DIGITS, PTRDIFF_MAX);
    }
    return good;
}

static bool take_word(struct json_reader *r, const char *word)
{
    size_t n = strlen(word);
    bool here = (size_t)(r->end - r->at) >= n && !memcmp(r->at, word, n);
    r->at += here ? n : 0;
    return here;
}

static enum mw_shape read_word(struct json_reader *r)
{
    const char *from = r->at;
    if (take_word(r, "null"))
        return MW_NIL;
    bool truth = take_word(r, "true") || take_word(r, "false");
    if (!truth && !skip_number(r))
        refuse(r, "must be a number, a string, a list, true, false or null");
    copy(r, from);
    return truth ? MW_TRUTH : MW_NUMBER;
}

/* ---- lists and objects ----------------------------------------------------------------------- */

static enum mw_shape read_value(struct json_reader *);

/* What is between two brackets, piece by piece. */
static void read_pieces(struct json_reader *r, char close,
                        void (*read_piece)(struct json_reader *, bool first))
{
    r->at++;
    if (++r->depth > DEPTH_MOST)
        refuse(r, "is nested too deep");
    bool first = true, more = !take(r, close);
    for (; more; first = false) {
        read_piece(r, first);
        more = take(r, ',');
        if (!more && !take(r, close))
            refuse(r, close == ']' ? "must be , or ]" : "must be , or }");
    }
    r->depth--;
}

/* An element is written with a zero before it; one of a list in the list (behind the object and
   that list), with a bracket or a comma. */
static void read_element(struct json_reader *r, bool first)
{
    *r->to++ = r->depth <= 2 ? '\0' : first ? '[' : ',';
    if (peek(r) == '"')
        *r->to++ = '"';
    read_value(r);
}

/* Members of an object within fit no field, and are not counted. */
static void read_member(struct json_reader *r, bool first)
{
    struct mw_arg arg = {.name = r->to};
    (void)first;
    read_string(r);
    arg.name_length = (size_t)(r->to - arg.name);
    if (!take(r, ':'))
        refuse(r, "must be : between a name and its value");
    arg.text = r->to;
    arg.shape = read_value(r);
    arg.length = (size_t)(r->to - arg.text);
    if (r->depth == 1)
        r->args[r->count++] = arg;
}

static enum mw_shape read_value(struct json_reader *r)
{
    char *text = r->to;
    switch (peek(r)) {
    case '"': read_string(r); return MW_TEXT;
    case '[': read_pieces(r, ']', read_element); return MW_LIST;
    case '{':
        read_pieces(r, '}', read_member);
        r->to = text;
        return MW_OTHER;
    default: return read_word(r);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Makes room for as many arguments as there may be. */
static void make_room(struct json_reader *r, size_t length)
{
    enum { SHORTEST = 5 };
    size_t most = (size_t)span_count((struct span){r->start, length}, ':');
    most = most < length / SHORTEST ? most : length / SHORTEST;
    r->args = MW_NEW(r->run, struct mw_arg, r->count + most);
    if (r->count)
        memcpy(r->args, r->given, r->count * sizeof *r->args);
}

static void read_text(struct mw_run *run, void *context)
{
    struct json_reader *r = context;
    size_t length = (size_t)(r->end - r->start);
    char *to = MW_NEW(run, char, length);
    r->to = to;
    make_room(r, length);
    if (!peek(r) && r->at == r->end)
        return;
    if (peek(r) != '{')
        mw_fail(run, MW_BAD_PARAM, "", "must be an object in UTF-8: {\"name\": value, ...}");
    read_pieces(r, '}', read_member);
    peek(r);
    if (r->at < r->end)
        refuse(r, "must be the end of the text");
    assert(!r->depth && r->to <= to + length); /* no spelling is longer than in JSON */
}

bool mw_read_json(struct mw_run *run, const char *text, size_t length, const struct mw_arg **args,
                  size_t *count)
{
    struct span s = span_unmarked((struct span){text, length});
    struct json_reader r = {run, s.at, s.at, s.at + s.length, .given = *args, .count = *count};
    if (!mw_guarded(run, read_text, &r))
        return false;
    *args = r.args;
    *count = r.count;
    return true;
}
