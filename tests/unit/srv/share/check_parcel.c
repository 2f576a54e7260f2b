/* check_parcel.c: the values in the store. */
#include "faults.h"
#include "srv/share/parcel.h"
#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { LONG = 300000, LONGEST = 1 << 24 };

static char bytes[LONG];
static struct seal seal;

/* Text that compresses well. */
static void fill(void)
{
    seal_init(&seal, "a key");
    for (int i = 0; i < LONG; i++)
        bytes[i] = (char)('a' + i % 7 + i / 1000 % 3);
}

FIXTURE(fill, NULL)

static bool opens(const struct blob *packed, const char *name, struct parcel *parcel)
{
    return parcel_open(&seal, name, packed->bytes, packed->length, LONGEST, parcel);
}

static void comes_back(const char *media, size_t length, enum coding coding)
{
    struct parcel parcel;
    struct blob *packed = parcel_pack(&seal, "name", bytes, length, media);
    ck_assert_ptr_nonnull(packed);
    ck_assert(opens(packed, "name", &parcel));
    ck_assert_int_eq(parcel.coding, coding);
    ck_assert_uint_eq(parcel.length, length);
    struct blob *blob = parcel_unpack(&parcel, "text/plain");
    ck_assert_uint_eq(blob->length, length);
    ck_assert_mem_eq(blob->bytes, bytes, length);
    struct blob *coded = coding_apply(CODING_ZSTD, EFFORT_FAST, bytes, length, media);
    ck_assert_uint_eq(coded->length, parcel.size); /* sent as it is to a client that takes zstd */
    ck_assert_mem_eq(coded->bytes, parcel.bytes, parcel.size);
    blob_drop(coded);
    blob_drop(blob);
    blob_drop(packed);
}

TEST(packs)
{
    comes_back("application/json", LONG, CODING_ZSTD);
    comes_back("application/json", 100, CODING_NONE);
    comes_back("image/png", LONG, CODING_NONE);
}

/* Nothing that differs in a bit is taken, nor a piece of it. */
TEST(takes_nothing_else)
{
    struct parcel parcel;
    struct blob *packed = parcel_pack(&seal, "name", bytes, LONG, "application/json");
    for (size_t bit = 0; bit < packed->length * 8; bit++) {
        packed->bytes[bit / 8] ^= (char)(1 << bit % 8);
        ck_assert_msg(!opens(packed, "name", &parcel), "bit %zu", bit);
        packed->bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (; packed->length; packed->length--)
        if (packed->length < LONG &&
            parcel_open(&seal, "name", packed->bytes, packed->length - 1, LONGEST, &parcel))
            ck_abort_msg("%zu bytes", packed->length - 1);
    blob_drop(packed);
}

TEST(takes_no_other_name_or_key)
{
    struct parcel parcel;
    struct blob *packed = parcel_pack(&seal, "name", "{}", 2, "application/json");
    ck_assert(opens(packed, "name", &parcel));
    ck_assert(!opens(packed, "names", &parcel) && !opens(packed, "", &parcel));
    seal_init(&seal, "another key");
    ck_assert(!opens(packed, "name", &parcel));
    seal_init(&seal, "");
    ck_assert(!opens(packed, "name", &parcel));
    blob_drop(packed);
}

/* The seal by another program: printf '<name>\0<content>' | openssl dgst -sha256 -hmac <key>. */
TEST(is_sealed_by_hmac_sha256)
{
    static const unsigned char expected[] = {0x78, 0x62, 0x21, 0x0c, 0xb1, 0xfa, 0x9b, 0x27,
                                             0x50, 0x17, 0xa7, 0x8c, 0x21, 0x9e, 0x12, 0x1b,
                                             0xfd, 0x78, 0x5a, 0xc0, 0x60, 0xb3, 0x48, 0x80,
                                             0x8e, 0xea, 0x63, 0x5c, 0xab, 0xa3, 0x22, 0xbc};
    struct blob *packed = parcel_pack(&seal, "name", "{}", 2, "application/json");
    ck_assert_uint_eq(packed->length, 32 + 9 + 2);
    ck_assert_mem_eq(packed->bytes, expected, sizeof expected);
    blob_drop(packed);
}

TEST(bounds_both_lengths)
{
    char *much = calloc(1, LONGEST_PARCEL);
    struct parcel parcel;
    ck_assert_ptr_null(parcel_pack(&seal, "name", much, LONGEST_PARCEL, "image/png"));
    ck_assert_ptr_null(parcel_pack(&seal, "name", much, 0, "image/png"));
    struct blob *packed = parcel_pack(&seal, "name", much, LONGEST_PARCEL, "text/plain");
    ck_assert_ptr_nonnull(packed);
    ck_assert(opens(packed, "name", &parcel));
    ck_assert(
        !parcel_open(&seal, "name", packed->bytes, packed->length, LONGEST_PARCEL - 1, &parcel));
    blob_drop(packed);
    free(much);
}

TEST(lives_without_memory)
{
    struct blob *packed;
    int n = 1;
    for (; faults_begin(n), packed = parcel_pack(&seal, "name", bytes, LONG, "application/json"),
                            faults_end();
         n++)
        blob_drop(packed);
    ck_assert_int_gt(n, 2);
    struct parcel parcel;
    ck_assert(opens(packed, "name", &parcel));
    faults_begin(1);
    ck_assert_ptr_null(parcel_unpack(&parcel, "text/plain"));
    faults_end();
    blob_drop(packed);
}
