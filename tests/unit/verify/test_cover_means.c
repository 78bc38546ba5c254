/* Means in a release: exact where rows are in order, possible where they are not. */
#include "verify/cover_means.h"

#include "unit/verify/support.h"

/* Column 0 is a number that shows means, column 1 is as it was. */
typedef struct scene {
    arena *memory;
    kith_table *data, *release;
    kith_hierarchy *hierarchy;
    uint32_t *leaf_of, *rows;
    cover_column columns[2];
} scene;

static void scene_make(scene *s, const char *const *data, const char *const *released,
                       uint32_t n_rows, uint32_t n_released)
{
    const kith_column_spec specs[] = {{.name = "c0", .type = KITH_TYPE_INTEGER}, {.name = "c1"}};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 2);
    const hierarchy_spec spec = {.kind = HIERARCHY_INTERVALS, .widths = {10}, .count = 1};
    const domain_spec domain = {.kind = DOMAIN_DATA};
    s->memory = arena_new();
    assert_int_equal(kith_table_from_cells(&s->data, data, n_rows, &options, NULL), KITH_OK);
    s->release = texts(released, n_released, 2);
    const dictionary *values = &s->data->columns[0].values;
    s->leaf_of = arena_array(s->memory, values->count + (size_t)1, sizeof *s->leaf_of);
    s->rows = arena_array(s->memory, n_rows + (size_t)1, sizeof *s->rows);
    assert_int_equal(
        hierarchy_make(&s->hierarchy, s->memory, &spec, &domain, values, true, NULL, NULL),
        KITH_OK);
    assert_int_equal(hierarchy_bind(s->hierarchy, values, s->leaf_of, "d", "c0", NULL, NULL),
                     KITH_OK);
    for (uint32_t i = 0; i < n_rows; i++)
        s->rows[i] = i;
    s->columns[0] = (cover_column){.hierarchy = s->hierarchy,
                                   .leaf_of = s->leaf_of,
                                   .mean = true,
                                   .mean_level = s->hierarchy->tree.n_levels - 1};
    s->columns[1] = (cover_column){.release = 1, .data = 1};
}

static cover_report scene_check(scene *s, uint32_t n_columns)
{
    const cover_task task = {.release = s->release,
                             .data = s->data,
                             .rows = s->rows,
                             .n_rows = s->data->n_rows,
                             .n_released = s->release->n_rows,
                             .columns = s->columns,
                             .n_columns = n_columns};
    cover_report report;
    assert_int_equal(verify_cover(&report, &task, s->memory, NULL), KITH_OK);
    kith_table_free(s->data);
    kith_table_free(s->release);
    arena_free(s->memory);
    return report;
}

static cover_report covers(const char *const *data, const char *const *released, uint32_t n_rows)
{
    scene s;
    scene_make(&s, data, released, n_rows, n_rows);
    return scene_check(&s, 2);
}

static const char *const data[] = {"21", "a", "24", "b", "30", "c",
                                   "40", "d", "45", "e", "46", "f"};

static void accepts_means_in_order(void **state)
{
    (void)state;
    const char *released[] = {"25",    "a", "25",    "b", "25",    "c",
                              "43.67", "d", "43.67", "e", "43.67", "f"};
    const cover_report r = covers(data, released, 6);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_IN_ORDER);
}

/* Two classes with one mean are one class to whoever reads the release, with the same mean. */
static void accepts_classes_that_look_like_one(void **state)
{
    (void)state;
    const char *two[] = {"10", "a", "50", "b", "20", "c", "40", "d"};
    const char *released[] = {"30", "a", "30", "b", "30", "c", "30", "d"};
    assert_true(covers(two, released, 4).holds);
}

static void refuses_a_mean_in_another_form(void **state)
{
    (void)state;
    static const char *const forms[] = {"25.0", "25.00", "+25", "025", "2.5e1", "25.001", "24.99"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *released[] = {forms[i], "a", forms[i], "b", forms[i], "c",
                                  "43.67",  "d", "43.67",  "e", "43.67",  "f"};
        const cover_report r = covers(data, released, 6);
        assert_false(r.holds);
        assert_int_equal(r.check, COVER_IN_ORDER);
        assert_int_equal(r.n_wrong_rows, 3);
        assert_int_equal(r.row, 0);
        assert_int_equal(r.data_row, 0);
        assert_int_equal(r.column, 0);
    }
}

/* Also where the sum over all rows stays the same, and no set of values is impossible. */
static void refuses_exchanged_means(void **state)
{
    (void)state;
    const char *released[] = {"43.67", "a", "43.67", "b", "43.67", "c",
                              "25",    "d", "25",    "e", "25",    "f"};
    const cover_report r = covers(data, released, 6);
    assert_false(r.holds);
    assert_int_equal(r.check, COVER_IN_ORDER);
    assert_int_equal(r.n_wrong_rows, 6);
}

