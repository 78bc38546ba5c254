#include "job/prepare/prepare.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "job/prepare/bind_models.h"
#include "job/prepare/value_order.h"
#include "measure/costs.h"

static const column *source_of(const prepared *p, const prepared_column *c)
{
    return &p->table->column[c->source];
}

/* Insertion sort: stable, and columns are few. */
static void sort_by_place(prepared *p)
{
    for (uint32_t i = 1; i < p->columns; i++) {
        prepared_column moved = p->column[i];
        uint32_t j = i;
        for (; j > 0 && source_of(p, &p->column[j - 1])->place > source_of(p, &moved)->place; j--)
            p->column[j] = p->column[j - 1];
        p->column[j] = moved;
    }
}

static kith_status wrong_type(const kith_table *table, const study_column *s, kith_error *error)
{
    error_set(error, KITH_INVALID, "%s: column %s was not read with the type that the study gives",
              table->source, s->name);
    return error_hint(error, KITH_INVALID, "read tables with kith_study_table_options");
}

static kith_status find_columns(prepared *p, context *c, kith_error *error)
{
    const kith_study *study = p->study;
    p->column = TRY_ALLOC(arena_zalloc(c->memory, study->columns, sizeof *p->column), error);
    for (uint32_t i = 0; i < study->columns; i++) {
        const study_column *s = &study->column[i];
        if (s->role == ROLE_IDENTIFYING || (p->joint != NULL && !p->joint->held[i]))
            continue;
        uint32_t source = table_find(p->table, s->name);
        if (source == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s, which the study names",
                             p->table->source, s->name);
        if (p->table->column[source].values.type != s->type)
            return wrong_type(p->table, s, error);
        uint32_t number = s->role == ROLE_SENSITIVE ? p->problem.secrets++ : PREPARE_NONE;
        p->column[p->columns++] = (prepared_column){
            .study = s, .source = source, .attribute = PREPARE_NONE, .secret = number};
    }
    sort_by_place(p);
    return KITH_OK;
}

static kith_status number_attributes(prepared *p, context *c, kith_error *error)
{
    p->quasi = TRY_ALLOC(arena_array(c->memory, p->columns, sizeof *p->quasi), error);
    for (uint32_t i = 0; i < p->columns; i++)
        if (p->column[i].study->role == ROLE_QUASI_IDENTIFYING) {
            p->quasi[p->problem.attributes] = i;
            p->column[i].attribute = p->problem.attributes++;
        }
    return KITH_OK;
}

/* No model looks at the missing values of other columns. */
static bool matters(const prepared_column *c)
{
    return c->study->role == ROLE_QUASI_IDENTIFYING || c->study->role == ROLE_SENSITIVE;
}

static const prepared_column *missing_in(const prepared *p, uint32_t row)
{
    for (uint32_t i = 0; i < p->columns; i++)
        if (matters(&p->column[i]) && source_of(p, &p->column[i])->codes[row] == TABLE_MISSING)
            return &p->column[i];
    return NULL;
}

static kith_status reject(const prepared *p, uint32_t row, const prepared_column *c,
                          kith_error *error)
{
    error_at(error, KITH_DATA, p->table->source, table_line(p->table, row), 0,
             "missing value in column %s", c->study->name);
    return error_hint(error, KITH_DATA,
                      "the study says missing: reject; value, wildcard and drop allow them");
}

static kith_status choose_rows(prepared *p, context *c, kith_error *error)
{
    missing_policy policy = p->study->missing;
    bool strict = policy == MISSING_REJECT || policy == MISSING_DROP;
    p->row = TRY_ALLOC(arena_array(c->memory, p->table->rows, sizeof *p->row), error);
    for (uint32_t row = 0; row < p->table->rows; row++) {
        const prepared_column *missing = strict ? missing_in(p, row) : NULL;
        if (missing != NULL && policy == MISSING_REJECT)
            return reject(p, row, missing, error);
        if (missing == NULL)
            p->row[p->rows++] = row;
    }
    p->dropped = p->table->rows - p->rows;
    p->problem.records = p->rows;
    return KITH_OK;
}

static bool has_missing(const prepared *p, const prepared_column *c)
{
    if (p->joint != NULL)
        return p->joint->missing[c->study - p->study->column];
    const uint32_t *codes = source_of(p, c)->codes;
    for (uint32_t i = 0; i < p->rows; i++)
        if (codes[p->row[i]] == TABLE_MISSING)
            return true;
    return false;
}

static kith_status bind_column(const prepared *p, prepared_column *c, kith_findings *findings,
                               arena *memory, kith_error *error)
{
    const dictionary *values = &source_of(p, c)->values;
    bool with_missing = p->study->missing == MISSING_VALUE && has_missing(p, c);
    c->leaf_of = TRY_ALLOC(arena_array(memory, values->count, sizeof(uint32_t)), error);
    TRY(hierarchy_make(&c->hierarchy, memory, &c->study->hierarchy, &c->study->domain, values,
                       with_missing, findings, error));
    TRY(hierarchy_bind(c->hierarchy, values, c->leaf_of, p->table->source, c->study->name, findings,
                       error));
    return order_leaves(&c->rank, c->hierarchy, values, c->leaf_of, p->study->search.by_hierarchy,
                        memory, error);
}

