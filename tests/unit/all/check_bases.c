/* check_bases.c: maps on maps: addresses, seeds, what is refused; prop_estimates.c judges costs. */
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

static struct mw_request request;

/* What is wrong with the query; "": it is bound. */
static const char *bind(const char *generator, const char *query)
{
    size_t count;
    struct mw_run *run = unit_open();
    const struct mw_arg *args = unit_args(run, query, &count);
    bool good = mw_bind(run, mw_find(generator), args, count, "5", &request);
    ck_assert_int_eq(good, !mw_problems(run)->count);
    return unit_problems(run);
}

/* Binds what was bound anew by its address, in a run that can make it. */
static struct mw_run *open_again(void)
{
    static char address[4096];
    ck_assert_uint_lt(request.address_length, sizeof address);
    memcpy(address, request.address, request.address_length);
    struct mw_run *run = unit_open();
    ck_assert(mw_bind_address(run, address, request.address_length, &request));
    return run;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static const struct {
    const char *generator, *query, *address;
} addresses[] = {
    /* extent, cells and wrap are those of the map below; its own defaults are filled in */
    {"regions", "mask=/areas?width=9%26height=4%26seed=1&seed=2",
     "/regions?v=7&width=9&height=4&grid=square&wrap=none&count=6&variation=0&roughness=0.5"
     "&mask=/areas?v=5%26width=9%26height=4%26grid=square%26wrap=none%26area=4%26count=1"
     "%26algorithm=coast%26ratio=0.75%26first=0.25%26burst=0.1%26edge=sea%26holes=true%26names=none"
     "%26seed=1&names=none&seed=2"},
    /* what follows from rows that are not there yet is left out, unless it was given */
    {"areas", "mask=/regions?width=9%26height=4%26count=2%26seed=1%26of=2,1&area=3&seed=2",
     "/areas?v=5&width=9&height=4&grid=hex&wrap=none"
     "&mask=/regions?v=7%26width=9%26height=4%26grid=hex%26wrap=none%26count=2%26variation=0"
     "%26roughness=0.5%26names=none%26seed=1%26of=2,1&area=3&count=1&algorithm=coast"
     "&ratio=0.75&first=0.25&burst=0.1&holes=true&names=none&seed=2"},
    {"areas", "mask=/areas?width=2%26height=2%26seed=a%2526b&seed=2&grid=hex&wrap=x",
     "/areas?v=5&width=2&height=2&grid=hex&wrap=x"
     "&mask=/areas?v=5%26width=2%26height=2%26grid=square%26wrap=none%26area=1%26count=1"
     "%26algorithm=coast%26ratio=0.75%26first=0.25%26burst=0.1%26edge=open%26holes=true"
     "%26names=none%26seed=a%2526b&count=1&algorithm=coast&ratio=0.75&first=0.25&burst=0.1"
     "&holes=true&names=none&seed=2"},
    /* rows that are given as such set the extent */
    {"regions", "mask=##/##&capitals=/areas?width=2%26height=2%26seed=1&count=2&seed=2",
     "/regions?v=7&width=2&height=2&grid=hex&wrap=none&count=2&variation=0&roughness=0.5"
     "&mask=%23%23/%23%23"
     "&capitals=/areas?v=5%26width=2%26height=2%26grid=square%26wrap=none%26area=1%26count=1"
     "%26algorithm=coast%26ratio=0.75%26first=0.25%26burst=0.1%26edge=open%26holes=true"
     "%26names=none%26seed=1&names=none&seed=2"},
    /* skies are wider than any map of cells: 65537 * 65536 would be few of them */
    {"regions", "capitals=/starlanes?width=65537%26height=65536%26seed=1%26of=0,1&seed=2",
     "/regions?v=7&width=4096&height=4096&grid=square&wrap=none&variation=0&roughness=0.5"
     "&capitals=/starlanes?v=5%26stars=100%26width=65537%26height=65536%26shape=rectangle%26arms=4"
     "%26jitter=0.8%26homeworlds=4%26density=0.5%26max_lane=4%26min_angle=15%26graphs=false"
     "%26names=none"
     "%26seed=1%26of=0,1&names=none&seed=2"},
};

TEST(addresses_are_canonical, .end = COUNT(addresses))
{
    ck_assert_str_eq(bind(addresses[_i].generator, addresses[_i].query), "");
    ck_assert_str_eq(request.address, addresses[_i].address);
    struct mw_run *run = unit_open();
    ck_assert(mw_bind_address(run, addresses[_i].address, strlen(addresses[_i].address), &request));
    ck_assert_str_eq(request.address, addresses[_i].address);
}

/* ---- seeds ----------------------------------------------------------------------------------- */

static uint64_t seed_below(const char *query)
{
    ck_assert_str_eq(bind("regions", query), "");
    return strtoull(request.bases->request.seed, NULL, 10);
}

TEST(one_seed_makes_a_world)
{
    uint64_t one = seed_below("mask=/areas&seed=1");
    ck_assert_uint_lt(one, UINT64_C(1) << 53);
    ck_assert_uint_eq(one, seed_below("mask=/areas&seed=1"));
    ck_assert_uint_ne(one, seed_below("mask=/areas&seed=2"));
    ck_assert_uint_ne(one, seed_below("capitals=/areas&seed=1"));
    ck_assert_uint_eq(seed_below("mask=/areas?seed=77&seed=1"), 77);
    ck_assert(request.seed_given);
    seed_below("mask=/areas?seed=77");
    ck_assert(!request.seed_given);
}

TEST(a_seedless_map_has_the_seed_of_its_base)
{
    ck_assert_str_eq(bind("puzzle/solve", "grid=/puzzle/generate?seed=3"), "");
    ck_assert(request.seed_given);
    ck_assert_str_eq(bind("puzzle/solve", "grid=/puzzle/generate"), "");
    ck_assert(!request.seed_given);
    ck_assert_str_eq(request.bases->request.seed, "5");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *generator, *query, *problems;
} refusals[] = {
    {"regions", "mask=/areas?count=0%26v=9&count=-1",
     "/count: must be an integer from 1 to 65535\n"
     "/mask: in /areas, v: is 9, but areas is at version 5 here\n"
     "/mask: in /areas, count: must be an integer from 1 to 65535\n"},
    {"regions", "mask=/arras",
     "/mask: arras: is no generator: did you mean areas? there are regions, areas, islands, "
     "starlanes, puzzle/solve, puzzle/generate\n"},
    {"regions", "mask=/starlanes",
     "/mask: in /starlanes: must be the address of a map with cells, which it does not have\n"},
    {"regions", "capitals=/puzzle/generate",
     "/capitals: in /puzzle/generate: must be the address of a map with places, which it does not "
     "have\n"},
    {"regions", "mask=/areas?of=x",
     "/mask: in /areas, of/0: must be an integer from -1 to "
     "2147483647\n"},
    {"regions", "mask=/areas?mask=/areas?width=x%26count=z",
     "/mask: in /areas, count: must be an integer from 1 to 65535\n"
     "/mask: in /areas, mask: in /areas, width: must be an integer from 1 to 4096\n"},
    {"regions", "mask=/areas?a=%25",
     "/mask: in /areas: the query has a '%' without two hexadecimal "
     "digits: '%25' is one\n"},
    {"areas", "mask=##/%23.&width=3&height=3",
     "/width: is 3, but that of the mask is 2: leave it out, or make them equal\n"
     "/height: is 3, but that of the mask is 2: leave it out, or make them equal\n"},
    {"areas", "mask=%23.%23/..%23&area=4",
     "/area: area * count is 4 * 1 = 4, more than the cells of land: 3\n"},
    {"puzzle/solve", "grid=/puzzle/generate&seed=7",
     "/seed: is no parameter of puzzle/solve: there are grid, rule, count, hint, v, format, scale, "
     "color, voxel, columns, tables, labels, grid_lines, theme, palette, solution, under, margin, "
     "maps, collision\n"},
    /* only fields that say so are read from maps */
    {"regions", "sizes=/areas", "/sizes/0: must be an integer from 1 to 16777216\n"},
};

TEST(problems_of_a_base_map_are_reported_at_its_field, .end = COUNT(refusals))
{
    ck_assert_str_eq(bind(refusals[_i].generator, refusals[_i].query), refusals[_i].problems);
}

/* An address of n maps, each on the next. */
static void nest(char *to, size_t room, int n)
{
    char below[8192] = "/islands?order=false%26seed=1";
    for (int i = 1; i < n; i++) {
        char escaped[8000] = "", *end = escaped;
        for (const char *c = below; *c; c++)
            end += snprintf(end, 4, *c == '%' ? "%%25" : "%c", *c);
        snprintf(below, sizeof below, "/areas?area=5%%26mask=%s", escaped);
    }
    snprintf(to, room, "mask=%s", below);
}

TEST(a_map_has_up_to_eight_base_maps)
{
    char query[8192];
    nest(query, sizeof query, MW_BASES_MAX);
    ck_assert_str_eq(bind("regions", query), "");
    nest(query, sizeof query, MW_BASES_MAX + 1);
    ck_assert_ptr_nonnull(
        strstr(bind("regions", query), "is one map too many: at most 8 stand below another"));
}

TEST(a_map_is_checked_once_its_base_is_made)
{
    ck_assert_str_eq(bind("regions", "mask=/areas?area=3&count=9"), "");
    struct mw_run *run = open_again();
    ck_assert_ptr_null(mw_make(run, &request));
    ck_assert_str_eq(unit_problems(run), "/count: is 9, more than the cells of land: 3\n");
}

/* The base that is made second is the map of its own address, too. */
TEST(a_base_map_is_the_map_of_its_own_address)
{
    static int32_t cells[24 * 24];
    const char alone[] = "/islands?order=false&land=0.6&seed=4";
    ck_assert_str_eq(bind("regions", "capitals=/areas?count=2%26area=9%26width=24%26height=24"
                                     "&mask=/islands?order=false%26land=0.6%26seed=4&variation=1"),
                     "");
    mw_make(open_again(), &request);
    ck_assert_str_eq(request.bases->field->name, "mask");
    memcpy(cells, mw_grid(request.bases->map, "cells")->at, sizeof cells);
    struct mw_run *run = unit_open();
    ck_assert(mw_bind_address(run, alone, strlen(alone), &request));
    ck_assert_mem_eq(cells, mw_grid(mw_make(run, &request), "cells")->at, sizeof cells);
}
