/* Whose the rows are: persons and their values as numbers. */
#include "unit/job/support.h"

#include "job/prepare/prepare.h"

#define COLUMNS                                                 \
    "study: s\n"                                                \
    "columns:\n"                                                \
    "  - {name: ward, role: identifying}\n"                     \
    "  - {name: pid, role: identifying, type: integer}\n"       \
    "  - {name: age, role: quasi-identifying, type: integer}\n" \
    "  - {name: ill, role: sensitive}\n"                        \
    "privacy: [{model: alpha-k, k: 2, alpha: 0.5, attribute: ill}]\n"

/* 7 and 007 are one number; the last but one has none. */
static const char *const cells[] = {"a", "7",  "30", "flu", "a", "007", "31", "gout",
                                    "b", "7",  "32", "flu", "a", "8",   "33", "flu",
                                    "a", NULL, "34", "flu", "a", "7",   "35", "flu"};
enum { ROWS = 6, COLUMNS_GIVEN = 4 };

/* The ward is read only where it tells persons apart. */
static kith_table *rows_of(const kith_study *study, size_t first, size_t n)
{
    const char *own[ROWS * COLUMNS_GIVEN];
    const size_t skipped = COLUMNS_GIVEN - study->n_read;
    size_t used = 0;
    for (size_t row = first; row < first + n; row++)
        for (size_t i = skipped; i < COLUMNS_GIVEN; i++)
            own[used++] = cells[row * COLUMNS_GIVEN + i];
    return table_of(study, own, n);
}

static void numbers_are(const char *text, uint32_t n_units, uint32_t n_pairs,
                        const uint32_t unit[ROWS], const uint32_t pair[ROWS], uint32_t flu)
{
    context c;
    prepared p;
    kith_study *study = study_of(text);
    kith_table *table = rows_of(study, 0, ROWS);
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(prepare_table(&p, study, table, &c, NULL), KITH_OK);
    assert_int_equal(p.n_units, n_units);
    assert_int_equal(p.unknown, 1);
    assert_int_equal(p.problem.n_units, n_units);
    assert_int_equal(p.problem.sensitive[0].n_pairs, n_pairs);
    assert_memory_equal(p.problem.unit, unit, ROWS * sizeof *unit);
    assert_memory_equal(p.problem.sensitive[0].pair, pair, ROWS * sizeof *pair);
    assert_true(p.problem.models[0].by_units);
    assert_int_equal(p.problem.models[0].facts->n_records, n_units);
    assert_int_equal(p.problem.models[0].facts->overall[0], flu);
    assert_int_equal(p.problem.models[0].facts->overall[1], 1);
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
}

static void persons_and_their_values_are_numbered(void **state)
{
    (void)state;
    numbers_are(COLUMNS "unit: pid\n", 3, 4, (const uint32_t[]){0, 0, 0, 1, 2, 0},
                (const uint32_t[]){0, 1, 0, 2, 3, 0}, 3);
    numbers_are(COLUMNS "unit: [pid, ward]\n", 4, 5, (const uint32_t[]){0, 0, 1, 2, 3, 0},
                (const uint32_t[]){0, 1, 2, 3, 4, 0}, 4);
}

/* Where each person has one row, the problem is that of the study without the key. */
static void one_row_each_needs_no_numbers(void **state)
{
    (void)state;
    context c;
    prepared p;
    kith_study *study = study_of(COLUMNS "unit: pid\n");
    kith_table *table = rows_of(study, 3, 3);
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(prepare_table(&p, study, table, &c, NULL), KITH_OK);
    assert_int_equal(p.n_units, 3);
    assert_null(p.problem.unit);
    assert_false(p.problem.models[0].by_units);
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
}

/* Parts of a problem keep the numbers of their records. */
static void parts_keep_whose_their_records_are(void **state)
{
    (void)state;
    const uint32_t records[] = {1, 3, 5};
    context c;
    prepared p;
    problem part;
    attribute *attributes;
    kith_study *study = study_of(COLUMNS "unit: pid\n");
    kith_table *table = rows_of(study, 0, ROWS);
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(prepare_table(&p, study, table, &c, NULL), KITH_OK);
    assert_int_equal(problem_take(&part, &attributes, &p.problem, records, 3, c.memory, NULL),
                     KITH_OK);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(part.unit[i], p.problem.unit[records[i]]);
        assert_int_equal(part.sensitive[0].pair[i], p.problem.sensitive[0].pair[records[i]]);
    }
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons_and_their_values_are_numbered),
        cmocka_unit_test(one_row_each_needs_no_numbers),
        cmocka_unit_test(parts_keep_whose_their_records_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