/* All columns are tried, so that the message can count all problems. */
static kith_status bind_columns(prepared *p, kith_findings *findings, context *c, kith_error *error)
{
    kith_status status = KITH_OK;
    for (uint32_t j = 0; j < p->problem.attributes; j++) {
        prepared_column *quasi = &p->column[p->quasi[j]];
        kith_status one =
            bind_column(p, quasi, findings, c->memory, status == KITH_OK ? error : NULL);
        if (one == KITH_NOMEM)
            return error_nomem(error);
        if (status == KITH_OK)
            status = one;
    }
    if (status != KITH_OK)
        (void)!findings_status(findings, 0, status, error);
    return status;
}

static kith_status bind_all(prepared *p, context *c, kith_error *error)
{
    kith_findings *findings = TRY_ALLOC(kith_findings_new(), error);
    kith_status status = bind_columns(p, findings, c, error);
    kith_findings_free(findings);
    return status;
}

static kith_status fill_cells(const prepared *p, const prepared_column *c, uint32_t **cells,
                              arena *memory, kith_error *error)
{
    *cells = arena_array(memory, p->rows, sizeof **cells);
    TRY_ALLOC(*cells, error);
    const uint32_t *codes = source_of(p, c)->codes;
    const kith_hierarchy *h = c->hierarchy;
    uint32_t missing = h->missing_leaf == UINT32_MAX ? tree_root(&h->tree) : h->missing_leaf;
    for (uint32_t i = 0; i < p->rows; i++) {
        uint32_t code = codes[p->row[i]];
        (*cells)[i] = code == TABLE_MISSING ? missing : c->leaf_of[code];
    }
    return KITH_OK;
}

/* A measure that is no sum over cells cannot guide a clustering; lm does in its place. */
static measure_id guide(const kith_study *study)
{
    const measure_info *measure = measure_at(study->measure);
    return measure->additive && !measure->secret ? study->measure : MEASURE_LM;
}

/* Of the measures that are no sums over classes these look at how values are distributed. */
static bool looks_at_counts(measure_id id)
{
    return id == MEASURE_EM || id == MEASURE_ENTROPY || id == MEASURE_MI;
}

static kith_status cost_nodes(const prepared *p, double *costs, const tree *t, uint64_t *count,
                              kith_error *error)
{
    measure_id id = guide(p->study);
    if (p->joint != NULL && p->joint->add != NULL && looks_at_counts(id))
        TRY(p->joint->add(p->joint->user, count, t->leaves, error));
    measure_node_costs(costs, id, t, count);
    return KITH_OK;
}

static kith_status fill_costs(const prepared *p, const prepared_column *c, const uint32_t *cells,
                              double **costs, arena *memory, kith_error *error)
{
    const tree *t = &c->hierarchy->tree;
    uint64_t *count = arena_zalloc(memory, t->leaves, sizeof *count);
    *costs = arena_array(memory, t->nodes, sizeof **costs);
    TRY_ALLOC(count, error);
    TRY_ALLOC(*costs, error);
    for (uint32_t i = 0; i < p->rows; i++)
        if (cells[i] < t->leaves)
            count[cells[i]]++;
    if (p->study->measure == MEASURE_ARX_LOSS)
        arx_costs(*costs, t, c->hierarchy->file_rows > 0 ? c->hierarchy->file_rows : t->leaves);
    else
        TRY(cost_nodes(p, *costs, t, count, error));
    for (uint32_t node = 0; node < t->nodes; node++)
        (*costs)[node] *= c->study->weight;
    arena_release(memory, count, t->leaves * sizeof *count);
    return KITH_OK;
}

/* The sensitive attribute that pmi and wmi look at: the class column, or the first one. */
static uint32_t costing_secret(const prepared *p)
{
    for (uint32_t i = 0; i < p->columns; i++)
        if (p->column[i].secret != PREPARE_NONE && p->study->class_column != NULL &&
            strcmp(p->column[i].study->name, p->study->class_column) == 0)
            return p->column[i].secret;
    return 0;
}

static kith_status fill_secret_costs(attribute *a, const prepared *p, double weight, arena *memory,
                                     kith_error *error)
{
    const secret *s = &p->problem.secret[p->problem.cost_secret];
    double *cost = TRY_ALLOC(arena_array(memory, a->tree->nodes, s->count * sizeof *cost), error);
    secret_input in = {.tree = a->tree,
                       .records = p->rows,
                       .cells = a->cells,
                       .values = s->values,
                       .distinct = s->count,
                       .w = p->study->w};
    TRY(measure_secret_costs(cost, p->study->measure, &in, memory, error));
    for (size_t i = 0; i < (size_t)a->tree->nodes * s->count; i++)
        cost[i] *= weight;
    a->secret_cost = cost;
    return KITH_OK;
}

