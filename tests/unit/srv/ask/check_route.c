/* check_route.c: path -> page, map or generator. */
#include "srv/ask/exchange.h"
#include "srv/out/problem.h"
#include "unit/unit.h"

static struct service service;

static bool route(struct exchange *exchange, bool admin, const char *method, const char *uri)
{
    static struct io_context context;
    context = (struct io_context){.service = &service, .admin = admin};
    *exchange = (struct exchange){.context = &context, .request_id = "id"};
    exchange_set_method(exchange, span_of(method));
    strbuf_put(&exchange->uri, uri, strlen(uri) + 1);
    return route_request(exchange);
}

static void end(struct exchange *exchange)
{
    blob_drop(exchange->reply.blob);
    strbuf_release(&exchange->uri);
}

static const struct {
    const char *method, *uri, *generator, *suffix, *query, *map; /* NULL: none */
} found[] = {
    {"GET", "/regions", "regions", NULL, "", NULL},
    {"GET", "/regions?", "regions", NULL, "", NULL},
    {"HEAD", "/regions?a=/b?c", "regions", NULL, "a=/b?c", NULL},
    {"POST", "/regions.svg?x", "regions", "svg", "x", NULL},
    {"GET", "/regions.", "regions", "", "", NULL},
    {"GET", "/puzzle/solve.txt", "puzzle/solve", "txt", "", NULL},
    {"GET", "/maps/0B8E9B1C-7a51-5d0b-9d8e-2f8f4c0f6a10", NULL, NULL, "",
     "0b8e9b1c-7a51-5d0b-9d8e-2f8f4c0f6a10"},
    {"HEAD", "/maps/0b8e9b1c-7a51-5d0b-9d8e-2f8f4c0f6a10.png?scale=2", NULL, "png", "scale=2",
     "0b8e9b1c-7a51-5d0b-9d8e-2f8f4c0f6a10"},
};

TEST(finds, .end = COUNT(found))
{
    struct exchange exchange;
    ck_assert(route(&exchange, false, found[_i].method, found[_i].uri));
    ck_assert(!exchange.generator == !found[_i].generator);
    if (exchange.generator)
        ck_assert_str_eq(exchange.generator->name, found[_i].generator);
    ck_assert_pstr_eq(exchange.suffix, found[_i].suffix);
    ck_assert_str_eq(exchange.query, found[_i].query);
    ck_assert_str_eq(exchange.map_id, found[_i].map ? found[_i].map : "");
    ck_assert_uint_eq(exchange.reply.status, 0);
    end(&exchange);
}

static const struct {
    bool admin;
    const char *method, *uri;
    unsigned status;
} answered[] = {
    {false, "GET", "/nowhere", 404},
    {false, "GET", "/regionsx", 404},
    {false, "GET", "/regions/", 404},
    {false, "GET", "/%72egions", 404},
    {false, "GET", "//regions", 404},
    {false, "GET", "regions", 404},
    {false, "GET", "", 404},
    {false, "GET", "/maps/", 404},
    {false, "GET", "/maps/0b8e9b1c", 404},
    {true, "GET", "/regions", 404},
    {true, "GET", "/maps/0b8e9b1c-7a51-5d0b-9d8e-2f8f4c0f6a10", 404},
    {true, "GET", "/openapi.yaml", 404},
    {false, "PUT", "/regions", 405},
    {false, "DELETE", "/healthz", 405},
    {false, "POST", "/healthz", 405},
    {false, "POST", "/maps/0b8e9b1c-7a51-5d0b-9d8e-2f8f4c0f6a10", 405},
    {false, "OPTIONS", "*", 204},
    {false, "OPTIONS", "/regions", 204},
    {true, "OPTIONS", "/healthz", 204},
    {false, "OPTIONS", "/nowhere", 204},
};

TEST(answers, .end = COUNT(answered))
{
    struct exchange exchange;
    ck_assert(problem_init());
    bool on = route(&exchange, answered[_i].admin, answered[_i].method, answered[_i].uri);
    ck_assert(!on);
    ck_assert_uint_eq(exchange.reply.status, answered[_i].status);
    end(&exchange);
    problem_release();
}

TEST(refuses_malformed_heads)
{
    struct exchange exchange;
    ck_assert(problem_init());
    static struct io_context context;
    exchange = (struct exchange){
        .context = &context, .request_id = "id", .fault = FAULT_INVALID_REQUEST, .detail = "why"};
    strbuf_put(&exchange.uri, "/regions", 9);
    ck_assert(!route_request(&exchange));
    ck_assert_uint_eq(exchange.reply.status, 400);
    end(&exchange);
    problem_release();
}
