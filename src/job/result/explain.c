#include "job/result/explain.h"

#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "job/result/summary.h"
#include "search/class_counts.h"
#include "table/rows/row_groups.h"

/* Classes with their members, and counts of one class at a time. */
typedef struct class_inspection {
    const problem *problem;
    const uint32_t *rows;    /* of the records in the whole table; NULL: 0, 1, … */
    uint32_t *start, *order; /* class c is order[start[c]] … order[start[c + 1] - 1] */
    class_counts counts;
} class_inspection;

/* Lists the members of each class; records of class UINT32_MAX are in none. */
static kith_status group(class_inspection *l, const uint32_t *class_of, uint32_t count,
                         arena *memory, kith_error *error)
{
    const uint32_t n = l->problem->n_records;
    uint32_t *part = TRY_ARRAY(part, memory, n, error);
    l->start = TRY_ARRAY(l->start, memory, count + (size_t)3, error);
    l->order = TRY_ARRAY(l->order, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        part[i] = class_of[i] == UINT32_MAX ? count : class_of[i];
    group_by_part(l->order, l->start, part, count + 1, NULL, n);
    return KITH_OK;
}

/* The members of a class; returns how many they are. */
static uint32_t members_of(const class_inspection *l, uint32_t class, const uint32_t **members)
{
    *members = l->order + l->start[class];
    return l->start[class + 1] - l->start[class];
}

/* What models see of a class; undo it with clear_class. */
static class_view count_class(class_inspection *l, uint32_t class, const uint32_t *closure)
{
    const uint32_t *members, n = members_of(l, class, &members);
    class_counts_add(&l->counts, members, n);
    return class_counts_view(&l->counts, closure, members, n);
}

static void clear_class(class_inspection *l, uint32_t class)
{
    const uint32_t *members, n = members_of(l, class, &members);
    class_counts_clear(&l->counts, members, n);
}

/* True if there is a record without which the class would break the model. k-map counts people, not
 * records: a class is at its border if its people are just enough. */
static bool at_border(class_inspection *l, const model_spec *m, uint32_t class,
                      const class_view *view)
{
    if (m->id == MODEL_K_MAP)
        return model_judge(m, view).found <= m->k;
    if (m->id == MODEL_K_ANONYMITY)
        return view->size <= m->k;
    const uint32_t *members, n = members_of(l, class, &members);
    bool holds = l->counts.n_records > 1;
    for (uint32_t i = 0; i < n && holds; i++) {
        class_counts_take_out(&l->counts, members[i]);
        class_units units;
        const class_view less =
            class_counts_view_less(&l->counts, view->closure, &units, members[i]);
        holds = model_holds(m, &less);
        class_counts_put_back(&l->counts, members[i]);
    }
    return !holds;
}

/* Of classes that are equally bad the first one in the table is named. */
static bool is_worst(const explain_model *own, const model_spec *model, const model_finding *f,
                     uint32_t row)
{
    if (!own->judged || model_worse(model, f->found, own->worst.found))
        return true;
    return row < own->row && !model_worse(model, own->worst.found, f->found);
}

/* Adds one class of the release to the findings about each model. */
static void assess_class(explanation *e, class_inspection *l, uint32_t class,
                         const uint32_t *closure)
{
    const class_view view = count_class(l, class, closure);
    /* The first row of a class. */
    const uint32_t record = l->order[l->start[class]];
    const uint32_t row = l->rows == NULL ? record : l->rows[record];
    for (uint32_t m = 0; m < l->problem->n_models; m++) {
        const model_spec *model = &l->problem->models[m];
        explain_model *own = &e->models[m];
        const model_finding f = model_judge(model, &view);
        if (is_worst(own, model, &f, row)) {
            own->worst = f;
            own->row = row;
            memcpy(own->closure, closure, l->problem->n_attributes * sizeof *closure);
        }
        own->judged = true;
        if (at_border(l, model, class, &view)) {
            own->n_border_classes++;
            own->n_border_records += l->counts.n_records;
        }
    }
    clear_class(l, class);
}

/* The model with the most records suppressed for it or at its border; UINT32_MAX: none. */
static uint32_t find_binding(const explanation *e, uint32_t n_models)
{
    uint32_t max_records = 0, binding = UINT32_MAX;
    for (uint32_t m = 0; m < n_models; m++)
        if (e->models[m].n_border_records + e->suppressed_by[m] > max_records) {
            max_records = e->models[m].n_border_records + e->suppressed_by[m];
            binding = m;
        }
    return binding;
}

/* The node that a suppressed record would show if it were released with the others. */
static uint32_t recoded(const problem *p, const search_result *result, uint32_t record, uint32_t j)
{
    const attribute *a = &p->attributes[j];
    if (result->recoded != NULL)
        return result->recoded[(size_t)record * p->n_attributes + j];
    uint32_t cell = a->cells[record];
    return cell < a->tree->n_leaves && result->levels != NULL
               ? tree_up(a->tree, cell, result->levels[j])
               : tree_root(a->tree);
}

/* Numbers the classes in which the suppressed records would be; of[] is UINT32_MAX for other
 * records. closure[] gets the nodes of each class. */
static kith_status group_suppressed(uint32_t *of, uint32_t *count, uint32_t **closure,
                                    const problem *q, const search_result *result, context *c,
                                    kith_error *error)
{
    column *nodes = TRY_ZEROS(nodes, c->memory, q->n_attributes, error);
    uint32_t *order = TRY_ARRAY(order, c->memory, q->n_attributes, error);
    uint32_t *record = TRY_ARRAY(record, c->memory, q->n_records, error);
    kith_table table = {.n_columns = q->n_attributes, .columns = nodes};
    for (uint32_t i = 0; i < q->n_records; i++) {
        of[i] = UINT32_MAX;
        if (result->partition.class_of[i] == PARTITION_SUPPRESSED)
            record[table.n_rows++] = i;
    }
    for (uint32_t j = 0; j < q->n_attributes; j++) {
        order[j] = j;
        nodes[j].values.count = q->attributes[j].tree->n_nodes;
        nodes[j].codes = TRY_ARRAY(nodes[j].codes, c->memory, table.n_rows, error);
        for (uint32_t i = 0; i < table.n_rows; i++)
            nodes[j].codes[i] = recoded(q, result, record[i], j);
    }
    row_groups grouped;
    TRY(row_groups_by(&grouped, c->memory, &table, order, q->n_attributes, error));
    *count = grouped.count;
    *closure = arena_array(c->memory, (size_t)grouped.count * q->n_attributes, sizeof **closure);
    TRY_ALLOC(*closure, error);
    for (uint32_t i = 0; i < table.n_rows; i++) {
        of[record[i]] = grouped.of[i];
        for (uint32_t j = 0; j < q->n_attributes; j++)
            (*closure)[(size_t)grouped.of[i] * q->n_attributes + j] = nodes[j].codes[i];
    }
    return KITH_OK;
}

/* Finds the first model that a suppressed class would break. */
static void assess_suppressed(explanation *e, class_inspection *l, uint32_t class,
                              const uint32_t *closure)
{
    class_view view = count_class(l, class, closure);
    explain_suppressed one = {
        .n_records = l->counts.n_records, .closure = closure, .model = UINT32_MAX};
    for (uint32_t m = 0; m < l->problem->n_models && one.model == UINT32_MAX; m++) {
        one.finding = model_judge(&l->problem->models[m], &view);
        if (!one.finding.holds)
            one.model = m;
    }
    clear_class(l, class);
    e->n_suppressed_records += one.n_records;
    /* A search may suppress a class that breaks no model, because another node was cheaper. */
    if (one.model == UINT32_MAX)
        return;
    e->suppressed_by[one.model] += one.n_records;
    /* Inserts a class into the list of the largest ones, which is in descending order. */
    uint32_t at = e->n_listed < EXPLAIN_LISTED ? e->n_listed++ : EXPLAIN_LISTED;
    for (; at > 0 && e->suppressed[at - 1].n_records < one.n_records; at--)
        if (at < EXPLAIN_LISTED)
            e->suppressed[at] = e->suppressed[at - 1];
    if (at < EXPLAIN_LISTED)
        e->suppressed[at] = one;
}

/* Suppressed records are grouped as they would have been released, to see what was wrong with
 * them. */
static kith_status explain_suppression(explanation *e, class_inspection *l,
                                       const search_result *result, context *c, kith_error *error)
{
    const problem *p = l->problem;
    const size_t row = p->n_attributes;
    uint32_t *of = TRY_ARRAY(of, c->memory, p->n_records, error);
    uint32_t *closure = NULL;
    TRY(group_suppressed(of, &e->n_suppressed_classes, &closure, p, result, c, error));
    TRY(group(l, of, e->n_suppressed_classes, c->memory, error));
    for (uint32_t class = 0; class < e->n_suppressed_classes; class ++)
        assess_suppressed(e, l, class, closure + class * row);
    for (uint32_t i = 0; i < e->n_listed; i++) {
        uint32_t *kept = TRY_ARRAY(kept, e->memory, row, error);
        memcpy(kept, e->suppressed[i].closure, row * sizeof *kept);
        e->suppressed[i].closure = kept;
    }
    return KITH_OK;
}

kith_status explain_open(explanation **result, const problem *p, arena *memory, kith_error *error)
{
    explanation *e = TRY_ZEROS(e, memory, 1, error);
    e->memory = memory;
    e->models = TRY_ZEROS(e->models, memory, p->n_models, error);
    e->suppressed_by = TRY_ALLOC(arena_zalloc(memory, p->n_models, sizeof(uint32_t)), error);
    for (uint32_t m = 0; m < p->n_models; m++)
        e->models[m].closure =
            TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof(uint32_t)), error);
    *result = e;
    return KITH_OK;
}

