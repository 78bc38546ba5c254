/* Does a release cover the data: in order, in any order, with every kind of label. */
#include "unit/verify/support.h"

#include <stdio.h>

#include "verify/cover_cells.h"
#include "verify/verify_cover.h"

/* Column 0 is generalized by a mask, column 1 is as it was. */
typedef struct scene {
    arena *memory;
    kith_table *data, *release;
    kith_hierarchy *hierarchy;
    uint32_t *leaf_of, *rows;
    uint32_t n_released; /* rows that the release must have */
} scene;

static void scene_make(scene *s, const char *const *data, const char *const *released,
                       size_t n_rows, size_t n_released_rows, bool with_missing)
{
    s->memory = arena_new();
    s->n_released = (uint32_t)n_rows;
    s->data = texts(data, n_rows, 2);
    s->release = texts(released, n_released_rows, 2);
    hierarchy_spec spec = {.kind = HIERARCHY_MASK, .mask_character = '*'};
    domain_spec domain = {.kind = DOMAIN_HIERARCHY};
    const dictionary *values = &s->data->columns[0].values;
    s->leaf_of = arena_array(s->memory, values->count + (size_t)1, sizeof *s->leaf_of);
    s->rows = arena_array(s->memory, n_rows + 1, sizeof *s->rows);
    assert_int_equal(
        hierarchy_make(&s->hierarchy, s->memory, &spec, &domain, values, with_missing, NULL, NULL),
        KITH_OK);
    assert_int_equal(hierarchy_bind(s->hierarchy, values, s->leaf_of, "d", "c0", NULL, NULL),
                     KITH_OK);
    for (uint32_t i = 0; i < n_rows; i++)
        s->rows[i] = i;
}

static cover_report scene_check(scene *s, uint32_t n_rows, bool ranges)
{
    cover_column columns[] = {{.hierarchy = s->hierarchy, .leaf_of = s->leaf_of},
                              {.release = 1, .data = 1}};
    const cover_task task = {.release = s->release,
                             .data = s->data,
                             .rows = s->rows,
                             .n_rows = n_rows,
                             .n_released = s->n_released,
                             .columns = columns,
                             .n_columns = 2,
                             .ranges = ranges};
    cover_report report;
    assert_int_equal(verify_cover(&report, &task, s->memory, NULL), KITH_OK);
    return report;
}

static void scene_wipe(scene *s)
{
    kith_table_free(s->data);
    kith_table_free(s->release);
    arena_free(s->memory);
}

static cover_report covers(const char *const *data, const char *const *released, uint32_t n_rows,
                           bool with_missing, bool ranges)
{
    scene s;
    scene_make(&s, data, released, n_rows, n_rows, with_missing);
    cover_report r = scene_check(&s, n_rows, ranges);
    scene_wipe(&s);
    return r;
}

static const char *const zips[] = {"81", "flu", "82", "cold", "91", "flu", "92", "cold"};

static void accepts_ancestors_in_order(void **state)
{
    (void)state;
    const char *released[] = {"8*", "flu", "82", "cold", "*", "flu", "9*", "cold"};
    cover_report r = covers(zips, released, 4, false, false);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_IN_ORDER);
}

static void refuses_a_label_elsewhere_in_the_tree(void **state)
{
    (void)state;
    const char *released[] = {"8*", "flu", "8*", "cold", "*", "flu", "8*", "cold"};
    cover_report r = covers(zips, released, 4, false, false);
    assert_false(r.holds);
    assert_int_equal(r.check, COVER_IN_ORDER);
    assert_true(r.has_place);
    assert_int_equal(r.row, 3);
    assert_int_equal(r.data_row, 3);
    assert_int_equal(r.column, 0);
    assert_int_equal(r.n_wrong_rows, 1);
}

static void refuses_unknown_labels(void **state)
{
    (void)state;
    const char *released[] = {"8?", "flu", "8*", "cold", "*", "flu", "9*", "cold"};
    cover_report r = covers(zips, released, 4, false, false);
    assert_false(r.holds);
    assert_int_equal(r.row, 0);
}

static void refuses_a_changed_sensitive_cell(void **state)
{
    (void)state;
    const char *released[] = {"8*", "flu", "8*", "cold", "*", "flu", "9*", "flu"};
    cover_report r = covers(zips, released, 4, false, false);
    assert_false(r.holds);
    assert_int_equal(r.column, 1);
    assert_int_equal(r.row, 3);
}

