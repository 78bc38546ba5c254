/* Decimals of columns, and numbers that are too long for exact means. */
#include "job/prepare/mean_scale.h"

#include "unit/job/support.h"

/* A column of these numbers; `format` is that of kith_column_spec. */
static kith_table *numbers(const char *const *cells, size_t n, kith_type type, const char *format)
{
    const kith_column_spec spec = {.name = "x", .type = type, .date_format = format};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    kith_table *table = NULL;
    kith_error error;
    if (kith_table_from_cells(&table, cells, n, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

/* The decimals of the column and its numbers in units of them. */
static void scales(const char *const *cells, size_t n, kith_type type, const char *format,
                   uint32_t decimals, const int64_t *units)
{
    kith_table *table = numbers(cells, n, type, format);
    const column *c = &table->columns[0];
    uint32_t found;
    assert_int_equal(mean_scale_find(&found, &c->values, "x", NULL), KITH_OK);
    assert_int_equal(found, decimals);
    for (size_t i = 0; i < n; i++)
        assert_true(mean_scale_units(&c->values, c->codes[i], found) == units[i]);
    kith_table_free(table);
}

static void integers_are_exact(void **state)
{
    (void)state;
    static const char *const cells[] = {"9223372036854775807", "-7", "007"};
    static const int64_t units[] = {INT64_MAX, -7, 7};
    scales(cells, 3, KITH_TYPE_INTEGER, NULL, 0, units);
}

static void the_longest_number_counts(void **state)
{
    (void)state;
    static const char *const cells[] = {"1.5", "2", "0.30", "-0.07"};
    static const int64_t units[] = {150, 200, 30, -7};
    scales(cells, 4, KITH_TYPE_DECIMAL, NULL, 2, units);
}

static void exponents_move_the_mark(void **state)
{
    (void)state;
    static const char *const cells[] = {"1.5e3", "1e-3", "25E-1"};
    static const int64_t units[] = {1500000, 1, 2500};
    scales(cells, 3, KITH_TYPE_DECIMAL, NULL, 3, units);
}

static void marks_and_groups(void **state)
{
    (void)state;
    static const char *const cells[] = {"1.234,5", "0,25"};
    static const int64_t units[] = {123450, 25};
    scales(cells, 2, KITH_TYPE_DECIMAL, ",", 2, units);
}

static void fifteen_digits_are_exact(void **state)
{
    (void)state;
    static const char *const cells[] = {"99999999999999.9", "0.3", "12345678901234.5"};
    static const int64_t units[] = {999999999999999, 3, 123456789012345};
    scales(cells, 3, KITH_TYPE_DECIMAL, NULL, 1, units);
}

static void refuses(const char *const *cells, size_t n, const char *message)
{
    kith_table *table = numbers(cells, n, KITH_TYPE_DECIMAL, NULL);
    kith_error error;
    uint32_t decimals;
    assert_int_equal(mean_scale_find(&decimals, &table->columns[0].values, "x", &error), KITH_DATA);
    assert_string_equal(error.message, message);
    kith_table_free(table);
}

static void longer_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const both[] = {"1000000000000", "0.001"}, *const tiny[] = {"1e-16", "2"},
                             *const huge[] = {"1e15"};
    refuses(both, 2,
            "column x: means are computed from numbers of up to 15 digits; '1000000000000' has "
            "more, with the 3 decimals of the column");
    refuses(tiny, 2,
            "column x: means are computed from numbers of up to 15 digits; '1e-16' has more, with "
            "the 16 decimals of the column");
    refuses(huge, 1,
            "column x: means are computed from numbers of up to 15 digits; '1e15' has more, with "
            "the 0 decimals of the column");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact),       cmocka_unit_test(the_longest_number_counts),
        cmocka_unit_test(exponents_move_the_mark),  cmocka_unit_test(marks_and_groups),
        cmocka_unit_test(fifteen_digits_are_exact), cmocka_unit_test(longer_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
