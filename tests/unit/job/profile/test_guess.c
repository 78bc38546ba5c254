#include "unit/job/support.h"

#include "job/profile/guess.h"
#include "table/table.h"

enum { MAX_VALUES = 4 };

/* A column of strings with these values, up to the first NULL. */
static kith_table *column_of(const char *const cells[MAX_VALUES])
{
    kith_table *table = NULL;
    kith_error error = {0};
    kith_column_spec spec = {"x", KITH_TYPE_STRING, NULL};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    size_t n_rows = 0;
    while (n_rows < MAX_VALUES && cells[n_rows] != NULL)
        n_rows++;
    if (kith_table_from_cells(&table, cells, n_rows, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

/* Whatever format is found, the reader of tables must take all values in it. */
static void reads_back(const dictionary *values, const char *format)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (uint32_t i = 0; i < values->count; i++)
        assert_true(guess_type_fits(dictionary_text(values, i), dictionary_length(values, i),
                                    KITH_TYPE_DATE, format, c_locale));
    freelocale(c_locale);
}

static void has_format(const char *expected, bool expect_ambiguous,
                       const char *const cells[MAX_VALUES])
{
    kith_table *table = column_of(cells);
    bool ambiguous = !expect_ambiguous;
    const dictionary *values = &table->columns[0].values;
    const char *format = guess_format_date(values, &ambiguous);
    if (expected == NULL) {
        if (format != NULL)
            fail_msg("%s…: %s", cells[0], format);
    } else {
        if (format == NULL)
            fail_msg("%s…: no format", cells[0]);
        assert_string_equal(format, expected);
        reads_back(values, format);
    }
    assert_int_equal(ambiguous, expect_ambiguous);
    kith_table_free(table);
}

#define VALUES(...) ((const char *const[MAX_VALUES]){__VA_ARGS__})

static void dates_have_formats(void **state)
{
    (void)state;
    has_format("%d.%m.%Y", false, VALUES("12.10.1969", "1.2.2000", "29.02.2024"));
    has_format("%d.%m.%Y", false, VALUES("01.02.2000"));
    has_format("%Y/%m/%d", false, VALUES("1969/10/12", "1970/1/2"));
    has_format("%Y.%m.%d", false, VALUES("1969.10.12"));
    has_format("%d/%m/%Y", false, VALUES("10/12/1969", "13/12/1969"));
    has_format("%m/%d/%Y", false, VALUES("10/12/1969", "12/13/1969"));
    has_format("%d-%m-%Y", false, VALUES("12-10-1969", "31-10-1969"));
    has_format("%m-%d-%Y", false, VALUES("12-10-1969", "10-31-1969"));
}

static void times_belong_to_the_format(void **state)
{
    (void)state;
    has_format("%Y-%m-%d %H:%M:%S", false, VALUES("2024-03-01 08:00:00", "2024-03-01 23:59:59"));
    has_format("%Y-%m-%d %H:%M", false, VALUES("2024-03-01 08:00"));
    has_format("%Y-%m-%dT%H:%M", false, VALUES("2024-03-01T08:00"));
    has_format("%Y-%m-%dT%H:%M:%S", false, VALUES("2024-03-01T08:00:00"));
    has_format("%Y-%m-%dT%H:%M:%SZ", false, VALUES("2024-03-01T08:00:00Z"));
    has_format("%d.%m.%Y %H:%M", false, VALUES("1.3.2024 08:00", "31.12.2023 00:00"));
    has_format("%m/%d/%Y %H:%M", false, VALUES("12/31/2023 08:00"));
    has_format("%d/%m/%Y %H:%M", true, VALUES("12/11/2023 08:00"));
    has_format(NULL, false, VALUES("2024-03-01 08:00:00", "2024-03-01"));
    has_format(NULL, false, VALUES("2024-03-01 08:00:00", "2024-03-01 08:00"));
    has_format(NULL, false, VALUES("2024-03-01 24:00"));
    has_format(NULL, false, VALUES("2024-03-01 08:60"));
    has_format(NULL, false, VALUES("2024-03-01 08:00:60"));
    has_format(NULL, false, VALUES("2024-03-01 8:00"));
    has_format(NULL, false, VALUES("2024-03-01 08:00:00.5"));
    has_format(NULL, false, VALUES("2024-03-01 08:00:00Z"));
    has_format(NULL, false, VALUES("2024-03-01 08"));
    has_format(NULL, false, VALUES("2024-03-01T"));
}

static void ambiguous_dates_are_day_first(void **state)
{
    (void)state;
    has_format("%d/%m/%Y", true, VALUES("10/12/1969", "01/02/2000"));
    has_format("%d-%m-%Y", true, VALUES("12-10-1969"));
}

static void others_have_no_format(void **state)
{
    (void)state;
    has_format(NULL, false, VALUES(NULL));
    has_format(NULL, false, VALUES("30.02.2000"));
    has_format(NULL, false, VALUES("29.02.2023"));
    has_format(NULL, false, VALUES("10.13.1969"));
    has_format(NULL, false, VALUES("13/12/1969", "12/13/1969"));
    has_format(NULL, false, VALUES("12.10.1969", "12/10/1969"));
    has_format(NULL, false, VALUES("12.10/1969"));
    has_format(NULL, false, VALUES("12.10.1969", "unknown"));
    has_format(NULL, false, VALUES("12.10.1969 "));
    has_format(NULL, false, VALUES("12.10."));
    has_format(NULL, false, VALUES("12.10"));
    has_format(NULL, false, VALUES("0.10.1969"));
    has_format(NULL, false, VALUES("12.10.19690"));
    has_format(NULL, false, VALUES("012.10.1969"));
    has_format(NULL, false, VALUES("12:10:1969"));
}

static void short_years_have_formats(void **state)
{
    (void)state;
    has_format("%d.%m.%y", false, VALUES("12.10.69", "29.02.00"));
    has_format("%m/%d/%y", false, VALUES("12/31/69"));
    has_format("%d/%m/%y", true, VALUES("12/10/69"));
    has_format(NULL, false, VALUES("13.13.69"));
    has_format(NULL, false, VALUES("1.2.13")); /* a version of something */
    has_format(NULL, false, VALUES("12.10.69", "12.10.1969"));
}

static void has_mark(const char *expected, bool expect_ambiguous, bool semicolons,
                     const char *const cells[MAX_VALUES])
{
    kith_table *table = column_of(cells);
    bool ambiguous = false;
    const char *format = guess_format_number(&table->columns[0].values, semicolons, &ambiguous);
    if (expected == NULL)
        assert_null(format);
    else
        assert_string_equal(format, expected);
    assert_int_equal(ambiguous, expect_ambiguous);
    kith_table_free(table);
}

static void numbers_have_marks(void **state)
{
    (void)state;
    has_mark(",", false, true, VALUES("1234,50", "-7", "+0,5"));
    has_mark(",", false, false, VALUES("1.234.567,50", "12"));
    has_mark(".", false, true, VALUES("1,234,567.50", "12.5"));
    has_mark(".", false, false, VALUES("1'234.50", "12"));
    has_mark(",", true, true, VALUES("1,234", "12"));
    has_mark(".", true, false, VALUES("1,234", "12"));
    has_mark(NULL, false, true, VALUES("1234.50", "12")); /* plain */
    has_mark(NULL, false, true, VALUES("007", "12"));
    has_mark(NULL, false, true, VALUES("007", "1,5"));
    has_mark(NULL, false, true, VALUES("1234,50", "x"));
    has_mark(NULL, false, true, VALUES("1234,x"));
    has_mark(NULL, false, true, VALUES("1,2,3"));
    has_mark(NULL, false, true, VALUES("-,"));
    has_mark(NULL, false, true, VALUES("Meier, Anna"));
    has_mark(NULL, false, true, VALUES(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_have_formats),    cmocka_unit_test(ambiguous_dates_are_day_first),
        cmocka_unit_test(others_have_no_format), cmocka_unit_test(short_years_have_formats),
        cmocka_unit_test(numbers_have_marks),    cmocka_unit_test(times_belong_to_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
