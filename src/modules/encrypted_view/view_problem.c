#include "modules/encrypted_view/view_problem.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "modules/encrypted_view/view_columns.h"
#include "job/prepare/bind_models.h"
#include "job/prepare/units.h"
#include "measure/costs.h"

/* arx-loss counts the rows of the hierarchy file as values. The file is part of the study, so it
 * says nothing about data. */
static kith_status domain_rows(uint64_t *rows, const view_problem *v, uint32_t j, arena *memory,
                               kith_error *error)
{
    const study_column *s = &v->study->columns[v->numbers[j]];
    const uint32_t *base = v->study->joint.pregeneralize;
    const domain_spec whole = {.kind = DOMAIN_HIERARCHY};
    kith_hierarchy *h;
    *rows = v->trees[j].tree.n_leaves;
    if (s->hierarchy.kind != HIERARCHY_FILE || (base != NULL && base[v->numbers[j]] > 0))
        return KITH_OK;
    TRY(hierarchy_make(&h, memory, &s->hierarchy, &whole, NULL, false, NULL, error));
    *rows = h->n_file_rows > 0 ? h->n_file_rows : *rows;
    return KITH_OK;
}

/* A measure that is not a sum over cells cannot price nodes: lm replaces it. */
static kith_status price_nodes(double *cost, const view_problem *v, uint32_t j,
                               const uint64_t *count, arena *memory, kith_error *error)
{
    const measure_info *measure = measure_at(v->study->measure);
    const tree *t = &v->trees[j].tree;
    uint64_t n_rows;
    if (measure->id != MEASURE_ARX_LOSS) {
        measure_node_costs(cost,
                           measure->additive && !measure->uses_sensitive ? measure->id : MEASURE_LM,
                           t, count);
        return KITH_OK;
    }
    TRY(domain_rows(&n_rows, v, j, memory, error));
    arx_loss_costs(cost, t, n_rows);
    return KITH_OK;
}

static kith_status fill_costs(double **out, const view_problem *v, uint32_t j,
                              const uint32_t *cells, double weight, arena *memory,
                              kith_error *error)
{
    const tree *t = &v->trees[j].tree;
    uint64_t *count = TRY_ZEROS(count, memory, t->n_leaves, error);
    double *cost = TRY_ARRAY(cost, memory, t->n_nodes, error);
    for (uint32_t i = 0; i < v->problem.n_records; i++)
        if (cells[i] < t->n_leaves)
            count[cells[i]]++;
    TRY(price_nodes(cost, v, j, count, memory, error));
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] *= weight;
    arena_release(memory, count, t->n_leaves * sizeof *count);
    *out = cost;
    return KITH_OK;
}

/* The sensitive attribute that pmi and wmi look at: the class column, or the first one. */
static uint32_t costing_sensitive(const view_problem *v)
{
    for (uint32_t j = 0; j < v->n_columns; j++)
        if (v->sensitive_of[j] != VIEW_NONE && v->study->class_column != NULL &&
            strcmp(v->study->columns[v->numbers[j]].name, v->study->class_column) == 0)
            return v->sensitive_of[j];
    return 0;
}

static kith_status make_attributes(view_problem *v, const view_packet *packet, arena *memory,
                                   kith_error *error)
{
    attribute *all = TRY_ZEROS(all, memory, v->problem.n_attributes, error);
    v->problem.cost_sensitive = costing_sensitive(v);
    for (uint32_t j = 0; j < v->n_columns; j++) {
        if (v->attribute_of[j] == VIEW_NONE)
            continue;
        const tree *t = &v->trees[j].tree;
        const double weight = v->study->columns[v->numbers[j]].weight;
        double *cost = NULL;
        uint32_t *cells = TRY_ARRAY(cells, memory, packet->n_rows, error);
        for (uint32_t i = 0; i < packet->n_rows; i++) {
            cells[i] = v->trees[j].node_of[packet->columns[j].codes[i]];
            if (cells[i] == VIEW_NONE) /* an inner node without leaves is not in the tree */
                cells[i] = tree_root(&v->trees[j].tree);
        }
        TRY(fill_costs(&cost, v, j, cells, weight, memory, error));
        all[v->attribute_of[j]] = (attribute){
            .tree = t, .cells = cells, .cost = cost, .weight = weight, .turn = v->numbers[j]};
    }
    v->problem.attributes = all;
    return prepare_sensitive_costs(&v->problem, all, v->study, memory, error);
}

