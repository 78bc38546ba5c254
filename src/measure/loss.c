#include "measure/loss.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "measure/costs.h"
#include "measure/loss_counts.h"

/* Sum of a measure over one column: cost of what is shown minus cost of what was there. */
static double column_sum(const double *cost, const loss_column_counts *c)
{
    double sum = 0;
    for (uint32_t node = 0; node < c->tree->n_nodes; node++)
        sum += cost[node] * ((double)c->shown[node] - (double)c->there[node]);
    return fabs(sum) < 1e-9 ? 0 : sum;
}

/* Suppressed cells count apart, by log2 of how many they are minus log2 of how many of them have
 * the value; wildcards among them cost nothing and are not counted. */
static double column_entropy(double *cost, const loss_column_counts *c, uint64_t n_suppressed)
{
    const tree *t = c->tree;
    double sum = 0, total = 0, weighted = 0;
    entropy_costs(cost, t, c->there);
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        const double shown = (double)(c->shown[node] - (node == tree_root(t) ? n_suppressed : 0));
        sum += cost[node] * (shown - (double)(c->there[node] - c->suppressed[node]));
    }
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++) {
        const double n = (double)c->suppressed[leaf];
        total += n;
        weighted += n > 1 ? n * log2(n) : 0;
    }
    return (fabs(sum) < 1e-9 ? 0 : sum) + (total > 1 ? total * log2(total) - weighted : 0);
}

/* Sums over the cells of a column; `cost` has room for its nodes. */
static loss_cells measure_column(double *cost, const loss_column_counts *c,
                                 const loss_counts *counts)
{
    loss_cells sum = {0};
    lm_costs(cost, c->tree, c->there);
    sum.lm = column_sum(cost, c);
    em_costs(cost, c->tree, c->there);
    sum.em = column_sum(cost, c);
    height_costs(cost, c->tree, c->there);
    sum.tree = column_sum(cost, c);
    sum.arx = sum.lm;
    if (c->n_file_rows != c->tree->n_leaves) {
        arx_loss_costs(cost, c->tree, c->n_file_rows);
        sum.arx = column_sum(cost, c);
    }
    if (c->excess > 0)
        sum.lm -= (double)c->excess / (c->tree->n_leaves - 1.0);
    /* What is lost of the entropy of the column, and what of it is kept. */
    const tree *t = c->tree;
    entropy_costs(cost, t, c->there);
    sum.mi = column_sum(cost, c);
    double all = 0;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        all += (cost[tree_root(t)] - cost[node]) * (double)c->there[node];
    sum.mi_utility = all - sum.mi;
    sum.entropy = counts->shuffled && counts->n_suppressed > 0
                      ? NAN
                      : column_entropy(cost, c, counts->n_suppressed);
    return sum;
}

static void add_cells(loss_cells *to, const loss_cells *from, double factor)
{
    to->lm += factor * from->lm;
    to->em += factor * from->em;
    to->entropy += factor * from->entropy;
    to->tree += factor * from->tree;
    to->mi += factor * from->mi;
    to->mi_utility += factor * from->mi_utility;
    to->arx += factor * from->arx;
}

/* What each label tells, from the rank that counted it. */
static kith_status collect_labels(pmi_label *labels, const loss_counts *c, kith_ranks *ranks,
                                  arena *memory, kith_error *error)
{
    const size_t n_bytes = (size_t)c->n_attributes * c->n_labels * sizeof *labels;
    ranks_bytes *all = TRY_ARRAY(all, memory, ranks_count(ranks), error);
    if (ranks_count(ranks) == 1)
        return KITH_OK;
    TRY(ranks_gather(ranks, labels, n_bytes, all, memory, error));
    for (uint32_t j = 0; j < c->n_attributes; j++)
        for (uint32_t y = 0; y < c->n_labels; y++) {
            const size_t at = (size_t)j * c->n_labels + y;
            const char *from = all[loss_counts_rank(y, ranks)].bytes;
            pmi_label one;
            memcpy(&one, from + at * sizeof one, sizeof one);
            labels[at] = one;
        }
    return KITH_OK;
}

kith_status loss_counts_report(loss_report *report, const loss_counts *c, kith_ranks *ranks,
                               arena *memory, kith_error *error)
{
    *report = (loss_report){.kl = NAN};
    /* What follows from the sizes of classes and their labels alone. */
    const uint64_t n_kept = c->n_records - c->n_suppressed;
    report->suppressed = (uint32_t)c->n_suppressed;
    report->smallest_class = (uint32_t)c->classes.smallest;
    report->dm = (double)(c->classes.squares + c->n_suppressed * c->n_records);
    if (c->classes.n_classes > 0)
        report->average_class = (double)n_kept / (double)c->classes.n_classes;
    report->cm = c->labelled && c->n_records > 0
                     ? (double)(c->classes.off_majority + c->n_suppressed) / (double)c->n_records
                     : NAN;
    report->attribute = TRY_ZEROS(report->attribute, memory, c->n_attributes, error);
    if (c->n_records == 0 || c->n_attributes == 0)
        return KITH_OK;
    loss_cells sum = {0};
    for (uint32_t j = 0; j < c->n_attributes; j++) {
        const size_t n_nodes = c->attribute[j].tree->n_nodes;
        double *cost = TRY_ARRAY(cost, memory, n_nodes, error);
        const loss_cells column = measure_column(cost, &c->attribute[j], c);
        arena_release(memory, cost, n_nodes * sizeof *cost);
        add_cells(&report->attribute[j], &column, 1 / (double)c->n_records);
        add_cells(&sum, &report->attribute[j], 1);
    }
    add_cells(&report->all, &sum, 1 / (double)c->n_attributes);
    report->am = c->shuffled && c->wildcards ? NAN : am_mean(&c->am, c->n_records);
    report->arx_loss = arx_loss_aggregate(report->attribute, c->n_attributes);
    pmi_unknown(report, c->n_attributes);
    if (!c->labelled || c->shuffled)
        return KITH_OK;
    pmi_label *labels = TRY_ZEROS(labels, memory, (size_t)c->n_attributes * c->n_labels, error);
    for (uint32_t j = 0; j < c->n_attributes; j++) {
        const loss_column_counts *from = &c->attribute[j];
        TRY(pmi_measure_labels(labels + (size_t)j * c->n_labels, &from->pairs, from->tree,
                               from->there, c->n_records, memory, error));
    }
    TRY(collect_labels(labels, c, ranks, memory, error));
    pmi_report(report, labels, c->n_labels, c->n_attributes, c->n_records);
    return KITH_OK;
}
