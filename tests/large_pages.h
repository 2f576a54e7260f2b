/* large_pages.h: whether memory was asked to be in large pages, as the kernel tells. */
#ifndef MAPWRIGHT_LARGE_PAGES_H
#define MAPWRIGHT_LARGE_PAGES_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `otherwise` where there are none, or it is not told. */
static inline bool is_in_large_pages(const void *at, bool otherwise)
{
    unsigned long from = 0, to = 0, wanted = (unsigned long)at;
    char line[512];
    FILE *file = fopen("/proc/self/smaps", "r");
    if (!file || access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK))
        wanted = 0;
    while (wanted && fgets(line, sizeof line, file)) {
        unsigned long first, end;
        if (sscanf(line, "%lx-%lx ", &first, &end) == 2) /* the range that the next lines tell of */
            from = first, to = end;
        if (wanted >= from && wanted < to && !strncmp(line, "VmFlags:", 8)) {
            otherwise = strstr(line, " hg");
            break;
        }
    }
    if (file)
        fclose(file);
    return otherwise;
}

#endif
