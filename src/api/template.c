/* template.c: lines of a template, cut where they are used, and played to a writer. */
#include "template.h"

#include "lib/gen.h"

#include <ctype.h>

/* ---- lines ----------------------------------------------------------------------------------- */

struct line {
    int indent;
    const char *text; /* without its indentation */
    size_t length;
};

/* The next line that is neither blank nor a comment. */
static bool take_line(struct lines *rest, struct line *line)
{
    while (rest->at < rest->end) {
        const char *text = rest->at;
        const char *stop = memchr(text, '\n', (size_t)(rest->end - text));
        stop = stop ? stop : rest->end;
        while (text < stop && *text == ' ')
            text++;
        *line = (struct line){(int)(text - rest->at), text, (size_t)(stop - text)};
        rest->at = stop + (stop < rest->end);
        if (text < stop && *text != '#')
            return true;
    }
    return false;
}

/* The lines that come next and stand deeper. */
static struct lines take_below(struct lines *rest, int indent)
{
    struct lines below = {rest->at, rest->at}, ahead = *rest;
    struct line line;
    while (take_line(&ahead, &line) && line.indent > indent)
        below.end = ahead.at;
    rest->at = below.end;
    return below;
}

static bool find_block(const struct player *p, const char *name, size_t length, struct lines *lines)
{
    for (int i = 0; i < p->count; i++) {
        const struct block *block = &p->blocks[i];
        *lines = block->lines;
        if (block->length == length && !memcmp(block->name, name, length))
            return true;
    }
    return false;
}

/* ---- texts ----------------------------------------------------------------------------------- */

_Noreturn static void refuse(struct player *p, const char *what, const char *word)
{
    mw_fail(p->writer->run, MW_BAD_PARAM, "", "the template has no %s '%s'", what, word);
}

static char *copy(struct player *p, const char *text, size_t length)
{
    return mw_copy_text(p->writer->run, text, length);
}

/* "puzzle/solve", "min_length" -> "PuzzleSolve", "MinLength" */
static const char *camel(char *words)
{
    char *to = words;
    bool begins = true;
    for (const char *c = words; *c; c++) {
        if (isalnum((unsigned char)*c))
            *to++ = (char)(begins ? toupper((unsigned char)*c) : *c);
        begins = !isalpha((unsigned char)*c);
    }
    *to = '\0';
    return words;
}

static const char *text_for(struct player *p, const void *scope, char *hole)
{
    bool capital = isupper((unsigned char)*hole);
    *hole = (char)tolower((unsigned char)*hole);
    const char *text = p->words->text(scope, hole);
    if (!text)
        refuse(p, "text", hole);
    return capital ? camel(copy(p, text, strlen(text))) : text;
}

/* The text with its holes filled. */
static const char *fill(struct player *p, const void *scope, const char *text)
{
    const char *open = strchr(text, '<'), *close = open ? strchr(open, '>') : NULL;
    if (!close)
        return text;
    const char *in = text_for(p, scope, copy(p, open + 1, (size_t)(close - open) - 1));
    const char *after = fill(p, scope, close + 1);
    size_t before = (size_t)(open - text), length = strlen(in);
    char *whole = MW_NEW(p->writer->run, char, before + length + strlen(after) + 1);
    memcpy(whole, text, before);
    memcpy(whole + before, in, length);
    strcpy(whole + before + length, after);
    return whole;
}

/* What stands between the quotes. */
static const char *unquote(struct player *p, const char *text, size_t length)
{
    assert(length >= 2 && text[0] == '"' && text[length - 1] == '"');
    char *plain = MW_NEW(p->writer->run, char, length), *to = plain;
    for (size_t i = 1; i < length - 1; i++) {
        bool escaped = text[i] == '\\';
        i += escaped;
        *to++ = escaped && text[i] == 'n' ? '\n' : text[i];
    }
    *to = '\0';
    return plain;
}