static void refuses_another_number_of_rows(void **state)
{
    (void)state;
    scene s;
    const char *released[] = {"8*", "flu", "8*", "cold"};
    scene_make(&s, zips, released, 4, 2, false);
    cover_report r = scene_check(&s, 4, false);
    assert_false(r.holds);
    assert_true(r.counts_differ);
    scene_wipe(&s);
}

static void accepts_a_shuffled_release(void **state)
{
    (void)state;
    const char *released[] = {"9*", "cold", "9*", "flu", "8*", "cold", "8*", "flu"};
    cover_report r = covers(zips, released, 4, false, false);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_MATCHED);
}

/* Every row fits some record and every record some row, but 81 is needed twice. */
static void refuses_a_shuffled_release_that_cannot_be_assigned(void **state)
{
    (void)state;
    const char *data[] = {"81", "flu", "92", "flu", "93", "flu", "94", "flu"};
    const char *released[] = {"9*", "flu", "81", "flu", "8*", "flu", "*", "flu"};
    cover_report r = covers(data, released, 4, false, false);
    assert_false(r.holds);
    assert_int_equal(r.check, COVER_MATCHED);
    assert_int_equal(r.n_wrong_rows, 1);
    assert_int_equal(r.column, UINT32_MAX);
}

static void refuses_a_shuffled_release_with_other_sensitive_cells(void **state)
{
    (void)state;
    const char *released[] = {"9*", "flu", "9*", "flu", "8*", "flu", "8*", "cold"};
    cover_report r = covers(zips, released, 4, false, false);
    assert_false(r.holds);
    assert_int_equal(r.column, UINT32_MAX);
}

static void a_missing_value_has_a_leaf_or_takes_the_root(void **state)
{
    (void)state;
    const char *data[] = {NULL, "flu", "81", "flu"};
    const char *as_value[] = {NULL, "flu", "81", "flu"};
    const char *as_root[] = {"*", "flu", "81", "flu"};
    const char *wrong[] = {"8*", "flu", "81", "flu"};
    assert_true(covers(data, as_value, 2, true, false).holds);
    assert_false(covers(data, as_value, 2, false, false).holds);
    assert_true(covers(data, as_root, 2, true, false).holds);
    assert_true(covers(data, as_root, 2, false, false).holds);
    assert_false(covers(data, wrong, 2, true, false).holds);
    assert_false(covers(data, wrong, 2, false, false).holds);
}

static void reads_ranges_where_they_are_allowed(void **state)
{
    (void)state;
    const char *released[] = {"81..82", "flu", "81..91", "cold", "82..91", "flu", "92", "cold"};
    assert_true(covers(zips, released, 4, false, true).holds);
    assert_false(covers(zips, released, 4, false, false).holds);
    const char *outside[] = {"81..82", "flu", "91..92", "cold", "82..91", "flu", "92", "cold"};
    assert_false(covers(zips, outside, 4, false, true).holds);
    const char *backwards[] = {"82..81", "flu", "81..91", "cold", "82..91", "flu", "92", "cold"};
    assert_false(covers(zips, backwards, 4, false, true).holds);
}

static void the_empty_text_and_missing_are_one_in_a_release(void **state)
{
    (void)state;
    const char *data[] = {"81", NULL, "82", "x"};
    const char *released[] = {"8*", NULL, "8*", "x"};
    assert_true(covers(data, released, 2, false, false).holds);
    const char *filled[] = {"8*", "x", "8*", "x"};
    assert_false(covers(data, filled, 2, false, false).holds);
}

/* So many rows with as many different zips, in reverse order. */
enum { MANY = 24000 };
static char zip_text[MANY][8];

static cover_report many_in_reverse(size_t n, const char *instead)
{
    const char **original = calloc(2 * n, sizeof *original);
    const char **released = calloc(2 * n, sizeof *released);
    for (size_t i = 0; i < n; i++) {
        snprintf(zip_text[i], sizeof zip_text[i], "%zu", 10000 + 3 * i);
        original[2 * i] = zip_text[i];
        released[2 * (n - 1 - i)] = zip_text[i];
        original[2 * i + 1] = released[2 * i + 1] = "flu";
    }
    if (instead != NULL)
        released[0] = instead;
    cover_report r = covers(original, released, (uint32_t)n, false, false);
    free(original);
    free(released);
    return r;
}

