#include "job/analysis/sample_risk.h"

#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/exact_sum.h"
#include "table/rows/code_rows.h"
#include "job/assess/risk.h"

/* Data or release as the estimates see it: rows in classes, columns of codes. */
typedef struct view {
    row_groups classes;
    const uint32_t *sizes;
    uint32_t left_out; /* the class of suppressed rows, or UINT32_MAX */
    uint32_t n_quasi, n_sensitive;
    const column **quasi;     /* [n_quasi] */
    const column **sensitive; /* [n_sensitive] */
    uint32_t *weight_of;      /* [rows] place of the weight; NULL: there are none */
} view;

static kith_status view_columns(view *v, const problem *p, context *c, kith_error *error)
{
    v->n_quasi = p->n_attributes;
    v->n_sensitive = p->n_sensitive;
    v->quasi = TRY_ARRAY(v->quasi, c->memory, v->n_quasi, error);
    v->sensitive = TRY_ARRAY(v->sensitive, c->memory, v->n_sensitive, error);
    return KITH_OK;
}

/* Groups the rows by what they show, and counts the groups. */
static kith_status view_group(view *v, uint32_t n_rows, context *c, kith_error *error)
{
    row_groups_scratch *scratch;
    TRY(row_groups_scratch_new(&scratch, c->memory, n_rows, error));
    TRY(row_groups_all(&v->classes, c->memory, n_rows, error));
    for (uint32_t j = 0; j < v->n_quasi; j++)
        row_groups_refine(&v->classes, &v->classes, v->quasi[j], scratch);
    uint32_t *sizes = TRY_ZEROS(sizes, c->memory, v->classes.count, error);
    for (uint32_t i = 0; i < n_rows; i++)
        sizes[v->classes.of[i]]++;
    v->sizes = sizes;
    return KITH_OK;
}

/* The data: cells of the problem are codes already. */
static kith_status view_data(view *v, const prepared *p, const sample_weights *weights, context *c,
                             kith_error *error)
{
    const problem *of = &p->problem;
    const uint32_t n = of->n_attributes + of->n_sensitive;
    column *columns = TRY_ZEROS(columns, c->memory, n, error);
    *v = (view){.left_out = UINT32_MAX, .weight_of = weights->of};
    TRY(view_columns(v, of, c, error));
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
    return view_group(v, p->n_rows, c, error);
}

/* Weights belong to records: they are of no use to rows in another order. */
static kith_status view_release(view *v, const analysis *a, const sample_weights *weights,
                                context *c, kith_error *error)
{
    const prepared *p = a->data;
    const classes *shown = a->report->grouping;
    *v = (view){.classes = {a->texts->n_rows, shown->count, shown->class_of},
                .sizes = shown->size,
                .left_out = a->report->suppressed_class,
                .weight_of = a->in_order ? weights->of : NULL};
    TRY(view_columns(v, &p->problem, c, error));
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

/* The rows of a view as numbers that can be sent: what they show, a missing cell behind all values;
 * sensitive values; whether they are suppressed; weights. */
static kith_status pack(code_rows *rows, const view *v, uint32_t n_weights, arena *memory,
                        kith_error *error)
{
    const uint32_t n_columns = v->n_quasi + v->n_sensitive, n = n_columns + 2;
    const uint32_t n_rows = v->classes.n_rows;
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n, error);
    *rows = (code_rows){.n_rows = n_rows, .n_columns = n, .n_keys = v->n_quasi, .n_codes = n_codes};
    rows->codes = TRY_ARRAY(rows->codes, memory, n, error);
    for (uint32_t i = 0; i < n_columns; i++) {
        const column *from = i < v->n_quasi ? v->quasi[i] : v->sensitive[i - v->n_quasi];
        n_codes[i] = from->values.count + 1;
        rows->codes[i] = from->codes;
    }
    for (uint32_t i = n_columns; i < n; i++)
        rows->codes[i] = TRY_ZEROS(rows->codes[i], memory, n_rows, error);
    n_codes[n_columns] = 2;
    for (uint32_t row = 0; row < n_rows; row++)
        rows->codes[n_columns][row] = v->classes.of[row] == v->left_out;
    n_codes[n_columns + 1] = n_weights;
    if (v->weight_of != NULL)
        memcpy(rows->codes[n_columns + 1], v->weight_of, n_rows * sizeof *v->weight_of);
    return KITH_OK;
}

/* Over ranks, rows move to where their classes are complete. */
static kith_status view_complete(view *v, const sample_weights *weights, context *c,
                                 kith_error *error)
{
    code_rows in, out;
    if (ranks_count(c->ranks) == 1)
        return KITH_OK;
    arena *sent ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(pack(&out, v, weights->count, sent, error));
    TRY(code_rows_exchange(&in, &out, c, c->memory, error));
    /* The view of rows that have come. */
    const uint32_t n_columns = v->n_quasi + v->n_sensitive;
    column *columns = TRY_ZEROS(columns, c->memory, n_columns, error);
    for (uint32_t i = 0; i < n_columns; i++) {
        const column **of = i < v->n_quasi ? &v->quasi[i] : &v->sensitive[i - v->n_quasi];
        columns[i].codes = in.codes[i];
        columns[i].values.count = (*of)->values.count;
        for (uint32_t row = 0; row < in.n_rows; row++)
            if (columns[i].codes[row] == columns[i].values.count)
                columns[i].codes[row] = TABLE_MISSING;
        *of = &columns[i];
    }
    if (v->weight_of != NULL)
        v->weight_of = in.codes[n_columns + 1];
    TRY(view_group(v, in.n_rows, c, error));
    v->left_out = UINT32_MAX;
    for (uint32_t row = 0; row < in.n_rows && v->left_out == UINT32_MAX; row++)
        if (in.codes[n_columns][row] == 1)
            v->left_out = v->classes.of[row];
    return KITH_OK;
}