/* Lines joined by spaces, and where n lines are blank, by n line ends. */
static const char *fold(struct player *p, struct lines lines)
{
    char *folded = MW_NEW(p->writer->run, char, (size_t)(lines.end - lines.at) + 1), *to = folded;
    struct line line;
    for (const char *before = lines.at; take_line(&lines, &line); before = lines.at) {
        for (const char *c = before; c < line.text; c++)
            if (*c == '\n')
                *to++ = '\n';
        if (to > folded && to[-1] != '\n')
            *to++ = ' ';
        memcpy(to, line.text, line.length);
        to += line.length;
    }
    *to = '\0';
    return folded;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* What is no text without quotes. */
static bool is_literal(const char *text)
{
    bool word = !strcmp(text, "true") || !strcmp(text, "false") || !strcmp(text, "null");
    return word || *text == '[' || (*text && !text[strspn(text, "-.0123456789")]);
}

static void put_scalar(struct player *p, const void *scope, const char *key, const char *text)
{
    bool quoted = *text == '"';
    const char *full = fill(p, scope, quoted ? unquote(p, text, strlen(text)) : text);
    if (!quoted && is_literal(full))
        put_raw(p->writer, key, full, strlen(full));
    else
        put_text(p->writer, key, full, strlen(full));
}

/* Whether lines are items of a list, rather than members of a map. */
static bool is_list(const struct player *p, struct lines lines)
{
    struct line line;
    while (take_line(&lines, &line)) {
        if (*line.text != '@')
            return *line.text == '-';
        struct lines block;
        if (find_block(p, line.text + 1, line.length - 1, &block))
            return is_list(p, block);
    }
    return false;
}

static void put_lines(struct player *p, const void *scope, const char *key, struct lines lines)
{
    int depth = p->writer->depth;
    if (is_list(p, lines))
        put_list(p->writer, key);
    else
        put_map(p->writer, key);
    template_play_lines(p, scope, lines);
    put_end(p->writer);
    assert(p->writer->depth == depth);
    (void)depth;
}

/* `{a: b, c: d}` and `[a, b]` as lines. */
static struct lines unfold(struct player *p, const char *text)
{
    bool list = *text == '[';
    size_t length = strlen(text);
    char *lines = MW_NEW(p->writer->run, char, 3 * length), *to = lines;
    for (const char *at = text; at < text + length - 1;) {
        at += at == text ? 1 : 2;
        size_t n = strcspn(at, ",");
        n = at[n] ? n : strlen(at) - 1;
        if (list)
            to = memcpy(to, "- ", 2), to += 2;
        memcpy(to, at, n);
        to[n] = '\n';
        to += n + 1;
        at += n;
    }
    return (struct lines){lines, to};
}

static void put_value(struct player *p, const void *scope, const char *key, const char *text,
                      struct lines below)
{
    struct lines block;
    if (!*text)
        put_lines(p, scope, key, below);
    else if (*text == '@' && find_block(p, text + 1, strlen(text + 1), &block))
        put_lines(p, scope, key, block);
    else if (*text == '@' && !p->words->put(p->writer, key, scope, text + 1))
        refuse(p, "value", text + 1);
    else if (!strcmp(text, ">-"))
        put_scalar(p, scope, key, fold(p, below));
    else if (*text == '{' || (*text == '[' && isalpha((unsigned char)text[1])))
        put_lines(p, scope, key, unfold(p, text));
    else if (*text != '@')
        put_scalar(p, scope, key, text);
}

/* Where the key ends: at a colon with a space or nothing behind it; NULL: there is no key. */
static const char *find_colon(const char *text)
{
    for (const char *c = *text == '"' ? strchr(text + 1, '"') + 1 : text; *c; c++)
        if (*c == ':' && (c[1] == ' ' || !c[1]))
            return c;
    return NULL;
}

static void put_member(struct player *p, const void *scope, const char *text, struct lines below)
{
    const char *colon = find_colon(text);
    if (!colon)
        refuse(p, "key in", text);
    size_t length = (size_t)(colon - text);
    const char *key = *text == '"' ? unquote(p, text, length) : copy(p, text, length);
    put_value(p, scope, fill(p, scope, key), colon + 1 + (colon[1] == ' '), below);
}

static void put_item(struct player *p, const void *scope, const char *text, struct lines below)
{
    if (!find_colon(text)) {
        put_value(p, scope, NULL, text, below);
        return;
    }
    put_map(p->writer, NULL);
    put_member(p, scope, text, (struct lines){below.at, below.at});
    template_play_lines(p, scope, below);
    put_end(p->writer);
}

/* ---- words ----------------------------------------------------------------------------------- */

bool is_among(const char *word, const char *list)
{
    size_t length = strlen(word);
    for (; *list; list += strcspn(list, " "), list += *list == ' ')
        if (strcspn(list, " ") == length && !memcmp(list, word, length))
            return true;
    return false;
}

/* Cuts the first word off: what stands behind it. */
static char *cut_word(char *text)
{
    char *rest = text + strcspn(text, " ");
    if (*rest)
        *rest++ = '\0';
    return rest;
}

/* Whether a condition holds; or with words behind it, whether the text of that name is one of
   them. */
static bool holds(struct player *p, const void *scope, char *name, const char *among)
{
    if (*among)
        return is_among(text_for(p, scope, name), among);
    bool result;
    if (!p->words->holds(scope, name, &result))
        refuse(p, "condition", name);
    return result;
}

static void obey(struct player *p, const void *scope, char *word, struct lines below)
{
    struct lines block;
    if (find_block(p, word, strlen(word), &block)) {
        template_play_lines(p, scope, block);
        return;
    }
    char *name = cut_word(word), *rest = cut_word(name);
    if (!strcmp(word, "each")) {
        if (!p->words->each(p, scope, name, rest, below))
            refuse(p, "set", name);
        return;
    }
    if (strcmp(word, "if"))
        refuse(p, "block", word);
    bool negated = !strcmp(name, "not");
    if (negated) {
        name = rest;
        rest = cut_word(name);
    }
    if (holds(p, scope, name, rest) != negated)
        template_play_lines(p, scope, below);
}

void template_play_lines(struct player *p, const void *scope, struct lines lines)
{
    struct line line;
    while (take_line(&lines, &line)) {
        struct lines below = take_below(&lines, line.indent);
        char *mark = mw_mark(p->writer->run), *text = copy(p, line.text, line.length);
        if (*text == '@')
            obey(p, scope, text + 1, below);
        else if (!strncmp(text, "- ", 2))
            put_item(p, scope, text + 2, below);
        else
            put_member(p, scope, text, below);
        mw_rewind(p->writer->run, mark);
    }
}

/* The text as blocks: the lines without indentation, less their colon, are names. */
static void cut_blocks(struct player *p, struct lines text)
{
    p->blocks = MW_NEW(p->writer->run, struct block, text.end - text.at);
    struct line line;
    while (take_line(&text, &line)) {
        assert(!line.indent && line.text[line.length - 1] == ':');
        struct lines below = take_below(&text, 0);
        p->blocks[p->count++] = (struct block){line.text, line.length - 1, below};
    }
}

void template_play(struct writer *writer, const char *text, size_t length,
                   const struct vocabulary *words, const void *scope)
{
    struct player player = {.writer = writer, .words = words};
    cut_blocks(&player, (struct lines){text, text + length});
    assert(player.count);
    put_lines(&player, scope, NULL, player.blocks[0].lines);
}
