/* check_trace.c: the place of a request among those of other programs. */
#include "srv/out/trace.h"
#include "unit/unit.h"

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define SPAN "b7ad6b7169203331"

static uint64_t state = 7;

TEST(takes_over_what_is_valid)
{
    static const char *const valid[] = {
        "00-" TRACE "-" SPAN "-01",
        "cc-" TRACE "-" SPAN "-01",
        "01-" TRACE "-" SPAN "-01-what comes one day",
    };
    for (int i = 0; i < COUNT(valid); i++) {
        struct trace trace = trace_begin(valid[i], &state);
        ck_assert_msg(trace.id[0] == 0x0af7651916cd43dd, "%s", valid[i]);
        ck_assert(trace.id[1] == 0x8448eb211c80319c && trace.parent == 0xb7ad6b7169203331);
        ck_assert(trace.flags == 1 && trace.span && trace.span != trace.parent);
    }
    ck_assert_int_eq(trace_begin("00-" TRACE "-" SPAN "-ff", &state).flags, 0xff);
}

TEST(begins_anew_where_it_is_not)
{
    static const char *const invalid[] = {
        NULL,
        "",
        "00",
        "ff-" TRACE "-" SPAN "-01",
        "0G-" TRACE "-" SPAN "-01",
        "00-" TRACE "-" SPAN "-0",
        "00-" TRACE "-" SPAN "-0g",
        "00-" TRACE "-" SPAN "-011",
        "00-" TRACE "-" SPAN "-01-",
        "01-" TRACE "-" SPAN "-01.",
        "00_" TRACE "-" SPAN "-01",
        "00-" TRACE "_" SPAN "-01",
        "00-" TRACE "-" SPAN "_01",
        "00-0AF7651916CD43DD8448EB211C80319C-" SPAN "-01",
        "00-0af7651916cd43dd8448eb211c80319\xff-" SPAN "-01",
        "00-0af7651916cd43d/8448eb211c80319c-" SPAN "-01",
        "00-00000000000000000000000000000000-" SPAN "-01",
        "00-" TRACE "-0000000000000000-01",
        "00-" TRACE "-b7ad6b716920333:-01",
        "00-" TRACE "-" SPAN "-01, 00-" TRACE "-" SPAN "-01",
    };
    for (int i = 0; i < COUNT(invalid); i++) {
        struct trace trace = trace_begin(invalid[i], &state);
        ck_assert_msg(!trace.parent && !trace.flags, "%s", invalid[i]);
        ck_assert(trace.id[0] != 0x0af7651916cd43dd && (trace.id[0] || trace.id[1]) && trace.span);
    }
}

TEST(is_another_each_time)
{
    struct trace one = trace_begin(NULL, &state), other = trace_begin(NULL, &state);
    ck_assert(one.id[0] != other.id[0] && one.id[1] != other.id[1] && one.span != other.span);
}