/* `c` has memory that is given back; what is found lives in `memory`. */
static kith_status assess_view(sample_risk *to, view *v, const sample_risk_report *r, context *c,
                               arena *memory, kith_error *error)
{
    class_sizes sizes;
    const bool weights_fit = r->task->weights.of == NULL || v->weight_of != NULL;
    TRY(view_complete(v, &r->task->weights, c, error));
    TRY(class_sizes_make(&sizes, v->sizes, v->classes.count, v->left_out, c->memory, error));
    TRY(class_sizes_unite(&sizes, c->ranks, c->memory, error));
    to->n_singles = sizes.n_singles;
    if (r->population > 0)
        uniqueness_estimate(&to->unique, &sizes, r->population);
    if (r->population > 0 && weights_fit) {
        const individual_task task = {.n_records = v->classes.n_rows,
                                      .n_classes = v->classes.count,
                                      .class_of = v->classes.of,
                                      .sizes = v->sizes,
                                      .left_out = v->left_out,
                                      .weight_of = v->weight_of,
                                      .weights = r->task->weights.numbers,
                                      .weight = r->population / (double)prepare_whole_rows(r->data),
                                      .threshold = RISK_THRESHOLD,
                                      .ranks = c->ranks};
        to->has_individual = true;
        TRY(individual_assess(&to->individual, &task, c->memory, error));
    }
    if (r->task->max_size > 0) {
        const uint32_t n_rows = v->classes.n_rows;
        dis_suda_file file = {.n_columns = r->data->problem.n_attributes, .fraction = r->fraction};
        for (uint32_t i = 0; i < v->classes.count; i++) {
            file.n_singles += v->sizes[i] == 1 && i != v->left_out;
            file.n_in_pairs += v->sizes[i] == 2 && i != v->left_out ? 2 : 0;
        }
        TRY(special_uniques_find(&to->special, v->quasi, file.n_columns, n_rows, r->task->max_size,
                                 memory, error));
        to->dis_scores = TRY_ARRAY(to->dis_scores, memory, n_rows, error);
        dis_suda_assess(&to->dis, to->dis_scores, to->special.scores, n_rows, &file);
    }
    to->disclosures = TRY_ARRAY(to->disclosures, memory, r->n_sensitive, error);
    for (uint32_t s = 0; s < r->n_sensitive; s++)
        TRY(disclosure_assess(&to->disclosures[s], &v->classes, v->left_out, v->sensitive[s],
                              c->ranks, error));
    return KITH_OK;
}

/* The release, or the data, with memory that is given back. */
static kith_status assess_side(sample_risk_report *r, const analysis *a, bool released, context *c,
                               kith_error *error)
{
    view v;
    context scratch = *c;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    scratch.memory = memory;
    TRY(released ? view_release(&v, a, &r->task->weights, &scratch, error)
                 : view_data(&v, a->data, &r->task->weights, &scratch, error));
    return assess_view(released ? &r->after : &r->before, &v, r, &scratch, c->memory, error);
}

/* Weights add up to an estimate of the population, where nobody says how large it is. */
static kith_status find_population(sample_risk_report *r, context *c, kith_error *error)
{
    const double n = (double)prepare_whole_rows(r->data), given = r->task->population;
    r->population = given > 0 && given < 1 ? n / given : given;
    if (given == 0) {
        const sample_weights *weights = &r->task->weights;
        exact_sum sum = {0};
        for (uint32_t i = 0; i < r->data->n_rows && weights->of != NULL; i++)
            exact_sum_add(&sum, weights->numbers[weights->of[i]]);
        TRY(ranks_sum(c->ranks, sum.limb, EXACT_SUM_LIMBS, error));
        r->population = (double)exact_sum_value(&sum);
    }
    if (r->population > 0 && r->population < n)
        return error_set(error, KITH_INVALID,
                         "a population of %.10g is smaller than the data, which has %.0f records",
                         r->population, n);
    r->fraction = r->population > 0 && n > 0 ? n / r->population : DIS_SUDA_FRACTION;
    return KITH_OK;
}

kith_status sample_risk_assess(sample_risk_report *report, const analysis *a,
                               const sample_risk_task *task, context *c, kith_error *error)
{
    const prepared *p = a->data;
    *report = (sample_risk_report){.task = task, .data = p, .n_sensitive = p->problem.n_sensitive};
    report->sensitive = TRY_ARRAY(report->sensitive, c->memory, report->n_sensitive, error);
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i].sensitive != PREPARE_NONE)
            report->sensitive[p->columns[i].sensitive] = p->columns[i].study->name;
    TRY(find_population(report, c, error));
    TRY(assess_side(report, a, false, c, error));
    return assess_side(report, a, true, c, error);
}
