/* The text of every type, by streams with one column. Expected texts are worked out by hand or
 * with Python's decimal, datetime and struct modules. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "support/arrow_check.h"
#include "table/table.h"

static void integers_of_every_width(void **state)
{
    (void)state;
    assert_one("c", 3, 2, BUFFERS(NULL, (int8_t[]){-128, 0, 127}), "-128 0 127");
    assert_one("C", 2, 2, BUFFERS(NULL, (uint8_t[]){0, 255}), "0 255");
    assert_one("s", 2, 2, BUFFERS(NULL, (int16_t[]){INT16_MIN, INT16_MAX}), "-32768 32767");
    assert_one("S", 2, 2, BUFFERS(NULL, (uint16_t[]){1, UINT16_MAX}), "1 65535");
    assert_one("i", 2, 2, BUFFERS(NULL, (int32_t[]){INT32_MIN, INT32_MAX}),
               "-2147483648 2147483647");
    assert_one("I", 1, 2, BUFFERS(NULL, (uint32_t[]){UINT32_MAX}), "4294967295");
    assert_one("l", 2, 2, BUFFERS(NULL, (int64_t[]){INT64_MIN, INT64_MAX}),
               "-9223372036854775808 9223372036854775807");
    assert_one("L", 2, 2, BUFFERS(NULL, (uint64_t[]){UINT64_MAX, 10}), "18446744073709551615 10");
}

static void floats_are_short(void **state)
{
    (void)state;
    assert_one("g", 6, 2, BUFFERS(NULL, (double[]){0.1, -2.5, 34, 1e300, -0.0, (double)NAN}),
               "0.1 -2.5 34 1e+300 0 -");
    assert_one("f", 6, 2, BUFFERS(NULL, (float[]){0.1F, 16777216, 3.4028235e38F, 1e-45F, -1.1F, 0}),
               "0.1 16777216 3.4028235e+38 1e-45 -1.1 0");
    /* 0.1, 65504 (the largest), the smallest, -2, 1/3, NaN */
    assert_one("e", 6, 2,
               BUFFERS(NULL, (uint16_t[]){0x2e66, 0x7bff, 0x0001, 0xc000, 0x3555, 0x7e00}),
               "0.1 65500 6e-08 -2 0.3333 -");
}

/* Every half reads back as itself, and no shorter text does. */
static void every_half_reads_back(void **state)
{
    (void)state;
    static uint16_t all[31 * 1024];
    static double wide[31 * 1024];
    arrow_source s;
    const int64_t count = sizeof all / sizeof *all;
    for (uint16_t i = 0; i < count; i++) {
        all[i] = i;
        wide[i] = i < 1024 ? ldexp(i, -24) : ldexp(1024 + i % 1024, i / 1024 - 25);
    }
    arrow_check_one(&s, "e", count, 2, BUFFERS(NULL, all));
    kith_table *table = arrow_check_read(&s, NULL);
    for (int64_t i = 0; i < count; i++) {
        const double found = table->columns[0].values.decimal[table->columns[0].codes[i]];
        const double below = i == 0 ? 0 : (wide[i - 1] + wide[i]) / 2;
        const double above = i + 1 == count ? 65520 : (wide[i] + wide[i + 1]) / 2;
        assert_true(i == 0 ? found == 0 : found > below && found < above);
    }
    kith_table_free(table);
}

static void infinite_numbers_are_refused(void **state)
{
    (void)state;
    arrow_source s;
    const double numbers[] = {1, (double)-INFINITY};
    arrow_check_one(&s, "g", 2, 2, BUFFERS(NULL, numbers));
    assert_refused(&s, NULL, KITH_DATA, "the table, batch 1: row 2: an infinite number (column x)");
}

