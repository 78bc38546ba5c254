/* k-anonymity and l-diversity by frequency, read from texts. */
#include "support/arena_state.h"
#include "unit/verify/support.h"

#include <math.h>

#include "verify/verify.h"

typedef struct asked {
    double k, l;
    uint64_t may_suppress;
    suppressed_root roots[2]; /* no label: `*` */
} asked;

/* Columns: two quasi-identifiers, then the sensitive one. */
static verify_report check_with(const char *const *cells, size_t n_rows, asked a, bool judge,
                                arena *memory)
{
    kith_table *t = texts(cells, n_rows, 3);
    const uint32_t quasi[] = {0, 1};
    verify_values values;
    verify_reading plain = {.type = KITH_TYPE_STRING};
    assert_int_equal(values_make(&values, memory, t, 2, &plain, NULL), KITH_OK);
    verify_model models[] = {{.kind = VERIFY_K_ANONYMITY, .need = a.k},
                             {.kind = VERIFY_L_FREQUENCY, .need = a.l, .values = &values}};
    for (uint32_t i = 0; i < 2; i++)
        if (a.roots[i].label == NULL)
            a.roots[i] = suppressed_root_of(NULL);
    verify_report report;
    const verify_task task = {.release = t,
                              .quasi = quasi,
                              .n_quasi = 2,
                              .models = models,
                              .n_models = 2,
                              .may_suppress = a.may_suppress,
                              .roots = a.roots,
                              .judge_suppressed = judge};
    assert_int_equal(verify_release(&report, &task, memory, NULL), KITH_OK);
    kith_table_free(t);
    return report;
}

static verify_report check(const char *const *cells, size_t n_rows, asked a, arena *memory)
{
    return check_with(cells, n_rows, a, false, memory);
}

static const char *const sample[] = {
    "20-29", "m",     "flu", "20-29", "m",     "cold", "20-29", "m",
    "flu",   "30-39", "f",   "flu",   "30-39", "f",    "cold",
};

static void counts_classes(void **state)
{
    verify_report r = check(sample, 5, (asked){2, 1.5, 0, {{0}}}, *state);
    assert_true(r.holds);
    assert_int_equal(r.n_rows, 5);
    assert_int_equal(r.n_classes, 2);
    assert_int_equal(r.smallest, 2);
    assert_int_equal(r.suppressed, 0);
    assert_true(r.verdict[0].worst == 2);
    assert_true(r.verdict[1].worst == 1.5);
}

static void finds_small_classes(void **state)
{
    verify_report r = check(sample, 5, (asked){3, 1, 0, {{0}}}, *state);
    assert_false(r.holds);
    assert_false(r.verdict[0].holds);
    assert_true(r.verdict[1].holds);
    assert_true(r.verdict[0].worst == 2);
    assert_int_equal(r.verdict[0].row, 3);
    assert_int_equal(r.verdict[0].n_violating_classes, 1);
    assert_int_equal(r.verdict[0].n_violating_rows, 2);
}

static void finds_frequent_values(void **state)
{
    verify_report r = check(sample, 5, (asked){2, 2, 0, {{0}}}, *state);
    assert_true(r.verdict[0].holds);
    assert_false(r.verdict[1].holds);
    assert_int_equal(r.verdict[1].n_violating_rows, 3);
    assert_int_equal(r.verdict[1].row, 0);
}

static void a_missing_sensitive_value_is_a_value(void **state)
{
    const char *cells[] = {"a", "b", NULL, "a", "b", NULL, "a", "b", "x"};
    verify_report r = check(cells, 3, (asked){2, 2, 0, {{0}}}, *state);
    assert_true(r.verdict[1].worst == 1.5);
}

static const char *const with_stars[] = {
    "*", "*", "flu", "a", "b", "flu", "a", "b", "cold", "*", "c", "flu", "*", "c", "cold",
};

static void stars_throughout_are_suppressed_while_few(void **state)
{
    verify_report r = check(with_stars, 5, (asked){2, 2, 1, {{0}}}, *state);
    assert_true(r.holds);
    assert_int_equal(r.suppressed, 1);
    assert_int_equal(r.n_classes, 2);
    assert_int_equal(r.grouping->class_of[0], r.suppressed_class);
}

static void stars_beyond_the_limit_are_a_class(void **state)
{
    verify_report r = check(with_stars, 5, (asked){2, 2, 0, {{0}}}, *state);
    assert_false(r.holds);
    assert_int_equal(r.suppressed, 0);
    assert_int_equal(r.n_classes, 3);
    assert_int_equal(r.suppressed_class, UINT32_MAX);
    assert_int_equal(r.verdict[0].row, 0);
}

/* One record is suppressed, two are not; each column has its own label. */
static const char *const with_labels[] = {
    "ANY", "Böhm ü", "flu", "a", "b", "flu", "a", "b", "cold",
};

