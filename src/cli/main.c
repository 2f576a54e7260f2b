/*
 * main.c: the command `mapwright`: the library for people and scripts.
 *
 * A map's request is read (request.c), the library makes the map, and it is written (write.c).
 */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { LONGEST_HINT = 2000 };

static int list(struct mw_run *run, const struct options *options)
{
    if (options->count > 1)
        return complain(STATUS_USAGE, "list: takes no parameters");
    if (options->json)
        return print_tables(run);
    print_generators(stdout, "");
    return flush_out();
}

static int version(void)
{
    puts("mapwright " MW_VERSION);
    return flush_out();
}

static struct mw_run *open_run(size_t memory, struct progress *progress)
{
    void *block = take_block(memory);
    if (!block)
        die(STATUS_SYSTEM, "cannot have %zu bytes: %s: ask for less by --memory", memory,
            strerror(errno));
    struct mw_run *run = mw_open(&(struct mw_limits){
        .memory = block, .size = memory, .stop = progress_tick, .stop_arg = progress});
    assert(run); /* the least that --memory takes has room for one */
    return run;
}

/* If the seed was drawn: how to make the same map again. */
static void print_address(const struct mw_request *request)
{
    if (request->seed_given)
        return;
    if (request->address_length <= LONGEST_HINT)
        fprintf(stderr, "again: mapwright '%s'\n", request->address);
    else
        fprintf(stderr, "again: the same with seed=%s\n", request->seed);
}

static int map(struct mw_run *run, const struct options *options, struct progress *progress)
{
    if (options->json)
        return complain(STATUS_USAGE, "--json: belongs to list: a map is json by format=json");
    const struct mw_request *request = read_request(run, options);
    progress_begin(progress, request->cost.steps);
    const struct mw_map *made = mw_make(run, request);
    struct mw_bytes bytes = made ? mw_encode(run, made, NULL) : (struct mw_bytes){NULL, 0};
    progress_end(progress);
    int status = bytes.at ? write_out(options->output, bytes.at, bytes.length) : report(run);
    if (status == STATUS_DONE && options->output && !strcmp(request->encoder->name, "tmj"))
        status = write_tiles(options->output, bytes.at, bytes.length);
    print_address(request);
    return status;
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv);
    struct progress progress = {.due = INT64_MAX};
    bool lists = options.count && !strcmp(options.words[0], "list");
    if (options.version)
        return version();
    if (!options.count || (options.help && lists)) {
        print_help(options.help ? stdout : stderr);
        return options.help ? flush_out() : STATUS_USAGE;
    }
    struct mw_run *run = open_run(options.memory, &progress);
    if (options.help)
        return print_generator_help(run, read_address(run, options.words[0]).generator);
    return lists ? list(run, &options) : map(run, &options, &progress);
}
