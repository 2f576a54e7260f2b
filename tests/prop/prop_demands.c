/*
 * prop_demands.c: requests of /regions, /areas and /islands that must be met whatever the seed, and
 * others that cannot be, which are refused with the reason.
 */
#include "ask.h"
#include "judge.h"

static const struct mw_map *answer(void) { return ask_judged(judge_of(query)); }

static const struct {
    const char *generator, *fields;
    int seeds; /* the last of which is tried alone with a sanitizer */
} demands[] = {
    {"islands", "islands=15,15", 300},
    {"islands", "islands=16,18&edge=open", 300},
    {"islands", "islands=13,16", 300},
    {"islands", "size=20,20", 300},
    {"islands", "islands=4,4&size=60,62", 300},
    {"islands", "islands=1,1&size=300,300", 300},
    {"islands", "islands=30,30&size=4,6", 300},
    {"islands", "islands=21,21&edge=open", 300},
    {"islands", "islands=1,1&size=576,576&edge=open", 300},
    {"islands", "islands=1,1&size=484,484", 300},
    {"islands", "islands=144,144&size=1,1&edge=open", 300},
    {"islands", "islands=121,121&size=1,1", 300},
    {"islands", "land=0", 300},
    {"islands", "land=1", 300},
    {"islands", "iterations=0&land=0.5", 300},
    {"islands", "bridges=false", 300},
    {"islands", "loops=1", 300},
    {"islands", "layers=64", 300},
    {"islands", "width=200&height=9&islands=20,30", 300},
    {"islands", "width=1&height=600", 300},
    /* walks */
    {"areas", "algorithm=dfs-backtrack&edge=open&area=200&holes=false", 20},
    {"areas", "algorithm=dfs-backtrack&edge=open&area=800", 20},
    {"areas", "algorithm=dfs-backtrack&edge=open&area=1500&holes=false", 20},
    {"areas", "algorithm=dfs-backtrack&edge=open&area=2400", 20},
    {"areas", "algorithm=dfs-backtrack&edge=open&area=2499&holes=false", 20},
    {"areas", "algorithm=dfs-backtrack&edge=open&area=2500", 20},
    /* countries of a cell or three, for which brute force finds a way */
    {"regions", "width=6&height=1&grid=square&count=4&roughness=0&capitals=5,0;0,0;2,0;1,0", 300},
    {"regions", "width=6&height=1&grid=square&sizes=1,1,3,1&roughness=0&capitals=5,0;1,0", 300},
    {"regions", "width=6&height=1&count=4&roughness=0&capitals=4,0;5,0;3,0;0,0", 300},
    {"regions", "width=2&height=4&grid=square&count=4&roughness=0&capitals=1,1;0,2;0,0", 300},
    {"regions", "width=3&height=2&count=4&roughness=0.5&capitals=1,1;1,0;0,1;0,0", 300},
    {"regions", "width=5&height=3&count=9&roughness=0&capitals=2,0;1,0;4,0;0,1;2,1;4,2;0,0;2,2;3,2",
     300},
    /* the only country of a torus has to meet itself */
    {"regions", "width=1&height=2&wrap=xy&count=1&capitals=0,1", 6},
    {"regions", "width=1&height=4&grid=square&wrap=xy&count=1&capitals=0,0", 6},
    {"regions", "width=2&height=2&wrap=xy&count=1&capitals=0,1", 6},
    {"regions", "width=3&height=6&wrap=xy&count=1&capitals=0,0", 6},
    /* what is advised where land cannot be divided */
    {"regions", "grid=square&mask=.%23./%23%23%23/.%23.&sizes=1,4", 6},
    {"regions", "grid=square&mask=.%23./%23%23%23/.%23.&count=2&variation=0.5", 6},
};

TEST(demands_are_met_for_every_seed, .end = COUNT(demands))
{
    for (int seed = is_sanitized() ? demands[_i].seeds * 9 / 10 : 0; seed < demands[_i].seeds;
         seed++) {
        ask_anew(demands[_i].generator, (uint32_t)seed);
        ask("&%s", demands[_i].fields);
        ask_made(answer());
    }
}

/* Whatever the size of the map, its defaults work. */
static const struct {
    const char *generator, *fields;
} defaults[] = {
    {"islands", ""},
    {"islands", "&order=false&land=1"},
    {"areas", ""},
    {"areas", "&wrap=x"},
    {"areas", "&wrap=xy"},
    {"areas", "&grid=hex"},
    {"areas", "&grid=hex&wrap=x"},
    {"regions", "&count=1"},
};

TEST(defaults_fit_every_map, .end = COUNT(defaults))
{
    for (int i = 0; i < 26 * 26; i++) {
        ask_anew(defaults[_i].generator, (uint32_t)i);
        ask("&width=%d&height=%d%s", 1 + i % 26, 1 + i / 26, defaults[_i].fields);
        bool made = answer() != NULL, bare = strstr(query, "order=false") != NULL;
        ck_assert_msg(made || bare, "%s: %s", query, refusal); /* all land may die out */
    }
}

