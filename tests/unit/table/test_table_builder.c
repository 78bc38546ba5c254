#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/rng.h"
#include "table/table_builder.h"

static kith_table *column_of(kith_column_spec spec, const char *const *cells, size_t n_rows)
{
    kith_table *table;
    kith_error error = {0};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    kith_status status = kith_table_from_cells(&table, cells, n_rows, &options, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KITH_OK);
    return table;
}

static void texts_are(const kith_table *table, const char *const *texts, uint32_t count)
{
    const dictionary *d = &table->columns[0].values;
    assert_int_equal(d->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(dictionary_text(d, i), texts[i]);
        assert_int_equal(dictionary_length(d, i), strlen(texts[i]));
    }
}

static void test_strings(void **state)
{
    (void)state;
    const char *const cells[] = {"b", "", NULL, "a", "ab", "b", "é", "B"};
    const char *const sorted[] = {"B", "a", "ab", "b", "é"};
    kith_table *t = column_of((kith_column_spec){.name = "x"}, cells, 8);
    texts_are(t, sorted, 5);
    const uint32_t codes[] = {3, TABLE_MISSING, TABLE_MISSING, 1, 2, 3, 4, 0};
    assert_memory_equal(t->columns[0].codes, codes, sizeof codes);
    assert_null(t->columns[0].values.whole);
    kith_table_free(t);
}

/* Every text has its own code, so that it can be released as it was; of one number the shortest
 * comes first, then the first by bytes. */
static void test_integers(void **state)
{
    (void)state;
    const char *const cells[] = {
        "10", "9", "+9", "-3", "009", "-0", "00", "9223372036854775807", "-9223372036854775808"};
    const char *const sorted[] = {"-9223372036854775808", "-3", "-0", "00", "9", "+9", "009", "10",
                                  "9223372036854775807"};
    kith_table *t = column_of((kith_column_spec){.name = "x", .type = KITH_TYPE_INTEGER}, cells, 9);
    texts_are(t, sorted, 9);
    const uint32_t codes[] = {7, 4, 5, 1, 6, 2, 3, 8, 0};
    assert_memory_equal(t->columns[0].codes, codes, sizeof codes);
    assert_int_equal(t->columns[0].values.whole[0], INT64_MIN);
    assert_int_equal(t->columns[0].values.whole[7], 10);
    uint32_t value_of[9];
    const uint32_t expected[] = {0, 1, 2, 2, 3, 3, 3, 4, 5};
    assert_int_equal(dictionary_values(&t->columns[0].values, value_of), 6);
    assert_memory_equal(value_of, expected, sizeof expected);
    kith_table_free(t);
}

static void test_decimals(void **state)
{
    (void)state;
    const char *const cells[] = {"1.50", "1.5", "-2", "15e-1", "1e3", "-0.0", "0", "-1e-300"};
    const char *const sorted[] = {"-2", "-1e-300", "0", "-0.0", "1.5", "1.50", "15e-1", "1e3"};
    kith_table *t = column_of((kith_column_spec){.name = "x", .type = KITH_TYPE_DECIMAL}, cells, 8);
    texts_are(t, sorted, 8);
    const uint32_t codes[] = {5, 4, 0, 6, 7, 3, 2, 1};
    assert_memory_equal(t->columns[0].codes, codes, sizeof codes);
    assert_true(t->columns[0].values.decimal[7] == 1000);
    uint32_t value_of[8];
    const uint32_t expected[] = {0, 1, 2, 2, 3, 3, 3, 4};
    assert_int_equal(dictionary_values(&t->columns[0].values, value_of), 5);
    assert_memory_equal(value_of, expected, sizeof expected);
    kith_table_free(t);
}

static void test_dates(void **state)
{
    (void)state;
    const char *const iso[] = {"2024-02-29", "1969-12-31", "1970-01-01"};
    const char *const iso_sorted[] = {"1969-12-31", "1970-01-01", "2024-02-29"};
    kith_table *t = column_of((kith_column_spec){.name = "x", .type = KITH_TYPE_DATE}, iso, 3);
    texts_are(t, iso_sorted, 3);
    assert_int_equal(t->columns[0].values.whole[0], -86400);
    kith_table_free(t);
    const char *const cells[] = {"2.1.2024", "31.12.2023", "02.01.2024"};
    const char *const sorted[] = {"31.12.2023", "2.1.2024", "02.01.2024"};
    kith_column_spec spec = {.name = "x", .type = KITH_TYPE_DATE, .date_format = "%d.%m.%Y"};
    t = column_of(spec, cells, 3);
    texts_are(t, sorted, 3);
    assert_int_equal(t->columns[0].values.whole[1], INT64_C(19724) * 86400);
    assert_int_equal(t->columns[0].values.whole[2], INT64_C(19724) * 86400);
    kith_table_free(t);
}

