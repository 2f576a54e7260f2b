/* check_text.c: maps in characters. */
#include "enc/data/text.h"
#include "enc/ink.h"
#include "unit/unit.h"

#include <stdio.h>

static const struct {
    struct mw_lattice lattice;
    int32_t cells[12];
    const char *text;
} rows[] = {
    {{1, 1, MW_SQUARE, MW_WRAP_NONE}, {0}, ".\n"},
    {{3, 2, MW_SQUARE, MW_WRAP_NONE}, {0, 1, 2, -1, 1, 3}, ". 1 2\n+ 1 3\n"},
    {{3, 3, MW_HEX, MW_WRAP_NONE}, {1, 1, 1, 2, 2, 2, 0, 0, 0}, "1 1 1\n 2 2 2\n. . .\n"},
    {{4, 1, MW_SQUARE, MW_WRAP_NONE}, {9, 10, 35, 61}, "9 A Z z\n"},
    /* the colors begin again after 61, but never for a neighbor */
    {{4, 1, MW_SQUARE, MW_WRAP_NONE}, {62, 0, 1, 63}, "1 . 1 2\n"},
    {{2, 1, MW_SQUARE, MW_WRAP_NONE}, {1, 62}, "1 2\n"},
};

TEST(a_grid_is_drawn, .end = COUNT(rows))
{
    struct mw_run *run = unit_open();
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("text"),
                                           unit_grid_map(run, &rows[_i].lattice, rows[_i].cells));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    ck_assert_str_eq(bytes.at, rows[_i].text);
}

static const char expected[] =
    "number: 1 share: -0.05 tiling: hex flag: yes word: \"\xc3\xa9 nothing: - silence: -\n"
    "odds: 3,-4 dots: 1,2;3,4\n"
    "\n"
    "board:\n. A\n# .\n"
    "\n"
    "id  speed  home  name        at   bounds             near  way          look\n"
    "1   -1.5   no    Sol         0,0  0,0,0,2147483647                       ab cd\n"
    "2   -      yes   caf\xc3\xa9        0,0  0,-1,1,2147483647  2     0,0           ab cd\n"
    "3   0.502  no    \"quoted\"    0,1  0,-2,2,2147483647  2,3                 ab cd\n"
    "4   1.503  yes   <&>         0,1  0,-3,3,2147483647        0,0;1,0;1,1   ab cd\n"
    "\n"
    "lanes: 0-1 1-2 2-3\n"
    "\n";

TEST(every_type_is_written)
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    size_t n;
    const struct mw_arg *args = unit_args(
        run, "number=1&share=-.05&tiling=hex&word=%22%C3%A9&odds=3,-4&dots=1,2;3,4&board=.A/%23.",
        &n);
    ck_assert(mw_bind(run, &mw_sample, args, n, "s", &request));
    request.look.tables = true;
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("text"), mw_make(run, &request));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    ck_assert_msg(!strncmp(bytes.at, expected, sizeof expected - 1), "%s", bytes.at);
    /* then heights at random, two rows of one hexagon, the odd one shifted; stars at two places, a
       lane down between them; labels at random, shifted alike */
    const char *at = bytes.at + sizeof expected - 1;
    ck_assert(at[1] == '\n' && at[2] == ' ' && at[4] == '\n' && at[5] == '\n');
    ck_assert_int_eq(strncmp(at + 6, "*\n\xe2\xa0", 4), 0);
    at = strstr(at, "\n*\n\n");
    ck_assert_ptr_nonnull(at);
    ck_assert(at[5] == '\n' && at[6] == ' ' && at[8] == '\n' && at[9] == '\0');
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Of text, in the characters of its longest line. */
static int longest_line(const char *text)
{
    int longest = 0, n = 0;
    for (; *text; text++) {
        n = *text == '\n' ? 0 : n + ((*text & 0xc0) != 0x80);
        longest = n > longest ? n : longest;
    }
    return longest;
}

static const char *drawn(struct mw_run *run, const struct mw_map *map, int32_t columns, bool color)
{
    struct mw_request request = *map->request;
    request.look.columns = columns;
    request.look.color = color;
    struct mw_bytes bytes =
        mw_encode_with(run, mw_encoder_named("text"), &(struct mw_map){&request, map->slots});
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    return bytes.at;
}

