/* check_grace.c: until when workers are waited for. */
#include "srv/net/server.h"
#include "unit/unit.h"

/* Clients are gone this long after draining began; workers are waited for until then. In ms. */
static const struct {
    int drain, gone, until;
} ends[] = {
    {20000, 0, 20800}, {20000, 20000, 20800},    {20000, 20500, 20900}, /* the latest */
    {1, 0, 801},       {3600000, 5000, 3600800}, {1000, 90000, 90400},  /* the machine slept */
};

TEST(ends_within_a_second, .end = COUNT(ends))
{
    const int64_t began = INT64_C(5000000000);
    int64_t until = grace_end(began, ends[_i].drain, began + ends[_i].gone * INT64_C(1000));
    ck_assert_int_eq(until, began + ends[_i].until * INT64_C(1000));
}
