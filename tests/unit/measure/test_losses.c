/* The measures of a release against evaluations that follow the papers' formulas cell by cell. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/measure.h"
#include "support/losses.h"
#include "support/random_problem.h"
#include "support/trees.h"

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b))))
        fail_msg("%.12f is not %.12f", a, b);
}

/* A random release: classes with the lowest nodes that cover them (local recoding) or one level per
 * attribute (global), and some records suppressed. */
typedef struct sample {
    arena *memory;
    problem *p;
    loss_input in;
    loss_report report;
} sample;

static void fill_closures(sample *s, uint32_t *closure, bool global)
{
    for (uint32_t j = 0; j < s->p->n_attributes; j++) {
        const attribute *a = &s->p->attributes[j];
        for (uint32_t c = 0; c < s->in.n_classes; c++) {
            uint32_t node = UINT32_MAX;
            for (uint32_t i = 0; i < s->p->n_records; i++)
                if (s->in.class_of[i] == c)
                    node = node == UINT32_MAX ? a->cells[i] : tree_lca(a->tree, node, a->cells[i]);
            while (global && node != UINT32_MAX && a->tree->level[node] + 2u < a->tree->n_levels)
                node = a->tree->parent[node];
            closure[c * s->p->n_attributes + j] = node;
        }
    }
}

static sample sample_of(uint32_t n_records, uint32_t n_attributes, uint32_t n_leaves, uint64_t seed)
{
    sample s = {.memory = arena_new()};
    random_shape shape = {.n_records = n_records,
                          .n_attributes = n_attributes,
                          .max_leaves = n_leaves,
                          .max_levels = 4,
                          .k = 2,
                          .wildcards = seed % 3 == 0 ? .15 : 0,
                          .skewed = seed % 2};
    s.p = random_problem(&shape, seed, s.memory);
    rng r;
    rng_init(&r, seed, 9);
    uint32_t n = s.p->n_records, n_classes = 1 + n / 4;
    uint32_t *class_of = arena_array(s.memory, n, sizeof *class_of);
    uint32_t *label = arena_array(s.memory, n, sizeof *label);
    uint64_t *rows = arena_zalloc(s.memory, s.p->n_attributes, sizeof *rows);
    for (uint32_t i = 0; i < n; i++) {
        class_of[i] = rng_below(&r, 10) == 0 ? LOSS_SUPPRESSED : rng_below(&r, n_classes);
        label[i] = rng_below(&r, 3);
    }
    loss_column *column = arena_array(s.memory, s.p->n_attributes, sizeof *column);
    for (uint32_t j = 0; j < s.p->n_attributes; j++) {
        column[j] = (loss_column){s.p->attributes[j].tree, s.p->attributes[j].cells};
        rows[j] = seed % 5 == 0 ? s.p->attributes[j].tree->n_leaves + 3 : 0;
    }
    uint32_t *closure =
        arena_array(s.memory, (size_t)n_classes * s.p->n_attributes, sizeof *closure);
    s.in = (loss_input){.n_records = n,
                        .n_attributes = s.p->n_attributes,
                        .column = column,
                        .n_classes = n_classes,
                        .class_of = class_of,
                        .closure = closure,
                        .label = label,
                        .n_labels = 4, /* one never occurs */
                        .rows = rows};
    fill_closures(&s, closure, seed % 4 == 1);
    assert_int_equal(losses_measure(&s.report, &s.in, s.memory), KITH_OK);
    return s;
}

static sample sample_new(uint64_t seed)
{
    return sample_of(20 + (uint32_t)seed % 30, 1 + (uint32_t)seed % 4, 9, seed);
}

static uint32_t released(const sample *s, uint32_t i, uint32_t j)
{
    return s->in.class_of[i] == LOSS_SUPPRESSED
               ? tree_root(s->in.column[j].tree)
               : s->in.closure[s->in.class_of[i] * s->in.n_attributes + j];
}

/* Records whose cell in column j is covered by a node; with a label, if it is below UINT32_MAX. */
static double covered(const sample *s, uint32_t j, uint32_t node, uint32_t label)
{
    double count = 0;
    for (uint32_t i = 0; i < s->in.n_records; i++)
        count += tree_covers(s->in.column[j].tree, node, s->in.column[j].cells[i]) &&
                 (label == UINT32_MAX || s->in.label[i] == label);
    return count;
}

/* Records with a value below a node (wildcards have none). */
static double valued(const sample *s, uint32_t j, uint32_t node)
{
    double count = 0;
    const tree *t = s->in.column[j].tree;
    for (uint32_t i = 0; i < s->in.n_records; i++)
        count += s->in.column[j].cells[i] < t->n_leaves &&
                 tree_covers(t, node, s->in.column[j].cells[i]);
    return count;
}