static kith_status make_attributes(prepared *p, context *c, kith_error *error)
{
    attribute *attributes =
        TRY_ALLOC(arena_zalloc(c->memory, p->problem.attributes, sizeof *attributes), error);
    bool by_secret = measure_at(p->study->measure)->secret && p->problem.secrets > 0;
    p->problem.cost_secret = by_secret ? costing_secret(p) : 0;
    for (uint32_t j = 0; j < p->problem.attributes; j++) {
        const prepared_column *quasi = &p->column[p->quasi[j]];
        uint32_t *cells;
        double *costs;
        TRY(fill_cells(p, quasi, &cells, c->memory, error));
        TRY(fill_costs(p, quasi, cells, &costs, c->memory, error));
        attributes[j] = (attribute){.tree = &quasi->hierarchy->tree,
                                    .cells = cells,
                                    .cost = costs,
                                    .weight = quasi->study->weight,
                                    .rank = quasi->rank};
        if (by_secret)
            TRY(fill_secret_costs(&attributes[j], p, quasi->study->weight, c->memory, error));
    }
    p->problem.attribute = attributes;
    return KITH_OK;
}

/* A missing sensitive value is a value like any other. */
static kith_status make_secrets(prepared *p, context *c, kith_error *error)
{
    secret *secrets =
        TRY_ALLOC(arena_zalloc(c->memory, p->problem.secrets, sizeof *secrets), error);
    for (uint32_t i = 0; i < p->columns; i++) {
        if (p->column[i].secret == PREPARE_NONE)
            continue;
        const column *source = source_of(p, &p->column[i]);
        uint32_t *values = TRY_ALLOC(arena_array(c->memory, p->rows, sizeof *values), error);
        uint32_t count = source->values.count + (p->joint != NULL && has_missing(p, &p->column[i]));
        for (uint32_t r = 0; r < p->rows; r++) {
            uint32_t code = source->codes[p->row[r]];
            values[r] = code == TABLE_MISSING ? source->values.count : code;
            count += code == TABLE_MISSING && count == source->values.count;
        }
        secrets[p->column[i].secret] = (secret){values, count};
    }
    p->problem.secret = secrets;
    return KITH_OK;
}

kith_status prepare_part(prepared *p, const kith_study *study, const kith_table *table,
                         const prepare_joint *joint, context *c, kith_error *error)
{
    *p = (prepared){.study = study, .table = table, .joint = joint};
    p->problem.models = study->models;
    p->problem.model = study->model;
    p->problem.k = models_minimum_size(study->model, study->models);
    p->problem.measure = study->measure;
    TRY(find_columns(p, c, error));
    TRY(number_attributes(p, c, error));
    TRY(choose_rows(p, c, error));
    p->problem.may_suppress = (uint32_t)floor(study->suppression * p->rows);
    TRY(bind_all(p, c, error));
    TRY(make_secrets(p, c, error));
    if (joint == NULL)
        TRY(facts_bind(p, c, error));
    return make_attributes(p, c, error);
}

kith_status prepare_table(prepared *p, const kith_study *study, const kith_table *table, context *c,
                          kith_error *error)
{
    return prepare_part(p, study, table, NULL, c, error);
}

/* min..max must fit a cell. */
static kith_status check_ranges(const prepared *p, kith_error *error)
{
    for (uint32_t j = 0; j < p->problem.attributes; j++) {
        const kith_hierarchy *h = p->column[p->quasi[j]].hierarchy;
        for (uint32_t leaf = 0; leaf < h->tree.leaves; leaf++)
            if (2 * strlen(h->label[leaf]) + 3 > RELEASE_CELL_BYTES)
                return error_set(error, KITH_DATA,
                                 "a value of column %s is too long to be released as a range",
                                 p->column[p->quasi[j]].study->name);
    }
    return KITH_OK;
}

kith_status prepare_release(release *r, const prepared *p, const search_result *result, context *c,
                            kith_error *error)
{
    release_column *columns =
        TRY_ALLOC(arena_zalloc(c->memory, p->columns, sizeof *columns), error);
    for (uint32_t i = 0; i < p->columns; i++)
        columns[i] = (release_column){.source = p->column[i].source,
                                      .generalized = p->column[i].attribute != PREPARE_NONE,
                                      .attribute = p->column[i].attribute,
                                      .hierarchy = p->column[i].hierarchy};
    *r = (release){.table = p->table,
                   .columns = p->columns,
                   .column = columns,
                   .attributes = p->problem.attributes,
                   .rows = p->rows,
                   .row = p->row,
                   .result = result,
                   .ranges = p->study->search.ranges};
    return r->ranges ? check_ranges(p, error) : KITH_OK;
}
