/* quota.c: the part of the machine that the service may use (cgroups(7)). */
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

/* ---- a group --------------------------------------------------------------------------------- */

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

static void lower_memory(struct quota *quota, const char *group, const char *name)
{
    long long bytes, none;
    if (read_numbers(group, name, &bytes, &none) && bytes < quota->memory)
        quota->memory = bytes;
}

/* Microseconds of CPU time in each period. */
static void lower_cpus(struct quota *quota, long long time, long long period)
{
    if (period > 0 && time / period < quota->cpus)
        quota->cpus = (int)((time + period - 1) / period);
}

static void lower_by(struct quota *quota, const char *group)
{
    long long time, period, none;
    lower_memory(quota, group, "memory.max");
    lower_memory(quota, group, "memory.limit_in_bytes");
    if (read_numbers(group, "cpu.max", &time, &period) == 2)
        lower_cpus(quota, time, period);
    if (read_numbers(group, "cpu.cfs_quota_us", &time, &none) &&
        read_numbers(group, "cpu.cfs_period_us", &period, &none))
        lower_cpus(quota, time, period);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/*
 * The group and all that it lies in, up to where the hierarchy is mounted. A container may see its
 * own group there, under a path that means nothing inside: groups that are not found are skipped.
 */
static void lower_by_all(struct quota *quota, const char *root, const char *mount, const char *path)
{
    char group[2 * PATH_MAX];
    int top = snprintf(group, sizeof group, "%s/sys/fs/cgroup%s", root, mount);
    snprintf(group + top, sizeof group - (size_t)top, "%s", path);
    for (char *last; (last = strrchr(group + top, '/')); *last = '\0')
        lower_by(quota, group);
    lower_by(quota, group);
}

/* "4:memory:/group", or "0::/group" for version 2, which is mounted beside the others where both
   versions are in use. */
static void lower_by_line(struct quota *quota, const char *root, char *line)
{
    char mount[PATH_MAX];
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(++controllers, ':') : NULL;
    if (!path)
        return;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    snprintf(mount, sizeof mount, "%s%s", *controllers ? "/" : "", controllers);
    lower_by_all(quota, root, mount, path);
    if (!*controllers)
        lower_by_all(quota, root, "/unified", path);
}

struct quota quota_read(const char *root, struct quota machine)
{
    char name[PATH_MAX], line[PATH_MAX];
    struct quota quota = machine;
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file))
        lower_by_line(&quota, root, line);
    if (file)
        fclose(file);
    assert(quota.cpus > 0 && quota.memory > 0);
    return quota;
}
