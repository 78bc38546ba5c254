#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <kith/hierarchy.h>

static kith_table *ages(void)
{
    static const char *const cells[] = {"3", "7", "12", "18"};
    kith_column_spec spec = {"age", KITH_TYPE_INTEGER, NULL};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    kith_table *table = NULL;
    assert_int_equal(kith_table_from_cells(&table, cells, 4, &options, NULL), KITH_OK);
    return table;
}

static void builds_from_words(void **state)
{
    (void)state;
    kith_table *table = ages();
    kith_hierarchy *h = NULL;
    assert_int_equal(kith_hierarchy_build(&h, "{intervals: [5, 10]}", table, 0, NULL, NULL),
                     KITH_OK);
    assert_int_equal(kith_hierarchy_n_leaves(h), 4);
    assert_int_equal(kith_hierarchy_n_levels(h), 4);
    assert_int_equal(kith_hierarchy_n_nodes_at(h, 1), 4);
    assert_int_equal(kith_hierarchy_n_nodes_at(h, 2), 2);
    kith_hierarchy_free(h);
    assert_int_equal(kith_hierarchy_build(&h, "suppress", table, 0, NULL, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_n_levels(h), 2);
    kith_hierarchy_free(h);
    kith_table_free(table);
}

static void reports_what_is_wrong(void **state)
{
    (void)state;
    kith_table *table = ages();
    kith_hierarchy *h = NULL;
    kith_error error;
    static const char *const wrong[] = {"",  "{intervals: [5, 7]}", "{mask: up}", "{dates: [year]}",
                                        "[", "{nothing: 1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kith_findings *findings = kith_findings_new();
        assert_int_equal(kith_hierarchy_build(&h, wrong[i], table, 0, findings, &error),
                         KITH_INVALID);
        assert_null(h);
        assert_int_equal(kith_findings_n_problems(findings), 1);
        kith_findings_free(findings);
    }
    assert_int_equal(kith_hierarchy_build(&h, "suppress", table, 1, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, "there is no column 1");
    kith_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_from_words),
        cmocka_unit_test(reports_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