static void assigns_many_rows_in_near_linear_time(void **state)
{
    (void)state;
    const cover_report few = many_in_reverse(MANY / 4, NULL), r = many_in_reverse(MANY, NULL);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_MATCHED);
    assert_true(r.n_steps < 6 * few.n_steps); /* comparing all pairs: 16 times */
    assert_true(many_in_reverse(MANY, "*").holds);
    assert_false(many_in_reverse(MANY, "10000").holds); /* there already */
    assert_false(many_in_reverse(MANY, "1????").holds); /* no label at all */
}

/* Every record fits nearly every row: all rows show ranges around the same zip. */
enum { SIDE = 80, WIDE = SIDE * SIDE };
static char range_text[WIDE][24];

static cover_report wide_in_reverse(const char *instead)
{
    const char **original = calloc(2 * WIDE, sizeof *original);
    const char **released = calloc(2 * WIDE, sizeof *released);
    for (size_t i = 0; i < WIDE; i++) {
        const size_t value = i < 2 * SIDE ? i : SIDE;
        snprintf(zip_text[i], sizeof zip_text[i], "%zu", 10000 + value);
        snprintf(range_text[i], sizeof range_text[i], "%zu..%zu", 10000 + i % SIDE,
                 10000 + SIDE + i / SIDE);
        original[2 * i] = zip_text[i];
        released[2 * (WIDE - 1 - i)] = i < 2 * SIDE ? zip_text[i] : range_text[i];
        original[2 * i + 1] = released[2 * i + 1] = "flu";
    }
    if (instead != NULL)
        released[0] = instead;
    cover_report r = covers(original, released, WIDE, false, true);
    free(original);
    free(released);
    return r;
}

static void counts_where_an_assignment_takes_too_long(void **state)
{
    (void)state;
    const cover_report r = wide_in_reverse(NULL);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_COUNTED);
    assert_false(wide_in_reverse("10000").holds); /* there already */
}

/* Two of four rows are released, in any order: each needs a record of its own. */
static void a_sample_needs_records_of_its_own(void **state)
{
    (void)state;
    static const char *const data[] = {"11", "a", "12", "a", "21", "b", "22", "b"};
    static const char *const good[] = {"2*", "b", "11", "a"};
    static const char *const twice[] = {"11", "a", "11", "a"};
    static const char *const other[] = {"2*", "a", "11", "a"};
    static const struct {
        const char *const *release;
        uint32_t wanted;
        bool holds, differs;
    } cases[] = {{good, 2, true, false},
                 {twice, 2, false, false},
                 {other, 2, false, false},
                 {good, 3, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        scene_make(&s, data, cases[i].release, 4, 2, false);
        s.n_released = cases[i].wanted;
        const cover_report report = scene_check(&s, 4, false);
        assert_int_equal(report.holds, cases[i].holds);
        assert_int_equal(report.counts_differ, cases[i].differs);
        if (!report.counts_differ)
            assert_int_equal(report.check, COVER_MATCHED);
        scene_wipe(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_ancestors_in_order),
        cmocka_unit_test(refuses_a_label_elsewhere_in_the_tree),
        cmocka_unit_test(refuses_unknown_labels),
        cmocka_unit_test(refuses_a_changed_sensitive_cell),
        cmocka_unit_test(refuses_another_number_of_rows),
        cmocka_unit_test(accepts_a_shuffled_release),
        cmocka_unit_test(refuses_a_shuffled_release_that_cannot_be_assigned),
        cmocka_unit_test(refuses_a_shuffled_release_with_other_sensitive_cells),
        cmocka_unit_test(a_missing_value_has_a_leaf_or_takes_the_root),
        cmocka_unit_test(reads_ranges_where_they_are_allowed),
        cmocka_unit_test(assigns_many_rows_in_near_linear_time),
        cmocka_unit_test(counts_where_an_assignment_takes_too_long),
        cmocka_unit_test(a_sample_needs_records_of_its_own),
        cmocka_unit_test(the_empty_text_and_missing_are_one_in_a_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
