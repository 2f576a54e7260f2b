/* check_json.c: answers in JSON and CBOR, against jansson, and all types in all formats. */
#include "prop/formats.h"
#include "unit/unit.h"

/* ---- grids ----------------------------------------------------------------------------------- */

static const struct {
    int32_t width, height, low, high;
    bool patches;
} grids[] = {
    {1, 1, 0, 0, false},
    {1, 9, -1, 1, false},
    {9, 1, 0, 100, false},
    {4, 4, 5, 5, false},
    {5, 3, 7, 7, false},
    {64, 40, 0, 3, true},
    {61, 40, 0, 12, true},
    {200, 100, 0, 1000, true},
    {50, 50, INT32_MIN, INT32_MAX - 1, false},
    {50, 50, -12, 12, false},
    {33, 33, 99990, 100010, false},
    {40, 40, INT32_MAX - 3, INT32_MAX, false},
    {50, 50, 0, 5000, false},
    {40, 40, INT32_MIN, INT32_MIN + 1, false},
};

TEST(a_grid_is_as_jansson_writes_it, .end = COUNT(grids))
{
    static const char *const formats[] = {"json", "cbor"};
    static int32_t cells[200 * 100];
    struct mw_lattice l = {grids[_i].width, grids[_i].height, MW_SQUARE, MW_WRAP_NONE};
    struct mw_rng rng = unit_rng((uint64_t)_i);
    if (grids[_i].patches)
        unit_patches(&rng, &l, grids[_i].high, cells);
    for (int32_t c = 0; !grids[_i].patches && c < l.width * l.height; c++)
        cells[c] = mw_between(&rng, grids[_i].low, grids[_i].high);
    struct mw_run *run = unit_open();
    const struct mw_map *map = unit_grid_map(run, &l, cells);
    for (int f = 0; f < COUNT(formats); f++) {
        const struct mw_encoder *encoder = mw_encoder_named(formats[f]);
        char why[300];
        struct mw_bytes bytes = mw_encode_with(run, encoder, map);
        ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
        ck_assert_msg(well_formed(map, encoder, bytes, why, sizeof why), "%s", why);
    }
}

/* ---- everything that a table can say --------------------------------------------------------- */

static const char *const requests[] = {
    "seed=7",
    "number=2&tiling=hex&seed=x%22y%0A",
    "number=3&share=-0.05&flag=false&word=%22caf%C3%A9%22%01&range=1,2&odds=3,-4&dots=5,6;7,8&"
    "board=.A/%23.",
    "number=-5&share=1",
};

TEST(every_encoder_writes_every_type, .end = COUNT(requests))
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    size_t count;
    const struct mw_arg *args = unit_args(run, requests[_i], &count);
    ck_assert_msg(mw_bind(run, &mw_sample, args, count, "s", &request), "%s", unit_problems(run));
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map != NULL, "%s", unit_problems(run));
    strcpy(request.id, "01234567-89ab-5def-8123-456789abcdef");
    request.look.scale = 2; /* a picture that fits into the block */
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        if (!(*e)->fits(&mw_sample))
            continue;
        char why[300];
        struct mw_bytes bytes = mw_encode_with(run, *e, map);
        ck_assert_msg(bytes.at != NULL, "%s: %s", (*e)->name, unit_problems(run));
        ck_assert_msg(well_formed(map, *e, bytes, why, sizeof why), "%s: %s", (*e)->name, why);
    }
}
