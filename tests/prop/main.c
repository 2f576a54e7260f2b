/* main.c: the suites of what single generators promise, in one binary. */
#include <check.h>
#include <stdlib.h>

/* SUITES comes from the Makefile: SUITE(regions) ... */
#define SUITE(name) Suite *prop_##name(void);
SUITES
#undef SUITE

int main(void)
{
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, prop_##name());
    SUITES
#undef SUITE
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
