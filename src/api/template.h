/*
 * template.h: a document of which most is fixed, as a text with holes that is played to a writer.
 *
 * The text is YAML as far as such a document needs it: maps and lists in block style; plain and
 * quoted scalars; `>-`; `{a: b}` and `[a, b]` of one level; comments on lines of their own. A plain
 * scalar is text, but for numbers, true, false, null, [] and [{...}], which stay as they are.
 * What it has beside YAML is told atop openapi.in.yaml. It is ours, not a client's: what it gets
 * wrong ends the run.
 */
#ifndef MAPWRIGHT_TEMPLATE_H
#define MAPWRIGHT_TEMPLATE_H

#include "writer.h"

/* Whole lines of the text. */
struct lines {
    const char *at, *end;
};

/*
 * What the words of a template mean. `scope` is the caller's: what the lines are about just now.
 * All but `text` return false where there is no such word.
 */
struct player;
struct vocabulary {
    /* Plays the lines for each member of the set, in the scope of that member. `rest` is what
       stands behind the name: "404 405" of "status 404 405". */
    bool (*each)(struct player *, const void *scope, const char *set, const char *rest,
                 struct lines);
    bool (*holds)(const void *scope, const char *condition, bool *result);
    /* The text for a hole, which may lie in the run; NULL: there is no such hole. */
    const char *(*text)(const void *scope, const char *hole);
    bool (*put)(struct writer *, const char *key, const void *scope, const char *value);
};

struct player {
    struct writer *writer;
    const struct vocabulary *words;
    struct block {
        const char *name;
        size_t length; /* of the name */
        struct lines lines;
    } * blocks;
    int count;
};

/* Writes the first block of the text, as the root of the document. */
void template_play(struct writer *, const char *text, size_t length, const struct vocabulary *,
                   const void *scope);
/* For `each`: its lines, in another scope. */
void template_play_lines(struct player *, const void *scope, struct lines);

/* Whether the word is one of a list with single spaces between them. */
bool is_among(const char *word, const char *list);

#endif