/* Two rooms of five by five cells. */
#define ROOMS_ROW "%23%23%23%23%23.%23%23%23%23%23"
#define ROOMS ROOMS_ROW "/" ROOMS_ROW "/" ROOMS_ROW "/" ROOMS_ROW "/" ROOMS_ROW

static const struct {
    const char *generator, *fields, *pointer, *says;
} refusals[] = {
    {"islands", "islands=13,9", "/islands", "the fewest, 13, must not be more than the most, 9"},
    {"islands", "size=23,18", "/size", "the fewest, 23, must not be more than the most, 18"},
    {"islands", "islands=23,30&edge=open", "/islands",
     "a map of 24 by 24 has 625, which is room for 22"},
    {"islands", "islands=23,30", "/islands",
     "a map of 22 by 22 inside the rim has 529, which is room for 18"},
    {"islands", "islands=20,30", "/islands", "which is room for 18: with edge=open they fit"},
    {"islands", "size=577,600", "/size", "does not fit on a map of 22 by 22 inside the rim"},
    {"islands", "size=500,600", "/size",
     "does not fit on a map of 22 by 22 inside the rim: with edge=open it does"},
    {"islands", "size=577,600&edge=open", "/size", "does not fit on a map of 24 by 24"},
    {"islands", "width=2&height=9&edge=sea", "/edge",
     "must be open: a map of 2 by 9 is nothing but rim"},
    {"islands", "order=false&land=0", "/land", "no land is left after round 20"},
    {"islands", "width=3&height=3&size=1,1&islands=5,5&edge=open", "/islands",
     "which is room for 4"},
    {"islands", "islands=22,22&edge=open", "/islands", "21 can be laid out"},
    {"islands", "width=26&height=26&islands=22,22", "/islands", "21 can be laid out"},
    {"islands", "width=2&height=7&size=3,3&islands=3,3", "/islands", "2 can be laid out"},
    {"areas", "area=2501&edge=open", "/area", "2501 * 1 = 2501, more than the cells of land: 2500"},
    {"areas", "area=2501", "/area", "2501, more than the cells of land inside the rim: 2304"},
    {"areas", "area=2500", "/area",
     "2500, more than the cells of land inside the rim: 2304, or 2500 with edge=open"},
    {"areas", "area=100&count=26", "/area", "100 * 26 = 2600"},
    {"areas", "width=2&height=2&count=5", "/count", "1 * 5 = 5"},
    {"areas", "width=4&height=4&count=5", "/count", "inside the rim: 4, or 16 with edge=open"},
    {"areas", "width=2&height=9&edge=sea", "/edge",
     "must be open: a map of 2 by 9 has no land but at its rim"},
    {"areas", "wrap=x&height=2&edge=sea", "/edge", "must be open"},
    {"areas", "mask=%23%23%23/%23.%23/%23%23%23&edge=sea", "/edge", "must be open"},
    {"areas", "mask=%23%23%23%23%23/%23%23.%23%23/%23%23%23%23%23&area=2", "/area",
     "2, more than the largest piece of land inside the rim has: 1"},
    {"areas", "holes=false&wrap=x", "/holes", "must be true"},
    {"areas", "grid=hex&wrap=xy&height=7", "/height", "even"},
    {"areas", "algorithm=frenzied&first=0&burst=0", "/burst", "must be above 0 where first is 0"},
    {"areas", "mask=.../...", "/mask", "land"},
    {"areas", "mask=%23%23./..%23&area=3&edge=open", "/area", "largest piece of land has: 2"},
    {"areas", "mask=%23%23.%23%23/.....&area=1&count=5&edge=open", "/area", "1 * 5 = 5"},
    {"areas", "mask=%23%23%23.%23%23%23&area=2&count=3&edge=open", "/count",
     "room for 2 of 2 cells each"},
    {"areas", "mask=.%23./%23%23%23/.%23.&area=5&algorithm=dfs-backtrack&edge=open", "/area",
     "were not found"},
    {"areas",
     "mask=" ROOMS "/....%23%23%23..../" ROOMS "&area=60&algorithm=dfs-backtrack&edge=open",
     "/area", "1 of 60 cells each were not found"},
    {"regions", "grid=square&mask=.%23./%23%23%23/.%23.&sizes=2,3", "/sizes", "other sizes"},
    {"regions", "grid=square&mask=.%23./%23%23%23/.%23.&count=2", "/count", "variation"},
    {"regions", "grid=square&mask=.%23./%23%23%23/.%23.&count=6", "/count",
     "6, more than the cells of land: 5"},
    {"regions", "mask=%23.%23&count=1", "/count", "pieces"},
};

TEST(what_cannot_be_is_refused_with_the_reason, .end = COUNT(refusals))
{
    size_t length = strlen(refusals[_i].pointer);
    ask_anew(refusals[_i].generator, 1);
    ask("&%s", refusals[_i].fields);
    ck_assert_msg(!answer(), "made: %s", query);
    ck_assert_msg(!strncmp(refusal, refusals[_i].pointer, length) && refusal[length] == ' ' &&
                      strstr(refusal, refusals[_i].says),
                  "%s: %s", query, refusal);
}
