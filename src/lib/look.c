/* look.c: how a map is written down: the fields of a look, and which an encoder uses. */
#include "run.h"

static const char *const themes[] = {"light", "dark", NULL};
static const char *const solutions[] = {"auto", "true", "false", NULL};
static const char *const palettes[] = {"default", "colorblind", "print", NULL};

const struct mw_field mw_look_fields[] = {
    [MW_LOOK_FORMAT] =
        MW_FIELD(struct mw_look, format, const char *, MW_STRING, .optional = true,
                 .least_count = 1, .most_count = 32, .help = "What the answer is written in"),
    [MW_LOOK_SCALE] = MW_INT(struct mw_look, scale, 1, 64, 0,
                             "Size of a picture: pixels from cell to cell (star lanes: a hundredth "
                             "of the longer side); left out, what makes it 1200 pixels wide",
                             .optional = true),
    [MW_LOOK_COLOR] = MW_BOOL(struct mw_look, color, false, "Text in the colours of a terminal"),
    [MW_LOOK_VOXEL] =
        MW_INT(struct mw_look, voxel, 1, 8, 1,
               "Voxels or metres along a cell, where a map is written as voxels or as a scene"),
    [MW_LOOK_COLUMNS] = MW_INT(struct mw_look, columns, 20, 1000, 80,
                               "Characters in a line of text, at most: larger maps are drawn "
                               "smaller, boards in blocks; on a terminal, as many as it has"),
    [MW_LOOK_TABLES] = MW_BOOL(struct mw_look, tables, false,
                               "Text with tables of all that is known, beside the picture"),
    [MW_LOOK_LABELS] =
        MW_BOOL(struct mw_look, labels, true, "Pictures of regions and areas with their ids"),
    [MW_LOOK_GRID_LINES] =
        MW_BOOL(struct mw_look, grid_lines, false, "Pictures with lines between cells"),
    [MW_LOOK_THEME] = MW_CHOICE(struct mw_look, theme, themes, MW_THEME_LIGHT,
                                "Pictures on light or dark ground"),
    [MW_LOOK_PALETTE] = MW_CHOICE(struct mw_look, palette, palettes, 0,
                                  "Colours of pictures: colorblind has stronger ones for all kinds "
                                  "of colour vision, print is black on white"),
    [MW_LOOK_SOLUTION] = MW_CHOICE(struct mw_look, solution, solutions, MW_SOLUTION_AUTO,
                                   "Whether pictures and text of a puzzle show its solution; auto: "
                                   "that which was asked for, not that of a new puzzle"),
    [MW_LOOK_UNDER] =
        MW_BOOL(struct mw_look, under, true, "A map that stands on another, drawn over that"),
    [MW_LOOK_MARGIN] = MW_INT(
        struct mw_look, margin, 0, 256, -1,
        "Room around a picture, in pixels; left out, what its lines need; with 0 pictures of "
        "a map that wraps can be laid side by side without a seam",
        .optional = true),
    [MW_LOOK_MAPS] =
        MW_INT(struct mw_look, maps, 1, MW_MAPS_MOST, 1,
               "Maps on sheets to print: that of the seed, and those of the seeds after it"),
    [MW_LOOK_COLLISION] = MW_BOOL(struct mw_look, collision, false,
                                  "A scene whose islands and bridges are solid in Godot: nodes "
                                  "with names that end in -col"),
    MW_END,
};

/* Of all fields but the format: they are integers, choices or booleans. */
static int32_t value_of(const struct mw_look *look, const struct mw_field *field)
{
    const void *at = (const char *)look + field->offset;
    assert(field->type == MW_INTEGER || field->type == MW_ONE_OF || field->type == MW_BOOLEAN);
    return field->type == MW_BOOLEAN ? *(const bool *)at : *(const int32_t *)at;
}

struct mw_look mw_effective_look(const struct mw_encoder *encoder, struct mw_look look)
{
    look.format = encoder->name;
    for (int i = MW_LOOK_FORMAT + 1; mw_look_fields[i].type != MW_END_OF_TABLE; i++)
        if (!(encoder->look_mask >> i & 1))
            mw_set_default(&mw_look_fields[i], (char *)&look + mw_look_fields[i].offset);
    return look;
}

static char *write_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

char *mw_write_look(char *to, const struct mw_look *look)
{
    static const char *const truths[] = {"false", "true"};
    const char *start = to;
    for (const struct mw_field *f = mw_look_fields + MW_LOOK_FORMAT + 1; f->type != MW_END_OF_TABLE;
         f++) {
        int32_t value = value_of(look, f);
        if (value == f->fallback)
            continue;
        *to++ = '&';
        to = write_text(to, f->name);
        *to++ = '=';
        to = f->type == MW_INTEGER ? mw_write_int(to, value)
                                   : write_text(to, (f->choices ? f->choices : truths)[value]);
    }
    assert(to - start <= MW_LOOK_BYTES);
    (void)start;
    return to;
}

bool mw_same_look(const struct mw_look *a, const struct mw_look *b)
{
    char texts[2][MW_LOOK_BYTES];
    size_t n = (size_t)(mw_write_look(texts[0], a) - texts[0]);
    return n == (size_t)(mw_write_look(texts[1], b) - texts[1]) && !memcmp(texts[0], texts[1], n);
}
