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

/* Records at a node or below it. */
typedef struct scratch {
    uint64_t *all;  /* [n_nodes] */
    uint64_t *with; /* [n_nodes] those with the present label; zero between labels */
} scratch;

/* A node comes before its parent. */
static void add_up(uint64_t *count, const tree *t)
{
    for (uint32_t node = 0; node < tree_root(t); node++)
        count[t->parent[node]] += count[node];
}

static kith_status scratch_new(scratch *s, const tree *t, const uint64_t *there, arena *memory,
                               kith_error *error)
{
    s->all = TRY_ARRAY(s->all, memory, t->n_nodes, error);
    s->with = TRY_ZEROS(s->with, memory, t->n_nodes, error);
    memcpy(s->all, there, t->n_nodes * sizeof *s->all);
    add_up(s->all, t);
    return KITH_OK;
}

/* Few pairs are followed to the root; for many all nodes are looked at. */
static bool is_few(const tree *t, size_t n_pairs)
{
    return n_pairs * t->n_levels < t->n_nodes;
}

/* Counts the records of one label. */
static void count_with(scratch *s, const tree *t, const pmi_pair *pair, size_t n_pairs)
{
    for (size_t i = 0; i < n_pairs; i++)
        s->with[pair[i].node] += pair[i].there;
    if (!is_few(t, n_pairs)) {
        add_up(s->with, t);
        return;
    }
    for (size_t i = 0; i < n_pairs; i++)
        for (uint32_t node = pair[i].node; node != tree_root(t) && pair[i].there > 0;) {
            node = t->parent[node];
            s->with[node] += pair[i].there;
        }
}

/* The opposite of count_with. */
static void forget(scratch *s, const tree *t, const pmi_pair *pair, size_t n_pairs)
{
    if (!is_few(t, n_pairs)) {
        memset(s->with, 0, t->n_nodes * sizeof *s->with);
        return;
    }
    for (size_t i = 0; i < n_pairs; i++)
        for (uint32_t node = pair[i].node; s->with[node] != 0; node = t->parent[node]) {
            s->with[node] = 0;
            if (node == tree_root(t))
                break;
        }
}

/* How many pairs from here on have the label of the first of them. */
static size_t same_label(const pmi_pairs *pairs, size_t from)
{
    size_t to = from;
    while (to < pairs->count && pairs->pair[to].label == pairs->pair[from].label)
        to++;
    return to - from;
}

static pmi_label measure_label(const scratch *s, const pmi_pair *pair, size_t n_pairs,
                               uint64_t n_records)
{
    uint64_t n_with = 0;
    for (size_t i = 0; i < n_pairs; i++)
        n_with += pair[i].there;
    const double prior = log2((double)n_with / (double)n_records);
    pmi_label sum = {0, 0};
    for (size_t i = 0; i < n_pairs; i++) {
        const uint32_t node = pair[i].node;
        const double told = log2((double)s->with[node] / (double)s->all[node]) - prior;
        sum.before += pair[i].there > 0 ? (double)pair[i].there * told : 0;
        sum.after += pair[i].shown > 0 ? (double)pair[i].shown * told : 0;
    }
    return sum;
}

kith_status pmi_measure_labels(pmi_label *labels, const pmi_pairs *pairs, const tree *t,
                               const uint64_t *there, uint64_t n_records, arena *memory,
                               kith_error *error)
{
    scratch s;
    TRY(scratch_new(&s, t, there, memory, error));
    for (size_t from = 0, n; from < pairs->count; from += n) {
        const pmi_pair *pair = &pairs->pair[from];
        n = same_label(pairs, from);
        count_with(&s, t, pair, n);
        labels[pair->label] = measure_label(&s, pair, n, n_records);
        forget(&s, t, pair, n);
    }
    arena_release(memory, s.with, t->n_nodes * sizeof *s.with);
    arena_release(memory, s.all, t->n_nodes * sizeof *s.all);
    return KITH_OK;
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

void pmi_unknown(loss_report *report, uint32_t n_attributes)
{
    report->pmi_2 = report->pmi_max = NAN;
    report->all.pmi = report->all.pmi_utility = NAN;
    for (uint32_t j = 0; j < n_attributes; j++)
        report->attribute[j].pmi = report->attribute[j].pmi_utility = NAN;
}

void pmi_report(loss_report *report, const pmi_label *labels, uint32_t n_labels,
                uint32_t n_attributes, uint64_t n_records)
{
    norms before = {0, 0, -HUGE_VAL}, after = {0, 0, -HUGE_VAL};
    for (uint32_t j = 0; j < n_attributes; j++) {
        double original = 0, released = 0;
        for (uint32_t y = 0; y < n_labels; y++) {
            original += labels[(size_t)j * n_labels + y].before;
            released += labels[(size_t)j * n_labels + y].after;
        }
        original /= (double)n_records;
        released /= (double)n_records;
        report->attribute[j].pmi = original - released;
        report->attribute[j].pmi_utility = released;
        norms_add(&before, original);
        norms_add(&after, released);
    }
    double r = n_attributes;
    report->all.pmi = (before.sum - after.sum) / r;
    report->all.pmi_utility = after.sum / r;
    report->pmi_2 = sqrt(before.squares) / r - sqrt(after.squares) / r;
    report->pmi_max = before.largest - after.largest;
}

kith_status pmi_costs(double *cost, const sensitive_input *in, arena *memory, kith_error *error)
{
    const tree *t = in->tree;
    pmi_pairs pairs;
    scratch s;
    /* The pairs of a table of which nothing has been released, and how many cells stand at each
     * node. */
    pmi_order order;
    uint64_t *there = TRY_ZEROS(there, memory, in->tree->n_nodes, error);
    for (uint32_t i = 0; i < in->n_records; i++)
        there[in->cells[i]]++;
    TRY(scratch_new(&s, in->tree, there, memory, error));
    TRY(pmi_order_make(&order, in->values, in->distinct, in->n_records, memory, error));
    TRY(pmi_pairs_make(&pairs, &order, in->tree, in->cells, NULL, memory, error));
    pmi_order_release(&order, memory);
    for (uint32_t node = 0; node < t->n_nodes; node++)
        for (uint32_t y = 0; y < in->distinct; y++)
            cost[(size_t)node * in->distinct + y] =
                s.all[node] == 0 ? 0 : log2((double)s.all[node]);
    for (size_t from = 0, n; from < pairs.count; from += n) {
        const pmi_pair *pair = &pairs.pair[from];
        n = same_label(&pairs, from);
        count_with(&s, t, pair, n);
        for (uint32_t node = 0; node < t->n_nodes; node++)
            if (s.with[node] > 0)
                cost[(size_t)node * in->distinct + pair->label] -= log2((double)s.with[node]);
        forget(&s, t, pair, n);
    }
    pmi_pairs_release(&pairs, memory);
    return KITH_OK;
}
