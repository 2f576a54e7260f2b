/* problems.h: where a request can meet which of the faults, and what it is told. */
#ifndef MAPWRIGHT_PROBLEMS_H
#define MAPWRIGHT_PROBLEMS_H

#include "writer.h"

/* Kinds of operations: a map by GET, by POST, kept in the cache; a page, one with a slug, the
 * readiness. */
enum {
    GET = 1,
    POST = 2,
    KEPT = 4,
    PAGE = 8,
    SLUG = 16,
    READINESS = 32,
    ANYWHERE = GET | POST | KEPT | PAGE
};

/* The problems of an operation of these kinds, among its responses. */
void put_problems(struct writer *, int kinds);
/* What those refer to, among the components. */
void put_problem_responses(struct writer *);
void put_problem_schema(struct writer *);
/* Schemas of the pages /problems/{slug} and /problems, under `key`. */
void put_problem_page_schema(struct writer *, const char *key);
void put_problem_list_schema(struct writer *, const char *key);

#endif
