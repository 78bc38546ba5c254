#include "measure/loss.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "measure/costs.h"
#include "measure/losses.h"

/* Class sizes, and what follows from them alone. */
static void measure_classes(loss_report *report, const loss_input *in, uint32_t *size)
{
    for (uint32_t i = 0; i < in->n_records; i++)
        size[in->class_of[i] == LOSS_SUPPRESSED ? in->n_classes : in->class_of[i]]++;
    report->suppressed = size[in->n_classes];
    report->dm = (double)report->suppressed * (double)in->n_records;
    uint32_t n_classes = 0;
    for (uint32_t c = 0; c < in->n_classes; c++) {
        if (size[c] == 0)
            continue;
        report->dm += (double)size[c] * (double)size[c];
        if (n_classes++ == 0 || size[c] < report->smallest_class)
            report->smallest_class = size[c];
    }
    if (n_classes > 0)
        report->average_class = (double)(in->n_records - report->suppressed) / n_classes;
}

/* Classification metric: counts the records off the majority of their class. Groups the records by
 * class, so that one histogram serves all classes in turn. */
static kith_status measure_cm(loss_report *report, const loss_input *in, const uint32_t *size,
                              arena *memory, kith_error *error)
{
    report->cm = NAN;
    if (in->label == NULL || in->n_records == 0)
        return KITH_OK;
    /* [n_classes]: suppressed records */
    uint64_t *start =
        TRY_ALLOC(arena_array(memory, (size_t)in->n_classes + 1, sizeof *start), error);
    uint32_t *members = TRY_ALLOC(arena_array(memory, in->n_records, sizeof *members), error);
    uint32_t *histogram = TRY_ALLOC(arena_zalloc(memory, in->n_labels, sizeof *histogram), error);
    uint64_t total = 0;
    for (uint32_t c = 0; c <= in->n_classes; c++) {
        start[c] = total;
        total += size[c];
    }
    for (uint32_t i = 0; i < in->n_records; i++) {
        uint32_t c = in->class_of[i] == LOSS_SUPPRESSED ? in->n_classes : in->class_of[i];
        members[start[c]++] = i;
    }
    uint64_t penalties = size[in->n_classes], at = 0;
    for (uint32_t c = 0; c < in->n_classes; c++) {
        uint32_t max_count = 0;
        for (uint64_t m = at; m < start[c]; m++) {
            uint32_t seen = ++histogram[in->label[members[m]]];
            max_count = seen > max_count ? seen : max_count;
        }
        penalties += size[c] - max_count;
        for (uint64_t m = at; m < start[c]; m++)
            histogram[in->label[members[m]]] = 0;
        at = start[c];
    }
    report->cm = (double)penalties / (double)in->n_records;
    return KITH_OK;
}

/* Sum of a measure over one column: cost of what is shown minus cost of what was there. */
static double column_sum(const double *cost, const uint64_t *shown, const uint64_t *there,
                         uint32_t n_nodes)
{
    double sum = 0;
    for (uint32_t node = 0; node < n_nodes; node++)
        sum += cost[node] * ((double)shown[node] - (double)there[node]);
    return fabs(sum) < 1e-9 ? 0 : sum;
}

typedef struct tally {
    uint32_t n_nodes;     /* of the largest tree */
    uint64_t *shown;      /* [n_nodes] cells that show a node, suppressed ones at the root */
    uint64_t *there;      /* [n_nodes] cells that stood at a node before */
    uint64_t *suppressed; /* [n_nodes] of those, in suppressed records */
    double *cost;         /* [n_nodes] */
} tally;

static kith_status tally_new(tally *t, const loss_input *in, arena *memory, kith_error *error)
{
    uint32_t n_nodes = 1;
    for (uint32_t j = 0; j < in->n_attributes; j++)
        n_nodes = in->column[j].tree->n_nodes > n_nodes ? in->column[j].tree->n_nodes : n_nodes;
    t->n_nodes = n_nodes;
    t->shown = TRY_ALLOC(arena_array(memory, n_nodes, sizeof *t->shown), error);
    t->there = TRY_ALLOC(arena_array(memory, n_nodes, sizeof *t->there), error);
    t->suppressed = TRY_ALLOC(arena_array(memory, n_nodes, sizeof *t->suppressed), error);
    t->cost = TRY_ALLOC(arena_array(memory, n_nodes, sizeof *t->cost), error);
    return KITH_OK;
}

/* Gives back what may be large. */
static void tally_release(const tally *t, arena *memory)
{
    arena_release(memory, t->cost, t->n_nodes * sizeof *t->cost);
    arena_release(memory, t->suppressed, t->n_nodes * sizeof *t->suppressed);
    arena_release(memory, t->there, t->n_nodes * sizeof *t->there);
    arena_release(memory, t->shown, t->n_nodes * sizeof *t->shown);
}

static void tally_column(tally *t, const loss_input *in, const uint32_t *size, uint32_t j)
{
    const loss_column *column = &in->column[j];
    size_t bytes = column->tree->n_nodes * sizeof(uint64_t);
    memset(t->shown, 0, bytes);
    memset(t->there, 0, bytes);
    memset(t->suppressed, 0, bytes);
    for (uint32_t c = 0; c < in->n_classes; c++)
        if (size[c] > 0)
            t->shown[in->closure[(size_t)c * in->n_attributes + j]] += size[c];
    t->shown[tree_root(column->tree)] += size[in->n_classes];
    for (uint32_t i = 0; i < in->n_records; i++) {
        t->there[column->cells[i]]++;
        if (in->class_of[i] == LOSS_SUPPRESSED)
            t->suppressed[column->cells[i]]++;
    }
}

