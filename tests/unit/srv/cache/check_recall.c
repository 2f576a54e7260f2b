/* check_recall.c: requests whose very bytes were understood before. */
#include "srv/cache/recall.h"
#include "unit/unit.h"

#include <stdio.h>

static const struct etag tag = {"\"tag\""};

static void store(struct recall *recall, const char *raw, size_t length, const struct key *key)
{
    recall_store(recall, raw, length, &(struct recalled){.key = *key, .tag = tag});
}

static struct key key_of(const char *address)
{
    return (struct key){.address = address, .length = strlen(address)};
}

TEST(recalls_the_very_bytes)
{
    char raw[64];
    struct recall *recall = recall_new(1 << 20);
    struct key key = key_of("/a?seed=1");
    for (int i = 0; i < 3000; i++) {
        size_t n = (size_t)snprintf(raw, sizeof raw, "request %d.", i);
        ck_assert_ptr_null(recall_find(recall, raw, n));
        store(recall, raw, n, &key);
        const struct recalled *found = recall_find(recall, raw, n);
        ck_assert(found && found->key.length == key.length &&
                  !memcmp(found->key.address, key.address, key.length));
        ck_assert_ptr_null(recall_find(recall, raw, n - 1));
    }
    recall_drop(recall);
}

/* In a table of so many bytes, and no request that is too long for a row. */
TEST(recalls_within_bounds)
{
    static char raw[RECALL_ROOM];
    struct recall *recall = recall_new(1 << 20), *least = recall_new(0);
    struct key key = key_of("/a");
    for (int i = 0; i < 1000; i++) {
        memcpy(raw, &i, sizeof i);
        store(recall, raw, sizeof raw - 2, &key);
        ck_assert_ptr_nonnull(recall_find(recall, raw, sizeof raw - 2));
        store(least, raw, sizeof raw - 2, &key);
        ck_assert_ptr_nonnull(recall_find(least, raw, sizeof raw - 2));
        store(recall, raw, sizeof raw - 1, &key);
        ck_assert_ptr_null(recall_find(recall, raw, sizeof raw - 1));
    }
    int kept = 0;
    for (int i = 0; i < 1000; i++) {
        memcpy(raw, &i, sizeof i);
        kept += recall_find(recall, raw, sizeof raw - 2) != NULL;
    }
    ck_assert(kept > 50 && kept <= (1 << 20) / RECALL_ROOM + 1);
    recall_drop(recall);
    recall_drop(least);
}
