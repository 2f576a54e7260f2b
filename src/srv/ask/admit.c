/*
 * admit.c: authentication and limits: whether the client may make this request.
 *
 * Pages that are served on the admin port, OPTIONS and malformed requests are never limited, so
 * that monitoring and CORS preflights always work. Maps need a key, pages do not. A request without
 * a valid key counts for its address, so that keys cannot be guessed faster than the rate limit
 * allows.
 */
#include "exchange.h"
#include "srv/base/clock.h"

#include <stdio.h>

enum { SECOND = 1000000 };

/* The peer, or the client behind it if it is a trusted proxy. */
void find_client(struct exchange *exchange)
{
    const struct networks *trusted = &exchange->context->service->config.trusted_proxies;
    const char *forwarded = exchange->headers[HEADER_FORWARDED_FOR];
    if (!forwarded)
        return;
    struct in6_addr address = client_behind(trusted, exchange->peer, forwarded);
    exchange->client = client_of(&address);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static bool refuse_without_key(struct exchange *exchange)
{
    bool given = exchange->headers[HEADER_AUTHORIZATION];
    refuse(exchange, FAULT_UNAUTHORIZED,
           given ? "the key must be one that this server knows" : NULL);
    reply_header(&exchange->reply, "WWW-Authenticate",
                 given ? "Bearer realm=\"mapwright\", error=\"invalid_token\""
                       : "Bearer realm=\"mapwright\"");
    return false;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* In whole seconds, rather too many. */
static long long seconds(int64_t microseconds)
{
    return (long long)((microseconds + SECOND - 1) / SECOND);
}

static bool refuse_rate(struct exchange *exchange, const struct allowance *allowance)
{
    const struct config *config = &exchange->context->service->config;
    char detail[96];
    exchange->retry_after = (unsigned)seconds(allowance->wait);
    snprintf(detail, sizeof detail, "a client may ask for %d maps or pages a second", config->rate);
    return refuse(exchange, FAULT_TOO_MANY, detail);
}

static bool check_rate(struct exchange *exchange)
{
    struct limits *limits = exchange->context->service->limits;
    if (!limits_policy(limits))
        return true;
    struct allowance allowance = limits_take(limits, exchange->client.key, clock_now());
    snprintf(exchange->rate_limit, sizeof exchange->rate_limit, "\"default\";r=%lld;t=%lld",
             (long long)allowance.left, seconds(allowance.reset));
    return !allowance.wait || refuse_rate(exchange, &allowance);
}

void add_limit_headers(struct exchange *exchange)
{
    if (!*exchange->rate_limit)
        return;
    reply_header(&exchange->reply, "RateLimit-Policy",
                 limits_policy(exchange->context->service->limits));
    reply_header(&exchange->reply, "RateLimit", exchange->rate_limit);
}

/* ---- both ------------------------------------------------------------------------------------ */

bool admit_request(struct exchange *exchange)
{
    const struct service *service = exchange->context->service;
    const struct page *page = exchange->page;
    if (page && page->admin)
        return true;
    bool known = !service->keys || keys_know(service->keys, exchange->headers[HEADER_AUTHORIZATION],
                                             &exchange->client);
    if (!check_rate(exchange))
        return false;
    return known || page || refuse_without_key(exchange);
}