/* Suppressed cells: log2 of how many they are minus log2 of how many of them have the value;
 * wildcards among them cost nothing and are not counted. */
static double suppressed_entropy(const tree *h, const uint64_t *suppressed)
{
    double total = 0, weighted = 0;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        double c = (double)suppressed[leaf];
        total += c;
        weighted += c > 1 ? c * log2(c) : 0;
    }
    return total > 1 ? total * log2(total) - weighted : 0;
}

static double column_entropy(tally *t, const tree *h, uint32_t suppressed)
{
    entropy_costs(t->cost, h, t->there);
    t->shown[tree_root(h)] -= suppressed;
    for (uint32_t node = 0; node < h->n_nodes; node++)
        t->there[node] -= t->suppressed[node];
    return column_sum(t->cost, t->shown, t->there, h->n_nodes) +
           suppressed_entropy(h, t->suppressed);
}

/* What is lost of the entropy of the column, and what of it is kept. */
static void column_information(loss_cells *sum, tally *t, const tree *h)
{
    entropy_costs(t->cost, h, t->there);
    sum->mi = column_sum(t->cost, t->shown, t->there, h->n_nodes);
    double all = 0;
    for (uint32_t node = 0; node < h->n_nodes; node++)
        all += (t->cost[tree_root(h)] - t->cost[node]) * (double)t->there[node];
    sum->mi_utility = all - sum->mi;
}

static loss_cells measure_column(tally *t, const tree *h, uint64_t n_rows, uint32_t suppressed,
                                 bool shuffled)
{
    loss_cells sum = {0};
    lm_costs(t->cost, h, t->there);
    sum.lm = column_sum(t->cost, t->shown, t->there, h->n_nodes);
    em_costs(t->cost, h, t->there);
    sum.em = column_sum(t->cost, t->shown, t->there, h->n_nodes);
    height_costs(t->cost, h, t->there);
    sum.tree = column_sum(t->cost, t->shown, t->there, h->n_nodes);
    sum.arx = sum.lm;
    if (n_rows != h->n_leaves) {
        arx_loss_costs(t->cost, h, n_rows);
        sum.arx = column_sum(t->cost, t->shown, t->there, h->n_nodes);
    }
    column_information(&sum, t, h);
    /* Last: takes the suppressed cells out, if it is known which they are. */
    sum.entropy = shuffled && suppressed > 0 ? NAN : column_entropy(t, h, suppressed);
    return sum;
}

static void scale(loss_cells *cells, double factor)
{
    cells->lm *= factor;
    cells->em *= factor;
    cells->entropy *= factor;
    cells->tree *= factor;
    cells->mi *= factor;
    cells->mi_utility *= factor;
    cells->arx *= factor;
}

static void add(loss_cells *to, const loss_cells *from)
{
    to->lm += from->lm;
    to->em += from->em;
    to->entropy += from->entropy;
    to->tree += from->tree;
    to->mi += from->mi;
    to->mi_utility += from->mi_utility;
    to->arx += from->arx;
}

#if KITH_DEBUG
static void check_input(const loss_input *in)
{
    for (uint32_t i = 0; i < in->n_records; i++) {
        ASSERT(in->class_of[i] < in->n_classes || in->class_of[i] == LOSS_SUPPRESSED);
        ASSERT(in->label == NULL || in->label[i] < in->n_labels);
        for (uint32_t j = 0; j < in->n_attributes; j++)
            ASSERT(in->column[j].cells[i] < in->column[j].tree->n_nodes);
    }
}
#endif

kith_status loss_measure(loss_report *report, const loss_input *input, arena *memory,
                         kith_error *error)
{
    CHECK(check_input(input));
    *report = (loss_report){.kl = NAN};
    tally t = {0};
    /* [n_classes]: suppressed records */
    uint32_t *size =
        TRY_ALLOC(arena_zalloc(memory, (size_t)input->n_classes + 1, sizeof *size), error);
    measure_classes(report, input, size);
    TRY(measure_cm(report, input, size, memory, error));
    TRY(tally_new(&t, input, memory, error));
    report->attribute =
        TRY_ALLOC(arena_zalloc(memory, input->n_attributes, sizeof *report->attribute), error);
    if (input->n_records == 0 || input->n_attributes == 0)
        return KITH_OK;
    for (uint32_t j = 0; j < input->n_attributes; j++) {
        tally_column(&t, input, size, j);
        const tree *of = input->column[j].tree;
        uint64_t n_rows = input->rows != NULL && input->rows[j] > 0 ? input->rows[j] : of->n_leaves;
        report->attribute[j] = measure_column(&t, of, n_rows, report->suppressed, input->shuffled);
        scale(&report->attribute[j], 1 / (double)input->n_records);
        add(&report->all, &report->attribute[j]);
    }
    tally_release(&t, memory);
    scale(&report->all, 1 / (double)input->n_attributes);
    report->am = am_measure(input);
    report->arx_loss = arx_loss_aggregate(report->attribute, input->n_attributes);
    TRY(pmi_measure(report, input, memory, error));
    return input->kl ? kl_measure(&report->kl, input, memory, error) : KITH_OK;
}
