/* help.c: the help, written from the tables. */
#include "cli.h"

#include "api/field.h"
#include "api/wrap.h"

#include <string.h>

enum { INDENT = 20 };

/* ---- fields ---------------------------------------------------------------------------------- */

static int print_list_default(FILE *to, struct mw_ints list)
{
    int n = 0;
    for (int32_t i = 0; i < list.count; i++)
        n += fprintf(to, "%s%d", i ? "," : "=", list.at[i]);
    return n;
}

/* "=40"; the bytes written */
static int print_default(FILE *to, const struct mw_field *f)
{
    char text[NUMBER_BYTES];
    if (!field_has_default(f))
        return 0;
    switch (f->type) {
    case MW_INTEGER:
    case MW_DECIMAL: return fprintf(to, "=%s", field_number(text, f, f->fallback));
    case MW_BOOLEAN: return fprintf(to, "=%s", f->fallback ? "true" : "false");
    case MW_ONE_OF: return fprintf(to, "=%s", f->choices[f->fallback]);
    case MW_INTEGERS: return print_list_default(to, f->list_default);
    case MW_STRING:
    case MW_POINT:
    case MW_POINTS:
    case MW_BOX:
    case MW_ROWS:
    case MW_END_OF_TABLE: break;
    }
    return 0;
}

static void print_choices(FILE *to, const char *const *choices)
{
    for (int i = 0; choices[i]; i++)
        fprintf(to, "%s%s", i ? (choices[i + 1] ? ", " : " or ") : "", choices[i]);
}

static void print_count(FILE *to, const struct mw_field *f, const char *of)
{
    if (f->least_count == f->most_count)
        fprintf(to, "%d %s", f->least_count, of);
    else
        fprintf(to, "%d to %d %s", f->least_count, f->most_count, of);
}

/* The values that a field takes. */
static void print_values(FILE *to, const struct mw_field *f)
{
    char low[NUMBER_BYTES], high[NUMBER_BYTES], class[CLASS_BYTES];
    switch (f->type) {
    case MW_INTEGER:
    case MW_DECIMAL:
        fprintf(to, "%s to %s", field_number(low, f, f->least), field_number(high, f, f->most));
        break;
    case MW_BOOLEAN: fputs("true or false", to); break;
    case MW_ONE_OF: print_choices(to, f->choices); break;
    case MW_STRING: print_count(to, f, "bytes"); break;
    case MW_INTEGERS:
        print_count(to, f, "integers");
        fprintf(to, ", each %d to %d, with commas", f->least, f->most);
        break;
    case MW_POINTS:
        print_count(to, f, "points");
        fprintf(to, ", each %d to %d: 3,4;7,8", f->least, f->most);
        break;
    case MW_ROWS:
        fprintf(to, "rows of %s, up to %d x %d: %.2s/%.2s or @file",
                field_class(class, f->alphabet), f->most, f->most_count, f->alphabet, f->alphabet);
        break;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
}

static void print_field(FILE *to, const struct mw_field *f)
{
    int column = fprintf(to, "  %s", f->name);
    column += field_is_required(f) ? fprintf(to, " (required)") : print_default(to, f);
    fprintf(to, "%*s", column < INDENT ? INDENT - column : 1, "");
    print_values(to, f);
    fprintf(to, "\n%*s", INDENT, "");
    wrap_words(to, f->help, INDENT, INDENT);
}

/* v, seed, format: their sentence says it all. */
static void print_common_field(FILE *to, const struct mw_field *f)
{
    fprintf(to, "  %-*s", INDENT - 2, f->name);
    wrap_words(to, f->help, INDENT, INDENT);
}

static void print_encoder(FILE *to, const struct mw_encoder *encoder)
{
    int column = fprintf(to, "  %-8s %-26s ", encoder->name, encoder->media);
    wrap_words(to, encoder->help, column, column);
}

/* ---- whole pages ----------------------------------------------------------------------------- */

void print_generator_help(FILE *to, const struct mw_generator *generator)
{
    fprintf(to, "usage: mapwright %s [name=value ...]\n\n", generator->name);
    wrap_words(to, generator->about, 0, 0);
    fputs("\nParameters:\n", to);
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        print_field(to, f);
    for (const struct mw_field *f = mw_common_fields; f->type != MW_END_OF_TABLE; f++)
        if (!generator->seedless || strcmp(f->name, "seed"))
            print_common_field(to, f);
    print_common_field(to, mw_look_fields); /* the format */
    for (const struct mw_field *f = mw_look_fields + 1; f->type != MW_END_OF_TABLE; f++)
        print_field(to, f);
    fputs("\nFormats:\n", to);
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if ((*e)->fits(generator))
            print_encoder(to, *e);
    fprintf(to, "\nThis is version %u of %s.\n", generator->version, generator->name);
}

void print_generators(FILE *to, const char *indent)
{
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        fprintf(to, "%s%-16s %s\n", indent, (*g)->name, (*g)->summary);
}

void print_help(FILE *to)
{
    fputs("usage: mapwright GENERATOR [name=value ...]    make a map\n"
          "       mapwright GENERATOR [--name value ...]  the same\n"
          "       mapwright 'ADDRESS' [name=value ...]    make the map of an address again\n"
          "       mapwright GENERATOR --help              its parameters and formats\n"
          "       mapwright list                          the generators, a line each\n"
          "       mapwright list --json                   all tables, for programs\n"
          "\n"
          "  mapwright regions width=60 count=8 seed=hello format=svg > map.svg\n"
          "  mapwright '/regions.svg?v=5&width=60&seed=hello'\n"
          "  mapwright http://localhost:8080/regions?seed=hello width=80 -o map.png\n"
          "  mapwright regions mask=@land.txt -o map.svg\n"
          "\n"
          "Generators:\n",
          to);
    print_generators(to, "  ");
    fputs("\n"
          "A list is written 10,20,30, points 3,4;7,8, rows ..#./.##. ; name=@file reads\n"
          "one from a file with an element or a row on each line, or with a JSON array (@-\n"
          "from standard input).\n"
          "If a parameter is given twice the last one counts, so words after an address\n"
          "change it. The format is what format= says, else the suffix of the\n"
          "address, else that of --output; else text on a terminal and json elsewhere.\n"
          "Text has colours with color=true, and on a terminal without being asked, unless\n"
          "NO_COLOR is set or color=false. It is as wide as the terminal, or columns=.\n"
          "Without seed= a random seed is taken, and the address that gives the same map\n"
          "again is printed on standard error. If that is a terminal, it shows a bar for\n"
          "maps that take long, unless NO_COLOR is set.\n"
          "\n"
          "Options:\n"
          "  -o, --output FILE    write to FILE (- for standard output)\n"
          "      --memory SIZE    most memory that a map may take, such as 512M (2G)\n"
          "  -h, --help           this text, or that of a generator\n"
          "  -V, --version        the version\n"
          "      --NAME VALUE     a parameter, as NAME=VALUE\n"
          "\n"
          "Exit status:\n"
          "  0  done\n"
          "  1  an error of the system: a file that cannot be read or written, a full disk,\n"
          "     no memory\n"
          "  2  a mistake in the command line or in a parameter: each has a line on\n"
          "     standard error\n"
          "  3  a valid request, but there is no such map, or it takes too many steps or\n"
          "     too much memory\n",
          to);
}
