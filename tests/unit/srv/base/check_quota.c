/* check_quota.c: limits of control groups, which are files of a folder here. */
#include "srv/base/config.h"
#include "srv/base/quota.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define GIB (INT64_C(1) << 30)
#define GROUP "proc/self/cgroup"
#define CGROUP "sys/fs/cgroup/"

/* Files, and what is left of 16 cores and 64 GiB. */
static const struct {
    const char *files[6][2];
    int cpus;
    int64_t memory;
} rows[] = {
    {{{NULL}}, 16, 64 * GIB},
    {{{GROUP, "0::/\\n"}, {CGROUP "cpu.max", "max 100000\\n"}, {CGROUP "memory.max", "max\\n"}},
     16,
     64 * GIB},
    {{{GROUP, "no colons\\n1:only one\\n\\n"}}, 16, 64 * GIB},
    {{{GROUP, "0::/\\n"},
      {CGROUP "cpu.max", "150000 100000\\n"},
      {CGROUP "memory.max", "536870912\\n"}},
     2,
     GIB / 2},
    {{{GROUP, "0::/\\n"}, {CGROUP "cpu.max", "10000 100000\\n"}}, 1, 64 * GIB},
    /* the least counts, of a group and of those that it lies in */
    {{{GROUP, "0::/a.slice/b.scope\\n"},
      {CGROUP "a.slice/b.scope/cpu.max", "800000 100000\\n"},
      {CGROUP "a.slice/b.scope/memory.max", "max\\n"},
      {CGROUP "a.slice/cpu.max", "300000 100000\\n"},
      {CGROUP "a.slice/memory.max", "2147483648\\n"},
      {CGROUP "memory.max", "4294967296\\n"}},
     3,
     2 * GIB},
    /* a container without a namespace of its own has a path of the machine, and its own group where
       the hierarchy is mounted */
    {{{GROUP, "4:memory:/docker/0123\\n0::/docker/0123\\n"},
      {CGROUP "memory.max", "268435456\\n"},
      {CGROUP "cpu.max", "200000 100000\\n"}},
     2,
     GIB / 4},
};

/* A command of a shell, in which $a, $b and $c are these. */
static void run(const char *command, const char *a, const char *b, const char *c)
{
    setenv("a", a, 1);
    setenv("b", b, 1);
    setenv("c", c, 1);
    ck_assert_int_eq(system(command), 0);
}

TEST(takes_the_least_of_its_groups, .end = COUNT(rows))
{
    char root[] = "/tmp/mapwright-quota-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(root));
    for (int i = 0; i < 6 && rows[_i].files[i][0]; i++)
        run("mkdir -p \"$(dirname \"$a/$b\")\" && printf %b \"$c\" >\"$a/$b\"", root,
            rows[_i].files[i][0], rows[_i].files[i][1]);
    struct quota quota = quota_read(root, (struct quota){.cpus = 16, .memory = 64 * GIB});
    run("rm -rf \"$a\"", root, "", "");
    ck_assert_int_eq(quota.cpus, rows[_i].cpus);
    ck_assert_int_eq(quota.memory, rows[_i].memory);
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
        ck_assert(config.cache_bytes == GIB / 16 && config.output_bytes == GIB / 16);
    }
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
