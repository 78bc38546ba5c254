/* What a release shows of every record, as nodes, from which losses are counted. */
#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "job/assess/assess_internal.h"

/* The lowest common ancestor of the leaves at positions low to high. */
static uint32_t range_node(const tree *t, const uint32_t *leaf_at, uint32_t low, uint32_t high)
{
    uint32_t node = leaf_at[low];
    for (uint32_t i = low + 1; i <= high && node != tree_root(t); i++)
        node = tree_lca(t, node, leaf_at[i]);
    return node;
}

kith_status assess_refuse_label(const kith_table *texts, uint32_t row, const column *c,
                                kith_error *error)
{
    char quoted[200] = "";
    if (c->codes[row] != TABLE_MISSING)
        text_quote(quoted, sizeof quoted, dictionary_text(&c->values, c->codes[row]),
                   dictionary_length(&c->values, c->codes[row]));
    return error_at(error, KITH_DATA, table_file(texts, row), table_line(texts, row), 0,
                    "'%s' is not a label of the hierarchy of column %s", quoted, c->name);
}

/* What a release shows of one quasi-identifier. */
typedef struct shown {
    const prepared_column *column;
    cover_column columns;
    cover_cells cells;
    uint32_t *leaf_at; /* [n_leaves] inverse of column->rank: the leaf at each position */
} shown;

/* The node that a cell shows; UINT32_MAX: its text means nothing. A range is replaced by the lowest
 * node above it, which covers more values: *excess says how many. */
static uint32_t shown_node(const shown *s, cell_set set, uint32_t *excess)
{
    const tree *t = &s->column->hierarchy->tree;
    *excess = 0;
    if (set.kind == CELL_NOTHING)
        return UINT32_MAX;
    if (set.kind == CELL_ALL)
        return tree_root(t);
    if (set.kind == CELL_NODE)
        return set.a;
    uint32_t node = range_node(t, s->leaf_at, set.a, set.b);
    *excess = tree_size(t, node) - (set.b - set.a + 1);
    return node;
}

/* Fills the closures of one attribute, and adds up how many values they cover beyond ranges. All
 * rows of a class show the same, so its first row is enough. */
static kith_status close_attribute(uint32_t *closure, uint64_t *excess_sum, const prepared *p,
                                   uint32_t j, const kith_table *texts, const verify_report *report,
                                   bool in_order, context *c, kith_error *error)
{
    shown s;
    /* Prepares one quasi-identifier for shown_node. */
    s.column = &p->columns[p->quasi[j]];
    TRY(assess_cover_column(&s.columns, s.column, texts, error));
    TRY(cover_cells_init(&s.cells, c->memory, texts, p->table, &s.columns, p->study->search.ranges,
                         error));
    uint32_t n_leaves = s.column->hierarchy->tree.n_leaves;
    s.leaf_at = TRY_ARRAY(s.leaf_at, c->memory, n_leaves, error);
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        ASSERT(s.column->rank[leaf] < n_leaves);
        s.leaf_at[s.column->rank[leaf]] = leaf;
    }
    *excess_sum = 0;
    cell_set *sets = TRY_ARRAY(sets, c->memory, report->grouping->count, error);
    for (uint32_t i = 0; i < report->grouping->count; i++)
        sets[i] = cover_cells_set(&s.cells, report->grouping->first[i]);
    if (s.column->study->mean)
        TRY(assess_mean_sets(sets, p, j, &s.cells, report, in_order, texts, error));
    for (uint32_t i = 0; i < report->grouping->count; i++) {
        uint32_t excess;
        uint32_t row = report->grouping->first[i];
        uint32_t node = shown_node(&s, sets[i], &excess);
        if (node == UINT32_MAX)
            return assess_refuse_label(texts, row, &texts->columns[s.columns.release], error);
        closure[(size_t)i * p->problem.n_attributes + j] = node;
        *excess_sum += (uint64_t)excess * report->grouping->size[i];
    }
    return KITH_OK;
}

const prepared_column *assess_label_column(const prepared *p)
{
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *one = &p->columns[i];
        if (p->study->class_column == NULL ? one->sensitive == 0
                                           : strcmp(one->study->name, p->study->class_column) == 0)
            return one;
    }
    return NULL;
}

/* They come from the release, or from the data if the column is generalized; then the rows must be
 * in order. */
