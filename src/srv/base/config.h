/* config.h: settings: flags, then MAPWRIGHT_* in the environment, then defaults. */
#ifndef MAPWRIGHT_CONFIG_H
#define MAPWRIGHT_CONFIG_H

#include "client.h"
#include "quota.h"
#include "store_url.h"
#include "strbuf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_SETTINGS = 64 };

struct config {
    const char *host;
    const char *socket; /* a path; NULL: there is none, but a port */
    int32_t port, admin_port;
    int32_t threads, workers, queue, connections;
    int64_t cache_bytes, output_bytes, send_rate, max_body, memory;
    int32_t wait_ms, deadline_ms, header_ms, body_ms, send_ms, idle_ms, drain_delay_ms, drain_ms;
    int32_t async, async_per_client, async_ms;
    bool log, isolate;
    int32_t max_cells, max_stars, max_board; /* 0: any number */
    int32_t rate, burst, connections_per_client;
    const char *keys_file; /* NULL: none */
    struct networks trusted_proxies;
    struct store_url store; /* its host "": none */
    const char *store_ca;   /* file of CA certificates; NULL: those of the system */
    const char *store_key;  /* NULL: none */
    int32_t store_wait_ms, store_least_us;
    const char *given[MOST_SETTINGS]; /* as given; NULL: not given */
};

enum config_outcome { CONFIG_OK, CONFIG_HELP, CONFIG_VERSION, CONFIG_HEALTH, CONFIG_WRONG };

/*
 * `environment` is environ(7), which must outlive the configuration. `messages` gets a line for
 * each mistake, by the name that was used, and what would be right; there are some where the
 * outcome is CONFIG_WRONG. Variables MAPWRIGHT_* that are no settings are reported as well, but do
 * no harm, and so are ports that are the address of a service (MAPWRIGHT_PORT=tcp://10.96.7.7:80).
 */
enum config_outcome config_read(struct config *, int argc, char *const argv[],
                                char *const environment[], struct strbuf *messages);
/* Derives what was not given from the part of the machine that the service may use. */
void config_fit(struct config *, const struct quota *);
/* After config_fit. False if settings contradict each other; `messages` as above. Warns of more
   memory than there is, and of a store without a key. */
bool config_check(const struct config *, const struct quota *, struct strbuf *messages);
void config_help(FILE *);
/* What was given, by name, for the log; no secrets. */
json_t *config_settings(const struct config *);

#endif
