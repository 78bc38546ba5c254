/* The quasi-identifiers as the search sees them. */
#include <string.h>

#include "core/error.h"
#include "job/prepare/prepare_internal.h"
#include "measure/costs.h"

/* The leaf of every record. A missing value has a leaf of its own, if the study says `missing:
 * value`; otherwise it is the root from the start, which is the most general value. */
static kith_status fill_cells(const prepared *p, const prepared_column *col, uint32_t **cells,
                              arena *memory, kith_error *error)
{
    *cells = arena_array(memory, p->n_rows, sizeof **cells);
    TRY_ALLOC(*cells, error);
    const uint32_t *codes = prepare_source(p, col)->codes;
    const kith_hierarchy *h = col->hierarchy;
    uint32_t missing = h->missing_leaf == UINT32_MAX ? tree_root(&h->tree) : h->missing_leaf;
    for (uint32_t i = 0; i < p->n_rows; i++) {
        uint32_t code = codes[p->rows[i]];
        (*cells)[i] = code == TABLE_MISSING ? missing : col->leaf_of[code];
    }
    return KITH_OK;
}

/* The measure by which nodes are priced. Costs of nodes add up to the loss only if the measure is a
 * sum over cells; for other measures lm takes its place. */
static measure_id guide(const kith_study *study)
{
    const measure_info *measure = measure_at(study->measure);
    return measure->additive && !measure->uses_sensitive ? study->measure : MEASURE_LM;
}

bool prepare_counts_values(const kith_study *study)
{
    measure_id id = guide(study);
    return id == MEASURE_EM || id == MEASURE_ENTROPY || id == MEASURE_MI;
}

/* How many records have each leaf. */
static void count_leaves(uint64_t *count, const prepared *p, const prepared_column *col,
                         const uint32_t *cells)
{
    const kith_hierarchy *h = col->hierarchy;
    const uint32_t n_values = prepare_source(p, col)->values.count;
    for (uint32_t i = 0; p->whole == NULL && i < p->n_rows; i++)
        if (cells[i] < h->tree.n_leaves)
            count[cells[i]]++;
    if (p->whole == NULL)
        return;
    for (uint32_t code = 0; code < n_values; code++)
        count[col->leaf_of[code]] += p->whole_counts[col->source][code];
    if (h->missing_leaf != UINT32_MAX)
        count[h->missing_leaf] += p->whole_counts[col->source][n_values];
}

/* Costs of one column, times its weight in the study, from its own counts or from those of all
 * parties. Cells at the root (missing values) are no leaves and do not count. ARX counts rows of
 * the file, repetitions included, where others count leaves; its loss is computed from that number.
 */
static kith_status fill_costs(const prepared *p, const prepared_column *col, const uint32_t *cells,
                              const prepare_sum *sum, double **costs, arena *memory,
                              kith_error *error)
{
    const tree *t = &col->hierarchy->tree;
    uint64_t *count = arena_zalloc(memory, t->n_leaves, sizeof *count);
    *costs = arena_array(memory, t->n_nodes, sizeof **costs);
    TRY_ALLOC(count, error);
    TRY_ALLOC(*costs, error);
    count_leaves(count, p, col, cells);
    if (sum != NULL)
        TRY(sum->add(sum->user, count, t->n_leaves, error));
    if (p->study->measure == MEASURE_ARX_LOSS)
        arx_loss_costs(*costs, t,
                       col->hierarchy->n_file_rows > 0 ? col->hierarchy->n_file_rows : t->n_leaves);
    else
        measure_node_costs(*costs, guide(p->study), t, count);
    for (uint32_t node = 0; node < t->n_nodes; node++)
        (*costs)[node] *= col->study->weight;
    arena_release(memory, count, t->n_leaves * sizeof *count);
    return KITH_OK;
}

/* The sensitive attribute that pmi and wmi look at: the class column, or the first one. */
static uint32_t costing_sensitive(const prepared *p)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i].sensitive != PREPARE_NONE && p->study->class_column != NULL &&
            strcmp(p->columns[i].study->name, p->study->class_column) == 0)
            return p->columns[i].sensitive;
    return 0;
}

