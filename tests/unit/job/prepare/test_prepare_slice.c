/* Slices of a table are prepared as the whole table is: with the same trees, costs and facts. */
#include "unit/job/support.h"

#include "job/prepare/prepare.h"
#include "table/table.h"

enum { ROWS = 12, COLUMNS = 4, MOST_VALUES = 16 };

/* Ages above 60 are one value, two texts of `stay` are one value, and cells are missing. */
static const char study_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, top: 60,\n"
    "     hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: town, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: stay, role: sensitive, type: integer}\n"
    "  - {name: note, role: insensitive}\n"
    "missing: %s\n"
    "utility: {measure: %s}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 2}\n"
    "  - {model: t-closeness, variant: ordered, t: 0.5, attribute: stay}\n";

static const char *const cells[ROWS * COLUMNS] = {
    "31", "aa", "1",  "x",  "35", "ab", "01", NULL, "70", "aa", "2", "y", "88", "bb", NULL, "z",
    "42", NULL, "3",  "x",  "44", "ba", "1",  "x",  "51", "ab", "2", "y", "59", "bb", "4",  "y",
    "61", "aa", "04", NULL, "33", "aa", "1",  "x",  NULL, "ba", "5", "z", "38", "ab", "2",  "w"};

static kith_study *make_study(const char *missing, const char *measure)
{
    char text[sizeof study_text + 40];
    snprintf(text, sizeof text, study_text, missing, measure);
    return study_of(text);
}

/* Rows `first` to `end` of a table. */
static kith_table slice(const kith_table *table, uint32_t first, uint32_t end, column *columns)
{
    kith_table part = *table;
    part.n_rows = end - first;
    part.columns = columns;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        columns[i] = table->columns[i];
        columns[i].codes += first;
    }
    return part;
}

static void count(uint64_t counts[COLUMNS][MOST_VALUES], const kith_table *table)
{
    memset(counts, 0, sizeof(uint64_t[COLUMNS][MOST_VALUES]));
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const column *c = &table->columns[i];
        assert_true(c->values.count < MOST_VALUES);
        for (uint32_t row = 0; row < table->n_rows; row++)
            counts[i][c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]]++;
    }
}

static void same_facts(const model_facts *a, const model_facts *b)
{
    assert_int_equal(a->n_records, b->n_records);
    assert_int_equal(a->n_values, b->n_values);
    assert_int_equal(a->occurring, b->occurring);
    assert_memory_equal(a->overall, b->overall, a->n_values * sizeof *a->overall);
    assert_memory_equal(a->rank, b->rank, a->n_values * sizeof *a->rank);
}

static void same_problem(const problem *whole, const problem *part, uint32_t first)
{
    assert_int_equal(part->may_suppress, whole->may_suppress);
    assert_int_equal(part->n_attributes, whole->n_attributes);
    for (uint32_t j = 0; j < whole->n_attributes; j++) {
        const attribute *a = &whole->attributes[j], *b = &part->attributes[j];
        assert_int_equal(a->tree->n_nodes, b->tree->n_nodes);
        assert_memory_equal(a->cost, b->cost, a->tree->n_nodes * sizeof *a->cost);
        assert_memory_equal(a->cells + first, b->cells, part->n_records * sizeof *a->cells);
        assert_int_equal(a->wildcards, b->wildcards);
        assert_int_equal(a->missing_last, b->missing_last);
    }
    assert_int_equal(part->sensitive[0].count, whole->sensitive[0].count);
    assert_memory_equal(whole->sensitive[0].values + first, part->sensitive[0].values,
                        part->n_records * sizeof(uint32_t));
    same_facts(whole->models[1].facts, part->models[1].facts);
}

static void compare(const char *missing, const char *measure)
{
    kith_study *study = make_study(missing, measure);
    kith_table *table = table_of(study, cells, ROWS);
    context c;
    prepared whole;
    uint64_t counts[COLUMNS][MOST_VALUES];
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(prepare_table(&whole, study, table, &c, NULL), KITH_OK);
    count(counts, table);
    const uint64_t *const rows[COLUMNS] = {counts[0], counts[1], counts[2], counts[3]};
    const prepare_whole known = {.n_rows = ROWS, .counts = rows};
    static const uint32_t cuts[] = {0, 5, 5, 6, ROWS};
    for (uint32_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++) {
        prepared part;
        column columns[COLUMNS];
        const kith_table share = slice(table, cuts[i], cuts[i + 1], columns);
        assert_int_equal(prepare_slice(&part, study, &share, &known, &c, NULL), KITH_OK);
        same_problem(&whole.problem, &part.problem, cuts[i]);
        assert_int_equal(prepare_whole_rows(&part), ROWS);
    }
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
}

static void slices_have_the_trees_and_costs_of_the_whole(void **state)
{
    (void)state;
    static const char *const measures[] = {"lm", "em", "entropy"};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        compare("value", measures[i]);
        compare("wildcard", measures[i]);
    }
}

/* dm is minimized by flash, which needs no more than counts. Whose rows are whose ranks can tell
 * together. */
static void searches_need_as_little_as_they_can(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        prepare_need disk, ranks;
    } cases[] = {
        {"", NEEDS_PIECES, NEEDS_PIECES},
        {"unit: pid\n", NEEDS_RECORDS, NEEDS_PIECES},
        {"utility: {measure: pmi}\n", NEEDS_RECORDS, NEEDS_RECORDS},
        {"utility: {suppression: 0.25}\n", NEEDS_RECORDS, NEEDS_RECORDS},
        {"utility: {measure: dm}\n", NEEDS_COMBINATIONS, NEEDS_COMBINATIONS},
        {"utility: {measure: dm}\nunit: pid\n", NEEDS_RECORDS, NEEDS_COMBINATIONS},
        {"utility: {measure: dm, suppression: 0.25}\n", NEEDS_COMBINATIONS, NEEDS_COMBINATIONS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "study: s\ncolumns:\n  - {name: pid, role: identifying}\n"
                 "  - {name: age, role: quasi-identifying}\n  - {name: ill, role: sensitive}\n"
                 "privacy: [{model: l-diversity, variant: distinct, l: 2, attribute: ill}]\n%s",
                 cases[i].keys);
        kith_study *study = study_of(text);
        assert_int_equal(prepare_needs(study, false), cases[i].disk);
        assert_int_equal(prepare_needs(study, true), cases[i].ranks);
        assert_int_equal(prepare_whole_check(study, NULL), KITH_OK);
        kith_study_free(study);
    }
}

static void what_looks_at_rows_is_refused(void **state)
{
    (void)state;
    kith_error error = {0};
    kith_study *study = make_study("value", "lm}\nsample: 0.5 #");
    assert_int_equal(prepare_whole_check(study, &error), KITH_INVALID);
    assert_memory_equal(error.message, "sample", 6);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_have_the_trees_and_costs_of_the_whole),
        cmocka_unit_test(searches_need_as_little_as_they_can),
        cmocka_unit_test(what_looks_at_rows_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
