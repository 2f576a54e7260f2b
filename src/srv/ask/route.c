/* route.c: path -> page, map or generator. */
#include "all/registry.h"
#include "exchange.h"
#include "lib/suggestion.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char map_methods[] = "GET, HEAD, POST, QUERY, OPTIONS",
                  page_methods[] = "GET, HEAD, OPTIONS",
                  kept_methods[] = "GET, HEAD, DELETE, OPTIONS";

/* "/regions.png" */
static void find_generator(struct exchange *exchange)
{
    const char *name = exchange->path + 1;
    size_t n = strcspn(name, ".");
    exchange->generator = mw_find_named((struct span){name, n});
    exchange->suffix = name[n] ? name + n + 1 : NULL;
}

/* "/maps/0b8e9b1c-....png" */
static bool find_map(struct exchange *exchange)
{
    const char *id = exchange->path + 6;
    size_t n = strncmp(exchange->path, "/maps/", 6) ? 0 : strcspn(id, ".");
    if (n != 36)
        return false;
    for (size_t i = 0; i < n; i++)
        exchange->map_id[i] = (char)(id[i] >= 'A' && id[i] <= 'F' ? id[i] | 0x20 : id[i]);
    assert(n < sizeof exchange->map_id);
    exchange->map_id[n] = '\0';
    exchange->suffix = id[n] ? id + n + 1 : NULL;
    return true;
}

static bool answer_options(struct exchange *exchange, const char *methods)
{
    reply_begin(&exchange->reply, 204, NULL);
    reply_header(&exchange->reply, "Allow", methods);
    reply_header(&exchange->reply, "Access-Control-Allow-Methods", methods);
    reply_header(&exchange->reply, "Access-Control-Allow-Headers",
                 "Authorization, Content-Type, If-Match, If-None-Match, Prefer, X-Request-Id, *");
    reply_header(&exchange->reply, "Access-Control-Max-Age", "86400");
    if (methods == map_methods)
        reply_accepted(&exchange->reply);
    return false;
}

static bool check_method(struct exchange *exchange, const char *methods)
{
    enum method method = exchange->method;
    if (method == METHOD_OPTIONS)
        return answer_options(exchange, methods);
    if (method == METHOD_GET || method == METHOD_HEAD ||
        (exchange_has_body(exchange) && methods == map_methods) ||
        (method == METHOD_DELETE && methods == kept_methods))
        return true;
    char detail[96];
    snprintf(detail, sizeof detail, "%.15s does not work here: use %s", exchange->method_name,
             methods);
    refuse(exchange, FAULT_METHOD_NOT_ALLOWED, detail);
    reply_header(&exchange->reply, "Allow", methods);
    if (methods == map_methods)
        reply_accepted(&exchange->reply);
    return false;
}

/* A map by its id, or a generator; the admin port knows neither. */
static bool find_maker(struct exchange *exchange)
{
    if (exchange->context->admin)
        return false;
    if (!find_map(exchange))
        find_generator(exchange);
    return exchange->map_id[0] || exchange->generator;
}

/* Proposes the most similar generator; the admin port has no generators and no maps. */
static bool refuse_path(struct exchange *exchange)
{
    char detail[96] = "no endpoint has this path: / lists those there are";
    const char *path = exchange->path + (*exchange->path == '/');
    struct suggestion guess = {.meant = {path, strcspn(path, ".")}};
    for (size_t i = 0; mw_generators[i] && !exchange->context->admin; i++)
        mw_consider_word(&guess, mw_generators[i]->name);
    if (!strncmp(path, "maps/", 5) && !exchange->context->admin)
        snprintf(detail, sizeof detail, "a map is found by its id, which is a UUID: /maps/{id}");
    else if (guess.nearest)
        snprintf(detail, sizeof detail,
                 "no endpoint has this path: did you mean /%s? / lists those there are",
                 guess.nearest);
    return refuse(exchange, FAULT_NOT_FOUND, detail);
}

bool route_request(struct exchange *exchange)
{
    char *rest = exchange->uri;
    exchange->path = strsep(&rest, "?");
    exchange->query = rest ? rest : "";
    if (exchange->fault)
        return refuse(exchange, exchange->fault, exchange->detail);
    const struct page *page = page_find(exchange->path);
    if (page && (page->admin || !exchange->context->admin)) {
        exchange->page = page;
        return check_method(exchange, page_methods);
    }
    if (find_maker(exchange))
        return check_method(exchange, exchange->map_id[0] ? kept_methods : map_methods);
    /* "*" and unknown paths: a browser whose preflight fails would not show the 404. */
    if (exchange->method == METHOD_OPTIONS)
        return answer_options(exchange, map_methods);
    return refuse_path(exchange);
}

/* Pages, and DELETE: requests without a map. */
bool answer_directly(struct exchange *exchange)
{
    if (exchange->page)
        return exchange->page->answer(exchange);
    return exchange->method != METHOD_DELETE || cancel_operation(exchange);
}
