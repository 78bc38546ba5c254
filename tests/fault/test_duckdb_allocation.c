/* Fails the n-th allocation while a table goes to Parquet, JSON and a database of DuckDB and comes
 * back, for many n: every call returns, nothing leaks, and no file is left behind that is not
 * whole. DuckDB's own allocations do not fail here. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault/failing_job.h"
#include "support/scratch.h"

static char path[512];               /* of the file that is written and read */
static char place[sizeof path + 64]; /* its name as data */

static kith_status there_and_back(kith_error *error)
{
    static const char *const cells[] = {"34", "x", "2020-01-01", "7", NULL, "2020-01-02"};
    static const kith_column_spec columns[] = {{"age", KITH_TYPE_INTEGER, NULL},
                                               {"text", KITH_TYPE_STRING, NULL},
                                               {"day", KITH_TYPE_DATE, NULL}};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 3);
    kith_table *table = NULL, *back = NULL;
    unlink(path);
    kith_status status = kith_table_from_cells(&table, cells, 2, &options, error);
    if (status == KITH_OK)
        status = kith_table_write(table, place, NULL, error);
    assert_true(status == KITH_OK || access(path, F_OK) != 0);
    if (status == KITH_OK)
        status = kith_table_read(&back, place, &options, NULL, error);
    if (status == KITH_OK)
        assert_string_equal(kith_table_cell(back, 1, 2), "2020-01-02");
    kith_table_free(table);
    kith_table_free(back);
    return status;
}

static void fail_each(const char *name, const char *before, const char *after)
{
    snprintf(path, sizeof path, "%s", scratch_path(name));
    snprintf(place, sizeof place, "%s%s%s", before, path, after);
    assert_int_equal(failing_job(there_and_back, 0, false), KITH_OK);
    const size_t all = failing_seen();
    assert_true(all > 100);
    for (int from_there_on = 0; from_there_on < 2; from_there_on++) {
        size_t refused;
        const size_t tried = failing_job_often(there_and_back, all, from_there_on, &refused, NULL);
        assert_int_equal(refused, tried);
    }
}

static void parquet(void **state)
{
    (void)state;
    fail_each("t.parquet", "", "");
}

static void json(void **state)
{
    (void)state;
    fail_each("t.ndjson", "", "");
}

static void database(void **state)
{
    (void)state;
    fail_each("t.db", "duckdb:", "?table=t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parquet, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(json, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(database, scratch_setup, scratch_teardown)};
    static const char library[] = KITH_SOURCE "/build/duckdb/libduckdb.so";
    setenv("KITH_DUCKDB", library, 1);
    if (access(library, R_OK) != 0) {
        fprintf(stderr, "build/duckdb/libduckdb.so is missing: run make duckdb\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