static void decimals_keep_their_digits(void **state)
{
    (void)state;
    const int64_t narrow[] = {150, 0, -5, -1, -1234567, -1, 0, 0};
    assert_one("d:10,2", 4, 2, BUFFERS(NULL, narrow), "1.50 -0.05 -12345.67 0.00");
    assert_one("d:10,0", 1, 2, BUFFERS(NULL, narrow), "150");
    assert_one("d:10,-3", 4, 2, BUFFERS(NULL, narrow), "150000 -5000 -1234567000 0");
    /* 2^127 - 1 and -2^127 */
    const uint64_t wide[] = {UINT64_MAX, INT64_MAX, 0, UINT64_C(1) << 63};
    assert_one(
        "d:38,5", 2, 2, BUFFERS(NULL, wide),
        "1701411834604692317316873037158841.05727 -1701411834604692317316873037158841.05728");
    /* -2^255 and 2^64 */
    const uint64_t widest[] = {0, 0, 0, UINT64_C(1) << 63, 0, 1, 0, 0};
    assert_one("d:76,0,256", 2, 2, BUFFERS(NULL, widest),
               "-57896044618658097711785492504343953926634992332820282019728792003956564819968 "
               "18446744073709551616");
    assert_one("d:76,76,256", 1, 2, BUFFERS(NULL, widest + 4),
               "0.00000000000000000000000000000000000000000000000000000000"
               "18446744073709551616");
    assert_one("d:9,1,32", 2, 2, BUFFERS(NULL, (int32_t[]){-15, 7}), "-1.5 0.7");
    assert_one("d:18,1,64", 2, 2, BUFFERS(NULL, (int64_t[]){INT64_MIN, 7}),
               "-922337203685477580.8 0.7");
}

static void booleans_and_nulls(void **state)
{
    (void)state;
    const uint8_t bits[] = {0x05, 0x01}, valid[] = {0xfd, 0x01};
    assert_one("b", 9, 2, BUFFERS(valid, bits), "true - true false false false false false true");
    assert_one("n", 3, 0, BUFFERS(NULL), "- - -");
    assert_one("n", 3, 1, BUFFERS(NULL), "- - -");
}

static void dates_and_timestamps(void **state)
{
    (void)state;
    assert_one("tdD", 5, 2, BUFFERS(NULL, (int32_t[]){0, -1, 19782, -719528, 2932896}),
               "1970-01-01 1969-12-31 2024-02-29 0000-01-01 9999-12-31");
    assert_one("tdm", 2, 2, BUFFERS(NULL, (int64_t[]){-86400000, 1709164800000}),
               "1969-12-31 2024-02-29");
    assert_one("tss:", 3, 2, BUFFERS(NULL, (int64_t[]){0, -1, 1709164800}),
               "1970-01-01T00:00:00 1969-12-31T23:59:59 2024-02-29T00:00:00");
    assert_one("tsm:", 2, 2, BUFFERS(NULL, (int64_t[]){-1, 1500}),
               "1969-12-31T23:59:59.999 1970-01-01T00:00:01.5");
    assert_one("tsu:Europe/Berlin", 2, 2, BUFFERS(NULL, (int64_t[]){1000001, 1000000}),
               "1970-01-01T00:00:01.000001Z 1970-01-01T00:00:01Z");
    assert_one("tsn:", 2, 2, BUFFERS(NULL, (int64_t[]){INT64_MIN, INT64_MAX}),
               "1677-09-21T00:12:43.145224192 2262-04-11T23:47:16.854775807");
}

static void dates_that_cannot_be_written(void **state)
{
    (void)state;
    arrow_source s;
    arrow_check_one(&s, "tdD", 2, 2, BUFFERS(NULL, (int32_t[]){0, 2932897}));
    assert_refused(&s, NULL, KITH_DATA,
                   "the table, batch 1: row 2: a date outside the years 0 to 9999 (column x)");
    arrow_check_one(&s, "tss:", 1, 2, BUFFERS(NULL, (int64_t[]){INT64_MIN}));
    assert_refused(&s, NULL, KITH_DATA,
                   "the table, batch 1: row 1: a date outside the years 0 to 9999 (column x)");
    arrow_check_one(&s, "tdm", 1, 2, BUFFERS(NULL, (int64_t[]){1}));
    assert_refused(&s, NULL, KITH_DATA,
                   "the table, batch 1: row 1: an Arrow date that is no whole day (column x)");
}

