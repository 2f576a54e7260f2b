/*
 * user.c: what a game does with the library, in the C that is C++ too. tests/abi/run builds it
 * against what is installed.
 *
 *     user FOLDER ADDRESS ...      each on a thread of its own, into FOLDER/0, FOLDER/1 ...
 *
 * Each thread has the stack that the header says is enough.
 */
#include <mapwright.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK = 512 << 20 };

struct job {
    const char *address, *folder;
    int number;
    pthread_t thread;
    struct mw_cost cost;
    double progress;
    bool stopped; /* wanted first, then done without */
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* Progress never falls; the first run is ended as soon as it asks. */
static bool look(void *arg, uint64_t steps)
{
    struct job *job = (struct job *)arg;
    double progress = mw_progress(steps, job->cost.steps);
    if (progress < job->progress || progress >= 1)
        die(job->address, "progress falls");
    job->progress = progress;
    return job->stopped;
}

static void complain(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    for (size_t i = 0; i < problems->count; i++)
        fprintf(stderr, "%s: %s\n", problems->list[i].pointer, problems->list[i].detail);
    if (!problems->count)
        die("run", "no reason is given");
}

static void write_down(const struct job *job, struct mw_bytes bytes)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%d", job->folder, job->number);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes.at, 1, bytes.length, file) != bytes.length || fclose(file))
        die(name, "cannot be written");
}

/* Whether the map is there. */
static bool make(struct job *job, const struct mw_limits *limits)
{
    struct mw_run *run = mw_open(limits);
    const struct mw_request *request = mw_ask(run, job->address, "{\"format\": null}", "1");
    if (!request) {
        complain(run);
        return false;
    }
    job->cost = mw_request_cost(request);
    job->progress = 0;
    const struct mw_map *map = mw_make(run, request);
    if (map)
        write_down(job, mw_encode(run, map, NULL));
    else if (!job->stopped || mw_problems(run)->list[0].fault != MW_STOPPED)
        complain(run);
    return map != NULL;
}

static void *work(void *arg)
{
    struct job *job = (struct job *)arg;
    struct mw_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = BLOCK;
    limits.memory = mmap(NULL, limits.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    limits.stop = look;
    limits.stop_arg = job;
    if (limits.memory == MAP_FAILED)
        die("memory", "there is none");
    job->stopped = true;
    if (make(job, &limits))
        die(job->address, "was not stopped");
    job->stopped = false;
    make(job, &limits);
    return NULL;
}

int main(int count, char **words)
{
    pthread_attr_t small;
    struct job *jobs = (struct job *)calloc((size_t)count, sizeof *jobs);
    if (count < 3 || !jobs || strcmp(mw_version(), MW_VERSION) != 0)
        die("user", "is called as: user FOLDER ADDRESS ...");
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, MW_STACK);
    for (int i = 2; i < count; i++) {
        jobs[i].address = words[i];
        jobs[i].folder = words[1];
        jobs[i].number = i - 2;
        if (pthread_create(&jobs[i].thread, &small, work, &jobs[i]))
            die("thread", "cannot be begun");
    }
    for (int i = 2; i < count; i++)
        pthread_join(jobs[i].thread, NULL);
    free(jobs);
    return 0;
}
