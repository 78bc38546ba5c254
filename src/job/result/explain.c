#include "job/result/explain.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "job/result/summary.h"
#include "table/row_groups.h"

/* Classes with their members, and counts of the sensitive values of one class at a time. Invariant:
 * all counts are zero between classes. */
typedef struct class_inspection {
    const problem *problem;
    uint32_t n_classes;
    uint32_t *start, *order; /* class c is order[start[c]] … order[start[c + 1] - 1] */
    uint32_t **count;        /* [n_sensitive][values] */
    histogram *sensitive;    /* [n_sensitive] */
} class_inspection;

/* Counters for the values of each sensitive attribute. */
static kith_status make_counts(class_inspection *l, arena *memory, kith_error *error)
{
    const problem *p = l->problem;
    l->count = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *l->count), error);
    l->sensitive = TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *l->sensitive), error);
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        l->count[s] =
            TRY_ALLOC(arena_zalloc(memory, p->sensitive[s].count, sizeof **l->count), error);
        l->sensitive[s] = (histogram){l->count[s], p->sensitive[s].count};
    }
    return KITH_OK;
}

/* Lists the members of each class by counting sort. Records of class UINT32_MAX are in none. */
static kith_status group(class_inspection *l, const uint32_t *class_of, uint32_t count,
                         arena *memory, kith_error *error)
{
    uint32_t n = l->problem->n_records;
    l->n_classes = count;
    /* Shifted by one class, so that filling moves each start to its final place. */
    l->start = TRY_ALLOC(arena_zalloc(memory, count + (size_t)2, sizeof *l->start), error);
    l->order = TRY_ALLOC(arena_array(memory, n, sizeof *l->order), error);
    for (uint32_t i = 0; i < n; i++)
        if (class_of[i] != UINT32_MAX)
            l->start[class_of[i] + 2]++;
    for (uint32_t c = 0; c < count; c++)
        l->start[c + 2] += l->start[c + 1];
    for (uint32_t i = 0; i < n; i++)
        if (class_of[i] != UINT32_MAX)
            l->order[l->start[class_of[i] + 1]++] = i;
    return KITH_OK;
}

/* Counts the sensitive values of a class; undo it with clear_class. */
static class_view count_class(class_inspection *l, uint32_t class, const uint32_t *closure)
{
    ASSERT(class < l->n_classes);
    uint32_t from = l->start[class], to = l->start[class + 1];
    for (uint32_t s = 0; s < l->problem->n_sensitive; s++)
        for (uint32_t i = from; i < to; i++)
            l->count[s][l->problem->sensitive[s].values[l->order[i]]]++;
    return (class_view){to - from, l->sensitive, closure};
}

static void clear_class(class_inspection *l, uint32_t class)
{
    for (uint32_t s = 0; s < l->problem->n_sensitive; s++)
        for (uint32_t i = l->start[class]; i < l->start[class + 1]; i++)
            l->count[s][l->problem->sensitive[s].values[l->order[i]]] = 0;
}

/* Takes a record out of the counts, or puts it back. */
static void adjust_counts(class_inspection *l, uint32_t record, bool back)
{
    for (uint32_t s = 0; s < l->problem->n_sensitive; s++) {
        uint32_t *count = &l->count[s][l->problem->sensitive[s].values[record]];
        *count = back ? *count + 1 : *count - 1;
    }
}

/* True if there is a record without which the class would break the model. k-map counts people, not
 * records: a class is at its border if its people are just enough. */
static bool at_border(class_inspection *l, const model_spec *m, uint32_t class,
                      const class_view *view)
{
    if (m->id == MODEL_K_MAP)
        return model_judge(m, view).found <= m->k;
    if (view->size == 1)
        return true;
    class_view less = {view->size - 1, view->sensitive, view->closure};
    for (uint32_t i = l->start[class]; i < l->start[class + 1]; i++) {
        adjust_counts(l, l->order[i], false);
        bool holds = model_holds(m, &less);
        adjust_counts(l, l->order[i], true);
        if (!holds)
            return true;
        if (!model_looks_at_values(m))
            return false; /* all records are alike */
    }
    return false;
}

