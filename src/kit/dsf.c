/* dsf.c: disjoint sets; find and join are in dsf.h, to be inlined. */
#include "dsf.h"

void mw_dsf_init(int32_t *parent, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        parent[i] = i;
}
