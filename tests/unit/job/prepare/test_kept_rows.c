/* Rows that are dropped for a missing cell leave nothing in dictionaries, and rows without any
 * value are no records. */
#include "unit/job/support.h"

#include "core/run/context.h"
#include "job/prepare/kept_rows.h"
#include "job/prepare/prepare.h"

#define STUDY(missing)                                          \
    "study: s\ncolumns:\n"                                      \
    "  - {name: zip, role: quasi-identifying}\n"                \
    "  - {name: age, role: quasi-identifying, type: integer}\n" \
    "  - {name: dose, role: sensitive, type: decimal}\n"        \
    "  - {name: note, role: insensitive}\n"                     \
    "privacy: [{model: k-anonymity, k: 2}]\nmissing: " missing "\n"

enum { ROWS = 6, COLUMNS = 4 };

static const char *const cells[ROWS * COLUMNS] = {
    "815", "30", "1.5",  "b",  /* kept */
    "810", "7",  "0.5",  NULL, /* kept: only the note is missing */
    "999", "90", NULL,   "z",  /* dropped */
    NULL,  "40", "2.25", "a",  /* dropped, but others have its age and note */
    "815", "40", "1.5",  "a",  /* kept */
    NULL,  NULL, NULL,   NULL, /* empty: no record */
};

static void dictionaries_have_kept_values_only(void **state)
{
    (void)state;
    kith_study *study = study_of(STUDY("drop"));
    kith_table *table = table_of(study, cells, ROWS);
    arena *memory = arena_new();
    const kept_rows k = {study, NULL};
    const kith_table *kept, *again;
    assert_int_equal(kept_rows_count(&k, table), 3);
    assert_int_equal(kept_rows_table(&kept, &k, table, memory, NULL), KITH_OK);
    assert_int_equal(kept->n_rows, ROWS);
    const uint32_t counts[COLUMNS] = {2, 3, 2, 2};
    for (uint32_t c = 0; c < COLUMNS; c++)
        assert_int_equal(kept->columns[c].values.count, counts[c]);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t c = 0; c < COLUMNS; c++)
            assert_string_equal(cell_of(kept, row, c),
                                row == 2 || row == 3 || row == 5 ? "" : cell_of(table, row, c));
    const dictionary *age = &kept->columns[1].values, *dose = &kept->columns[2].values;
    assert_true(age->whole[0] == 7 && age->whole[1] == 30 && age->whole[2] == 40);
    assert_true(dose->decimal[0] == 0.5 && dose->decimal[1] == 1.5);
    /* Once is enough. */
    assert_int_equal(kept_rows_table(&again, &k, kept, memory, NULL), KITH_OK);
    assert_ptr_equal(again, kept);
    arena_free(memory);
    kith_table_free(table);
    kith_study_free(study);
}

static void other_policies_keep_the_table(void **state)
{
    (void)state;
    kith_study *study = study_of(STUDY("value"));
    kith_table *table = table_of(study, cells, ROWS);
    arena *memory = arena_new();
    const kept_rows k = {study, NULL};
    const kith_table *kept;
    assert_int_equal(kept_rows_count(&k, table), ROWS - 1);
    assert_int_equal(kept_rows_table(&kept, &k, table, memory, NULL), KITH_OK);
    assert_ptr_equal(kept, table);
    arena_free(memory);
    kith_table_free(table);
    kith_study_free(study);
}

static void hierarchies_have_no_leaf_for_a_dropped_value(void **state)
{
    (void)state;
    kith_study *study = study_of(STUDY("drop"));
    kith_table *table = table_of(study, cells, ROWS);
    context c;
    prepared p;
    assert_int_equal(context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), NULL),
                     KITH_OK);
    assert_int_equal(prepare_table(&p, study, table, &c, NULL), KITH_OK);
    assert_int_equal(p.n_rows, 3);
    assert_int_equal(p.dropped, 2);
    assert_int_equal(p.empty, 1);
    assert_int_equal(p.problem.attributes[0].tree->n_leaves, 2);
    assert_int_equal(p.problem.attributes[1].tree->n_leaves, 3);
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
}

/* The rows that stay know where they stood. Of a column alone, a missing value is a missing value.
 */
static void empty_rows_are_taken_out(void **state)
{
    (void)state;
    static const char *const some[] = {NULL, NULL, "815", NULL, NULL, NULL, "810", "7"};
    const kith_column_spec specs[] = {{.name = "zip"}, {.name = "age"}};
    const kith_table_options two =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 2);
    const kith_table_options one =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 1);
    kith_table *table, *alone;
    const kith_table *full;
    arena *memory = arena_new();
    assert_int_equal(kith_table_from_cells(&table, some, 4, &two, NULL), KITH_OK);
    assert_int_equal(kept_rows_full(&full, table, 2, memory, NULL), KITH_OK);
    assert_int_equal(table->n_rows, 4);
    assert_int_equal(full->n_rows, 2);
    assert_int_equal(full->n_empty, 2);
    assert_int_equal(full->source_rows[0], 1);
    assert_int_equal(full->source_rows[1], 3);
    assert_string_equal(cell_of(full, 1, 1), "7");
    assert_int_equal(kith_table_from_cells(&alone, some, 8, &one, NULL), KITH_OK);
    assert_int_equal(kept_rows_full(&full, alone, 1, memory, NULL), KITH_OK);
    assert_ptr_equal(full, alone);
    arena_free(memory);
    kith_table_free(table);
    kith_table_free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dictionaries_have_kept_values_only),
        cmocka_unit_test(other_policies_keep_the_table),
        cmocka_unit_test(empty_rows_are_taken_out),
        cmocka_unit_test(hierarchies_have_no_leaf_for_a_dropped_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