static void read_as_date(const char *format, const char *date_format, const int64_t *ticks,
                         const char *expected)
{
    const kith_column_spec wanted = {"x", KITH_TYPE_DATE, date_format};
    arrow_source s;
    arrow_check_one(&s, format, 2, 2, BUFFERS(NULL, ticks));
    kith_table *table =
        arrow_check_read(&s, &(kith_table_options)KITH_OPTIONS(kith_table_options,
                                                               .columns = &wanted, .n_columns = 1));
    assert_cells(table, 0, expected);
    assert_int_equal(table->columns[0].values.type, KITH_TYPE_DATE);
    kith_table_free(table);
}

static void timestamps_wanted_as_dates(void **state)
{
    (void)state;
    const int64_t midnights[] = {0, 1709164800}, times[] = {61, 1709164800},
                  days[] = {86400000, 86400000};
    read_as_date("tss:", NULL, midnights, "1970-01-01 2024-02-29");
    read_as_date("tss:", "%d.%m.%Y", midnights, "01.01.1970 29.02.2024");
    read_as_date("tss:UTC", "%Y-%m-%d,%H:%M:%S", times, "1970-01-01,00:01:01 2024-02-29,00:00:00");
    read_as_date("tdm", "%d.%m.%y", days, "02.01.70 02.01.70");
    const kith_column_spec plain = {"x", KITH_TYPE_DATE, NULL},
                           day = {"x", KITH_TYPE_DATE, "%d.%m.%Y"};
    arrow_source s;
    arrow_check_one(&s, "tss:", 2, 2, BUFFERS(NULL, times));
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &plain, .n_columns = 1);
    assert_refused(&s, &options, KITH_DATA,
                   "the table, batch 1: row 1: '1970-01-01T00:01:01' is not a date YYYY-MM-DD "
                   "(column x)");
    options.columns = &day;
    assert_refused(&s, &options, KITH_DATA,
                   "the table, batch 1: row 1: '1970-01-01T00:01:01' is not a date of format "
                   "%d.%m.%Y (column x)");
}

static void nearest_types(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        kith_type type;
    } cases[] = {
        {"c", KITH_TYPE_INTEGER},     {"L", KITH_TYPE_STRING},       {"I", KITH_TYPE_INTEGER},
        {"e", KITH_TYPE_DECIMAL},     {"d:15,2", KITH_TYPE_DECIMAL}, {"d:16,2", KITH_TYPE_STRING},
        {"d:5,-2", KITH_TYPE_STRING}, {"tdD", KITH_TYPE_DATE},       {"tsn:", KITH_TYPE_STRING},
        {"b", KITH_TYPE_STRING},      {"n", KITH_TYPE_STRING},       {"vu", KITH_TYPE_STRING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arrow_source s;
        arrow_source_init(&s);
        arrow_source_column(&s, "x", cases[i].format, NULL);
        arrow_source_column(&s, "y", "S", cases[i].format);
        kith_table *table = arrow_check_read(&s, NULL);
        assert_int_equal(table->columns[0].values.type, cases[i].type);
        assert_int_equal(table->columns[1].values.type, cases[i].type);
        kith_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_every_width),
        cmocka_unit_test(floats_are_short),
        cmocka_unit_test(every_half_reads_back),
        cmocka_unit_test(infinite_numbers_are_refused),
        cmocka_unit_test(decimals_keep_their_digits),
        cmocka_unit_test(booleans_and_nulls),
        cmocka_unit_test(dates_and_timestamps),
        cmocka_unit_test(dates_that_cannot_be_written),
        cmocka_unit_test(timestamps_wanted_as_dates),
        cmocka_unit_test(nearest_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
