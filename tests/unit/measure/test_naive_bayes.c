/* The classifier against its definition, record by record. With as many folds as records it does
 * not matter which record is in which fold. */
#include "measure/naive_bayes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/rng.h"

enum { RECORDS = 40, COLUMNS = 2, VALUES = 7, LABELS = 3, CLASSES = 6 };

typedef struct scene {
    uint32_t positions[COLUMNS][RECORDS], rank[COLUMNS][VALUES + 1];
    query_cell cells[COLUMNS][CLASSES];
    uint32_t label[RECORDS], class_of[RECORDS], sizes[CLASSES];
    query_column columns[COLUMNS];
    query_input shown;
    bayes_input in;
} scene;

static void scene_draw(scene *s, rng *r)
{
    for (uint32_t j = 0; j < COLUMNS; j++) {
        const uint32_t n_leaves = VALUES + (j == 1); /* the second has missing values */
        for (uint32_t i = 0; i < n_leaves; i++)
            s->rank[j][i] = i;
        rng_shuffle(r, s->rank[j], n_leaves);
        for (uint32_t c = 0; c < CLASSES; c++) {
            const uint32_t a = rng_below(r, n_leaves), b = rng_below(r, n_leaves);
            s->cells[j][c] = (query_cell){rng_below(r, 2) == 1, a < b ? a : b, a < b ? b : a};
        }
        s->columns[j] = (query_column){VALUES, s->positions[j], n_leaves, s->rank[j], s->cells[j]};
    }
    for (uint32_t i = 0; i < RECORDS; i++) {
        s->label[i] = rng_below(r, 10) == 0 ? BAYES_NO_LABEL : rng_below(r, LABELS);
        s->class_of[i] = rng_below(r, CLASSES);
        s->positions[0][i] = rng_below(r, VALUES);
        s->positions[1][i] = rng_below(r, 5) == 0 ? QUERY_NO_VALUE : rng_below(r, VALUES);
    }
    s->shown = (query_input){RECORDS, COLUMNS, s->columns, CLASSES, s->sizes, NULL};
    s->in = (bayes_input){&s->shown, LABELS,  s->label, RECORDS, s->class_of,
                          s->label,  RECORDS, 1,        0,       0};
}

/* How much record i, or its row, speaks for a value: 1 for its own, or a share of its cell. */
static double speaks(const scene *s, uint32_t j, uint32_t i, uint32_t value, bool released)
{
    if (!released)
        return s->positions[j][i] == value;
    const query_cell cell = s->cells[j][s->class_of[i]];
    uint32_t known = 0;
    bool hit = false;
    for (uint32_t at = cell.first; at <= cell.last; at++) {
        const uint32_t position = cell.by_position ? at : s->rank[j][at];
        known += position < VALUES;
        hit = hit || position == value;
    }
    return hit ? 1.0 / known : 0;
}

static double score(const scene *s, uint32_t tested, uint32_t label, bool released)
{
    double prior = 1, product = 1;
    for (uint32_t i = 0; i < RECORDS; i++)
        prior += i != tested && s->label[i] == label;
    for (uint32_t j = 0; j < COLUMNS; j++) {
        double hits = 1, all = VALUES;
        if (s->positions[j][tested] == QUERY_NO_VALUE)
            continue;
        for (uint32_t i = 0; i < RECORDS; i++)
            for (uint32_t value = 0; value < VALUES; value++)
                if (i != tested && s->label[i] == label) {
                    const double part = speaks(s, j, i, value, released);
                    all += part;
                    hits += value == s->positions[j][tested] ? part : 0;
                }
        product *= hits / all;
    }
    return prior * product;
}

/* Accuracy by the definition; NaN if two labels are so near that rounding may decide. */
static double naive_accuracy(const scene *s, bool released)
{
    double right = 0, n = 0;
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t best = 0;
        double scores[LABELS];
        for (uint32_t label = 0; label < LABELS; label++) {
            scores[label] = score(s, i, label, released);
            if (label > 0 && fabs(scores[label] / scores[best] - 1) < 1e-9)
                return NAN;
            best = scores[label] > scores[best] ? label : best;
        }
        n += s->label[i] != BAYES_NO_LABEL;
        right += s->label[i] == best;
    }
    return right / n;
}

static double naive_baseline(const scene *s)
{
    double right = 0, n = 0;
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t counts[LABELS] = {0}, best = 0;
        for (uint32_t k = 0; k < RECORDS; k++)
            if (k != i && s->label[k] != BAYES_NO_LABEL)
                counts[s->label[k]]++;
        for (uint32_t label = 1; label < LABELS; label++)
            best = counts[label] > counts[best] ? label : best;
        n += s->label[i] != BAYES_NO_LABEL;
        right += s->label[i] == best;
    }
    return right / n;
}

static bayes_report run(const bayes_input *in)
{
    arena *memory = arena_new();
    bayes_report report;
    kith_error error;
    assert_int_equal(naive_bayes_measure(&report, in, memory, &error), KITH_OK);
    arena_free(memory);
    return report;
}

static void agrees_with_the_definition(void **state)
{
    (void)state;
    rng r;
    uint32_t compared = 0;
    rng_init(&r, 7, 0);
    for (int round = 0; round < 100; round++) {
        scene s;
        scene_draw(&s, &r);
        const bayes_report report = run(&s.in);
        const double original = naive_accuracy(&s, false), release = naive_accuracy(&s, true);
        assert_true(fabs(report.baseline - naive_baseline(&s)) < 1e-12);
        if (!isnan(original))
            assert_true(fabs(report.original - original) < 1e-12);
        if (!isnan(release))
            assert_true(fabs(report.release - release) < 1e-12);
        compared += !isnan(original) && !isnan(release);
    }
    assert_true(compared > 30);
}

/* Where the first column decides the label, the data teaches it without fault; a release that hides
 * everything teaches the most frequent label and nothing else. */
static void what_can_be_learned(void **state)
{
    (void)state;
    scene s;
    rng r;
    rng_init(&r, 1, 0);
    scene_draw(&s, &r);
    for (uint32_t i = 0; i < RECORDS; i++) {
        s.label[i] = i % 5 == 0;
        s.positions[0][i] = s.positions[1][i] = s.label[i] * 3;
    }
    for (uint32_t c = 0; c < CLASSES; c++) {
        s.cells[0][c] = (query_cell){false, 0, VALUES - 1};
        s.cells[1][c] = (query_cell){true, 0, VALUES - 1};
    }
    s.in.n_folds = 10;
    const bayes_report report = run(&s.in), again = run(&s.in);
    assert_int_equal(report.n_tested, RECORDS);
    assert_true(report.original == 1);
    assert_true(report.release == 0.8 && report.baseline == 0.8);
    assert_true(again.original == report.original && again.release == report.release);
}

static void without_labels_nothing_is_tested(void **state)
{
    (void)state;
    scene s;
    rng r;
    rng_init(&r, 1, 0);
    scene_draw(&s, &r);
    for (uint32_t i = 0; i < RECORDS; i++)
        s.label[i] = BAYES_NO_LABEL;
    const bayes_report report = run(&s.in);
    assert_int_equal(report.n_tested, 0);
    assert_true(isnan(report.original) && isnan(report.release) && isnan(report.baseline));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_definition),
        cmocka_unit_test(what_can_be_learned),
        cmocka_unit_test(without_labels_nothing_is_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
