/* check_parcel.c: answers as they are kept outside of this process. */
#include "faults.h"
#include "srv/keep/cache.h"
#include "srv/share/parcel.h"
#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { LONG = 300000 };

static char bytes[LONG];

static struct key key_of(const char *encoder, const char *address)
{
    struct key key = {
        .encoder = mw_encoder_named(encoder), .address = address, .length = strlen(address)};
    strcpy(key.id, "00000000-0000-5000-8000-000000000001");
    return key;
}

/* Text that packs well. */
static void fill(void)
{
    for (int i = 0; i < LONG; i++)
        bytes[i] = (char)('a' + i % 7 + i / 1000 % 3);
}

static void comes_back(const struct key *key, size_t length, enum coding coding)
{
    struct parcel parcel;
    struct blob *packed = parcel_pack(key, bytes, length);
    ck_assert_ptr_nonnull(packed);
    ck_assert(parcel_open(packed, key, &parcel));
    ck_assert_int_eq(parcel.coding, coding);
    ck_assert_uint_eq(parcel.length, length);
    struct blob *blob = parcel_unpack(&parcel, "text/plain");
    ck_assert_uint_eq(blob->length, length);
    ck_assert_mem_eq(blob->bytes, bytes, length);
    struct blob *coded = coding_apply(CODING_ZSTD, bytes, length, key->encoder->media);
    ck_assert_uint_eq(coded->length, parcel.size); /* what is sent to who takes zstd */
    ck_assert_mem_eq(coded->bytes, parcel.bytes, parcel.size);
    blob_drop(coded);
    blob_drop(blob);
    blob_drop(packed);
}

TEST(packs)
{
    fill();
    struct key json = key_of("json", "/regions?seed=1"), png = key_of("png", "/regions?seed=1");
    comes_back(&json, LONG, CODING_ZSTD);
    comes_back(&json, 100, CODING_NONE);
    comes_back(&png, LONG, CODING_NONE);
}

/* Nothing that differs in a bit is taken, nor a piece of it. */
TEST(takes_nothing_else)
{
    fill();
    struct parcel parcel;
    struct key key = key_of("json", "/regions?seed=1");
    struct blob *packed = parcel_pack(&key, bytes, LONG);
    for (size_t bit = 0; bit < packed->length * 8; bit++) {
        packed->bytes[bit / 8] ^= (char)(1 << bit % 8);
        ck_assert_msg(!parcel_open(packed, &key, &parcel), "bit %zu", bit);
        packed->bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t length = packed->length; packed->length--; length--)
        ck_assert_msg(!parcel_open(packed, &key, &parcel), "%zu bytes", length);
    packed->length = 0;
    blob_drop(packed);
}

TEST(takes_no_other_map)
{
    struct parcel parcel;
    struct key key = key_of("json", "/regions?seed=1"), address = key_of("json", "/regions?seed=2"),
               format = key_of("svg", "/regions?seed=1"), look = key, id = key;
    look.look.scale = 9;
    id.id[35] = '2';
    struct blob *packed = parcel_pack(&key, "{}", 2);
    ck_assert(parcel_open(packed, &key, &parcel));
    ck_assert(!parcel_open(packed, &address, &parcel));
    ck_assert(!parcel_open(packed, &format, &parcel));
    ck_assert(!parcel_open(packed, &id, &parcel));
    ck_assert(!parcel_open(packed, &look, &parcel));
    blob_drop(packed);
}

TEST(packs_nothing_that_is_too_long)
{
    struct key key = key_of("png", "/regions?seed=1");
    char *much = calloc(1, LONGEST_PARCEL);
    ck_assert_ptr_null(parcel_pack(&key, much, LONGEST_PARCEL));
    ck_assert_ptr_null(parcel_pack(&key, much, 0));
    struct key text = key_of("json", "/regions?seed=1"); /* which packs to less */
    struct blob *packed = parcel_pack(&text, much, LONGEST_PARCEL);
    ck_assert_ptr_nonnull(packed);
    blob_drop(packed);
    free(much);
}

TEST(lives_without_memory)
{
    fill();
    struct key key = key_of("json", "/regions?seed=1");
    struct blob *packed;
    int n = 1;
    for (; faults_begin(n), packed = parcel_pack(&key, bytes, LONG), faults_end(); n++)
        blob_drop(packed);
    ck_assert_int_gt(n, 2);
    struct parcel parcel;
    ck_assert(parcel_open(packed, &key, &parcel));
    faults_begin(1);
    ck_assert_ptr_null(parcel_unpack(&parcel, "text/plain"));
    faults_end();
    blob_drop(packed);
}
