/* cli.h: what the files of the command share. */
#ifndef MAPWRIGHT_CLI_H
#define MAPWRIGHT_CLI_H

#include "mapwright.h"

#include <stdio.h>

/* What the command's exit status says; --help explains it. */
enum {
    DONE = 0,
    CANNOT = 1,   /* the system would not: a file, a full disk, memory */
    MISTAKEN = 2, /* the command line asks for what does not exist */
    NO_MAP = 3,   /* well asked, but there is no such map */
};

struct options {
    bool help, version;
    size_t memory;      /* bytes of the run's block */
    const char *output; /* NULL: standard output */
    char **words;       /* the rest of the command line */
    int count;
};

/* "mapwright: ...", on standard error; the status is for returning. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- help.c ---------------------------------------------------------------------------------- */
void print_help(FILE *);
void print_generator_help(FILE *, const struct mw_generator *);
void print_list(FILE *);

/* ---- words.c --------------------------------------------------------------------------------- */

/* A command line as arguments. All that it points to lives as long as the process. */
struct question {
    const struct mw_generator *generator;
    const char *suffix; /* "svg" of /regions.svg?..., or NULL */
    struct mw_arg *args;
    size_t count;
};

/* Reads `regions width=60 mask=@file` or `'/regions.svg?width=60' seed=7`; dies of what it cannot
   read. The run is for the query's text. */
struct question read_words(struct mw_run *, const struct options *);
/* The generator of the first word, without its suffix; dies where there is none. */
const struct mw_generator *generator_of_word(const char *word);

/* ---- draw.c ---------------------------------------------------------------------------------- */
int draw_map(const struct options *);
/* Says all that is wrong, a line each; the least status of all, as a mistake is mended first. */
int report(const struct mw_run *);
/* Everything, to the file or to standard output. */
int write_out(const struct options *, const char *bytes, size_t length);

#endif
