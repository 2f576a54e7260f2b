/* check_uuid.c: names of maps, judged by libuuid. */
#include "kit/uuid.h"
#include "srv/base/identity.h"
#include "unit/unit.h"

/* Lengths around the ends of SHA-1's blocks, the namespace's 16 bytes included. */
TEST(is_what_libuuid_makes)
{
    char text[300], mine[37], theirs[37];
    for (int i = 0; i < 300; i++)
        text[i] = (char)('!' + i * 7 % 90);
    for (size_t n = 0; n <= sizeof text; n++) {
        mw_uuid_of_url(text, n, mine);
        identity_of(text, n, theirs);
        ck_assert_str_eq(mine, theirs);
    }
}
