/* writer.c: two syntaxes behind one set of events. YAML is written in block style. */
#include "writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool make_room(struct writer *w, size_t more)
{
    if (w->failed || w->room - w->length > more)
        return !w->failed;
    size_t room = (w->length + more) * 2 + 4096;
    char *text = realloc(w->text, room);
    w->failed = !text;
    if (!text)
        return false;
    w->text = text;
    w->room = room;
    return true;
}

static void add(struct writer *w, const char *text, size_t length)
{
    if (!make_room(w, length))
        return;
    memcpy(w->text + w->length, text, length);
    w->length += length;
}

static void say(struct writer *w, const char *text) { add(w, text, strlen(text)); }

static void add_char(struct writer *w, char c) { add(w, &c, 1); }

/* ---- strings --------------------------------------------------------------------------------- */

static void add_quoted(struct writer *w, const char *text, size_t length)
{
    add_char(w, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        char escape[8];
        if (c == '"' || c == '\\')
            add_char(w, '\\');
        if (c == '\n')
            say(w, "\\n");
        else if (c >= 0x20 && c != 0x7f)
            add_char(w, (char)c);
        else
            add(w, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
    }
    add_char(w, '"');
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Words that YAML, or an older YAML, takes for something else than text. */
static bool is_taken(const char *text, size_t length)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no",
                                        "on",   "off",   "y",    "n",   NULL};
    for (const char *const *word = words; *word; word++)
        if (strlen(*word) == length && !strncasecmp(*word, text, length))
            return true;
    return false;
}

/* Whether YAML reads it as the same text without quotes: less than YAML allows, but surely. */
static bool is_plain(const char *text, size_t length)
{
    if (!length || !(is_letter(text[0]) || strchr("/$", text[0])) || text[length - 1] == ' ')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_letter(text[i]) && !(text[i] >= '0' && text[i] <= '9') &&
            !strchr("$/ .,'_-+;(){}^=", text[i]))
            return false;
    return !is_taken(text, length);
}

static int indent_of(const struct writer *w) { return w->depth ? 2 * (w->depth - 1) : 0; }

static void new_line(struct writer *w, int indent)
{
    add_char(w, '\n');
    for (int i = 0; i < indent; i++)
        add_char(w, ' ');
}

/* Lines that a literal block of YAML can hold: no control characters, at most one newline at the
 * end. */
static bool is_block(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\n') || text[i] == 0x7f)
            return false;
    return memchr(text, '\n', length) && text[0] != '\n' && length > 1 &&
           !(text[length - 1] == '\n' && text[length - 2] == '\n');
}

static void add_block(struct writer *w, const char *text, size_t length)
{
    bool ends = text[length - 1] == '\n';
    say(w, ends ? "|2" : "|2-");
    const char *end = text + length - ends;
    for (const char *line = text; line <= end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        new_line(w, stop > line ? indent_of(w) + 2 : 0);
        add(w, line, (size_t)(stop - line));
        line = stop + 1;
    }
}

static void add_string(struct writer *w, const char *text, size_t length)
{
    if (w->syntax == OPENAPI_YAML && is_plain(text, length))
        add(w, text, length);
    else if (w->syntax == OPENAPI_YAML && is_block(text, length))
        add_block(w, text, length);
    else
        add_quoted(w, text, length);
}

/* ---- items ----------------------------------------------------------------------------------- */

static void begin_yaml_item(struct writer *w, const char *key)
{
    if (w->beside_dash)
        add_char(w, ' ');
    else if (w->length)
        new_line(w, indent_of(w));
    w->beside_dash = false;
    if (!key) {
        add_char(w, '-');
        return;
    }
    add_string(w, key, strlen(key));
    add_char(w, ':');
}

static void begin_json_item(struct writer *w, const char *key, bool first)
{
    if (!first)
        add_char(w, ',');
    if (!key)
        return;
    add_quoted(w, key, strlen(key));
    add_char(w, ':');
}

