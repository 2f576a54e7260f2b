/* test.c: runs the tests that registered themselves, a suite for each file. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { FIXTURES_MAX = 64, SECONDS = 900 };

struct fixture {
    const char *file;
    void (*set_up)(void), (*tear_down)(void);
};

static struct test *tests, **last = &tests;
static struct fixture fixtures[FIXTURES_MAX];
static int fixture_count;

void test_fixture(const char *file, void (*set_up)(void), void (*tear_down)(void))
{
    if (fixture_count == FIXTURES_MAX)
        abort();
    fixtures[fixture_count++] = (struct fixture){file, set_up, tear_down};
}

/* "tests/unit/kit/check_heap.c" -> "heap" */
static void name_suite(struct test *test)
{
    const char *file = test->check->file;
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *mark = strchr(base, '_');
    strncpy(test->suite, mark ? mark + 1 : base, sizeof test->suite - 1);
    test->suite[strcspn(test->suite, ".")] = '\0';
}

void test_register(struct test *test)
{
    name_suite(test);
    *last = test;
    last = &test->next;
}

static TCase *case_of(const struct test *test)
{
    const struct test_options *options = &test->options;
    TCase *one = tcase_create(test->check->name);
    if (!getenv("CK_DEFAULT_TIMEOUT"))
        tcase_set_timeout(one, SECONDS);
    if (options->measures)
        tcase_set_tags(one, "measures");
    for (int i = 0; i < fixture_count; i++)
        if (!strcmp(fixtures[i].file, test->check->file))
            tcase_add_checked_fixture(one, fixtures[i].set_up, fixtures[i].tear_down);
    tcase_add_loop_test(one, test->check, options->first, options->end ? options->end : 1);
    return one;
}

int main(void)
{
    SRunner *runner = srunner_create(NULL);
    Suite *suite = NULL;
    const char *file = "";
    for (const struct test *test = tests; test; test = test->next) {
        if (strcmp(file, test->check->file) != 0) {
            file = test->check->file;
            srunner_add_suite(runner, suite = suite_create(test->suite));
        }
        suite_add_tcase(suite, case_of(test));
    }
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