kith_status explain_add(explanation *e, const problem *p, const search_result *result,
                        const uint32_t *rows, context *c, kith_error *error)
{
    const partition *found = &result->partition;
    class_inspection l = {.problem = p, .rows = rows};
    if (e == NULL)
        return KITH_OK;
    TRY(class_counts_init(&l.counts, l.problem, NULL, c->memory, error));
    TRY(group(&l, found->class_of, found->n_classes, c->memory, error));
    for (uint32_t class = 0; class < found->n_classes; class ++)
        assess_class(e, &l, class, found->closure + (size_t) class * p->n_attributes);
    for (uint32_t i = 0; i < p->n_records; i++)
        if (found->class_of[i] == PARTITION_SUPPRESSED)
            return explain_suppression(e, &l, result, c, error);
    return KITH_OK;
}

/* "found" is compared with "needed" as "bound" says. */
static void put_finding(kith_document *d, document_node *node, const model_finding *f)
{
    document_put_text(d, node, "quantity", f->quantity);
    document_put_number(d, node, "found", f->found);
    document_put_text(d, node, "bound", f->at_most ? "at most" : "at least");
    document_put_number(d, node, "needed", f->needed);
}

/* The quasi-identifiers that a class shows. */
static void put_cells(kith_document *d, document_node *parent, const prepared *p,
                      const uint32_t *closure)
{
    document_node *cells = document_object(d, parent, "cells");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const prepared_column *q = &p->columns[p->quasi[j]];
        document_put_text(d, cells, q->study->name, q->hierarchy->label[closure[j]]);
    }
}