/* Sensitive values are the entries of the lowest level. The rows of all sites are mixed here, so an
 * error does not tell which site is to blame. */
static kith_status make_sensitive(view_problem *v, const view_packet *packet, arena *memory,
                                  kith_error *error)
{
    sensitive_attribute *all = TRY_ZEROS(all, memory, v->problem.n_sensitive, error);
    for (uint32_t j = 0; j < v->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        if (v->sensitive_of[j] == VIEW_NONE)
            continue;
        for (uint32_t i = 0; i < packet->n_rows; i++)
            if (c->codes[i] >= c->start[1])
                return error_set(
                    error, KITH_PEER,
                    "a sensitive cell of the view is not an entry of the lowest level");
        all[v->sensitive_of[j]] = (sensitive_attribute){.values = c->codes, .count = c->start[1]};
    }
    v->problem.sensitive = v->sensitive = all;
    return KITH_OK;
}

/* --- what models know of the whole table --- */

/* delta-presence needs records inside and outside the research subset. */
static kith_status check_subset(const model_facts *f, kith_error *error)
{
    uint32_t inside = 0;
    for (uint32_t value = 0; value < f->n_values; value++)
        inside += f->listed[value] ? f->overall[value] : 0;
    if (inside > 0 && inside < f->n_records)
        return KITH_OK;
    return error_set(error, KITH_DATA, "delta-presence: the research subset is %s",
                     inside == 0 ? "empty" : "the whole table");
}

static kith_status bind_model(model_spec *m, const view_problem *v, uint32_t index,
                              const view_packet *packet, arena *memory, kith_error *error)
{
    model_facts *f = TRY_ZEROS(f, memory, 1, error);
    uint32_t j = 0;
    m->facts = f;
    m->by_units = v->problem.unit != NULL;
    if (m->attribute == NULL)
        return KITH_OK;
    while (j < v->n_columns && strcmp(v->study->columns[v->numbers[j]].name, m->attribute) != 0)
        j++;
    if (j == v->n_columns || v->sensitive_of[j] == VIEW_NONE)
        return error_set(error, KITH_BUG, "a model's attribute is not in the view");
    TRY(bind_models_count_values(f, &v->problem.sensitive[v->sensitive_of[j]],
                                 problem_size(&v->problem), memory, error));
    if (m->variant == VARIANT_HIERARCHICAL) {
        /* The leaves of the tree are the entries of the lowest level, in another order. */
        uint32_t *value_of = TRY_ARRAY(value_of, memory, v->trees[j].tree.n_leaves, error);
        for (uint32_t leaf = 0; leaf < v->trees[j].tree.n_leaves; leaf++)
            value_of[leaf] = v->trees[j].entry_of[leaf];
        f->tree = &v->trees[j].tree;
        f->leaf_of = v->trees[j].node_of;
        f->value_of_leaf = value_of;
    }
    const uint8_t bit = view_columns_mark_of(v->study, index);
    if (bit != 0) {
        /* The study lists values; sites marked them, because the master cannot read them. */
        uint8_t *listed = TRY_ZEROS(listed, memory, f->n_values, error);
        for (uint32_t value = 0; value < f->n_values; value++)
            listed[value] = (packet->columns[j].mark[value] & bit) != 0;
        f->listed = listed;
    }
    return m->id == MODEL_DELTA_PRESENCE ? check_subset(f, error) : KITH_OK;
}

/* Whose each record is, for the models to count: the same persons as in one table. */
static kith_status make_units(view_problem *v, const view_column *persons, arena *memory,
                              kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    const column whose = {.codes = persons->codes, .values = {.count = persons->n_entries}};
    const uint32_t n = v->problem.n_records;
    row_groups units;
    row_groups_scratch *space;
    TRY(row_groups_all(&units, memory, n, error));
    TRY(row_groups_scratch_new(&space, scratch, n, error));
    row_groups_refine(&units, &units, &whose, space);
    return units.count == n ? KITH_OK
                            : units_bind(&v->problem, v->sensitive, &units, memory, scratch, error);
}