/* All that stands before a value. */
static void begin_item(struct writer *w, const char *key)
{
    if (!w->depth)
        return;
    bool first = !w->levels[w->depth - 1].items++;
    if (w->syntax == OPENAPI_YAML)
        begin_yaml_item(w, key);
    else
        begin_json_item(w, key, first);
}

static void begin_scalar(struct writer *w, const char *key)
{
    begin_item(w, key);
    if (w->syntax == OPENAPI_YAML)
        add_char(w, ' ');
}

static void open_level(struct writer *w, const char *key, bool list)
{
    begin_item(w, key);
    if (w->depth == WRITER_DEPTH) {
        w->failed = true;
        return;
    }
    w->beside_dash = w->depth && w->levels[w->depth - 1].list;
    w->levels[w->depth++] = (struct level){list, 0};
    if (w->syntax == OPENAPI_JSON)
        add_char(w, list ? '[' : '{');
}

void put_map(struct writer *w, const char *key) { open_level(w, key, false); }

void put_list(struct writer *w, const char *key) { open_level(w, key, true); }

void put_end(struct writer *w)
{
    if (!w->depth)
        return;
    struct level level = w->levels[--w->depth];
    if (w->syntax == OPENAPI_JSON)
        add_char(w, level.list ? ']' : '}');
    else if (!level.items)
        say(w, level.list ? " []" : " {}");
    w->beside_dash = false;
}

void put_text_of(struct writer *w, const char *key, const char *text, size_t length)
{
    begin_scalar(w, key);
    add_string(w, text, length);
}

void put_text(struct writer *w, const char *key, const char *text)
{
    put_text_of(w, key, text, strlen(text));
}

void put_format(struct writer *w, const char *key, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_text(w, key, text);
}

void put_raw(struct writer *w, const char *key, const char *json, size_t length)
{
    begin_scalar(w, key);
    add(w, json, length);
}

void put_int(struct writer *w, const char *key, int64_t n)
{
    char digits[24];
    put_raw(w, key, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)n));
}

void put_thousandths(struct writer *w, const char *key, int64_t n)
{
    char text[32];
    long long size = n < 0 ? -n : n;
    int length =
        snprintf(text, sizeof text, "%s%lld.%03lld", n < 0 ? "-" : "", size / 1000, size % 1000);
    while (text[length - 1] == '0')
        length--;
    put_raw(w, key, text, (size_t)length - (text[length - 1] == '.'));
}

void put_bool(struct writer *w, const char *key, bool value)
{
    put_raw(w, key, value ? "true" : "false", value ? 4 : 5);
}

/* ---- JSON, copied ---------------------------------------------------------------------------- */

/* Past the string whose opening quote is at `at`. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Past the value at `at`: to the comma, bracket or end that follows it. */
static const char *skip_value(const char *at, const char *end)
{
    int open = 0;
    while (at < end) {
        if (!open && (*at == ',' || *at == '}' || *at == ']'))
            return at;
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        open += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    }
    return at;
}

static void put_member(struct writer *w, const char *name, size_t length, const char *value,
                       const char *end)
{
    char key[64];
    if (length >= sizeof key) {
        w->failed = true;
        return;
    }
    memcpy(key, name, length);
    key[length] = '\0';
    put_json(w, key, value, (size_t)(end - value));
}

void put_json(struct writer *w, const char *key, const char *json, size_t length)
{
    const char *at = json, *end = json + length;
    if (w->failed || w->depth == WRITER_DEPTH || !length || *at != '{') {
        put_raw(w, key, json, length);
        return;
    }
    put_map(w, key);
    for (at++; at < end && *at == '"';) {
        const char *name = at + 1, *past = skip_string(at, end);
        const char *stop = skip_value(past + 1, end);
        put_member(w, name, (size_t)(past - 1 - name), past + 1, stop);
        at = stop + (stop < end && *stop == ',');
    }
    put_end(w);
}

char *writer_finish(struct writer *w)
{
    add(w, "\n", 2);
    if (!w->failed)
        return w->text;
    free(w->text);
    return NULL;
}
