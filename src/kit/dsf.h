/* dsf.h: disjoint sets, a forest with path halving (Tarjan 1975). */
#ifndef MAPWRIGHT_DSF_H
#define MAPWRIGHT_DSF_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Disjoint sets: parent[i] == i for a root, and parent[i] < i for all others, so that every search
   for a root ends. mw_dsf_init makes n singletons. */
static inline void mw_dsf_init(int32_t *parent, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        parent[i] = i;
}
static inline int32_t mw_dsf_find(int32_t *parent, int32_t i)
{
    while (parent[i] < i) {
        i = parent[i] = parent[parent[i]]; /* path halving */
        assert(i >= 0);
    }
    assert(parent[i] == i);
    return i;
}
/* Joins two sets under the smaller root; false when they were one. */
static inline bool mw_dsf_join(int32_t *parent, int32_t a, int32_t b)
{
    a = mw_dsf_find(parent, a);
    b = mw_dsf_find(parent, b);
    if (a == b)
        return false;
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
    return true;
}

#endif