/* Adds one class of the release to the findings about each model. */
static void assess_class(explanation *e, class_inspection *l, uint32_t class,
                         const uint32_t *closure)
{
    class_view view = count_class(l, class, closure);
    for (uint32_t m = 0; m < l->problem->n_models; m++) {
        const model_spec *model = &l->problem->models[m];
        explain_model *own = &e->models[m];
        model_finding f = model_judge(model, &view);
        if (!own->judged || model_worse(model, f.found, own->worst.found)) {
            own->worst = f;
            own->record = l->order[l->start[class]];
        }
        own->judged = true;
        if (at_border(l, model, class, &view)) {
            own->n_border_classes++;
            own->n_border_records += view.size;
        }
    }
    clear_class(l, class);
}

/* The model that affects the most records. */
static void find_binding(explanation *e, uint32_t n_models)
{
    uint32_t max_records = 0;
    e->binding = UINT32_MAX;
    for (uint32_t m = 0; m < n_models; m++)
        if (e->models[m].n_border_records + e->suppressed_by[m] > max_records) {
            max_records = e->models[m].n_border_records + e->suppressed_by[m];
            e->binding = m;
        }
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
                                    const prepared *p, const search_result *result, context *c,
                                    kith_error *error)
{
    const problem *q = &p->problem;
    column *nodes = TRY_ALLOC(arena_zalloc(c->memory, q->n_attributes, sizeof *nodes), error);
    uint32_t *order = TRY_ALLOC(arena_array(c->memory, q->n_attributes, sizeof *order), error);
    uint32_t *record = TRY_ALLOC(arena_array(c->memory, q->n_records, sizeof *record), error);
    kith_table table = {.n_columns = q->n_attributes, .columns = nodes};
    for (uint32_t i = 0; i < q->n_records; i++) {
        of[i] = UINT32_MAX;
        if (result->partition.class_of[i] == PARTITION_SUPPRESSED)
            record[table.n_rows++] = i;
    }
    for (uint32_t j = 0; j < q->n_attributes; j++) {
        order[j] = j;
        nodes[j].values.count = q->attributes[j].tree->n_nodes;
        nodes[j].codes =
            TRY_ALLOC(arena_array(c->memory, table.n_rows, sizeof *nodes[j].codes), error);
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

/* Inserts a class into the list of the largest ones, which is in descending order. */
static void list_suppressed(explanation *e, const explain_suppressed *one)
{
    uint32_t at = e->n_listed < EXPLAIN_LISTED ? e->n_listed++ : EXPLAIN_LISTED;
    for (; at > 0 && e->suppressed[at - 1].n_records < one->n_records; at--)
        if (at < EXPLAIN_LISTED)
            e->suppressed[at] = e->suppressed[at - 1];
    if (at < EXPLAIN_LISTED)
        e->suppressed[at] = *one;
}

/* Finds the first model that a suppressed class would break. */
static void assess_suppressed(explanation *e, class_inspection *l, uint32_t class,
                              const uint32_t *closure)
{
    class_view view = count_class(l, class, closure);
    explain_suppressed one = {
        .n_records = view.size, .record = l->order[l->start[class]], .model = UINT32_MAX};
    for (uint32_t m = 0; m < l->problem->n_models && one.model == UINT32_MAX; m++) {
        one.finding = model_judge(&l->problem->models[m], &view);
        if (!one.finding.holds)
            one.model = m;
    }
    clear_class(l, class);
    e->n_suppressed_records += view.size;
    /* A search may suppress a class that breaks no model, because another node was cheaper. */
    if (one.model == UINT32_MAX)
        return;
    e->suppressed_by[one.model] += view.size;
    list_suppressed(e, &one);
}

/* Suppressed records are grouped as they would have been released, to see what was wrong with them.
 */
static kith_status explain_suppression(explanation *e, class_inspection *l, const prepared *p,
                                       const search_result *result, context *c, kith_error *error)
{
    uint32_t *of = TRY_ALLOC(arena_array(c->memory, p->n_rows, sizeof *of), error);
    uint32_t *closure = NULL;
    TRY(group_suppressed(of, &e->n_suppressed_classes, &closure, p, result, c, error));
    TRY(group(l, of, e->n_suppressed_classes, c->memory, error));
    for (uint32_t class = 0; class < e->n_suppressed_classes; class ++)
        assess_suppressed(e, l, class, closure + (size_t) class * p->problem.n_attributes);
    return KITH_OK;
}

kith_status explain_make(explanation *e, const prepared *p, const search_result *result, context *c,
                         kith_error *error)
{
    const problem *q = &p->problem;
    const partition *found = &result->partition;
    class_inspection l = {.problem = q};
    *e = (explanation){.n_classes = found->n_classes};
    e->models = TRY_ALLOC(arena_zalloc(c->memory, q->n_models, sizeof *e->models), error);
    e->suppressed_by =
        TRY_ALLOC(arena_zalloc(c->memory, q->n_models, sizeof *e->suppressed_by), error);
    TRY(make_counts(&l, c->memory, error));
    TRY(group(&l, found->class_of, found->n_classes, c->memory, error));
    for (uint32_t class = 0; class < found->n_classes; class ++)
        assess_class(e, &l, class, found->closure + (size_t) class * q->n_attributes);
    TRY(explain_suppression(e, &l, p, result, c, error));
    find_binding(e, q->n_models);
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
                      const model_spec *spec, const prepared *p, const search_result *result)
{
    document_node *one = document_object(d, parent, NULL);
    summary_put_model_name(d, one, spec);
    document_put_count(d, one, "border_classes", m->n_border_classes);
    document_put_count(d, one, "border_records", m->n_border_records);
    if (!m->judged)
        return;
    document_node *tightest = document_object(d, one, "tightest");
    put_finding(d, tightest, &m->worst);
    uint32_t class = result->partition.class_of[m->record];
    put_cells(d, tightest, p, result->partition.closure + (size_t) class * p->problem.n_attributes);
}

/* The largest suppressed classes, each with the model that it breaks. */
static void put_suppressed(kith_document *d, document_node *node, const explanation *e,
                           const prepared *p, const search_result *result)
{
    document_put_count(d, node, "suppressed_classes", e->n_suppressed_classes);
    document_put_count(d, node, "suppressed_records", e->n_suppressed_records);
    document_node *list = document_array(d, node, "suppressed");
    for (uint32_t i = 0; i < e->n_listed; i++) {
        const explain_suppressed *s = &e->suppressed[i];
        document_node *one = document_object(d, list, NULL);
        document_put_count(d, one, "records", s->n_records);
        document_node *cells = document_object(d, one, "cells");
        for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
            const prepared_column *q = &p->columns[p->quasi[j]];
            uint32_t shown = recoded(&p->problem, result, s->record, j);
            document_put_text(d, cells, q->study->name, q->hierarchy->label[shown]);
        }
        summary_put_model_name(d, one, &p->problem.models[s->model]);
        put_finding(d, one, &s->finding);
    }
}

void explain_put(kith_document *d, document_node *root, const explanation *e, const prepared *p,
                 const search_result *result)
{
    document_node *node = document_object(d, root, "explain");
    document_node *models = document_array(d, node, "models");
    for (uint32_t m = 0; m < p->problem.n_models; m++)
        put_model(d, models, &e->models[m], &p->problem.models[m], p, result);
    if (e->binding == UINT32_MAX)
        document_put_null(d, node, "binding");
    else
        document_put_count(d, node, "binding", e->binding);
    put_suppressed(d, node, e, p, result);
}