/* One record in a class of its own changes the mean of the others. */
static void refuses_a_record_outside_of_its_class(void **state)
{
    (void)state;
    const char *released[] = {"25",    "a", "25",    "b", "43.67", "c",
                              "43.67", "d", "43.67", "e", "43.67", "f"};
    const cover_report r = covers(data, released, 6);
    assert_false(r.holds);
    assert_int_equal(r.n_wrong_rows, 6);
}

static void refuses_labels_without_need(void **state)
{
    (void)state;
    const char *released[] = {"20-29", "a", "20-29", "b", "30",    "c",
                              "43.67", "d", "43.67", "e", "43.67", "f"};
    const cover_report r = covers(data, released, 6);
    assert_false(r.holds);
    assert_int_equal(r.n_wrong_rows, 2);
}

/* The root is always true: suppressed rows show it. */
static void accepts_the_root(void **state)
{
    (void)state;
    const char *released[] = {"*",     "a", "*",     "b", "*",     "c",
                              "43.67", "d", "43.67", "e", "43.67", "f"};
    assert_true(covers(data, released, 6).holds);
}

static void a_missing_value_takes_a_label(void **state)
{
    (void)state;
    const char *gaps[] = {"21", "a", NULL, "b", NULL, "c", NULL, "d"};
    const char *labels[] = {"*", "a", "*", "b", NULL, "c", NULL, "d"};
    const char *number[] = {"21", "a", "21", "b", NULL, "c", NULL, "d"};
    const char *hidden[] = {NULL, "a", NULL, "b", NULL, "c", NULL, "d"};
    assert_true(covers(gaps, labels, 4).holds);
    assert_false(covers(gaps, number, 4).holds);
    assert_false(covers(gaps, hidden, 4).holds);
}

/* The mean of all is right, but the level keeps values below 30 apart from those above. */
static void a_mean_stays_within_its_level(void **state)
{
    (void)state;
    const char *four[] = {"20", "a", "28", "b", "30", "c", "38", "d"};
    const char *all[] = {"29", "a", "29", "b", "29", "c", "29", "d"};
    const char *each[] = {"24", "a", "24", "b", "34", "c", "34", "d"};
    scene s;
    assert_true(covers(four, all, 4).holds);
    scene_make(&s, four, all, 4, 4);
    s.columns[0].mean_level = 1;
    assert_false(scene_check(&s, 2).holds);
    scene_make(&s, four, each, 4, 4);
    s.columns[0].mean_level = 1;
    assert_true(scene_check(&s, 2).holds);
}

static void bounds_means_in_another_order(void **state)
{
    (void)state;
    const char *shuffled[] = {"43.67", "f", "25", "b", "43.67", "d",
                              "25",    "c", "25", "a", "43.67", "e"};
    const char *too_large[] = {"44.67", "f", "25", "b", "44.67", "d",
                               "25",    "c", "25", "a", "44.67", "e"};
    const char *too_small[] = {"43.67", "f", "24.98", "b", "43.67", "d",
                               "24.98", "c", "24.98", "a", "43.67", "e"};
    const char *no_mean[] = {"43.67", "f", "25.0", "b", "43.67", "d",
                             "25.0",  "c", "25.0", "a", "43.67", "e"};
    const cover_report r = covers(data, shuffled, 6);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_BOUNDED);
    assert_false(covers(data, too_large, 6).holds);
    assert_false(covers(data, too_small, 6).holds);
    assert_false(covers(data, no_mean, 6).holds);
}

/* A sample: the values of other rows count, too. */
static void bounds_means_of_a_sample(void **state)
{
    (void)state;
    const char *some[] = {"45.5", "e", "45.5", "f"}, *more[] = {"45.52", "e", "45.52", "f"};
    scene s;
    scene_make(&s, data, some, 6, 2);
    const cover_report r = scene_check(&s, 2);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_BOUNDED);
    scene_make(&s, data, more, 6, 2);
    assert_false(scene_check(&s, 2).holds);
}

/* Nothing else shows the order: few wrong means are wrong, many may be another order. */
static void means_alone_do_not_show_the_order(void **state)
{
    (void)state;
    const char *shuffled[] = {"43.67", "f", "25", "b", "43.67", "d",
                              "25",    "c", "25", "a", "43.67", "e"};
    scene s;
    scene_make(&s, data, shuffled, 6, 6);
    const cover_report r = scene_check(&s, 1);
    assert_true(r.holds);
    assert_int_equal(r.check, COVER_BOUNDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_means_in_order),
        cmocka_unit_test(accepts_classes_that_look_like_one),
        cmocka_unit_test(refuses_a_mean_in_another_form),
        cmocka_unit_test(refuses_exchanged_means),
        cmocka_unit_test(refuses_a_record_outside_of_its_class),
        cmocka_unit_test(refuses_labels_without_need),
        cmocka_unit_test(accepts_the_root),
        cmocka_unit_test(a_missing_value_takes_a_label),
        cmocka_unit_test(a_mean_stays_within_its_level),
        cmocka_unit_test(bounds_means_in_another_order),
        cmocka_unit_test(bounds_means_of_a_sample),
        cmocka_unit_test(means_alone_do_not_show_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
