/*
 * writer.c: two syntaxes behind one set of events. YAML is written in block style; at its end a map
 * or list that fits on its line is joined there, `{type: integer, minimum: 1}`: a third of the
 * bytes.
 */
#include "writer.h"

#include "lib/gen.h"

#include <strings.h>

/* ---- strings --------------------------------------------------------------------------------- */

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
            !strchr("$/ .'_-+;()^=", text[i]))
            return false;
    return !is_taken(text, length);
}

/* The innermost level has what cannot be joined. */
static void break_level(struct writer *w)
{
    if (w->depth)
        w->levels[w->depth - 1].broken = true;
}

static int indent_of(const struct writer *w) { return w->depth ? 2 * (w->depth - 1) : 0; }

static void new_line(struct writer *w, int indent)
{
    mw_put_char(w->run, '\n');
    for (int i = 0; i < indent; i++)
        mw_put_char(w->run, ' ');
}

/* Lines that a literal block of YAML can hold: no control characters, at most one newline at the
   end. */
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
    mw_put(w->run, ends ? "|2" : "|2-");
    const char *end = text + length - ends;
    for (const char *line = text; line <= end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        new_line(w, stop > line ? indent_of(w) + 2 : 0);
        mw_put_bytes(w->run, line, (size_t)(stop - line));
        line = stop + 1;
    }
}

static void add_yaml_string(struct writer *w, const char *text, size_t length)
{
    bool plain = is_plain(text, length);
    if (plain)
        mw_put_bytes(w->run, text, length);
    else if (is_block(text, length))
        add_block(w, text, length);
    else
        mw_put_json_string(w->run, text, length);
    if (!plain && memchr(text, '\n', length))
        break_level(w);
}

static void add_string(struct writer *w, const char *text, size_t length)
{
    if (w->syntax == OPENAPI_YAML)
        add_yaml_string(w, text, length);
    else
        mw_put_json_string(w->run, text, length);
}

/* ---- items ----------------------------------------------------------------------------------- */

static void begin_yaml_item(struct writer *w, const char *key)
{
    if (w->beside_dash)
        mw_put_char(w->run, ' ');
    else if (w->begun)
        new_line(w, indent_of(w));
    w->beside_dash = false;
    w->begun = true;
    if (!key) {
        mw_put_char(w->run, '-');
        return;
    }
    add_string(w, key, strlen(key));
    mw_put_char(w->run, ':');
}

static void begin_json_item(struct writer *w, const char *key, bool first)
{
    if (!first)
        mw_put_char(w->run, ',');
    if (!key)
        return;
    mw_put_json_string(w->run, key, strlen(key));
    mw_put_char(w->run, ':');
}

/* All that stands before a value. */
static void begin_item(struct writer *w, const char *key)
{
    if (!w->depth)
        return;
    struct level *level = &w->levels[w->depth - 1];
    assert(level->list == !key);
    bool first = !level->filled;
    level->filled = true;
    if (w->syntax == OPENAPI_YAML)
        begin_yaml_item(w, key);
    else
        begin_json_item(w, key, first);
}

static void begin_scalar(struct writer *w, const char *key)
{
    begin_item(w, key);
    if (w->syntax == OPENAPI_YAML)
        mw_put_char(w->run, ' ');
}

static void open_level(struct writer *w, const char *key, bool list)
{
    begin_item(w, key);
    assert(w->depth < WRITER_DEPTH);
    w->beside_dash = w->depth && w->levels[w->depth - 1].list;
    w->levels[w->depth++] =
        (struct level){list, .begin = (size_t)(w->run->bottom - w->run->output)};
    if (w->syntax == OPENAPI_JSON)
        mw_put_char(w->run, list ? '[' : '{');
}

void put_map(struct writer *w, const char *key) { open_level(w, key, false); }

void put_list(struct writer *w, const char *key) { open_level(w, key, true); }

/* The column at which the text begins. */
static size_t column_of(const struct writer *w, const char *text)
{
    const char *at = text;
    while (at > w->run->output && at[-1] != '\n')
        at--;
    return (size_t)(text - at);
}

/* The next of the items that stand on lines: without indentation, and without a list's dash. */
static bool take_item(const char **lines, bool list, const char **item, size_t *length)
{
    const char *at = *lines + strspn(*lines, "\n ");
    if (!*at)
        return false;
    *item = at + (list ? 2 : 0);
    *length = strcspn(*item, "\n");
    *lines = *item + *length;
    return true;
}

/* Puts the items on the line of their key, and below it where that is full. */
static void put_joined(struct writer *w, const char *lines, bool list)
{
    const char *item;
    size_t length;
    mw_put(w->run, list ? " [" : " {");
    for (bool first = true; take_item(&lines, list, &item, &length); first = false) {
        mw_put(w->run, first ? "" : ",");
        if (column_of(w, w->run->bottom) + length + 2 > WRITER_COLUMNS)
            new_line(w, indent_of(w) + 2);
        else
            mw_put(w->run, first ? "" : " ");
        mw_put_bytes(w->run, item, length);
    }
    mw_put_char(w->run, list ? ']' : '}');
}

/* Tries to: where a map comes out longer than three lines, its own are put back. What takes more
   than one line is no item of a line. */
static void join_level(struct writer *w, const struct level *level)
{
    char *mark = mw_mark(w->run), *begin = w->run->output + level->begin;
    size_t length = (size_t)(w->run->bottom - begin);
    const char *lines = mw_copy_text(w->run, begin, length);
    mw_end_output(w->run, begin);
    put_joined(w, lines, level->list);
    if (!level->list && w->run->bottom - begin > 3 * WRITER_COLUMNS) {
        mw_end_output(w->run, begin);
        mw_put_bytes(w->run, lines, length);
    }
    if (memchr(begin, '\n', (size_t)(w->run->bottom - begin)))
        break_level(w);
    mw_rewind(w->run, mark);
}

static void end_yaml_level(struct writer *w, const struct level *level)
{
    if (!level->filled)
        mw_put(w->run, level->list ? " []" : " {}");
    else if (w->depth && !level->broken)
        join_level(w, level);
    else
        break_level(w);
}

void put_end(struct writer *w)
{
    assert(w->depth);
    struct level level = w->levels[--w->depth];
    if (w->syntax == OPENAPI_JSON)
        mw_put_char(w->run, level.list ? ']' : '}');
    else
        end_yaml_level(w, &level);
    w->beside_dash = false;
}

void put_text(struct writer *w, const char *key, const char *text, size_t length)
{
    begin_scalar(w, key);
    add_string(w, text, length);
}

void put_raw(struct writer *w, const char *key, const char *json, size_t length)
{
    assert(length);
    begin_scalar(w, key);
    mw_put_bytes(w->run, json, length);
}
