/* check_example.c: a request as the description shows it, of every type of parameter. */
#include "api/example.h"

#include "api/field.h"
#include "unit/unit.h"

#define QUERY \
    "number=7&share=0.5&tiling=hex&flag=false&word=a+%26+b&range=3,5&dots=3,4;7,8&board=.%23/A." \
    "&seed="

/* In a block of its own, as another run writes it down. */
static struct example example_of(const char *query)
{
    static _Alignas(64) char block[1 << 16];
    struct example e = {.run = mw_open(&(struct mw_limits){.memory = block, .size = sizeof block}),
                        .request.generator = &mw_sample};
    e.args = unit_args(e.run, query, &e.count);
    return e;
}

static void write_request(struct mw_run *run, const void *query)
{
    struct writer w = {.run = run, .syntax = OPENAPI_JSON};
    struct example e = example_of(query);
    put_example_request(&w, NULL, &e);
}

#define SHOWN \
    "{\"number\":7,\"share\":0.5,\"tiling\":\"hex\",\"flag\":false,\"word\":\"a & b\"," \
    "\"range\":[3,5],\"dots\":[[3,4],[7,8]],\"board\":[\".#\",\"A.\"],\"seed\":"

/* The seed is a number where it looks like one. */
static const struct {
    const char *query, *shown;
} requests[] = {
    {QUERY "7", SHOWN "7}"},       {QUERY "hello", SHOWN "\"hello\"}"},
    {QUERY "-7", SHOWN "\"-7\"}"}, {QUERY "1234567890123456", SHOWN "\"1234567890123456\"}"},
    {QUERY, SHOWN "\"\"}"},
};

TEST(a_request_as_an_object, .end = COUNT(requests))
{
    ck_assert_str_eq(unit_put(write_request, requests[_i].query), requests[_i].shown);
}

static void write_arguments(struct mw_run *run, const void *names)
{
    struct writer w = {.run = run, .syntax = OPENAPI_JSON};
    struct example e = example_of(QUERY "7");
    put_map(&w, NULL);
    for (const char *const *name = names; *name; name++)
        put_example_argument(&w, *name, &e, *name);
    put_end(&w);
}

/* In a URL points and rows are one string; of integers there is a list, which has commas there. */
TEST(arguments_as_in_a_url)
{
    static const char *const names[] = {"seed", "range", "dots", "board", "odds", NULL};
    ck_assert_str_eq(unit_put(write_arguments, names),
                     "{\"seed\":7,\"range\":[3,5],\"dots\":\"3,4;7,8\",\"board\":\".#/A.\"}");
}

TEST(a_generator_without_an_example_is_asked_for_its_defaults)
{
    struct mw_generator seedless = mw_sample;
    seedless.seedless = true;
    ck_assert_str_eq(example_query(&seedless), "");
    ck_assert_str_eq(example_query(&mw_sample), "seed=7");
}

static void write_answer(struct mw_run *run, const void *example)
{
    struct writer w = {.run = run, .syntax = OPENAPI_JSON};
    put_map(&w, NULL);
    put_example_answer(&w, "answer", (struct example *)example);
    put_end(&w);
}

/* The first generator that cannot do without parameters, under a name that has no example. */
static struct mw_generator stranger(void)
{
    size_t g = 0;
    while (!field_is_required(mw_generators[g]->fields))
        g++;
    struct mw_generator generator = *mw_generators[g];
    generator.name = "stranger";
    return generator;
}

/* Where nothing comes of a request, no answer is shown. */
TEST(a_request_that_is_refused_has_no_answer)
{
    struct mw_generator generator = stranger();
    struct example example;
    ck_assert(example_init(&example, &generator));
    ck_assert_ptr_null(example.map);
    ck_assert_str_eq(unit_put(write_answer, &example), "{}");
    example_release(&example);
}
