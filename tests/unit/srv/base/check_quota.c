/* check_quota.c: limits of control groups, which are files of a folder here. */
#include "srv/base/config.h"
#include "srv/base/quota.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define GIB (INT64_C(1) << 30)

static const struct quota machine = {.cpus = 16, .memory = 64 * GIB};

static char root[64];

static void begin(void)
{
    strcpy(root, "/tmp/mapwright-quota-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const char *text)
{
    char command[512];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s/%s')\" && printf %%b '%s' >'%s/%s'",
             root, name, text, root, name);
    ck_assert_int_eq(system(command), 0);
}

static void expect(int cpus, int64_t memory)
{
    struct quota quota = quota_read(root, machine);
    ck_assert_int_eq(quota.cpus, cpus);
    ck_assert_int_eq(quota.memory, memory);
}

FIXTURE(begin, end)

TEST(takes_all_without_limits)
{
    expect(16, 64 * GIB);
    put("proc/self/cgroup", "0::/\\n");
    put("sys/fs/cgroup/cpu.max", "max 100000\\n");
    put("sys/fs/cgroup/memory.max", "max\\n");
    expect(16, 64 * GIB);
    put("proc/self/cgroup", "no colons\\n1:only one\\n\\n");
    expect(16, 64 * GIB);
}

TEST(reads_its_group)
{
    put("proc/self/cgroup", "0::/\\n");
    put("sys/fs/cgroup/cpu.max", "150000 100000\\n");
    put("sys/fs/cgroup/memory.max", "536870912\\n");
    expect(2, GIB / 2);
    put("sys/fs/cgroup/cpu.max", "10000 100000\\n");
    expect(1, GIB / 2);
}

/* The least counts, of a group and of those that it lies in. */
TEST(reads_nested_groups)
{
    put("proc/self/cgroup", "0::/a.slice/b.scope\\n");
    put("sys/fs/cgroup/a.slice/b.scope/cpu.max", "800000 100000\\n");
    put("sys/fs/cgroup/a.slice/b.scope/memory.max", "max\\n");
    put("sys/fs/cgroup/a.slice/cpu.max", "300000 100000\\n");
    put("sys/fs/cgroup/a.slice/memory.max", "2147483648\\n");
    put("sys/fs/cgroup/memory.max", "4294967296\\n");
    expect(3, 2 * GIB);
}

/* Without a namespace of its own a container has a path of the machine, and its own group where
   the hierarchy is mounted. */
TEST(finds_its_group_at_the_mount)
{
    put("proc/self/cgroup", "4:memory:/docker/0123\\n0::/docker/0123\\n");
    put("sys/fs/cgroup/memory.max", "268435456\\n");
    put("sys/fs/cgroup/cpu.max", "200000 100000\\n");
    expect(2, GIB / 4);
}

TEST(fits_settings_that_were_not_given)
{
    char *argv[] = {"mapwrightd", "--memory=1G"}, *none[] = {NULL};
    struct strbuf messages = {0};
    struct config config;
    struct quota quota = {.cpus = 3, .memory = GIB / 2};
    for (int given = 0; given < 2; given++) {
        ck_assert_int_eq(config_read(&config, 1 + given, argv, none, &messages), CONFIG_OK);
        config_fit(&config, &quota);
        ck_assert_int_eq(config.workers, 3);
        ck_assert_int_eq(config.memory, given ? GIB : GIB / 4);
        ck_assert_int_eq(config.cache_bytes, GIB / 16);
        ck_assert_int_eq(config.output_bytes, GIB / 16);
    }
    ck_assert_ptr_null(messages.at);
    config_read(&config, 1, argv, none, &messages);
    quota = (struct quota){.cpus = 9, .memory = 1 << 20};
    config_fit(&config, &quota);
    ck_assert(config_check(&config, &quota, &messages)); /* defaults contradict nothing */
    strbuf_release(&messages);
    ck_assert_int_eq(config.workers, 4);            /* as many as have memory */
    ck_assert_int_eq(config.output_bytes, 1 << 20); /* no less than the least that may be given */
}

TEST(fits_this_machine)
{
    struct quota all = quota_of_machine(), ours = quota_read("", all);
    ck_assert(ours.cpus >= 1 && ours.cpus <= all.cpus);
    ck_assert(ours.memory > 0 && ours.memory <= all.memory);
}
