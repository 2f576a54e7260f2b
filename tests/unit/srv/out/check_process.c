/* check_process.c: what the kernel knows of this process. */
#include "faults.h"
#include "srv/out/process.h"
#include "unit/unit.h"

#include <time.h>
#include <unistd.h>

TEST(tells_all)
{
    double values[PROCESS_END];
    process_measure(values);
    ck_assert_double_ge(values[PROCESS_CPU], 0);
    ck_assert_double_gt(values[PROCESS_RESIDENT], 1 << 18);
    ck_assert_double_gt(values[PROCESS_VIRTUAL], values[PROCESS_RESIDENT]);
    ck_assert_double_ge(values[PROCESS_OPEN_FDS], 3);
    ck_assert_double_ge(values[PROCESS_MAX_FDS], values[PROCESS_OPEN_FDS]);
    double age = (double)time(NULL) - values[PROCESS_START];
    ck_assert_msg(age > -10 && age < 24 * 3600, "%f s old", age);
}

TEST(counts_descriptors)
{
    double before[PROCESS_END], after[PROCESS_END];
    int pair[2];
    process_measure(before);
    ck_assert_int_eq(pipe(pair), 0);
    process_measure(after);
    ck_assert_double_eq(after[PROCESS_OPEN_FDS] - before[PROCESS_OPEN_FDS], 2);
    close(pair[0]);
    close(pair[1]);
}

/* Without descriptors it says that it does not know. */
TEST(leaves_out_what_it_is_not_told)
{
    double values[PROCESS_END];
    faults_begin(1); /* /proc/self/stat */
    process_measure(values);
    ck_assert(faults_end());
    ck_assert_double_eq(values[PROCESS_CPU], -1);
    ck_assert_double_eq(values[PROCESS_RESIDENT], -1);
    ck_assert_double_eq(values[PROCESS_START], -1);
}
