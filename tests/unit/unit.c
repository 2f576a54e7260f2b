/* unit.c: what the unit tests share. */
#include "unit.h"
#include "kit/lattice.h"

#include <stdio.h>

static _Alignas(64) char block[8 << 20];

struct mw_run *unit_open_with(size_t size, uint64_t steps)
{
    ck_assert(size <= sizeof block);
    struct mw_limits limits = {.memory = block, .size = size, .steps = steps};
    memset(block, 0xa5, sizeof block);
    return mw_open(&limits);
}

struct mw_run *unit_open(void) { return unit_open_with(sizeof block, 0); }

const struct mw_arg *unit_args(struct mw_run *run, const char *query, size_t *count)
{
    const struct mw_arg *args;
    ck_assert_msg(mw_read_query(run, query, strlen(query), &args, count), "%s", unit_problems(run));
    return args;
}

const char *unit_problems(const struct mw_run *run)
{
    static char text[16384];
    size_t n = 0;
    const struct mw_problems *problems = mw_problems(run);
    text[0] = '\0';
    for (size_t i = 0; i < problems->count && n + 512 < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s: %s\n", problems->list[i].pointer,
                              problems->list[i].detail);
    return text;
}

struct mw_rng unit_rng(uint64_t number)
{
    struct mw_rng rng = {{number + 1, 0x9e3779b97f4a7c15, number * 7919, 42}};
    for (int i = 0; i < 16; i++)
        mw_next(&rng);
    return rng;
}

void unit_patches(struct mw_rng *rng, const struct mw_lattice *lattice, int32_t most,
                  int32_t *cells)
{
    int32_t count = lattice->width * lattice->height;
    for (int32_t c = 0; c < count; c++)
        cells[c] = mw_between(rng, 0, most);
    for (int32_t i = 0; i < 2 * count; i++) {
        int32_t c = mw_between(rng, 0, count - 1);
        int32_t next = mw_neighbour(lattice, c, mw_between(rng, 0, mw_sides(lattice) - 1));
        if (next >= 0)
            cells[c] = cells[next];
    }
}

/* ---- a result of one grid -------------------------------------------------------------------- */

static const struct mw_field no_fields[] = {MW_END};
static const struct mw_part grid_parts[] = {
    MW_GRID_PART("cells", MW_LABEL_GRID, "Cells"),
    MW_END_PARTS,
};
static const struct mw_generator grid_generator = {.name = "grid",
                                                   .version = 1,
                                                   .seedless = true,
                                                   .fields = no_fields,
                                                   .parts = grid_parts,
                                                   .params_size = 1};

const struct mw_map *unit_grid_map(struct mw_run *run, const struct mw_lattice *lattice,
                                   const int32_t *cells)
{
    struct mw_request *request = MW_NEW0(run, struct mw_request, 1);
    *request =
        (struct mw_request){.generator = &grid_generator, .params = "", .address = "/grid?v=1"};
    request->address_length = strlen(request->address);
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    map->request = request;
    map->slots = MW_NEW0(run, struct mw_slot, 1);
    memcpy(mw_add_grid(run, map, 0, lattice), cells,
           (size_t)lattice->width * (size_t)lattice->height * sizeof *cells);
    return map;
}

/* ---- putting --------------------------------------------------------------------------------- */

struct putting {
    void (*body)(struct mw_run *, const void *);
    const void *context;
};

static struct putting putting;

static void encode_putting(struct mw_run *run, const struct mw_map *map)
{
    (void)map;
    putting.body(run, putting.context);
    mw_put_char(run, '\0');
}

const char *unit_put(void (*body)(struct mw_run *, const void *), const void *context)
{
    static const struct mw_encoder encoder = {.name = "putting", .encode = encode_putting};
    struct mw_run *run = unit_open();
    putting = (struct putting){body, context};
    const struct mw_map nothing = {&(const struct mw_request){0}, NULL};
    struct mw_bytes bytes = mw_encode_with(run, &encoder, &nothing);
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
    return bytes.at;
}
