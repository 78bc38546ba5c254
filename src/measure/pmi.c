/* Private mutual information (SEQ 5): how much a released value tells about the sensitive one.
 *
 * Pr(y | node) is the share of y among the records whose cell is at the node or below it. For an
 * attribute, I = mean over records of log2 (Pr(y | released node) / Pr(y)); it is a utility, and
 * its fall from the original table to the release is the loss. The loss may be negative: hiding an
 * outlier can make a rule clearer (SEQ 5.1). The norms put attributes together: l1 is the mean
 * (eq. 12), max the largest (eq. 15), l2 the root of the sum of squares / attributes (eq. 16). */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "measure/costs.h"
#include "measure/losses.h"

/* Records grouped by sensitive value: those with y are order[start[y]] … order[start[y + 1] - 1].
 */
typedef struct grouped {
    uint32_t *start;
    uint32_t *order;
} grouped;

static kith_status group(grouped *g, const uint32_t *values, uint32_t distinct, uint32_t n_records,
                         arena *memory, kith_error *error)
{
    g->start = TRY_ALLOC(arena_zalloc(memory, (size_t)distinct + 2, sizeof *g->start), error);
    g->order = TRY_ALLOC(arena_array(memory, n_records, sizeof *g->order), error);
    for (uint32_t i = 0; i < n_records; i++)
        g->start[values[i] + 2]++;
    for (uint32_t y = 0; y < distinct; y++)
        g->start[y + 2] += g->start[y + 1];
    for (uint32_t i = 0; i < n_records; i++)
        g->order[g->start[values[i] + 1]++] = i;
    return KITH_OK;
}

/* Counts a cell, and all nodes above it. */
static void count_up(uint32_t *count, const tree *t, uint32_t cell)
{
    for (uint32_t node = cell;; node = t->parent[node]) {
        count[node]++;
        if (node == tree_root(t))
            return;
    }
}

/* Counts records at all nodes at or above their cells: records with their paths if they are few,
 * else first at their own nodes and then level by level, since a node comes before its parent. `m`
 * counts from `from` to `to` in `order`; NULL: all records. */
static void count_nodes(uint32_t *count, const tree *t, const uint32_t *cells,
                        const uint32_t *order, uint32_t from, uint32_t to)
{
    if ((uint64_t)(to - from) * t->n_levels < t->n_nodes) {
        for (uint32_t m = from; m < to; m++)
            count_up(count, t, cells[order == NULL ? m : order[m]]);
        return;
    }
    for (uint32_t m = from; m < to; m++)
        count[cells[order == NULL ? m : order[m]]]++;
    for (uint32_t node = 0; node < tree_root(t); node++)
        count[t->parent[node]] += count[node];
}

typedef struct scratch {
    uint32_t *all;  /* [n_nodes] records at or below */
    uint32_t *with; /* [n_nodes] those with the present sensitive value; zero between values */
    double *told;   /* [n_nodes] log2 Pr(value | node), or UNKNOWN */
} scratch;

#define UNKNOWN 1.0 /* logarithms of probabilities are never positive */

static kith_status scratch_new(scratch *s, uint32_t n_nodes, arena *memory, kith_error *error)
{
    s->all = TRY_ALLOC(arena_zalloc(memory, n_nodes, sizeof *s->all), error);
    s->with = TRY_ALLOC(arena_zalloc(memory, n_nodes, sizeof *s->with), error);
    s->told = TRY_ALLOC(arena_array(memory, n_nodes, sizeof *s->told), error);
    for (uint32_t node = 0; node < n_nodes; node++)
        s->told[node] = UNKNOWN;
    return KITH_OK;
}

/* log2 Pr(value | node) for the present value, computed once per node. */
static double told(scratch *s, uint32_t node)
{
    if (s->told[node] == UNKNOWN)
        s->told[node] = log2((double)s->with[node] / (double)s->all[node]);
    return s->told[node];
}

/* Resets the nodes on the path of a cell before the next value. */
static void forget(scratch *s, const tree *t, uint32_t cell)
{
    for (uint32_t node = cell; s->told[node] != UNKNOWN || s->with[node] != 0;
         node = t->parent[node]) {
        s->told[node] = UNKNOWN;
        s->with[node] = 0;
    }
}

