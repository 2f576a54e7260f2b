/* check_identity.c: names of maps, requests and answers. */
#include "srv/base/identity.h"

#include "unit/unit.h"

/* As Python's uuid.uuid5(uuid.NAMESPACE_URL, ...) has it. */
TEST(identities)
{
    char id[37];
    identity_of("/regions?v=1&seed=7", 19, id);
    ck_assert_str_eq(id, "cefe2975-d6f2-5c64-944d-8d743c98d376");
    identity_random((const uint64_t[]){0, UINT64_MAX}, id);
    ck_assert_str_eq(id, "00000000-0000-4000-bfff-ffffffffffff");
    ck_assert_str_eq(etag_of("/regions?v=1&seed=7", 19).text,
                     "\"cefe2975-d6f2-5c64-944d-8d743c98d376\"");
}
