/* results.c: results of an entry that need no run. */
#include "results.h"

#include "srv/base/clock.h"
#include "srv/out/coding.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    CERTAIN_EXCESS = 4, /* refuse only estimates so many times above the limit */
    LATE_FACTOR = 6,    /* retry what was late after so many times its deadline */
    LONGEST_RETRY_S = 600,
    CRASH_RETRY_S = 60,
};

/* ---- from bytes ------------------------------------------------------------------------------ */

struct blob *result_without_room(struct service *service, size_t length)
{
    enum room room = output_make_room(service->output, length);
    if (room == ROOM_THERE)
        return NULL;
    return blob_of_fault(room == ROOM_NEVER ? FAULT_TOO_BIG : FAULT_BUSY, NULL, 0);
}

/* The bytes in the coding of the key; a fault, if there is no room to hold them. */
static struct blob *result_of_bytes(struct service *service, const struct key *key,
                                    const char *bytes, size_t length)
{
    struct blob *blob = result_without_room(service, length);
    if (blob)
        return blob;
    blob = coding_apply(key->coding, EFFORT_FAST, bytes, length, key->encoder->media);
    output_made(service->output, length);
    return blob;
}

/* Negative cache: keeps the fault for a while, and says so. */
static struct blob *keep_fault(struct entry *entry, struct blob *blob, unsigned seconds)
{
    if (!blob)
        return NULL;
    blob->retry_after = seconds < LONGEST_RETRY_S ? seconds : LONGEST_RETRY_S;
    entry->until = clock_now() + (int64_t)blob->retry_after * 1000000;
    return blob;
}

struct blob *result_of_plain(struct service *service, const struct entry *entry)
{
    struct key plain = entry->key;
    plain.coding = CODING_NONE;
    struct blob *known = entry->key.coding ? cache_find(service->cache, &plain) : NULL;
    struct blob *coded = known && !known->fault
                             ? result_of_bytes(service, &entry->key, known->bytes, known->length)
                             : NULL;
    blob_drop(known);
    return coded;
}

/* Without recoding, if the store has the coding of the key. */
static struct blob *unpack(struct service *service, const struct key *key,
                           const struct parcel *parcel)
{
    if (key->coding && key->coding == parcel->coding) {
        struct blob *blob = blob_new(parcel->bytes, parcel->size, key->encoder->media);
        if (blob)
            blob->coding = coding_names[key->coding];
        return blob;
    }
    struct blob *plain = parcel_unpack(parcel, key->encoder->media);
    if (!plain || !key->coding)
        return plain;
    struct blob *coded = result_of_bytes(service, key, plain->bytes, plain->length);
    blob_drop(plain);
    return coded;
}

struct blob *result_of_store(struct service *service, const struct entry *entry)
{
    struct parcel parcel;
    struct blob *value = store_find_map(service->store, &entry->key, &parcel);
    if (!value)
        return NULL;
    struct blob *blob = result_without_room(service, parcel.length);
    if (!blob) {
        blob = unpack(service, &entry->key, &parcel);
        output_made(service->output, parcel.length);
    }
    blob_drop(value);
    metrics_count(blob ? COUNT_STORE_FOUND : COUNT_STORE_WRONG, 1);
    return blob;
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* A problem with the whole request, in a sentence. */
static struct blob *explain(enum fault fault, enum mw_fault cause, const char *format, ...)
{
    struct mw_problem problem = {.fault = cause};
    va_list list;
    va_start(list, format);
    vsnprintf(problem.detail, sizeof problem.detail, format, list);
    va_end(list);
    return blob_of_fault(fault, &problem, sizeof problem);
}

static unsigned retry_after(int64_t given) { return overload_seconds(LATE_FACTOR * given); }

/* NULL: the estimate is not far enough above the limit to be sure. */
static struct blob *refuse_excess(const char *takes, uint64_t estimate, uint64_t given,
                                  const char *unit, enum fault fault, enum mw_fault cause)
{
    if (estimate / CERTAIN_EXCESS <= given)
        return NULL;
    return explain(fault, cause, "%s some %llu %s, and a request gets %llu here: ask for less",
                   takes, (unsigned long long)estimate, unit, (unsigned long long)given);
}

struct blob *result_of_excess(struct service *service, struct entry *entry, int64_t given)
{
    const struct mw_cost *cost = &entry->cost;
    uint64_t takes = pool_expect(service->pool, entry->kind, cost->nanoseconds);
    struct blob *blob = refuse_excess("needs", cost->bytes, pool_most(service->pool), "bytes",
                                      FAULT_TOO_BIG, MW_TOO_BIG);
    if (blob)
        return blob;
    blob = refuse_excess("takes", takes / 1000000, (uint64_t)given / 1000, "ms", FAULT_TOO_HARD,
                         MW_TOO_HARD);
    return keep_fault(entry, blob, retry_after(given)); /* the machine may be busy only for now */
}

struct blob *result_of_crash(struct entry *entry)
{
    return keep_fault(entry, blob_of_fault(FAULT_CRASHED, NULL, 0), CRASH_RETRY_S);
}

struct blob *result_of_lateness(struct entry *entry, int64_t given)
{
    struct blob *blob =
        explain(FAULT_LATE, MW_STOPPED,
                "the map was not ready after %lld ms and %llu steps, and is not "
                "tried again for a while: ask for less",
                (long long)(given / 1000), (unsigned long long)atomic_load(&entry->steps));
    return keep_fault(entry, blob, retry_after(given));
}
