/*
 * types.c: the tables of fields, parts and encoders as types of TypeScript: for each generator what
 * may be asked, what of it an answer shows, and what the answer holds.
 *
 * Grids are as CBOR has them, an array of numbers for all cells, and not as rows.
 */
#include "types.h"

#include "field.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Where a value stands: as it is asked, and as it is answered. */
enum place { ASKED, ANSWERED };

static const char *const words[] = {
    [MW_INTEGER] = "number",  [MW_DECIMAL] = "number",
    [MW_BOOLEAN] = "boolean", [MW_ONE_OF] = "string",
    [MW_STRING] = "string",   [MW_INTEGERS] = "number[]",
    [MW_POINT] = "Point",     [MW_POINTS] = "Point[]",
    [MW_BOX] = "Box",         [MW_ROWS] = "readonly string[]",
};

/* "PuzzleSolve" of "puzzle/solve" */
static void put_title(FILE *to, const char *name)
{
    bool first = true;
    for (; *name; name++) {
        if (*name != '/')
            fputc(first ? toupper((unsigned char)*name) : *name, to);
        first = *name == '/';
    }
}

/* A comment ends at its end only. */
static void put_help(FILE *to, const char *indent, const char *help)
{
    fprintf(to, "%s/** ", indent);
    for (; *help; help++) {
        fputc(*help, to);
        if (help[0] == '*' && help[1] == '/')
            fputc(' ', to);
    }
    fputs(". */\n", to);
}

static void put_type(FILE *to, enum mw_type type, const char *const *choices, bool nullable)
{
    if (!choices)
        fputs(words[type], to);
    for (const char *const *choice = choices; choices && *choice; choice++)
        fprintf(to, "%s\"%s\"", choice == choices ? "" : " | ", *choice);
    fputs(nullable ? " | null;\n" : ";\n", to);
}

/* ---- what is asked -------------------------------------------------------------------------- */

static bool is_nullable(const struct mw_field *field, enum place place)
{
    bool open = !field_has_default(field) && !field_is_required(field);
    return open && (place == ASKED || field_can_be_absent(field->type));
}

static void put_fields(FILE *to, const struct mw_field *fields, enum place place)
{
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++) {
        bool optional = place == ASKED && !field_is_required(f);
        put_help(to, "    ", f->help);
        fprintf(to, "    %s%s: %s", f->name, optional ? "?" : "", f->role ? "Address | " : "");
        put_type(to, f->type, f->choices, is_nullable(f, place));
    }
}

static void put_asked(FILE *to, const struct mw_generator *generator)
{
    put_help(to, "", generator->summary);
    fputs("export interface ", to);
    put_title(to, generator->name);
    fprintf(to, "Parameters extends Look%s {\n", generator->seedless ? "" : ", Seeded");
    put_fields(to, generator->fields, ASKED);
    fputs("}\n", to);
}

static void put_shown(FILE *to, const struct mw_generator *generator)
{
    fputs("/** The parameters as they are answered, each with what became of it. */\n"
          "export interface ",
          to);
    put_title(to, generator->name);
    fputs("Shown {\n", to);
    put_fields(to, generator->fields, ANSWERED);
    fputs("}\n", to);
}

/* ---- what is answered ----------------------------------------------------------------------- */

static void put_columns(FILE *to, const struct mw_part *part)
{
    fputs("{\n", to);
    for (const struct mw_column *c = part->columns; c->type != MW_END_OF_TABLE; c++) {
        bool omitted = column_is_omissible(c);
        put_help(to, "        ", c->help);
        fprintf(to, "        %s%s: ", c->name, omitted ? "?" : "");
        put_type(to, c->type, NULL, c->nullable && !omitted);
    }
    fputs(part->single ? "    };\n" : "    }[];\n", to);
}

static void put_part(FILE *to, const struct mw_part *part)
{
    put_help(to, "    ", part->help);
    fprintf(to, "    %s%s: ", part->name, part->optional ? "?" : "");
    switch (part->kind) {
    case MW_VALUE: put_type(to, part->type, part->choices, part->nullable); break;
    case MW_TABLE: put_columns(to, part); break;
    case MW_GRID: fputs("Grid;\n", to); break;
    case MW_EDGES: fputs("[number, number][];\n", to); break;
    case MW_NO_PART: break;
    }
}

static void put_result(FILE *to, const struct mw_generator *generator)
{
    fputs("export interface ", to);
    put_title(to, generator->name);
    fputs("Result {\n", to);
    for (const struct mw_part *part = generator->parts; part->kind != MW_NO_PART; part++)
        put_part(to, part);
    fputs("}\n\n", to);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void put_common(FILE *to)
{
    fputs("// Written by `mapwright types` from the tables of the generators.\n\n"
          "/** All cells of a grid, row by row. */\n"
          "export type Grid = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | "
          "Int32Array;\n"
          "/** x to the right, y down, from 0. */\n"
          "export type Point = readonly [x: number, y: number];\n"
          "/** Of a map that it is read from. */\n"
          "export type Address = `/${string}`;\n"
          "/** Inclusive. */\n"
          "export type Box = readonly [x0: number, y0: number, x1: number, y1: number];\n\n"
          "export interface Seeded {\n",
          to);
    put_help(to, "    ", "What the map is drawn from; left out, it is drawn at random");
    fputs("    seed?: number | string;\n}\n/** How a map is written down, and the version. */\n"
          "export interface Look {\n    /** Another version of the generator is refused. */\n"
          "    v?: number;\n",
          to);
    put_fields(to, mw_look_fields, ASKED);
    fputs("}\n\n", to);
}

static void put_maps(FILE *to)
{
    fputs("/** What each generator takes, shows and makes. */\nexport interface Maps {\n", to);
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        fprintf(to, "    \"%s\": { parameters: ", (*g)->name);
        put_title(to, (*g)->name);
        fputs("Parameters; shown: ", to);
        put_title(to, (*g)->name);
        fputs("Shown; result: ", to);
        put_title(to, (*g)->name);
        fputs("Result };\n", to);
    }
    fputs("}\n", to);
}

char *types_write(void)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    put_common(to);
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        put_asked(to, *g);
        put_shown(to, *g);
        put_result(to, *g);
    }
    put_maps(to);
    return fclose(to) ? NULL : text;
}