static void test_missing(void **state)
{
    (void)state;
    const char *const missing[] = {"NA", "-9"};
    const char *const cells[] = {"", "1", "NA", "5", "-9", "1", NULL};
    const kith_column_spec spec = {.name = "x"};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1,
                                              .missing_values = missing, .n_missing_values = 2);
    kith_table *t;
    assert_int_equal(kith_table_from_cells(&t, cells, 7, &options, NULL), KITH_OK);
    const char *const sorted[] = {"", "1", "5"};
    texts_are(t, sorted, 3);
    const uint32_t codes[] = {0, 1, UINT32_MAX, 2, UINT32_MAX, 1, UINT32_MAX};
    assert_memory_equal(t->columns[0].codes, codes, sizeof codes);
    kith_table_free(t);
    const kith_column_spec number = {.name = "x", .type = KITH_TYPE_INTEGER};
    options.columns = &number;
    kith_error error;
    assert_int_equal(kith_table_from_cells(&t, cells, 7, &options, &error), KITH_DATA);
    assert_string_equal(error.message, "the table: row 1: '' is not an integer (column x)");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Against a plain sort: many texts with long common beginnings, short, long and doubled ones. */
static void test_many(void **state)
{
    (void)state;
    enum { ROWS = 30000 };
    static const char *const heads[] = {"", "x", "abcdefgh", "abcdefghabcdefgh", "é"};
    char **cells = malloc(ROWS * sizeof *cells), **sorted = malloc(ROWS * sizeof *sorted);
    rng r;
    rng_init(&r, 3, 0);
    for (size_t i = 0; i < ROWS; i++) {
        cells[i] = malloc(600);
        uint32_t repeat = rng_below(&r, 40) == 0 ? 20 : 1;
        const char *head = heads[rng_below(&r, 5)];
        cells[i][0] = '\0';
        for (uint32_t k = 0; k < repeat; k++)
            strcat(cells[i], head);
        sprintf(cells[i] + strlen(cells[i]), "%u", rng_below(&r, 12000));
    }
    memcpy(sorted, cells, ROWS * sizeof *cells);
    qsort(sorted, ROWS, sizeof *sorted, by_text);
    kith_table *t = column_of((kith_column_spec){.name = "x"}, (const char *const *)cells, ROWS);
    uint32_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (i == 0 || strcmp(sorted[i - 1], sorted[i]) != 0)
            assert_string_equal(dictionary_text(&t->columns[0].values, count++), sorted[i]);
    assert_int_equal(t->columns[0].values.count, count);
    for (size_t i = 0; i < ROWS; i++)
        assert_string_equal(kith_table_cell(t, i, 0), cells[i]);
    kith_table_free(t);
    for (size_t i = 0; i < ROWS; i++)
        free(cells[i]);
    free(cells);
    free(sorted);
}

/* In a process of its own: fills a table until memory runs out. Exit status 0 if that was said. */
static void fill_until_refused(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu", &pages) != 1)
        _exit(2);
    fclose(file);
    rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (96 << 20);
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        _exit(3);
    arena *memory = arena_new();
    const kith_column_spec columns[] = {{.name = "id"}, {.name = "same"}};
    kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *b;
    kith_error error = {0};
    kith_status status = table_builder_new(&b, memory, "big.csv", columns, 2, &options, &error);
    for (unsigned i = 0; status == KITH_OK && i < 100000000; i++) {
        char text[32];
        int length = sprintf(text, "patient %u", i);
        status = table_builder_cell(b, 0, text, (size_t)length, &error);
        if (status == KITH_OK)
            status = table_builder_cell(b, 1, "x", 1, &error);
        if (status == KITH_OK)
            status = table_builder_row(b, &error);
    }
    arena_free(memory);
    bool said = status == KITH_NOMEM &&
                strstr(error.message, "big.csv does not fit into memory: after ") != NULL;
    _exit(said ? 0 : 4);
}

static void test_too_big(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* sanitizers do not live with a limited address space */
#endif
    pid_t child = fork();
    if (child == 0)
        fill_until_refused();
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),  cmocka_unit_test(test_integers),
        cmocka_unit_test(test_decimals), cmocka_unit_test(test_dates),
        cmocka_unit_test(test_missing),  cmocka_unit_test(test_many),
        cmocka_unit_test(test_too_big),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