static void mi_follows_equations_9_and_10(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        sample s = sample_new(seed);
        double loss = 0, utility = 0;
        for (uint32_t i = 0; i < s.in.n_records; i++)
            for (uint32_t j = 0; j < s.in.n_attributes; j++) {
                const tree *t = s.in.column[j].tree;
                uint32_t cell = s.in.column[j].cells[i];
                if (cell >= t->n_leaves)
                    continue;
                double given = valued(&s, j, cell) / valued(&s, j, released(&s, i, j));
                loss -= log2(given);
                utility += log2(given / (valued(&s, j, cell) / valued(&s, j, tree_root(t))));
            }
        double cells = (double)s.in.n_records * s.in.n_attributes;
        assert_near(s.report.all.mi, loss / cells);
        assert_near(s.report.all.mi_utility, utility / cells);
        arena_free(s.memory);
    }
}

static double information(const sample *s, uint32_t j, bool original)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->in.n_records; i++) {
        uint32_t node = original ? s->in.column[j].cells[i] : released(s, i, j), y = s->in.label[i];
        double given = covered(s, j, node, y) / covered(s, j, node, UINT32_MAX);
        uint32_t root = tree_root(s->in.column[j].tree);
        sum += log2(given / (covered(s, j, root, y) / s->in.n_records));
    }
    return sum / s->in.n_records;
}

static void pmi_follows_equations_12_to_16(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        sample s = sample_new(seed);
        double sum[2] = {0}, squares[2] = {0}, max[2] = {-HUGE_VAL, -HUGE_VAL};
        for (uint32_t j = 0; j < s.in.n_attributes; j++)
            for (int original = 0; original < 2; original++) {
                double value = information(&s, j, original);
                sum[original] += value;
                squares[original] += value * value;
                max[original] = fmax(max[original], value);
            }
        double r = s.in.n_attributes;
        assert_near(s.report.all.pmi_utility, sum[0] / r);
        assert_near(s.report.all.pmi, (sum[1] - sum[0]) / r);
        assert_near(s.report.pmi_2, sqrt(squares[1]) / r - sqrt(squares[0]) / r);
        assert_near(s.report.pmi_max, max[1] - max[0]);
        arena_free(s.memory);
    }
}

/* SEQ 5.1: one attribute a a a a b b b b c, sensitive 0 0 0 1 0 1 1 1 1. Hiding the outliers is
 * worth more than nothing: -0.126; hiding others costs 0.086. The paper's logarithms are binary. */
static void the_examples_of_the_paper(void **state)
{
    (void)state;
    arena *memory = arena_new();
    static const uint32_t cells[] = {0, 0, 0, 0, 1, 1, 1, 1, 2};
    static const uint32_t sensitive_value[] = {0, 0, 0, 1, 0, 1, 1, 1, 1};
    static const uint32_t first[] = {0, 0, 0, 2, 2, 1, 1, 1, 2};
    static const uint32_t second[] = {0, 0, 2, 0, 2, 1, 1, 1, 2};
    loss_column column = {trees_flat(memory, 3), cells};
    loss_input in = {.n_records = 9,
                     .n_attributes = 1,
                     .column = &column,
                     .n_classes = 3,
                     .class_of = first,
                     .closure = (uint32_t[]){0, 1, 3},
                     .label = sensitive_value,
                     .n_labels = 2};
    loss_report report;
    assert_int_equal(losses_measure(&report, &in, memory), KITH_OK);
    assert_true(fabs(report.all.pmi - -0.126) < 0.0005);
    double lm = report.all.lm, mi = report.all.mi;
    in.class_of = second;
    assert_int_equal(losses_measure(&report, &in, memory), KITH_OK);
    assert_true(fabs(report.all.pmi - 0.086) < 0.0005);
    assert_near(report.all.lm, lm); /* the others cannot tell the two apart */
    assert_near(report.all.mi, mi);
    arena_free(memory);
}

static void am_counts_possible_records(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        sample s = sample_new(seed);
        double sum = 0;
        for (uint32_t i = 0; i < s.in.n_records; i++) {
            double product = 1;
            for (uint32_t j = 0; j < s.in.n_attributes; j++) {
                const tree *t = s.in.column[j].tree;
                if (s.in.column[j].cells[i] < t->n_leaves)
                    product *= tree_size(t, released(&s, i, j));
            }
            sum += product;
        }
        assert_near(s.report.am, sum / s.in.n_records);
        arena_free(s.memory);
    }
}

