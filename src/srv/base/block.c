/* block.c: reserved address space, of which only touched pages take memory. */
#include "block.h"

#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

void *block_new(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void block_drop(void *block, size_t size)
{
    if (block)
        munmap(block, size);
}

uintptr_t block_page_mask(void) { return (uintptr_t)sysconf(_SC_PAGESIZE) - 1; }

/* For the whole pages between the two. */
static void advise(void *from, void *to, int advice)
{
    char *first = (char *)from + (-(uintptr_t)from & block_page_mask());
    char *end = (char *)to - ((uintptr_t)to & block_page_mask());
    if (first < end)
        madvise(first, (size_t)(end - first), advice);
}

void block_trim(void *from, void *to) { advise(from, to, MADV_DONTNEED); }

void block_in_large_pages(void *from, void *to) { advise(from, to, MADV_HUGEPAGE); }

void *block_for_runs(size_t own, size_t size)
{
    enum { ENDS = 2 * 1024 * 1024 }; /* of the own: small maps fill no more, in small pages */
    assert(own <= size);
    char *block = block_new(size);
    if (!block)
        return NULL;
    if (own > 2 * ENDS)
        block_in_large_pages(block + ENDS, block + own - ENDS);
    block_in_large_pages(block + own, block + size);
    return block;
}