static void roots_of_any_name_are_suppressed(void **state)
{
    const suppressed_root any = {"ANY", true}, umlauts = {"Böhm ü", true}, other = {"a", true};
    verify_report r = check(with_labels, 3, (asked){2, 2, 1, {any, umlauts}}, *state);
    assert_true(r.holds);
    assert_int_equal(r.suppressed, 1);
    assert_int_equal(r.n_classes, 1);
    assert_int_equal(r.suppressed_class, r.grouping->class_of[0]);
    r = check(with_labels, 3, (asked){2, 2, 0, {any, umlauts}}, *state); /* too many */
    assert_false(r.holds);
    assert_int_equal(r.suppressed, 0);
    r = check(with_labels, 3, (asked){2, 2, 1, {any, other}}, *state); /* only one at the root */
    assert_int_equal(r.suppressed, 0);
    r = check(with_labels, 3, (asked){2, 2, 1, {{NULL, false}}}, *state); /* `*` is the root */
    assert_int_equal(r.suppressed, 0);
}

/* Other programs write `*` whatever the root is called; it counts unless it is another label. */
static void stars_stand_for_roots(void **state)
{
    const suppressed_root any = {"ANY", true}, taken = {"ALL", false};
    verify_report r = check(with_stars, 5, (asked){2, 2, 1, {any, any}}, *state);
    assert_int_equal(r.suppressed, 1);
    r = check(with_stars, 5, (asked){2, 2, 1, {any, taken}}, *state);
    assert_int_equal(r.suppressed, 0);
}

/* Labels come first: stars beside them are a class like any other. */
static void labels_are_preferred_to_stars(void **state)
{
    const char *cells[] = {"*", "*", "flu", "ANY", "ANY", "flu", "a", "b", "x", "a", "b", "y"};
    const suppressed_root any = {"ANY", true};
    verify_report r = check(cells, 4, (asked){2, 2, 1, {any, any}}, *state);
    assert_false(r.holds);
    assert_int_equal(r.suppressed, 1);
    assert_int_equal(r.suppressed_class, r.grouping->class_of[1]);
}

/* A missing cell is not the root. */
static void missing_cells_are_not_suppressed(void **state)
{
    const char *cells[] = {NULL, NULL, "flu", "a", "b", "x", "a", "b", "y"};
    verify_report r = check(cells, 3, (asked){2, 2, 1, {{NULL, false}}}, *state);
    assert_int_equal(r.suppressed, 0);
    assert_false(r.holds);
}

static void nothing_breaks_nothing(void **state)
{
    verify_report r = check(sample, 0, (asked){5, 2, 0, {{0}}}, *state);
    assert_true(r.holds);
    assert_int_equal(r.n_classes, 0);
    assert_int_equal(r.smallest, 0);
    assert_true(isinf(r.verdict[0].worst));
}

/* 11 / 10 against 1.1, which no binary fraction holds. */
static void takes_fractions_of_l(void **state)
{
    const char *cells[33];
    for (size_t i = 0; i < 11; i++) {
        cells[3 * i] = cells[3 * i + 1] = "q";
        cells[3 * i + 2] = i < 10 ? "x" : "y";
    }
    assert_true(check(cells, 11, (asked){2, 1.1, 0, {{0}}}, *state).holds);
    assert_false(check(cells, 11, (asked){2, 1.1001, 0, {{0}}}, *state).holds);
}

/* Suppressed rows that must hide among each other are counted, and judged like a class. */
static void judges_suppressed_rows_where_asked(void **state)
{
    static const char *const cells[] = {"a",   "m", "flu", "a",   "m", "cold", "a",   "m",
                                        "flu", "*", "*",   "flu", "*", "*",    "cold"};
    arena *memory = arena_new();
    (void)state;
    verify_report r = check_with(cells, 5, (asked){3, 1, 5, {{0}}}, false, memory);
    assert_true(r.holds);
    assert_int_equal(r.suppressed, 2);
    r = check_with(cells, 5, (asked){3, 1, 5, {{0}}}, true, memory);
    assert_false(r.holds);
    assert_int_equal(r.suppressed, 2);
    assert_int_equal(r.n_classes, 1);
    r = check_with(cells, 5, (asked){2, 1, 5, {{0}}}, true, memory);
    assert_true(r.holds);
    assert_true(r.verdict[0].worst == 2);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_suppressed_rows_where_asked),
        cmocka_unit_test(counts_classes),
        cmocka_unit_test(finds_small_classes),
        cmocka_unit_test(finds_frequent_values),
        cmocka_unit_test(a_missing_sensitive_value_is_a_value),
        cmocka_unit_test(stars_throughout_are_suppressed_while_few),
        cmocka_unit_test(stars_beyond_the_limit_are_a_class),
        cmocka_unit_test(roots_of_any_name_are_suppressed),
        cmocka_unit_test(stars_stand_for_roots),
        cmocka_unit_test(labels_are_preferred_to_stars),
        cmocka_unit_test(missing_cells_are_not_suppressed),
        cmocka_unit_test(nothing_breaks_nothing),
        cmocka_unit_test(takes_fractions_of_l),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
