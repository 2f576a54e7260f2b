/*
 * arbitrary.h: random requests, from the tables of a generator alone.
 *
 * Choices come from a seed. Most requests are small and well-formed; some have boundary values,
 * nonsense, or members that are unknown or given twice.
 */
#ifndef MAPWRIGHT_ARBITRARY_H
#define MAPWRIGHT_ARBITRARY_H

#include "mapwright_host.h"

/* Where choices come from. */
struct arbitrary {
    uint64_t state;
    unsigned scale; /* numbers are drawn 2^scale times as large as a rule */
    unsigned depth; /* of the map under way, below the one that was asked for */
};

/* Choices that are a function of the generator's name and a number. */
struct arbitrary arbitrary_of(const struct mw_generator *, uint64_t number);

/* One of 0 .. n-1; n > 0. */
uint32_t arbitrary_below(struct arbitrary *, uint32_t n);
/* Text that readers, writers and browsers may trip over. */
const char *arbitrary_word(struct arbitrary *);

enum { REQUEST_ARGS = 72, REQUEST_TEXT = 1 << 16 };

/* A request as a reader would hand it to mw_bind, but lists of JSON are written as in a URL. */
struct raw_request {
    const struct mw_generator *generator;
    struct mw_arg args[REQUEST_ARGS];
    size_t count;
    char text[REQUEST_TEXT]; /* what args point to */
    size_t used;
};

void arbitrary_request(struct arbitrary *, const struct mw_generator *, struct raw_request *);
/* mw_bind, with a fresh seed. */
bool arbitrary_bind(struct mw_run *, const struct raw_request *, struct mw_request *);
/* The same arguments in another order. */
void arbitrary_shuffle(struct arbitrary *, struct raw_request *);

/* A list of a URL as a JSON reader gives it, written at `to`. */
static inline struct mw_arg list_of_json(struct mw_arg arg, enum mw_type type, char *to)
{
    char mark = type == MW_POINTS ? '[' : type == MW_ROWS ? '"' : '\0';
    char separator = type == MW_POINTS ? ';' : type == MW_ROWS ? '/' : ',';
    const char *url = arg.text;
    arg.text = to;
    for (size_t i = 0; i < arg.length; i++) {
        if (!i || url[i] == separator)
            *to++ = '\0';
        if (mark && (!i || url[i] == separator))
            *to++ = mark;
        if (url[i] != separator)
            *to++ = url[i];
    }
    arg.shape = MW_LIST;
    arg.length = (size_t)(to - arg.text);
    return arg;
}

#endif
