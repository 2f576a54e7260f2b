/*
 * test.h: tests that register themselves, run by Check.
 *
 *     TEST(adds_two_numbers) { ck_assert_int_eq(1 + 1, 2); }
 *     TEST(reads_rows, .end = COUNT(rows)) { use(rows[_i]); }
 *
 * The suite of a test is the name of its file: check_heap.c is "heap", prop_islands.c "islands". A
 * test is a case of its own, so that both can be chosen:
 *
 *     CK_RUN_SUITE=heap CK_RUN_CASE=is_built_from_any_order build/debug/unit
 */
#ifndef MAPWRIGHT_TEST_H
#define MAPWRIGHT_TEST_H

#include <check.h>
#include <stdbool.h>

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))

struct test_options {
    int first, end; /* the test runs for _i from first to end - 1; end 0: once, with _i = 0 */
    bool measures;  /* makes many or large maps: left out with a sanitizer (tag "measures") */
    bool declared;
};

struct test {
    const TTest *check;
    struct test_options options;
    struct test *next;
    char suite[64];
};

void test_register(struct test *);
/* Runs before and after each test of the file; either may be NULL. */
void test_fixture(const char *file, void (*set_up)(void), void (*tear_down)(void));

#define TEST(...) TEST_WITH(__VA_ARGS__, .declared = true) /* so that options are never empty */
#define TEST_WITH(name, ...) \
    static void name(int); \
    __attribute__((constructor)) static void register_##name(void) \
    { \
        static const TTest check = {#name, name, __FILE__, __LINE__}; \
        static struct test test = {.check = &check}; \
        test.options = (struct test_options){__VA_ARGS__}; \
        test_register(&test); \
    } \
    static void name(int _i __attribute__((unused)))

#define FIXTURE(set_up, tear_down) \
    __attribute__((constructor)) static void register_fixture(void) \
    { \
        test_fixture(__FILE__, set_up, tear_down); \
    }

#endif
