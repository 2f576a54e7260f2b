/* known.c: answers that need no run. */
#include "known.h"

#include "srv/base/clock.h"
#include "srv/say/coding.h"

struct blob *known_wrap(struct service *service, const struct key *key, const char *bytes,
                        size_t length)
{
    enum room room = output_make_room(service->output, length);
    if (room != ROOM_THERE)
        return blob_of_fault(room == ROOM_NEVER ? FAULT_TOO_BIG : FAULT_BUSY, NULL, 0);
    struct blob *blob = coding_apply(key->coding, bytes, length, key->encoder->media);
    output_made(service->output, length);
    return blob;
}

struct blob *known_for(struct entry *entry, struct blob *blob, int64_t microseconds)
{
    enum { MOST_S = 600 };
    unsigned seconds = service_seconds(microseconds);
    if (!blob)
        return NULL;
    blob->retry_after = seconds < MOST_S ? seconds : MOST_S;
    entry->until = clock_now() + (int64_t)blob->retry_after * 1000000;
    return blob;
}

/* As long as the other is, from now on. */
static struct blob *copy_fault(struct entry *entry, const struct blob *fault)
{
    struct blob *copy = blob_of_fault(fault->fault, fault->bytes, fault->length);
    return fault->retry_after ? known_for(entry, copy, (fault->retry_after - 1) * (int64_t)1000000)
                              : copy;
}

struct blob *known_coding(struct service *service, struct entry *entry)
{
    struct key plain = entry->key;
    plain.coding = CODING_NONE;
    if (entry->key.coding == CODING_NONE)
        return NULL;
    struct blob *known = cache_peek(service->cache, &plain);
    if (!known)
        return NULL;
    struct blob *coded = known->fault
                             ? copy_fault(entry, known)
                             : known_wrap(service, &entry->key, known->bytes, known->length);
    blob_drop(known);
    return coded;
}

/* As it is kept, where it is wanted so. */
static struct blob *answer_of(struct service *service, const struct key *key,
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
    struct blob *coded = known_wrap(service, key, plain->bytes, plain->length);
    blob_drop(plain);
    return coded;
}

struct blob *known_found(struct service *service, const struct entry *entry)
{
    struct parcel parcel;
    if (!parcel_open(entry->found, &entry->key, &parcel))
        return NULL;
    enum room room = output_make_room(service->output, parcel.length);
    if (room != ROOM_THERE)
        return blob_of_fault(room == ROOM_NEVER ? FAULT_TOO_BIG : FAULT_BUSY, NULL, 0);
    struct blob *blob = answer_of(service, &entry->key, &parcel);
    output_made(service->output, parcel.length);
    return blob;
}
