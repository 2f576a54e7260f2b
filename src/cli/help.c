/* help.c: the help, written from the tables. */
#include "cli.h"

#include "api/field.h"
#include "api/wrap.h"
#include "lib/run.h"

enum { INDENT = 20 };

/* ---- fields ---------------------------------------------------------------------------------- */

/* A number as a value of the field is written. */
static const char *spell_number(struct mw_run *run, const struct mw_field *f, int32_t n)
{
    const char *text = run->bottom;
    mw_put_value(run, &mw_as_text, f->type, NULL, &n, 0);
    mw_put_char(run, '\0');
    return text;
}

/* "=40"; the bytes written */
static int print_default(struct mw_run *run, const struct mw_field *f)
{
    const char *text = run->bottom;
    if (!field_has_default(f))
        return 0;
    mw_put_default(run, &mw_as_url, f);
    mw_put_char(run, '\0');
    return printf("=%s", text);
}

static void print_choices(const char *const *choices)
{
    for (int i = 0; choices[i]; i++)
        printf("%s%s", i ? (choices[i + 1] ? ", " : " or ") : "", choices[i]);
}

static void print_count(const struct mw_field *f, const char *of)
{
    if (f->least_count == f->most_count)
        printf("%d %s", f->least_count, of);
    else
        printf("%d to %d %s", f->least_count, f->most_count, of);
}

/* The values that a field takes. */
static void print_values(struct mw_run *run, const struct mw_field *f)
{
    char class[CLASS_BYTES];
    switch (f->type) {
    case MW_INTEGER:
    case MW_DECIMAL:
        printf("%s to %s", spell_number(run, f, f->least), spell_number(run, f, f->most));
        break;
    case MW_BOOLEAN: fputs("true or false", stdout); break;
    case MW_ONE_OF: print_choices(f->choices); break;
    case MW_STRING: print_count(f, "bytes"); break;
    case MW_INTEGERS:
        print_count(f, "integers");
        printf(", each %d to %d, with commas", f->least, f->most);
        break;
    case MW_POINTS:
        print_count(f, "points");
        printf(", each %d to %d: 3,4;7,8", f->least, f->most);
        break;
    case MW_ROWS:
        printf("rows of %s, up to %d x %d: %.2s/%.2s or @file", field_class(class, f->alphabet),
               f->most, f->most_count, f->alphabet, f->alphabet);
        break;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
}

static void print_field(struct mw_run *run, const struct mw_field *f)
{
    int column = printf("  %s", f->name);
    column += field_is_required(f) ? printf(" (required)") : print_default(run, f);
    printf("%*s", column < INDENT ? INDENT - column : 1, "");
    print_values(run, f);
    printf("\n%*s", INDENT, "");
    wrap_words(stdout, f->help, INDENT, INDENT);
}

/* v, seed, format: their sentence says it all. */
static void print_common_field(const struct mw_field *f)
{
    printf("  %-*s", INDENT - 2, f->name);
    wrap_words(stdout, f->help, INDENT, INDENT);
}

static void print_encoder(const struct mw_encoder *encoder)
{
    int column = printf("  %-8s %-26s ", encoder->name, encoder->media);
    wrap_words(stdout, encoder->help, column, column);
}

/* ---- whole pages ----------------------------------------------------------------------------- */

static void put_generator_help(struct mw_run *run, void *context)
{
    const struct mw_generator *generator = context;
    printf("usage: mapwright %s [name=value ...]\n\n", generator->name);
    wrap_words(stdout, generator->about, 0, 0);
    fputs("\nParameters:\n", stdout);
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        print_field(run, f);
    for (const struct mw_field *f = mw_common_fields; f->type != MW_END_OF_TABLE; f++)
        if (!generator->seedless || strcmp(f->name, "seed"))
            print_common_field(f);
    print_common_field(mw_look_fields); /* the format */
    for (const struct mw_field *f = mw_look_fields + 1; f->type != MW_END_OF_TABLE; f++)
        print_field(run, f);
    fputs("\nFormats:\n", stdout);
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if ((*e)->fits(generator))
            print_encoder(*e);
    printf("\nThis is version %u of %s.\n", generator->version, generator->name);
}

int print_generator_help(struct mw_run *run, const struct mw_generator *generator)
{
    bool good = mw_guarded(run, put_generator_help, (void *)(uintptr_t)generator);
    return good ? flush_out() : report(run);
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
          "  mapwright '/regions.svg?width=60&seed=hello'\n"
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