kith_status prepare_sensitive_costs(const problem *p, attribute *attributes,
                                    const kith_study *study, arena *memory, kith_error *error)
{
    const sensitive_attribute *s = &p->sensitive[p->cost_sensitive];
    if (!measure_at(study->measure)->uses_sensitive || p->n_sensitive == 0)
        return KITH_OK;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attribute *a = &attributes[j];
        const size_t n = (size_t)a->tree->n_nodes * s->count;
        double *cost = TRY_ARRAY(cost, memory, n, error);
        sensitive_input in = {.tree = a->tree,
                              .n_records = p->n_records,
                              .cells = a->cells,
                              .values = s->values,
                              .distinct = s->count,
                              .w = study->w};
        TRY(measure_sensitive_costs(cost, study->measure, &in, memory, error));
        for (size_t i = 0; i < n; i++)
            cost[i] *= a->weight;
        a->sensitive_cost = cost;
    }
    return KITH_OK;
}

/* Mondrian with regions: numbers and dates are cut in their order, other columns along their trees,
 * unless the study asks for an order. */
static bool is_ordered(const prepared *p, const prepared_column *quasi)
{
    return p->study->search.regions &&
           (p->study->search.all_ordered || quasi->study->type != KITH_TYPE_STRING);
}

/* Without a step the grid has the nodes of level 1; if that is the root, every value is a cell. */
static uint32_t grid_step(const prepared_column *quasi)
{
    if (quasi->study->step > 0)
        return quasi->study->step;
    return quasi->hierarchy->tree.n_levels > 2 ? 0 : 1;
}

/* The bounds on levels. A missing cell that is released as `*` would be above every highest
 * level. */
static kith_status bound_levels(attribute *a, const prepared_column *quasi, kith_error *error)
{
    const study_column *s = quasi->study;
    uint32_t top = a->tree->n_levels - 1;
    char text[STUDY_MESSAGE];
    if (study_wrong_level(s, top + 1, text) != NULL)
        return error_set(error, KITH_INVALID, "%s", text);
    a->min_level = s->min_level;
    a->n_forbidden = s->max_level == STUDY_ANY_LEVEL ? 0 : top - s->max_level;
    if (a->n_forbidden == 0 || !a->wildcards)
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "column %s has missing values, which would be released as *, above its max_level %u",
              s->name, s->max_level);
    return error_hint(error, KITH_INVALID,
                      "the study says missing: wildcard; value and drop go with max_level");
}

kith_status prepare_attributes(prepared *p, context *c, kith_error *error)
{
    attribute *attributes = TRY_ZEROS(attributes, c->memory, p->problem.n_attributes, error);
    p->problem.cost_sensitive = costing_sensitive(p);
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const prepared_column *quasi = &p->columns[p->quasi[j]];
        uint32_t *cells;
        double *costs;
        TRY(fill_cells(p, quasi, &cells, c->memory, error));
        TRY(fill_costs(p, quasi, cells, NULL, &costs, c->memory, error));
        attributes[j] = (attribute){.tree = &quasi->hierarchy->tree,
                                    .cells = cells,
                                    .cost = costs,
                                    .weight = quasi->study->weight,
                                    .rank = quasi->rank,
                                    .ordered = is_ordered(p, quasi),
                                    .turn = (uint32_t)(quasi->study - p->study->columns),
                                    .step = grid_step(quasi),
                                    .missing_last = quasi->hierarchy->missing_leaf != UINT32_MAX,
                                    .wildcards = p->study->missing == MISSING_WILDCARD &&
                                                 prepare_has_missing(p, quasi)};
        TRY(bound_levels(&attributes[j], quasi, error));
    }
    p->problem.attributes = attributes;
    return prepare_sensitive_costs(&p->problem, attributes, p->study, c->memory, error);
}

kith_status prepare_price_together(prepared *p, const prepare_sum *sum, context *c,
                                   kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    if (!prepare_counts_values(p->study))
        return KITH_OK;
    attribute *priced = TRY_ALLOC(arena_array(c->memory, n, sizeof *priced), error);
    for (uint32_t j = 0; j < n; j++) {
        double *costs;
        priced[j] = p->problem.attributes[j];
        TRY(fill_costs(p, &p->columns[p->quasi[j]], priced[j].cells, sum, &costs, c->memory,
                       error));
        priced[j].cost = costs;
    }
    p->problem.attributes = priced;
    return KITH_OK;
}