static void put_model(kith_document *d, document_node *parent, const explain_model *m,
                      const model_spec *spec, const prepared *p)
{
    document_node *one = document_object(d, parent, NULL);
    summary_put_model_name(d, one, spec);
    document_put_count(d, one, "border_classes", m->n_border_classes);
    document_put_count(d, one, "border_records", m->n_border_records);
    if (!m->judged)
        return;
    document_node *tightest = document_object(d, one, "tightest");
    put_finding(d, tightest, &m->worst);
    put_cells(d, tightest, p, m->closure);
}

void explain_put(kith_document *d, document_node *root, const explanation *e, const prepared *p)
{
    const uint32_t n_models = p->problem.n_models, binding = find_binding(e, n_models);
    document_node *node = document_object(d, root, "explain");
    document_node *models = document_array(d, node, "models");
    for (uint32_t m = 0; m < n_models; m++)
        put_model(d, models, &e->models[m], &p->problem.models[m], p);
    if (binding == UINT32_MAX)
        document_put_null(d, node, "binding");
    else
        document_put_count(d, node, "binding", binding);
    /* The largest suppressed classes, each with the model that it breaks. */
    document_put_count(d, node, "suppressed_classes", e->n_suppressed_classes);
    document_put_count(d, node, "suppressed_records", e->n_suppressed_records);
    document_node *list = document_array(d, node, "suppressed");
    for (uint32_t i = 0; i < e->n_listed; i++) {
        const explain_suppressed *s = &e->suppressed[i];
        document_node *one = document_object(d, list, NULL);
        document_put_count(d, one, "records", s->n_records);
        put_cells(d, one, p, s->closure);
        summary_put_model_name(d, one, &p->problem.models[s->model]);
        put_finding(d, one, &s->finding);
    }
}
