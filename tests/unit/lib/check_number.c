/* check_number.c: decimal text. */
#include "lib/number.h"
#include "unit/unit.h"

static const struct {
    const char *text;
    int decimals;
    bool good;
    int64_t value;
    bool exact;
} rows[] = {
    {"0", 0, true, 0, true},
    {"-0", 0, true, 0, true},
    {"7", 0, true, 7, true},
    {"007", 0, true, 7, true},
    {"-12", 0, true, -12, true},
    {"10.0", 0, true, 10, true},
    {"1e1", 0, true, 10, true},
    {"1E+1", 0, true, 10, true},
    {"100e-2", 0, true, 1, true},
    {"100e-1", 0, true, 10, true},
    {"12.3456e1", 3, true, 123456, true},
    {"0.5", 0, true, 1, false},
    {"-0.5", 0, true, -1, false},
    {"0.4999999999999999999999", 0, true, 0, false},
    {"0.25", 3, true, 250, true},
    {".25", 3, true, 250, true},
    {"2.", 3, true, 2000, true},
    {"0.0005", 3, true, 1, false},
    {"0.00049", 3, true, 0, false},
    {"1.2345", 3, true, 1235, false},
    {"9007199254740991", 0, true, INT64_C(9007199254740991), true},
    {"9007199254740992", 0, true, INT64_C(9007199254740992), true},
    {"9007199254740991.5", 0, true, INT64_C(9007199254740992), false},
    {"999999999999999999", 0, true, INT64_C(999999999999999999), true},
    {"1000000000000000000", 0, true, MW_NUMBER_MOST, true},
    {"99999999999999999999999", 0, true, MW_NUMBER_MOST, false},
    {"-99999999999999999999999", 0, true, -MW_NUMBER_MOST, false},
    {"1e400", 0, true, MW_NUMBER_MOST, true},
    {"1e999999999999", 0, true, MW_NUMBER_MOST, true},
    {"1e-400", 0, true, 0, false},
    {"0e400", 0, true, 0, true},
    {"0e-400", 0, true, 0, true},
    {"1.00000000000000000000001", 0, true, 1, false},
    {"1.00000000000000000000000", 0, true, 1, true},
    {"0.000000000000000000007e21", 0, true, 7, true},
    {"", 0, false, 0, false},
    {"-", 0, false, 0, false},
    {"+1", 0, false, 0, false},
    {".", 0, false, 0, false},
    {"e1", 0, false, 0, false},
    {"1e", 0, false, 0, false},
    {"1e+", 0, false, 0, false},
    {"1 ", 0, false, 0, false},
    {" 1", 0, false, 0, false},
    {"0x10", 0, false, 0, false},
    {"1,5", 0, false, 0, false},
    {"1.5.5", 0, false, 0, false},
    {"inf", 0, false, 0, false},
    {"nan", 0, false, 0, false},
};

TEST(reads, .end = COUNT(rows))
{
    int64_t value = 0;
    bool exact = false;
    bool good =
        mw_read_number(rows[_i].text, strlen(rows[_i].text), rows[_i].decimals, &value, &exact);
    ck_assert_msg(good == rows[_i].good, "«%s» is%s read", rows[_i].text, good ? "" : " not");
    if (!good)
        return;
    ck_assert_msg(value == rows[_i].value && (exact == rows[_i].exact || value == MW_NUMBER_MOST),
                  "«%s» is %lld, %sexact", rows[_i].text, (long long)value, exact ? "" : "not ");
}

TEST(stops_at_the_length)
{
    int64_t value;
    bool exact;
    ck_assert(mw_read_number("12345", 2, 0, &value, &exact));
    ck_assert_int_eq(value, 12);
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
    {" 1", -1},
    {"1k", -1},
    {"1T", -1},
    {"1KB", -1},
    {"1.5M", -1},
    {"1000000000000000000", -1},
    {"99999999999999999999", -1},
    {"931322574G", -1},
};

TEST(reads_sizes, .end = COUNT(sizes))
{
    int64_t bytes = -1;
    bool good = mw_read_size(sizes[_i].text, &bytes);
    ck_assert_msg(good == (sizes[_i].bytes >= 0) && (!good || bytes == sizes[_i].bytes),
                  "«%s» is %lld", sizes[_i].text, (long long)bytes);
}

TEST(reads_hexadecimal)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    int count = 0;
    for (int c = -128; c < 128; c++) {
        const char *at = c ? strchr(digits, c) : NULL;
        ck_assert_int_eq(mw_hex_digit((char)c), at ? (int)(at - digits) % 16 : -1);
        count += mw_hex_digit((char)c) >= 0;
    }
    ck_assert_int_eq(count, 22);
}

TEST(reads_escapes)
{
    static const struct {
        const char *text;
        int byte;
    } escapes[] = {{"%41", 'A'}, {"%fF0", 255}, {"%00", 0}, {"%4", -1}, {"%4g", -1},
                   {"%g4", -1},  {"%", -1},     {"", -1},   {"41", -1}, {"+41", -1}};
    for (int i = 0; i < COUNT(escapes); i++) {
        const char *text = escapes[i].text;
        ck_assert_msg(mw_read_escape(text, text + strlen(text)) == escapes[i].byte, "«%s»", text);
    }
}
