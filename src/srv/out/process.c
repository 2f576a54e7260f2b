/* process.c: what the kernel knows of this process, from proc(5). */
#include "process.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads so much of a file as text; false: it is not there. */
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

/* Since 1970, in seconds; -1: not told. */
static double booted_at(void)
{
    char line[256];
    long long at = -1;
    FILE *file = fopen("/proc/stat", "re");
    while (file && at < 0 && fgets(line, sizeof line, file))
        sscanf(line, "btime %lld", &at);
    if (file)
        fclose(file);
    return (double)at;
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
    double ticks = (double)sysconf(_SC_CLK_TCK), boot = booted_at();
    values[PROCESS_CPU] = (double)(user + system) / ticks;
    values[PROCESS_VIRTUAL] = (double)size;
    values[PROCESS_RESIDENT] = (double)pages * (double)sysconf(_SC_PAGESIZE);
    values[PROCESS_START] = boot < 0 ? -1 : boot + (double)begun / ticks;
}

/* New kernels tell the number as a size, which is quick however many there are. */
static double count_descriptors(void)
{
    struct stat told;
    if (!stat("/proc/self/fd", &told) && told.st_size > 0)
        return (double)told.st_size;
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