static void forget_all(scratch *s, const tree *t, const uint32_t *cells, const uint32_t *order,
                       uint32_t from, uint32_t to)
{
    if ((uint64_t)(to - from) * t->n_levels < t->n_nodes) {
        for (uint32_t m = from; m < to; m++)
            forget(s, t, cells[order[m]]);
        return;
    }
    memset(s->with, 0, t->n_nodes * sizeof *s->with);
    for (uint32_t node = 0; node < t->n_nodes; node++)
        s->told[node] = UNKNOWN;
}

/* The node that a record shows in the release. */
static uint32_t shown(const loss_input *in, uint32_t record, uint32_t j)
{
    uint32_t class = in->class_of[record];
    return class == LOSS_SUPPRESSED ? tree_root(in->column[j].tree)
                                    : in->closure[(size_t) class * in->n_attributes + j];
}

/* I(Y; column j) before and after. */
static void column_information(double *before, double *after, const loss_input *in, uint32_t j,
                               const grouped *g, scratch *s)
{
    const loss_column *column = &in->column[j];
    const tree *t = column->tree;
    memset(s->all, 0, t->n_nodes * sizeof *s->all);
    *before = *after = 0;
    count_nodes(s->all, t, column->cells, NULL, 0, in->n_records);
    for (uint32_t y = 0; y < in->n_labels; y++) {
        uint32_t from = g->start[y], to = g->start[y + 1];
        count_nodes(s->with, t, column->cells, g->order, from, to);
        double prior = to > from ? log2((double)(to - from) / (double)in->n_records) : 0;
        for (uint32_t m = from; m < to; m++) {
            *before += told(s, column->cells[g->order[m]]) - prior;
            *after += told(s, shown(in, g->order[m], j)) - prior;
        }
        forget_all(s, t, column->cells, g->order, from, to);
    }
    *before /= in->n_records;
    *after /= in->n_records;
}

typedef struct norms {
    double sum, squares, largest;
} norms;

static void norms_add(norms *n, double information)
{
    n->sum += information;
    n->squares += information * information;
    n->largest = fmax(n->largest, information);
}

kith_status pmi_measure(loss_report *report, const loss_input *in, arena *memory, kith_error *error)
{
    report->pmi_2 = report->pmi_max = NAN;
    report->all.pmi = report->all.pmi_utility = NAN;
    for (uint32_t j = 0; j < in->n_attributes; j++)
        report->attribute[j].pmi = report->attribute[j].pmi_utility = NAN;
    if (in->label == NULL || in->shuffled || in->n_records == 0 || in->n_attributes == 0)
        return KITH_OK;
    uint32_t n_nodes = 1;
    for (uint32_t j = 0; j < in->n_attributes; j++)
        n_nodes = in->column[j].tree->n_nodes > n_nodes ? in->column[j].tree->n_nodes : n_nodes;
    grouped g;
    scratch s;
    TRY(group(&g, in->label, in->n_labels, in->n_records, memory, error));
    TRY(scratch_new(&s, n_nodes, memory, error));
    norms before = {0, 0, -HUGE_VAL}, after = {0, 0, -HUGE_VAL};
    for (uint32_t j = 0; j < in->n_attributes; j++) {
        double original, released;
        column_information(&original, &released, in, j, &g, &s);
        report->attribute[j].pmi = original - released;
        report->attribute[j].pmi_utility = released;
        norms_add(&before, original);
        norms_add(&after, released);
    }
    double r = in->n_attributes;
    report->all.pmi = (before.sum - after.sum) / r;
    report->all.pmi_utility = after.sum / r;
    report->pmi_2 = sqrt(before.squares) / r - sqrt(after.squares) / r;
    report->pmi_max = before.largest - after.largest;
    return KITH_OK;
}

kith_status pmi_costs(double *cost, const sensitive_input *in, arena *memory, kith_error *error)
{
    const tree *t = in->tree;
    grouped g;
    scratch s;
    TRY(group(&g, in->values, in->distinct, in->n_records, memory, error));
    TRY(scratch_new(&s, t->n_nodes, memory, error));
    count_nodes(s.all, t, in->cells, NULL, 0, in->n_records);
    for (uint32_t y = 0; y < in->distinct; y++) {
        count_nodes(s.with, t, in->cells, g.order, g.start[y], g.start[y + 1]);
        for (uint32_t node = 0; node < t->n_nodes; node++) {
            double *c = &cost[(size_t)node * in->distinct + y];
            *c = s.all[node] == 0 ? 0 : log2((double)s.all[node]);
            *c -= s.with[node] == 0 ? 0 : log2((double)s.with[node]);
        }
        memset(s.with, 0, t->n_nodes * sizeof *s.with);
    }
    return KITH_OK;
}
