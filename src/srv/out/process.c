/* process.c: the standard metrics of a process, from proc(5). */
#include "process.h"

#include "srv/base/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads the beginning of a file as text; false: it is not there. */
static int read_file(const char *name, char *text, size_t room)
{
    FILE *file = fopen(name, "re");
    if (!file)
        return 0;
    size_t n = fread(text, 1, room - 1, file);
    text[n] = '\0';
    fclose(file);
    return n > 0;
}

/* When the machine began, in seconds since 1970. */
static double booted_at(void)
{
    return (double)(clock_read(CLOCK_REALTIME) - clock_read(CLOCK_BOOTTIME)) / 1000000;
}

static void read_stat(double values[PROCESS_END])
{
    char text[1024];
    unsigned long long user, system, begun, size;
    long long pages;
    if (!read_file("/proc/self/stat", text, sizeof text))
        return;
    const char *name_end = strrchr(text, ')'); /* the name may hold anything */
    if (!name_end || sscanf(name_end + 1,
                            " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d "
                            "%*d %*d %*d %llu %llu %lld",
                            &user, &system, &begun, &size, &pages) != 5)
        return;
    double ticks = (double)sysconf(_SC_CLK_TCK);
    values[PROCESS_CPU] = (double)(user + system) / ticks;
    values[PROCESS_VIRTUAL] = (double)size;
    values[PROCESS_RESIDENT] = (double)pages * (double)sysconf(_SC_PAGESIZE);
    values[PROCESS_START] = booted_at() + (double)begun / ticks;
}

static double count_descriptors(void)
{
    DIR *list = opendir("/proc/self/fd");
    int count = -3; /* itself, . and .. */
    if (!list)
        return -1;
    while (readdir(list))
        count++;
    closedir(list);
    return count;
}

void process_measure(double values[PROCESS_END])
{
    struct rlimit limit;
    for (int i = 0; i < PROCESS_END; i++)
        values[i] = -1;
    read_stat(values);
    values[PROCESS_OPEN_FDS] = count_descriptors();
    if (!getrlimit(RLIMIT_NOFILE, &limit))
        values[PROCESS_MAX_FDS] = (double)limit.rlim_cur;
}
