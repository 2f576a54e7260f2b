/* cli.h: what the files of the command share. */
#ifndef MAPWRIGHT_CLI_H
#define MAPWRIGHT_CLI_H

#include "all/registry.h"

#include <stdio.h>
#include <stdlib.h>

/* Exit statuses; --help explains them. */
enum {
    STATUS_DONE = 0,
    STATUS_SYSTEM = 1, /* an error of the system: a file, a full disk, memory */
    STATUS_USAGE = 2,  /* a mistake in the command line */
    STATUS_NO_MAP = 3, /* a valid request, but there is no such map */
};

/* ---- complain.c ------------------------------------------------------------------------------ */

/* "mapwright: ...", on standard error; the status is for returning. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define die(...) exit(complain(__VA_ARGS__))
/* Prints all problems, a line each; the least of their statuses. */
int report(const struct mw_run *);
/* Memory from malloc; exits without it. */
void *need(void *memory);

/* ---- options.c ------------------------------------------------------------------------------- */

struct options {
    bool help, version;
    bool json;          /* of `list`: all tables, for programs */
    size_t memory;      /* bytes of the run's block */
    const char *output; /* NULL: standard output */
    char **words;       /* generator or address, then parameters as name=value */
    int count;
};

/* Moves the words to the front of argv. Exits where an option is wrong. */
struct options read_options(int argc, char **argv);

/* ---- request.c ------------------------------------------------------------------------------- */

/* Reads and binds `regions width=60 mask=@file` or `'/regions.svg?width=60' seed=7`. Prints all
   problems and exits if there are any. What it has read stays in memory until the process ends. */
const struct mw_request *read_request(struct mw_run *, const struct options *);
/* The generator and parameters that the first word names; exits if there is no such generator. */
struct asked_map read_address(struct mw_run *, const char *word);
/* Whether it is a terminal that shows colours and may show them (no-color.org). */
bool is_lively(int descriptor);

/* ---- progress.c ------------------------------------------------------------------------------ */

/* A bar on standard error, if that is a terminal, for work of more than half a second. */
struct progress {
    uint64_t expected; /* steps */
    int64_t due;       /* when to draw, in milliseconds; INT64_MAX: never */
    bool drawn;
};
/* For so many steps. */
void progress_begin(struct progress *, uint64_t expected);
/* The `stop` of a run, always false; the argument is a struct progress. */
bool progress_tick(void *, uint64_t steps);
/* Erases it. */
void progress_end(struct progress *);

/* ---- write.c --------------------------------------------------------------------------------- */

/* Everything, to the file or (NULL) to standard output; the status. */
int write_out(const char *output, const char *bytes, size_t length);
/* Writes the images of tiles that a map refers to beside it, unless they are there; the status. */
int write_tiles(const char *output, const char *bytes, size_t length);
/* Whether all that was printed has arrived; the status. */
int flush_out(void);

/* ---- system.c -------------------------------------------------------------------------------- */

/* Zeroed memory; NULL: the system has no such block. */
void *take_block(size_t size);
/* False: there are no random bits. */
bool draw_bits(uint64_t *bits);
/* Of standard output; 0: it is no terminal. */
int terminal_columns(void);
/* Since some moment in the past. */
int64_t clock_ms(void);
/* False: `errno` says why. A file that was there is replaced as a whole or not at all. */
bool write_file(const char *output, const char *bytes, size_t length);

/* ---- list.c ---------------------------------------------------------------------------------- */

/* All that the library knows of generators, formats and problems, as JSON on standard output; the
   status. */
int print_tables(struct mw_run *);

/* ---- help.c ---------------------------------------------------------------------------------- */

void print_help(FILE *);
/* On standard output; the status. */
int print_generator_help(struct mw_run *, const struct mw_generator *);
/* A line each, behind `indent`. */
void print_generators(FILE *, const char *indent);

#endif
