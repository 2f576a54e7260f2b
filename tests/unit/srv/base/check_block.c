/* check_block.c: address space of which only touched pages take memory. */
#include "large_pages.h"
#include "srv/base/blob.h"
#include "srv/base/block.h"
#include "unit/unit.h"

enum { MIB = 1 << 20 };

/* Trimmed pages read as zeros; pages that are partly outside stay. */
TEST(trims_whole_pages)
{
    ck_assert_ptr_null(block_new((size_t)1 << 62));
    char *block = block_new(MIB);
    block[0] = block[MIB / 2] = block[MIB - 1] = 1;
    block_trim(block + 1, block + 2);
    block_trim(block + 1, block + MIB - 1);
    ck_assert(block[0] == 1 && block[MIB / 2] == 0 && block[MIB - 1] == 1);
    block_drop(block, MIB);
}

/* Contents stay; only whole pages are meant. */
TEST(asks_for_large_pages)
{
    size_t page = block_page_mask() + 1;
    char *block = block_new(16 * MIB);
    block[0] = block[8 * MIB] = block[16 * MIB - 1] = 1;
    block_in_large_pages(block + 1, block + 16 * MIB - 1);
    ck_assert(!is_in_large_pages(block, false));
    ck_assert(is_in_large_pages(block + page, true));
    ck_assert(is_in_large_pages(block + 16 * MIB - 2 * page, true));
    ck_assert(!is_in_large_pages(block + 16 * MIB - page, false));
    ck_assert(block[0] == 1 && block[8 * MIB] == 1 && block[16 * MIB - 1] == 1);
    block_in_large_pages(block + 3 * MIB, block + 2 * MIB);
    block_drop(block, 16 * MIB);
}

/* Small maps fill the ends of a worker's own; they are not to take a large page each. */
TEST(blocks_for_runs_are_in_large_pages_but_for_ends)
{
    char *from = block_for_runs(16 * MIB, 60 * MIB), *end = from + 60 * MIB;
    ck_assert(!is_in_large_pages(from, false) && !is_in_large_pages(from + MIB, false));
    ck_assert(is_in_large_pages(from + 4 * MIB, true));
    ck_assert(!is_in_large_pages(from + 15 * MIB, false));
    ck_assert(is_in_large_pages(from + 16 * MIB, true) && is_in_large_pages(end - 1, true));
    block_drop(from, 60 * MIB);
}

TEST(large_blobs_are_in_large_pages)
{
    struct blob *small = blob_reserve(1000, NULL), *large = blob_reserve(16 * MIB, NULL);
    ck_assert(!is_in_large_pages(small->bytes, false));
    ck_assert(is_in_large_pages(large->bytes + 8 * MIB, true));
    blob_drop(small);
    blob_drop(large);
}
