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

/* INT64_MAX for "max", or where there is no such file. */
static int64_t read_number(const char *group, const char *name)
{
    char line[128];
    int64_t value = read_line(group, name, line) && *line >= '0' && *line <= '9'
                        ? strtoll(line, NULL, 10)
                        : INT64_MAX;
    return value > 0 ? value : INT64_MAX;
}

static void lower_by(struct quota *quota, const char *group)
{
    long long time, period;
    char line[128];
    int64_t bytes = read_number(group, "memory.max");
    quota->memory = bytes < quota->memory ? bytes : quota->memory;
    if (!read_line(group, "cpu.max", line) || sscanf(line, "%lld %lld", &time, &period) != 2 ||
        time <= 0 || period <= 0 || time / period >= quota->cpus)
        return;
    quota->cpus = (int)((time + period - 1) / period);
}

/*
 * The group and all that it lies in, up to where the hierarchy is mounted. A container may see its
 * own group there, under a path that means nothing inside: groups that are not found are skipped.
 */
static void lower_by_all(struct quota *quota, const char *root, char *path)
{
    char group[PATH_MAX], *last;
    do {
        int n = snprintf(group, sizeof group, "%s/sys/fs/cgroup%s", root, path);
        if (n > 0 && (size_t)n < sizeof group)
            lower_by(quota, group);
        last = strrchr(path, '/');
        if (last)
            *last = '\0';
    } while (last);
}

/* Its line is "0::/group". */
struct quota quota_read(const char *root, struct quota machine)
{
    char name[PATH_MAX], line[PATH_MAX];
    struct quota quota = machine;
    int n = snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = n > 0 && (size_t)n < sizeof name ? fopen(name, "re") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "0::", 3))
            lower_by_all(&quota, root, line + 3);
    }
    if (file)
        fclose(file);
    return quota;
}
