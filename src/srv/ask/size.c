/* size.c: how large a map may be here, by --max-cells, --max-stars and --max-board. */
#include "exchange.h"
#include "lib/run.h"

#include <jansson.h>

static bool fits(struct exchange *exchange, const struct mw_request *request)
{
    const struct config *config = &exchange->context->service->config;
    bool board = false;
    struct mw_forecast f;
    mw_forecast(request->generator, request->params, &f);
    for (const struct mw_part *part = request->generator->parts; part->kind != MW_NO_PART; part++)
        board |= part->role == MW_BOARD;
    uint64_t size = f.nodes ? f.nodes : (uint64_t)f.plan.width * (uint64_t)f.plan.height;
    int32_t most = f.nodes ? config->max_stars : board ? config->max_board : config->max_cells;
    if (!most || size <= (uint64_t)most)
        return true;
    return refuse_at(exchange, FAULT_TOO_BIG, "",
                     "asks for %llu %s, and this server makes maps of %d at most: ask for less",
                     (unsigned long long)size, f.nodes ? "stars" : "cells", most);
}

bool check_size(struct exchange *exchange)
{
    const struct mw_request *request = &exchange->request;
    bool good = fits(exchange, request);
    for (const struct mw_base *base = request->bases; base && good; base = base->next)
        good = fits(exchange, &base->request);
    return good;
}

static json_t *limit_json(int32_t most) { return most ? json_integer(most) : NULL; }

json_t *size_limits(const struct config *config)
{
    return json_pack("{s:o*, s:o*, s:o*}", "cells", limit_json(config->max_cells), "stars",
                     limit_json(config->max_stars), "board", limit_json(config->max_board));
}
