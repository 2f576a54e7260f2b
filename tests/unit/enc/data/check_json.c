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

/* CBOR ends with the cells, as a typed array of two bytes each, or of four where they need them. */
static void check_typed_array(struct mw_bytes bytes, const int32_t *cells, size_t count)
{
    int32_t low = 0, high = 0;
    for (size_t c = 0; c < count; c++) {
        low = cells[c] < low ? cells[c] : low;
        high = cells[c] > high ? cells[c] : high;
    }
    size_t size = low < 0 ? (low < INT16_MIN || high > INT16_MAX ? 4 : 2) : high > 0xffff ? 4 : 2;
    size_t all = count * size, head = all < 24 ? 1 : all < 256 ? 2 : all < 65536 ? 3 : 5;
    const unsigned char *at = (const unsigned char *)bytes.at + bytes.length - all;
    ck_assert_int_eq(at[-(int)head - 2], 0xd8); /* a tag of RFC 8746 */
    ck_assert_int_eq(at[-(int)head - 1], 64 + (low < 0) * 8 + 4 + (int)size / 2);
    for (size_t c = 0; c < count; c++, at += size) {
        uint32_t value = (uint32_t)at[0] | (uint32_t)at[1] << 8;
        if (size == 4)
            value |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        ck_assert(cells[c] == (size == 2 && low < 0 ? (int16_t)value : (int32_t)value));
    }
}

TEST(a_grid_is_as_jansson_writes_it, .end = COUNT(grids))
{
    static int32_t cells[200 * 100];
    struct mw_lattice l = {grids[_i].width, grids[_i].height, MW_SQUARE, MW_WRAP_NONE};
    struct mw_rng rng = unit_rng((uint64_t)_i);
    char why[300];
    if (grids[_i].patches)
        unit_patches(&rng, &l, grids[_i].high, cells);
    for (int32_t c = 0; !grids[_i].patches && c < l.width * l.height; c++)
        cells[c] = mw_between(&rng, grids[_i].low, grids[_i].high);
    struct mw_run *run = unit_open();
    const struct mw_map *map = unit_grid_map(run, &l, cells);
    struct mw_bytes json = mw_encode_with(run, mw_encoder_named("json"), map);
    struct mw_bytes cbor = mw_encode_with(run, mw_encoder_named("cbor"), map);
    ck_assert_msg(json.at && cbor.at, "%s", unit_problems(run));
    ck_assert_msg(well_formed(map, mw_encoder_named("json"), json, why, sizeof why), "%s", why);
    check_typed_array(cbor, cells, (size_t)l.width * (size_t)l.height);
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
