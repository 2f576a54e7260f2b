/* block.h: address space of which only touched pages count. */
#ifndef MAPWRIGHT_BLOCK_H
#define MAPWRIGHT_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* NULL without. */
void *block_new(size_t size);
void block_drop(void *, size_t size);
/* Gives whole pages between the two back: they read as zeros when touched again. */
void block_trim(void *from, void *to);
/* All between the two is touched soon, or nothing: in large pages (2 MB), where the system has
   them, that is a hundredth of the work. For any memory, as it only says so. */
void block_in_large_pages(void *from, void *to);

uintptr_t block_page_mask(void);

#endif
