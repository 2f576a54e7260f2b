/* quota.c: the part of the machine that the service may use (cgroups(7)). */
#include "quota.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- files of a group ------------------------------------------------------------------------ */

/* The first line. */
static bool read_line(const char *group, const char *name, char line[128])
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "re") : NULL;
    bool good = file && fgets(line, 128, file);
    if (file)
        fclose(file);
    return good;
}

/* INT64_MAX for "max" or -1, or where there is no such file. */
static int64_t read_number(const char *group, const char *name)
{
    char line[128];
    int64_t value = read_line(group, name, line) && *line >= '0' && *line <= '9'
                        ? strtoll(line, NULL, 10)
                        : INT64_MAX;
    return value > 0 ? value : INT64_MAX;
}

static void lower_memory(struct quota *quota, int64_t bytes)
{
    quota->memory = bytes < quota->memory ? bytes : quota->memory;
}

/* Microseconds of CPU time in each period. */
static void lower_cpus(struct quota *quota, int64_t time, int64_t period)
{
    if (time == INT64_MAX || period == INT64_MAX || time / period >= quota->cpus)
        return;
    quota->cpus = (int)((time + period - 1) / period);
}

static void lower_by(struct quota *quota, const char *group)
{
    long long time, period;
    char line[128];
    lower_memory(quota, read_number(group, "memory.max"));
    lower_memory(quota, read_number(group, "memory.limit_in_bytes"));
    if (read_line(group, "cpu.max", line) && sscanf(line, "%lld %lld", &time, &period) == 2 &&
        time > 0 && period > 0)
        lower_cpus(quota, time, period);
    lower_cpus(quota, read_number(group, "cpu.cfs_quota_us"),
               read_number(group, "cpu.cfs_period_us"));
}

/* ---- groups ---------------------------------------------------------------------------------- */

/*
 * The group and all that it lies in, up to where the hierarchy is mounted. A container may see its
 * own group there, under a path that means nothing inside: groups that are not found are skipped.
 */
static void lower_by_all(struct quota *quota, const char *root, const char *mount, char *path)
{
    char group[PATH_MAX];
    for (bool more = true; more;) {
        int n = snprintf(group, sizeof group, "%s/sys/fs/cgroup%s%s", root, mount, path);
        if (n > 0 && (size_t)n < sizeof group)
            lower_by(quota, group);
        char *last = strrchr(path, '/');
        more = last;
        if (last)
            *last = '\0';
    }
}

/* "4:memory:/group", or "0::/group" for version 2, which is mounted beside the others where both
   versions are in use. */
static void lower_by_line(struct quota *quota, const char *root, char *line)
{
    char mount[PATH_MAX] = "", copy[PATH_MAX];
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(++controllers, ':') : NULL;
    if (!path || strlen(path) >= sizeof copy)
        return;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    strcpy(copy, path);
    snprintf(mount, sizeof mount, "%s%s", *controllers ? "/" : "", controllers);
    lower_by_all(quota, root, mount, path);
    if (!*controllers)
        lower_by_all(quota, root, "/unified", copy);
}

struct quota quota_read(const char *root, struct quota machine)
{
    char name[PATH_MAX], line[PATH_MAX];
    struct quota quota = machine;
    int n = snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = n > 0 && (size_t)n < sizeof name ? fopen(name, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        lower_by_line(&quota, root, line);
    if (file)
        fclose(file);
    return quota;
}
