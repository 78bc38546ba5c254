/* From study and table to problem. */
#include "unit/job/support.h"

#include "job/prepare/prepare.h"
#include "support/scratch.h"

#define COLUMNS                                                            \
    "study: s\ncolumns:\n"                                                 \
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n" \
    "  - {name: disease, role: sensitive}\n"                               \
    "  - {name: note, role: insensitive}\n"                                \
    "  - {name: who, role: identifying}\n"                                 \
    "privacy: [{model: k-anonymity, k: 2}]\n"

/* zip, disease, note */
static const char *const gaps[] = {"81", "flu",  "x", "82", NULL,  "y",
                                   NULL, "gout", "z", "82", "flu", NULL};

typedef struct scene {
    kith_study *study;
    kith_table *table;
    context context;
    prepared p;
    kith_error error;
} scene;

static kith_status scene_make(scene *s, const char *study)
{
    memset(s, 0, sizeof *s);
    s->study = study_of(study);
    s->table = table_of(s->study, gaps, 4);
    assert_int_equal(context_init(&s->context, NULL, NULL), KITH_OK);
    return prepare_table(&s->p, s->study, s->table, &s->context, &s->error);
}

static void scene_wipe(scene *s)
{
    context_wipe(&s->context);
    kith_table_free(s->table);
    kith_study_free(s->study);
}

static void missing_is_a_value_of_its_own(void **state)
{
    (void)state;
    scene s;
    assert_int_equal(scene_make(&s, COLUMNS), KITH_OK);
    const problem *q = &s.p.problem;
    assert_int_equal(q->n_records, 4);
    assert_int_equal(q->n_attributes, 1);
    assert_int_equal(q->n_sensitive, 1);
    assert_int_equal(q->k, 2);
    const kith_hierarchy *h = s.p.columns[s.p.quasi[0]].hierarchy;
    assert_int_equal(q->attributes[0].cells[2], h->missing_leaf);
    assert_string_equal(h->label[q->attributes[0].cells[0]], "81");
    /* a missing sensitive value differs from all others */
    assert_int_equal(q->sensitive[0].count, 3);
    assert_int_equal(q->sensitive[0].values[0], q->sensitive[0].values[3]);
    assert_int_not_equal(q->sensitive[0].values[1], q->sensitive[0].values[0]);
    assert_int_not_equal(q->sensitive[0].values[1], q->sensitive[0].values[2]);
    scene_wipe(&s);
}

static void wildcards_stand_at_the_root(void **state)
{
    (void)state;
    scene s;
    assert_int_equal(scene_make(&s, COLUMNS "missing: wildcard\n"), KITH_OK);
    const attribute *zip = &s.p.problem.attributes[0];
    assert_int_equal(zip->cells[2], tree_root(zip->tree));
    assert_int_equal(s.p.columns[s.p.quasi[0]].hierarchy->missing_leaf, UINT32_MAX);
    scene_wipe(&s);
}

/* The last row lacks a note only, which no model looks at. */
static void rows_are_dropped_and_counted(void **state)
{
    (void)state;
    scene s;
    assert_int_equal(scene_make(&s, COLUMNS "missing: drop\n"), KITH_OK);
    assert_int_equal(s.p.n_rows, 2);
    assert_int_equal(s.p.dropped, 2);
    assert_int_equal(s.p.rows[0], 0);
    assert_int_equal(s.p.rows[1], 3);
    scene_wipe(&s);
}

static void missing_can_be_refused(void **state)
{
    (void)state;
    scene s;
    assert_int_equal(scene_make(&s, COLUMNS "missing: reject\n"), KITH_DATA);
    assert_non_null(strstr(s.error.message, "missing value in column disease"));
    scene_wipe(&s);
}

static void costs_carry_the_weight(void **state)
{
    (void)state;
    scene plain, heavy;
    assert_int_equal(scene_make(&plain, COLUMNS), KITH_OK);
    assert_int_equal(scene_make(&heavy, COLUMNS "utility: {weights: {zip: 3}}\n"), KITH_OK);
    const attribute *a = &plain.p.problem.attributes[0], *b = &heavy.p.problem.attributes[0];
    assert_true(fabs(a->cost[tree_root(a->tree)] - 1) < 1e-12);
    assert_true(fabs(b->cost[tree_root(b->tree)] - 3) < 1e-12);
    scene_wipe(&plain);
    scene_wipe(&heavy);
}

static void tables_of_other_types_are_refused(void **state)
{
    (void)state;
    kith_study *study = study_of("study: s\ncolumns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n");
    kith_column_spec texts = {.name = "age"};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &texts, .n_columns = 1);
    const char *cells[] = {"1", "2"};
    kith_table *table, *released = NULL;
    kith_error error;
    assert_int_equal(kith_table_from_cells(&table, cells, 2, &options, NULL), KITH_OK);
    assert_int_equal(kith_anonymize_table(&released, NULL, study, table, NULL, &error),
                     KITH_INVALID);
    assert_string_equal(error.message,
                        "the table: column age was not read with the type that the study gives");
    assert_null(released);
    kith_table_free(table);
    kith_study_free(study);
}

/* What the digest covers is what is used, whatever becomes of the file. */
static void a_file_is_used_as_it_was_read_with_the_study(void **state)
{
    (void)state;
    scene s = {.study = NULL};
    char text[512];
    const char *file = scratch_path("zip.csv");
    scratch_write(file, "81,8*,*\n82,8*,*\n,none,*\n");
    snprintf(text, sizeof text,
             "study: s\ncolumns:\n  - {name: zip, role: quasi-identifying, hierarchy: \"%s\"}\n"
             "  - {name: disease, role: sensitive}\n  - {name: note, role: insensitive}\n"
             "missing: wildcard\nprivacy: [{model: k-anonymity, k: 2}]\n",
             file);
    s.study = study_of(text);
    scratch_write(file, "81,9*,*\n");
    s.table = table_of(s.study, gaps, 4);
    for (int i = 0; i < 2; i++) { /* a run leaves the study's own tree as it is */
        assert_int_equal(context_init(&s.context, NULL, NULL), KITH_OK);
        if (prepare_table(&s.p, s.study, s.table, &s.context, &s.error) != KITH_OK)
            fail_msg("%s", s.error.message);
        const kith_hierarchy *h = s.p.columns[s.p.quasi[0]].hierarchy;
        const uint32_t *cells = s.p.problem.attributes[0].cells;
        assert_int_equal(h->missing_leaf, UINT32_MAX);
        assert_string_equal(h->label[tree_up(&h->tree, cells[1], 1)], "8*");
        assert_int_equal(cells[2], tree_root(&h->tree));
        assert_int_not_equal(s.study->columns[0].loaded->missing_leaf, UINT32_MAX);
        context_wipe(&s.context);
    }
    kith_table_free(s.table);
    kith_study_free(s.study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_is_a_value_of_its_own),
        cmocka_unit_test(wildcards_stand_at_the_root),
        cmocka_unit_test(rows_are_dropped_and_counted),
        cmocka_unit_test(missing_can_be_refused),
        cmocka_unit_test(costs_carry_the_weight),
        cmocka_unit_test(tables_of_other_types_are_refused),
        cmocka_unit_test_setup_teardown(a_file_is_used_as_it_was_read_with_the_study, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
