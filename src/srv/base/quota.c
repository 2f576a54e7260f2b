/* quota.c: the part of the machine that the service may use (cgroups(7), version 2). */
#include "quota.h"

#include <assert.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct quota quota_of_machine(void)
{
    cpu_set_t set;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    int cpus = sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN)
                                                      : CPU_COUNT(&set);
    return (struct quota){.cpus = cpus > 0 ? cpus : 1,
                          .memory = pages > 0 && page > 0 ? (int64_t)pages * page : INT64_MAX};
}

/* ---- control groups -------------------------------------------------------------------------- */

/* The numbers at the start of a file; how many there are: 0 for "max" and without a file. */
static int read_numbers(const char *group, const char *name, long long *one, long long *two)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "re") : NULL;
    int count = file ? fscanf(file, "%lld %lld", one, two) : 0;
    if (file)
        fclose(file);
    return count > 0 && *one > 0 ? count : 0;
}

/* cpu.max has microseconds of CPU time, and the period in which they may be used. */
static void apply_group(struct quota *quota, const char *group)
{
    long long bytes, time, period, none;
    if (read_numbers(group, "memory.max", &bytes, &none) && bytes < quota->memory)
        quota->memory = bytes;
    if (read_numbers(group, "cpu.max", &time, &period) == 2 && period > 0 &&
        time / period < quota->cpus)
        quota->cpus = (int)((time + period - 1) / period);
}

/* The path of this process's group, from the line "0::/path"; "" where there is none. */
static void find_group(char path[PATH_MAX], const char *root)
{
    char name[PATH_MAX], line[PATH_MAX];
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    *path = '\0';
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "0::%4095[^\n]", path) == 1)
            break;
    if (file)
        fclose(file);
}

/*
 * The group and all that contain it, up to where the hierarchy is mounted. A container may see its
 * own group there, under a path that means nothing inside: groups that are not found are skipped.
 */
struct quota quota_read(const char *root, struct quota machine)
{
    char path[PATH_MAX], group[2 * PATH_MAX];
    struct quota quota = machine;
    find_group(path, root);
    int top = snprintf(group, sizeof group, "%s/sys/fs/cgroup", root);
    snprintf(group + top, sizeof group - (size_t)top, "%s", path);
    for (char *last; (last = strrchr(group + top, '/')); *last = '\0')
        apply_group(&quota, group);
    apply_group(&quota, group);
    assert(quota.cpus > 0 && quota.memory > 0);
    return quota;
}