kith_status assess_labels(loss_input *in, const prepared *p, const kith_table *texts, bool in_order,
                          context *c, kith_error *error)
{
    const prepared_column *class = assess_label_column(p);
    if (class == NULL || (class->attribute != PREPARE_NONE && !in_order))
        return KITH_OK;
    uint32_t released;
    TRY(assess_find_column(&released, texts, class->study->name, error));
    bool original = class->attribute != PREPARE_NONE;
    const column *from = original ? &p->table->columns[class->source] : &texts->columns[released];
    uint32_t *labels = TRY_ARRAY(labels, c->memory, texts->n_rows, error);
    for (uint32_t i = 0; i < texts->n_rows; i++) {
        uint32_t code = from->codes[original ? p->rows[i] : i];
        labels[i] = code == TABLE_MISSING ? from->values.count : code;
    }
    in->label = labels;
    in->n_labels = from->values.count + 1;
    return KITH_OK;
}

kith_status assess_class_of(loss_input *in, const verify_report *report, context *c,
                            kith_error *error)
{
    const classes *grouping = report->grouping;
    uint32_t *class_of = TRY_ARRAY(class_of, c->memory, in->n_records, error);
    for (uint32_t i = 0; i < in->n_records; i++) {
        uint32_t class = grouping->class_of[i];
        class_of[i] = class == report->suppressed_class ? LOSS_SUPPRESSED : class;
    }
    in->class_of = class_of;
    in->n_classes = grouping->count;
    return KITH_OK;
}

kith_status assess_loss_input(loss_input *in, const prepared *p, const kith_table *texts,
                              const verify_report *report, bool in_order, context *c,
                              kith_error *error)
{
    uint32_t n_attributes = p->problem.n_attributes, classes_shown = report->grouping->count;
    if (texts->n_rows != p->n_rows)
        return error_set(error, KITH_DATA, "%s has %u rows, but the data has %u", texts->source,
                         texts->n_rows, p->n_rows);
    loss_column *columns = TRY_ARRAY(columns, c->memory, n_attributes, error);
    uint64_t *excess = TRY_ZEROS(excess, c->memory, n_attributes, error);
    uint32_t *closure = TRY_ARRAY(closure, c->memory, (size_t)classes_shown * n_attributes, error);
    for (uint32_t j = 0; j < n_attributes; j++) {
        columns[j] = (loss_column){p->problem.attributes[j].tree, p->problem.attributes[j].cells};
        TRY(close_attribute(closure, &excess[j], p, j, texts, report, in_order, c, error));
    }
    *in = (loss_input){.n_records = p->n_rows,
                       .n_attributes = n_attributes,
                       .column = columns,
                       .closure = closure,
                       .excess = excess,
                       .shuffled = !in_order};
    TRY(assess_class_of(in, report, c, error));
    return assess_labels(in, p, texts, in_order, c, error);
}

/* The study's measure of one attribute. */
static double cells_value(const loss_cells *cells, const kith_study *study)
{
    switch (study->measure) {
    case MEASURE_MI: return cells->mi;
    case MEASURE_PMI: return cells->pmi;
    case MEASURE_WMI: return study->w * cells->mi + (1 - study->w) * cells->pmi;
    case MEASURE_PRECISION: return cells->tree;
    case MEASURE_EM: return cells->em;
    case MEASURE_ENTROPY: return cells->entropy;
    case MEASURE_TREE: return cells->tree;
    default: return cells->lm;
    }
}

/* The geometric mean of ARX over the attributes, each counted as often as its weight says. */
static double weighted_arx(const prepared *p, const loss_report *loss)
{
    double sum = 0, weights = 0;
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        double weight = p->problem.attributes[j].weight;
        sum += weight * log1p(loss->attribute[j].arx);
        weights += weight;
    }
    return weights > 0 ? expm1(sum / weights) : 0;
}

double assess_objective(const prepared *p, const loss_report *loss)
{
    switch (p->study->measure) {
    case MEASURE_DM: return loss->dm;
    case MEASURE_CM: return loss->cm;
    case MEASURE_AVERAGE_CLASS: return loss->average_class;
    case MEASURE_ARX_LOSS: return weighted_arx(p, loss);
    default: break;
    }
    double sum = 0, weights = 0;
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        double weight = p->columns[p->quasi[j]].study->weight;
        sum += weight * cells_value(&loss->attribute[j], p->study);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}
