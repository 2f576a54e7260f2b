/* block.h: reserved address space, of which only touched pages take memory. */
#ifndef MAPWRIGHT_BLOCK_H
#define MAPWRIGHT_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* NULL without. */
void *block_new(size_t size);
/* The block of a worker, of which it keeps the first `own` bytes between runs. */
void *block_for_runs(size_t own, size_t size);
void block_drop(void *, size_t size);
/* Returns the whole pages between the two to the system; they read as zeros when touched again. */
void block_trim(void *from, void *to);
/* Asks for large pages (2 MB) between the two, which take a hundredth of the page faults. A hint,
   for memory that will be used as a whole. */
void block_in_large_pages(void *from, void *to);

uintptr_t block_page_mask(void);

#endif