static const struct {
    int32_t width, height, columns;
    const char *cells, *text;
} small[] = {
    /* as wide as there are columns, and a cell wider */
    {4, 2, 8, "1101 0111", "1 1 . 1\n . 1 1 1\n"},
    {5, 2, 8, "11010 01110", "▀█▄█\n"},
    {5, 3, 8, "11010 01110 00001", "▀█▄█\n    ▀\n"},
    /* a dot for four cells, then for sixteen; what is thin gets lost */
    {6, 4, 5, "110000 110000 000011 000011", "▀ ▄\n"},
    {9, 3, 3, "111100000 111100000 111100001", "▀\n"},
    /* letters, where there is more than one label: that of most, but ways before all */
    {4, 2, 4, "1122 1122", "1122\n"},
    {8, 4, 4, "11222222 11222222 11122222 11222-22", "12+2\n"},
    {3, 1, 2, "221", "21\n"},
};

TEST(a_grid_that_is_too_wide_is_halved, .end = COUNT(small))
{
    const struct mw_lattice lattice = {small[_i].width, small[_i].height, MW_HEX, MW_WRAP_NONE};
    int32_t cells[64];
    int n = 0;
    for (const char *c = small[_i].cells; *c; c++)
        if (*c != ' ')
            cells[n++] = *c == '-' ? -1 : *c - '0';
    ck_assert_int_eq(n, small[_i].width * small[_i].height);
    struct mw_run *run = unit_open();
    const struct mw_map *map = unit_grid_map(run, &lattice, cells);
    ck_assert_str_eq(drawn(run, map, small[_i].columns, false), small[_i].text);
}

/* Two dots of two colors, of one, of one and none. */
TEST(dots_are_painted)
{
    const struct mw_lattice lattice = {4, 2, MW_SQUARE, MW_WRAP_NONE};
    struct mw_run *run = unit_open();
    const struct mw_map *map = unit_grid_map(run, &lattice, (int32_t[]){1, 1, 0, 0, 2, 1, 2, 0});
    int one = text_color(ink_rgb[INK_LABEL]), two = text_color(ink_rgb[INK_LABEL + 1]);
    char painted[200];
    snprintf(painted, sizeof painted,
             "\033[0;48;5;%d;38;5;%dm▀\033[0;48;5;%d;38;5;%dm█"
             "\033[0;38;5;%dm▄\033[0m\n",
             two, one, one, one, two);
    ck_assert_str_eq(drawn(run, map, 4, true), painted);
}

TEST(no_line_is_longer_than_asked)
{
    struct mw_rng rng = unit_rng(8);
    for (int trial = 0; trial < 300; trial++) {
        struct mw_lattice lattice = {mw_between(&rng, 1, 300), mw_between(&rng, 1, 9),
                                     mw_chance(&rng, 500) ? MW_HEX : MW_SQUARE, MW_WRAP_NONE};
        int32_t cells[2700], columns = mw_between(&rng, 20, 200);
        for (int i = 0; i < lattice.width * lattice.height; i++)
            cells[i] = mw_between(&rng, -1, 1 + trial % 3);
        struct mw_run *run = unit_open();
        const char *text = drawn(run, unit_grid_map(run, &lattice, cells), columns, false);
        ck_assert_int_le(longest_line(text), columns);
        ck_assert(2 * lattice.width > columns || longest_line(text) >= 2 * lattice.width - 1);
    }
}

static const struct mw_field no_fields[] = {MW_END};

/* ---- graphs ---------------------------------------------------------------------------------- */

static const struct mw_column star_columns[] = {
    MW_COLUMN("x", MW_INTEGER, "To the right", .role = MW_ACROSS),
    MW_COLUMN("y", MW_INTEGER, "Downward", .role = MW_DOWN),
    MW_COLUMN("home", MW_BOOLEAN, "Stands out", .role = MW_EMPHASIS), MW_END_COLUMNS};
static const struct mw_part sky_parts[] = {
    MW_TABLE_PART("stars", star_columns, "Stars"), MW_EDGES_PART("lanes", "stars", "Lanes"),
    MW_EDGES_PART("tree", "stars", "Tree", .role = MW_BACKBONE, .optional = true), MW_END_PARTS};
static const struct mw_generator sky = {.name = "sky",
                                        .version = 1,
                                        .seedless = true,
                                        .fields = no_fields,
                                        .parts = sky_parts,
                                        .params_size = 1};

struct stars {
    int32_t count, x[400], y[400], home[400];
    struct mw_edge tree[400], lane; /* each star but the first is tied to one; a lane beside */
};

static int32_t add_star(struct stars *stars, int32_t x, int32_t y, int32_t to)
{
    int32_t star = stars->count++;
    stars->x[star] = x;
    stars->y[star] = y;
    if (star)
        stars->tree[star - 1] = (struct mw_edge){to, star};
    return star;
}

