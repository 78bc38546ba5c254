#include "unit/job/support.h"

#include "job/profile/profile.h"

enum { ROWS = 40 };

/* Profiles one column of ROWS cells; the values of `p` live as long as the table. */
static kith_table *profile_of(column_profile *p, const char *name, const char *const cells[ROWS])
{
    kith_table *table = NULL;
    kith_error error = {0};
    context c;
    column_profile *profiles;
    kith_column_spec spec = {name, KITH_TYPE_STRING, NULL};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    assert_int_equal(kith_table_from_cells(&table, cells, ROWS, &options, &error), KITH_OK);
    assert_int_equal(context_init(&c, NULL, &error), KITH_OK);
    assert_int_equal(profile_table(&profiles, table, &c, &error), KITH_OK);
    *p = profiles[0];
    context_wipe(&c);
    return table;
}

typedef int number_of(int row);

/* Cells that print a number each. */
static void numbers(char texts[ROWS][16], const char *cells[ROWS], number_of *value)
{
    for (int i = 0; i < ROWS; i++) {
        snprintf(texts[i], 16, "%d", value(i));
        cells[i] = texts[i];
    }
}

static int falling(int row)
{
    return 100000 - 37 * row * row;
}

static int shuffled(int row)
{
    return 1000 + row * 17 % ROWS;
}

static int scattered(int row)
{
    return 1000 + (row * 7919 + 13) % 90001;
}

static int repeated(int row)
{
    return row / 2;
}

static int long_and_scattered(int row)
{
    return 756000000 + scattered(row * 31 % 40) * 17;
}

static void serial_numbers_are_found(void **state)
{
    (void)state;
    static const struct {
        number_of *value;
        bool serial;
    } cases[] = {{falling, true},
                 {shuffled, true},
                 {scattered, false},
                 {repeated, false},
                 {long_and_scattered, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[ROWS][16];
        const char *cells[ROWS];
        column_profile p;
        numbers(texts, cells, cases[i].value);
        kith_table *table = profile_of(&p, "x", cells);
        assert_int_equal(p.serial, cases[i].serial);
        assert_int_equal(p.role, cases[i].serial ? ROLE_IDENTIFYING : ROLE_QUASI_IDENTIFYING);
        kith_table_free(table);
    }
}

static void few_texts_spoil_a_type(void **state)
{
    (void)state;
    char texts[ROWS][16];
    const char *cells[ROWS];
    column_profile p;
    numbers(texts, cells, scattered);
    cells[3] = cells[7] = "NA";
    cells[11] = "k.A.";
    kith_table *table = profile_of(&p, "x", cells);
    assert_int_equal(p.type, KITH_TYPE_STRING);
    assert_int_equal(p.spoilers.count, 2);
    assert_int_equal(p.spoilers.n_cells, 3);
    assert_int_equal(p.spoilers.type, KITH_TYPE_INTEGER);
    assert_true(p.spoilers.missing);
    assert_int_equal(p.role, ROLE_QUASI_IDENTIFYING); /* different, but no names */
    kith_table_free(table);

    cells[12] = "12a"; /* a slip: it does not mean missing */
    table = profile_of(&p, "x", cells);
    assert_int_equal(p.spoilers.count, 3);
    assert_false(p.spoilers.missing);
    kith_table_free(table);

    for (int i = 0; i < 6; i++)
        cells[20 + i] = (const char *[]){"a", "b", "c", "d", "e", "f"}[i];
    table = profile_of(&p, "x", cells);
    assert_int_equal(p.spoilers.count, 0); /* too many */
    kith_table_free(table);
}

static void spoiled_formats(void **state)
{
    (void)state;
    const char *cells[ROWS];
    column_profile p;
    for (int i = 0; i < ROWS; i++)
        cells[i] = i % 4 == 0 ? "1,5" : i % 4 == 1 ? "2,25" : i % 4 == 2 ? "1.000,5" : "?";
    kith_table *table = profile_of(&p, "x", cells);
    assert_int_equal(p.spoilers.type, KITH_TYPE_DECIMAL);
    assert_string_equal(p.spoilers.format, ",");
    assert_int_equal(p.spoilers.n_cells, 10);
    kith_table_free(table);
    for (int i = 0; i < ROWS; i++)
        cells[i] = i % 4 == 0   ? "31.12.1999"
                   : i % 4 == 1 ? "01.02.2003"
                   : i % 4 == 2 ? "NULL"
                                : NULL;
    table = profile_of(&p, "x", cells);
    assert_int_equal(p.spoilers.type, KITH_TYPE_DATE);
    assert_string_equal(p.spoilers.format, "%d.%m.%Y");
    kith_table_free(table);
    for (int i = 0; i < ROWS; i++) /* words beside few numbers are values */
        cells[i] = i % 3 == 0 ? "1" : i % 3 == 1 ? "2" : "many";
    table = profile_of(&p, "x", cells);
    assert_int_equal(p.spoilers.count, 0);
    kith_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_numbers_are_found),
        cmocka_unit_test(few_texts_spoil_a_type),
        cmocka_unit_test(spoiled_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