kith_status view_problem_make(view_problem *v, const kith_study *study, const view_packet *packet,
                              const view_columns *columns, context *c, kith_error *error)
{
    const uint32_t *numbers = columns->numbers;
    CHECK(view_packet_check(packet));
    *v = (view_problem){.study = study, .n_columns = columns->count, .numbers = numbers};
    v->problem.n_records = packet->n_rows;
    v->problem.may_suppress = (uint32_t)floor(study->suppression * packet->n_rows);
    v->problem.measure = study->measure;
    /* Attributes and sensitive attributes are numbered in the order of columns. */
    const size_t room = v->n_columns;
    v->trees = TRY_ZEROS(v->trees, c->memory, room, error);
    v->attribute_of = TRY_ARRAY(v->attribute_of, c->memory, room, error);
    v->sensitive_of = TRY_ARRAY(v->sensitive_of, c->memory, room, error);
    for (uint32_t j = 0; j < v->n_columns; j++) {
        role r = v->study->columns[v->numbers[j]].role;
        v->attribute_of[j] = r == ROLE_QUASI_IDENTIFYING ? v->problem.n_attributes++ : VIEW_NONE;
        v->sensitive_of[j] = r == ROLE_SENSITIVE ? v->problem.n_sensitive++ : VIEW_NONE;
    }
    for (uint32_t j = 0; j < v->n_columns; j++) {
        if (!view_columns_has_tree(study, numbers[j]))
            continue;
        if (packet->columns[j].n_levels < 2)
            return error_set(error, KITH_PEER, "the sites sent column %s without its hierarchy",
                             study->columns[numbers[j]].name);
        TRY(view_tree_make(&v->trees[j], &packet->columns[j], c->memory, error));
    }
    TRY(make_sensitive(v, packet, c->memory, error));
    if (columns->n_sources > columns->count)
        TRY(make_units(v, &packet->columns[columns->count], c->memory, error));
    model_spec *models = TRY_ARRAY(models, c->memory, study->n_models, error);
    for (uint32_t i = 0; i < study->n_models; i++) {
        models[i] = study->models[i];
        TRY(bind_model(&models[i], v, i, packet, c->memory, error));
    }
    v->problem.n_models = study->n_models;
    v->problem.models = models;
    v->problem.k = models_minimum_size(models, study->n_models);
    return make_attributes(v, packet, c->memory, error);
}

/* --- results --- */

/* The node that a row shows in column j of the view. */
static uint32_t shown_node(const view_problem *v, const partition *p, uint32_t j, uint32_t row)
{
    if (p->class_of[row] == PARTITION_SUPPRESSED)
        return tree_root(&v->trees[j].tree);
    return p->closure[(uint64_t)p->class_of[row] * v->problem.n_attributes + v->attribute_of[j]];
}

kith_status view_problem_apply(view_packet *packet, const view_problem *v,
                               const search_result *result, kith_error *error)
{
    for (uint32_t j = 0; j < v->n_columns; j++) {
        if (v->attribute_of[j] == VIEW_NONE)
            continue;
        for (uint32_t i = 0; i < packet->n_rows; i++) {
            uint32_t entry = v->trees[j].entry_of[shown_node(v, &result->partition, j, i)];
            if (entry == VIEW_NONE)
                return error_set(error, KITH_BUG, "a class shows a node without an entry");
            packet->columns[j].codes[i] = entry;
        }
    }
    return KITH_OK;
}

bool view_problem_loss(const view_problem *v, const search_result *result, double *lm,
                       double *objective)
{
    double cells = 0, weighted = 0, weights = 0;
    const problem *p = &v->problem;
    for (uint32_t j = 0; j < v->n_columns; j++) {
        if (v->attribute_of[j] == VIEW_NONE)
            continue;
        const attribute *a = &p->attributes[v->attribute_of[j]];
        weights += a->weight;
        for (uint32_t i = 0; i < p->n_records; i++) {
            uint32_t node = shown_node(v, &result->partition, j, i), cell = a->cells[i];
            if (a->tree->n_leaves >
                1) /* cells above the leaves lost something before the run: not counted */
                cells += (double)(tree_size(a->tree, node) - tree_size(a->tree, cell)) /
                         (a->tree->n_leaves - 1.0);
            weighted += a->cost[node] - (cell < a->tree->n_leaves ? 0 : a->cost[cell]);
        }
    }
    const double count = (double)p->n_records;
    *lm = p->n_attributes == 0 ? 0 : cells / (count * p->n_attributes);
    *objective = weights > 0 ? weighted / (count * weights) : 0;
    return measure_at(p->measure)->additive && !measure_at(p->measure)->uses_sensitive &&
           p->measure != MEASURE_ENTROPY && p->measure != MEASURE_MI;
}