static const char *sky_drawn(struct stars *stars, int32_t columns)
{
    struct mw_edge lanes[401];
    memcpy(lanes, stars->tree, sizeof stars->tree);
    lanes[stars->count - 1] = stars->lane;
    const struct mw_request request = {.generator = &sky};
    struct mw_slot slots[] = {
        {.present = true, .as.table = {stars->count, (void *[]){stars->x, stars->y, stars->home}}},
        {.present = true, .as.edges = {lanes, stars->count}},
        {.present = false, .as.edges = {stars->tree, stars->count - 1}}};
    return drawn(unit_open(), &(struct mw_map){&request, slots}, columns, false);
}

/* Dots of Braille in a text. */
static int count_dots(const char *text)
{
    int dots = 0;
    for (; *text; text++)
        if (*text == '\xe2') {
            const unsigned bits = ((unsigned)text[1] & 3) << 6 | ((unsigned)text[2] & 63);
            dots += __builtin_popcount(bits);
        }
    return dots;
}

/* A dot for each star, or a sample, a quarter of all dots; homes are shown. */
TEST(a_crowd_is_dots)
{
    struct stars stars = {.count = 0};
    for (int32_t y = 0; y < 16; y++)
        for (int32_t x = 0; x < 16; x++)
            add_star(&stars, x, y, 0);
    ck_assert_int_eq(count_dots(sky_drawn(&stars, 20)), 256);
    ck_assert_int_eq(count_dots(sky_drawn(&stars, 8)), 64);
    stars.home[15] = stars.home[240] = true;
    ck_assert_str_eq(sky_drawn(&stars, 4), "⠇⢡⠘@\n"
                                           "⠘⡀⠆⠑\n"
                                           "@⠡⠘⡀\n");
}

/* ---- colors --------------------------------------------------------------------------------- */

/* No other is nearer, of all that are the terminal's own. */
TEST(no_other_is_nearer)
{
    struct mw_rng rng = unit_rng(3);
    for (int trial = 0; trial < 3000; trial++) {
        int32_t c[3] = {mw_between(&rng, 0, 255), mw_between(&rng, 0, 255),
                        mw_between(&rng, 0, 255)};
        int32_t off[256], best = 16;
        for (int i = 16; i < 256; i++) {
            int at[3] = {(i - 16) / 36, (i - 16) / 6 % 6, (i - 16) % 6};
            off[i] = 0;
            for (int k = 0; k < 3; k++) {
                int32_t value = i < 232 ? (at[k] ? 55 + 40 * at[k] : 0) : 8 + 10 * (i - 232);
                off[i] += (value - c[k]) * (value - c[k]);
            }
            best = off[i] < off[best] ? i : best;
        }
        uint32_t rgb = (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | (uint32_t)c[2];
        ck_assert_msg(off[text_color(rgb)] == off[best], "%06x: %d, not %d", rgb, text_color(rgb),
                      best);
    }
}

/* Colors that tell neighbors apart stay apart in a terminal. */
TEST(labels_have_colors_of_their_own)
{
    for (int i = 0; i < INK_LABELS; i++)
        for (int j = 0; j < i; j++)
            ck_assert_int_ne(text_color(ink_rgb[INK_LABEL + i]),
                             text_color(ink_rgb[INK_LABEL + j]));
}

/* A cell has the color of its label, and its letter is darker. */
TEST(a_grid_is_painted)
{
    struct mw_run *run = unit_open();
    const struct mw_lattice lattice = {3, 2, MW_HEX, MW_WRAP_NONE};
    const struct mw_map *map = unit_grid_map(run, &lattice, (int32_t[]){1, 1, 0, 0, 0, -1});
    int label = text_color(ink_rgb[INK_LABEL]), bridge = text_color(ink_rgb[INK_DECK + 1]);
    int letter = text_color(ink_mix(ink_rgb[INK_LABEL], ink_rgb[INK_MARK], 90));
    int plank = text_color(ink_mix(ink_rgb[INK_DECK + 1], ink_rgb[INK_MARK], 90));
    int dot = text_color(ink_rgb[INK_BORDER]);
    char painted[400];
    snprintf(painted, sizeof painted,
             "\033[0;48;5;%d;38;5;%dm1 1 \033[0;38;5;%dm. \033[0m\n"
             "\033[0;38;5;%dm . . \033[0;48;5;%d;38;5;%dm+\033[0m\n",
             label, letter, dot, dot, bridge, plank);
    ck_assert_str_eq(drawn(run, map, 80, true), painted);
}
