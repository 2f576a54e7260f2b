/* check_number.c: decimal text, sizes, hexadecimal. */
#include "lib/number.h"
#include "unit/unit.h"

static const struct {
    const char *text;
    int decimals;
    int64_t value;
    bool exact;
} numbers[] = {
    {"-0", 0, 0, true},
    {"007", 0, 7, true},
    {"-12", 0, -12, true},
    {"10.0", 0, 10, true},
    {"1E+1", 0, 10, true},
    {"100e-2", 0, 1, true},
    {"12.3456e1", 3, 123456, true},
    {"0.5", 0, 1, false},
    {"-0.5", 0, -1, false},
    {"0.4999999999999999999999", 0, 0, false},
    {".25", 3, 250, true},
    {"2.", 3, 2000, true},
    {"0.0005", 3, 1, false},
    {"0.00049", 3, 0, false},
    {"1.2345", 3, 1235, false},
    {"9007199254740991", 0, INT64_C(9007199254740991), true},
    {"9007199254740991.5", 0, INT64_C(9007199254740992), false},
    {"999999999999999999", 0, INT64_C(999999999999999999), true},
    {"1000000000000000000", 0, MW_NUMBER_MOST, true},
    {"-99999999999999999999999", 0, -MW_NUMBER_MOST, true},
    {"1e400", 0, MW_NUMBER_MOST, true},
    {"1e999999999999", 0, MW_NUMBER_MOST, true},
    {"1e-400", 0, 0, false},
    {"0e400", 0, 0, true},
    {"0e-400", 0, 0, true},
    {"1.00000000000000000000001", 0, 1, false},
    {"1.00000000000000000000000", 0, 1, true},
    {"0.000000000000000000007e21", 0, 7, true},
};

TEST(numbers_are_rounded_half_away_from_zero, .end = COUNT(numbers))
{
    int64_t value = 0;
    bool exact = false;
    const char *text = numbers[_i].text;
    char longer[64];
    strcat(strcpy(longer, text), "5"); /* is not read */
    ck_assert(mw_read_number(longer, strlen(text), numbers[_i].decimals, &value, &exact));
    ck_assert_int_eq(value, numbers[_i].value);
    ck_assert(exact == numbers[_i].exact || value <= -MW_NUMBER_MOST || value >= MW_NUMBER_MOST);
}

TEST(what_is_no_number_is_refused)
{
    static const char *const texts[] = {"",   "-",  "+1",   ".",   "e1",    "1e",  "1e+",
                                        "1 ", " 1", "0x10", "1,5", "1.5.5", "inf", "nan"};
    int64_t value;
    bool exact;
    for (int i = 0; i < COUNT(texts); i++)
        ck_assert_msg(!mw_read_number(texts[i], strlen(texts[i]), 0, &value, &exact), "«%s»",
                      texts[i]);
}

static const struct {
    const char *text;
    int64_t bytes; /* -1: it is no size */
} sizes[] = {
    {"0", 0},
    {"1048576", 1 << 20},
    {"0064K", 1 << 16},
    {"3M", 3 << 20},
    {"2G", INT64_C(2) << 30},
    {"999999999999999999", MW_NUMBER_MOST - 1},
    {"931322573G", INT64_C(931322573) << 30},
    {"", -1},
    {"K", -1},
    {"-1", -1},
    {"1k", -1},
    {"1T", -1},
    {"1KB", -1},
    {"1.5M", -1},
    {"1000000000000000000", -1},
    {"931322574G", -1},
};

TEST(reads_sizes)
{
    for (int i = 0; i < COUNT(sizes); i++) {
        int64_t bytes = -1;
        bool good = mw_read_size(sizes[i].text, &bytes);
        ck_assert_msg(good == (sizes[i].bytes >= 0) && (!good || bytes == sizes[i].bytes),
                      "«%s» is %lld", sizes[i].text, (long long)bytes);
    }
}

TEST(reads_hexadecimal)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    static const char *const wrong[] = {"%4", "%4g", "%g4", "%", "", "41", "+41"};
    for (int c = 1; c < 256; c++) {
        const char *at = strchr(digits, c), text[] = {'%', 'f', (char)c, '\0'};
        int digit = at ? (int)(at - digits) % 16 : -1;
        ck_assert_int_eq(mw_hex_digit((char)c), digit);
        ck_assert_int_eq(mw_read_escape(text, text + 3), at ? 15 * 16 + digit : -1);
    }
    for (int i = 0; i < COUNT(wrong); i++)
        ck_assert_int_eq(mw_read_escape(wrong[i], wrong[i] + strlen(wrong[i])), -1);
}