static void arx_loss_takes_the_geometric_mean(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        sample s = sample_new(seed);
        double product = 1;
        for (uint32_t j = 0; j < s.in.n_attributes; j++) {
            const tree *t = s.in.column[j].tree;
            double rows = s.in.rows[j] > 0 ? (double)s.in.rows[j] : t->n_leaves, sum = 0;
            for (uint32_t i = 0; i < s.in.n_records; i++) {
                uint32_t node = released(&s, i, j);
                if (s.in.column[j].cells[i] < t->n_leaves && rows > 1)
                    sum += node == tree_root(t) ? 1 : (tree_size(t, node) - 1) / (rows - 1);
            }
            product *= 1 + sum / s.in.n_records;
        }
        assert_near(s.report.arx_loss, pow(product, 1.0 / s.in.n_attributes) - 1);
        arena_free(s.memory);
    }
}

/* q of a record's cells: the sum over all released rows that cover them, each spread evenly. */
static double naive_kl(const sample *s)
{
    double sum = 0, n = s->in.n_records;
    for (uint32_t i = 0; i < s->in.n_records; i++) {
        double p = 0, q = 0;
        for (uint32_t o = 0; o < s->in.n_records; o++) {
            bool same = true;
            double share = 1;
            for (uint32_t j = 0; j < s->in.n_attributes; j++) {
                const tree *t = s->in.column[j].tree;
                uint32_t cell = s->in.column[j].cells[i], node = released(s, o, j);
                same &= s->in.column[j].cells[o] == cell;
                share *= tree_covers(t, node, cell)
                             ? (double)tree_size(t, cell) / tree_size(t, node)
                             : 0;
            }
            p += same;
            q += share;
        }
        sum += log2(p / q) / n;
    }
    return fmax(sum, 0);
}

static void kl_spreads_classes_evenly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        sample s = sample_new(seed);
        double kl;
        assert_int_equal(losses_kl(&kl, &s.in, NULL, s.memory), KITH_OK);
        assert_near(kl, naive_kl(&s));
        assert_true(isnan(s.report.kl));
        arena_free(s.memory);
    }
}

/* More distinct records than one run of the walk takes, and ranges of many boxes. */
static void kl_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 6; seed < 8; seed++) {
        sample s = sample_of(6000, 3, 60, seed);
        double alone, together;
        threads *pool = threads_new(3);
        assert_non_null(pool);
        assert_int_equal(losses_kl(&alone, &s.in, NULL, s.memory), KITH_OK);
        assert_near(alone, naive_kl(&s));
        assert_int_equal(losses_kl(&together, &s.in, pool, s.memory), KITH_OK);
        assert_true(together == alone);
        threads_free(pool);
        arena_free(s.memory);
    }
}

static void sensitive_costs_sum_to_the_measure(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        sample s = sample_new(seed);
        double w = seed % 2 ? 0.3 : 0, sum[2] = {0};
        for (uint32_t j = 0; j < s.in.n_attributes; j++) {
            const tree *t = s.in.column[j].tree;
            sensitive_input in = {.tree = t,
                                  .n_records = s.in.n_records,
                                  .cells = s.in.column[j].cells,
                                  .values = s.in.label,
                                  .distinct = s.in.n_labels,
                                  .w = w};
            double *cost = arena_array(s.memory, (size_t)t->n_nodes * s.in.n_labels, sizeof *cost);
            measure_id id = w > 0 ? MEASURE_WMI : MEASURE_PMI;
            assert_int_equal(measure_sensitive_costs(cost, id, &in, s.memory, NULL), KITH_OK);
            for (uint32_t i = 0; i < s.in.n_records; i++) {
                sum[0] += cost[s.in.column[j].cells[i] * s.in.n_labels + s.in.label[i]];
                sum[1] += cost[released(&s, i, j) * s.in.n_labels + s.in.label[i]];
            }
            for (uint32_t e = 0; e < t->n_nodes * s.in.n_labels; e++)
                assert_true(isfinite(cost[e]));
        }
        double cells = (double)s.in.n_records * s.in.n_attributes;
        assert_near((sum[1] - sum[0]) / cells, w * s.report.all.mi + (1 - w) * s.report.all.pmi);
        arena_free(s.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mi_follows_equations_9_and_10),
        cmocka_unit_test(pmi_follows_equations_12_to_16),
        cmocka_unit_test(the_examples_of_the_paper),
        cmocka_unit_test(am_counts_possible_records),
        cmocka_unit_test(arx_loss_takes_the_geometric_mean),
        cmocka_unit_test(kl_spreads_classes_evenly),
        cmocka_unit_test(kl_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(sensitive_costs_sum_to_the_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
