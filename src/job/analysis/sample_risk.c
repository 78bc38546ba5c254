#include "job/analysis/sample_risk.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "job/result/risk.h"

/* Data or release as the estimates see it: rows in classes, columns of codes. */
typedef struct view {
    row_groups classes;
    const uint32_t *sizes;
    uint32_t left_out;        /* the class of suppressed rows, or UINT32_MAX */
    const column **quasi;     /* [attributes] */
    const column **sensitive; /* [n_sensitive] */
} view;

static kith_status view_columns(view *v, uint32_t n_quasi, uint32_t n_sensitive, context *c,
                                kith_error *error)
{
    v->quasi = TRY_ALLOC(arena_array(c->memory, n_quasi, sizeof *v->quasi), error);
    v->sensitive = TRY_ALLOC(arena_array(c->memory, n_sensitive, sizeof *v->sensitive), error);
    return KITH_OK;
}

static kith_status count_sizes(view *v, context *c, kith_error *error)
{
    uint32_t *sizes = TRY_ALLOC(arena_zalloc(c->memory, v->classes.count, sizeof *sizes), error);
    for (uint32_t i = 0; i < v->classes.n_rows; i++)
        sizes[v->classes.of[i]]++;
    v->sizes = sizes;
    return KITH_OK;
}

/* The data: cells of the problem are codes already. */
static kith_status view_data(view *v, const prepared *p, context *c, kith_error *error)
{
    const problem *of = &p->problem;
    row_groups_scratch *scratch;
    const uint32_t n = of->n_attributes + of->n_sensitive;
    column *columns = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *columns), error);
    *v = (view){.left_out = UINT32_MAX};
    TRY(view_columns(v, of->n_attributes, of->n_sensitive, c, error));
    for (uint32_t j = 0; j < of->n_attributes; j++) {
        columns[j].codes = (uint32_t *)of->attributes[j].cells;
        columns[j].values.count = of->attributes[j].tree->n_nodes;
        v->quasi[j] = &columns[j];
    }
    for (uint32_t s = 0; s < of->n_sensitive; s++) {
        column *to = &columns[of->n_attributes + s];
        to->codes = (uint32_t *)of->sensitive[s].values;
        to->values.count = of->sensitive[s].count;
        v->sensitive[s] = to;
    }
    TRY(row_groups_scratch_new(&scratch, c->memory, p->n_rows, error));
    TRY(row_groups_all(&v->classes, c->memory, p->n_rows, error));
    for (uint32_t j = 0; j < of->n_attributes; j++)
        row_groups_refine(&v->classes, &v->classes, v->quasi[j], scratch);
    return count_sizes(v, c, error);
}

static kith_status view_release(view *v, const analysis *a, context *c, kith_error *error)
{
    const prepared *p = a->data;
    const classes *shown = a->report->grouping;
    *v = (view){.classes = {a->texts->n_rows, shown->count, shown->class_of},
                .sizes = shown->size,
                .left_out = a->report->suppressed_class};
    TRY(view_columns(v, p->problem.n_attributes, p->problem.n_sensitive, c, error));
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *from = &p->columns[i];
        uint32_t at;
        if (from->attribute == PREPARE_NONE && from->sensitive == PREPARE_NONE)
            continue;
        TRY(assess_find_column(&at, a->texts, from->study->name, error));
        if (from->attribute != PREPARE_NONE)
            v->quasi[from->attribute] = &a->texts->columns[at];
        else
            v->sensitive[from->sensitive] = &a->texts->columns[at];
    }
    return KITH_OK;
}

static kith_status assess_individual(sample_risk *to, const view *v, const sample_risk_report *r,
                                     context *c, kith_error *error)
{
    const double weight = r->population / r->data->n_rows;
    double *sums = TRY_ALLOC(arena_array(c->memory, v->classes.count, sizeof *sums), error);
    to->has_individual = true;
    individual_assess(&to->individual, v->classes.of, v->sizes, v->classes.n_rows, v->classes.count,
                      v->left_out, r->task->weights, weight, RISK_THRESHOLD, sums);
    return KITH_OK;
}

static kith_status assess_special(sample_risk *to, const view *v, const sample_risk_report *r,
                                  context *c, kith_error *error)
{
    const uint32_t n_rows = v->classes.n_rows;
    dis_suda_file file = {.n_columns = r->data->problem.n_attributes, .fraction = r->fraction};
    for (uint32_t i = 0; i < v->classes.count; i++) {
        file.n_singles += v->sizes[i] == 1 && i != v->left_out;
        file.n_in_pairs += v->sizes[i] == 2 && i != v->left_out ? 2 : 0;
    }
    TRY(special_uniques_find(&to->special, v->quasi, file.n_columns, n_rows, r->task->max_size,
                             c->memory, error));
    to->dis_scores = TRY_ALLOC(arena_array(c->memory, n_rows, sizeof *to->dis_scores), error);
    dis_suda_assess(&to->dis, to->dis_scores, to->special.scores, n_rows, &file);
    return KITH_OK;
}

static kith_status assess_view(sample_risk *to, const view *v, const sample_risk_report *r,
                               bool weights_fit, context *c, kith_error *error)
{
    class_sizes sizes;
    TRY(class_sizes_make(&sizes, v->sizes, v->classes.count, v->left_out, c->memory, error));
    to->n_singles = sizes.n_singles;
    if (r->population > 0)
        uniqueness_estimate(&to->unique, &sizes, r->population);
    if (r->population > 0 && weights_fit)
        TRY(assess_individual(to, v, r, c, error));
    if (r->task->max_size > 0)
        TRY(assess_special(to, v, r, c, error));
    to->disclosures = arena_array(c->memory, r->n_sensitive, sizeof *to->disclosures);
    TRY_ALLOC(to->disclosures, error);
    for (uint32_t s = 0; s < r->n_sensitive; s++)
        TRY(disclosure_assess(&to->disclosures[s], &v->classes, v->left_out, v->sensitive[s],
                              error));
    return KITH_OK;
}

/* Weights add up to an estimate of the population, where nobody says how large it is. */
static kith_status find_population(sample_risk_report *r, kith_error *error)
{
    const double n = r->data->n_rows, given = r->task->population;
    r->population = given > 0 && given < 1 ? n / given : given;
    if (given == 0 && r->task->weights != NULL)
        for (uint32_t i = 0; i < r->data->n_rows; i++)
            r->population += r->task->weights[i];
    if (r->population > 0 && r->population < n)
        return error_set(error, KITH_INVALID,
                         "a population of %.10g is smaller than the data, which has %u records",
                         r->population, r->data->n_rows);
    r->fraction = r->population > 0 && n > 0 ? n / r->population : DIS_SUDA_FRACTION;
    return KITH_OK;
}

kith_status sample_risk_assess(sample_risk_report *report, const analysis *a,
                               const sample_risk_task *task, context *c, kith_error *error)
{
    const prepared *p = a->data;
    view before, after;
    *report = (sample_risk_report){.task = task, .data = p, .n_sensitive = p->problem.n_sensitive};
    report->sensitive =
        TRY_ALLOC(arena_array(c->memory, report->n_sensitive, sizeof *report->sensitive), error);
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i].sensitive != PREPARE_NONE)
            report->sensitive[p->columns[i].sensitive] = p->columns[i].study->name;
    TRY(find_population(report, error));
    TRY(view_data(&before, p, c, error));
    TRY(assess_view(&report->before, &before, report, true, c, error));
    TRY(view_release(&after, a, c, error));
    return assess_view(&report->after, &after, report, task->weights == NULL || a->in_order, c,
                       error);
}
