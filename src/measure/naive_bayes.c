#include "measure/naive_bayes.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/rng.h"

/* What was learned: expected numbers of records, later logarithms of probabilities. */
typedef struct classifier {
    double *prior;   /* [labels] */
    double **likely; /* [columns][values * labels] */
} classifier;

typedef struct validation {
    const bayes_input *in;
    uint32_t *fold;   /* [records or rows, the larger number] */
    double *steps[2]; /* [(leaves + 1) * labels] where cells begin and end: leaves, positions */
    classifier model;
} validation;

uint64_t naive_bayes_table_size(const query_input *shown, uint32_t n_labels)
{
    uint64_t leaves = 0;
    for (uint32_t j = 0; j < shown->n_columns; j++)
        leaves += shown->columns[j].n_leaves + 1;
    return leaves * n_labels;
}

static kith_status begin(validation *v, arena *memory, kith_error *error)
{
    const query_input *shown = v->in->shown;
    const uint32_t n_labels = v->in->n_labels;
    const uint32_t n = shown->n_records > v->in->n_rows ? shown->n_records : v->in->n_rows;
    uint32_t max_leaves = 0;
    v->fold = TRY_ALLOC(arena_array(memory, n, sizeof *v->fold), error);
    v->model.prior = TRY_ALLOC(arena_array(memory, n_labels, sizeof(double)), error);
    v->model.likely = TRY_ALLOC(arena_array(memory, shown->n_columns, sizeof(double *)), error);
    for (uint32_t j = 0; j < shown->n_columns; j++) {
        const query_column *c = &shown->columns[j];
        max_leaves = c->n_leaves > max_leaves ? c->n_leaves : max_leaves;
        v->model.likely[j] =
            TRY_ALLOC(arena_array(memory, (size_t)c->n_values * n_labels, sizeof(double)), error);
    }
    for (int i = 0; i < 2; i++)
        v->steps[i] = TRY_ALLOC(
            arena_array(memory, (max_leaves + (size_t)1) * n_labels, sizeof(double)), error);
    rng r;
    rng_init(&r, v->in->seed, 1); /* queries draw from stream 0 */
    for (uint32_t i = 0; i < n; i++)
        v->fold[i] = i % v->in->n_folds;
    rng_shuffle(&r, v->fold, n);
    return KITH_OK;
}

static void count_labels(validation *v, const uint32_t *labels, uint32_t n, uint32_t tested)
{
    memset(v->model.prior, 0, v->in->n_labels * sizeof(double));
    for (uint32_t i = 0; i < n; i++)
        if (labels[i] != BAYES_NO_LABEL && v->fold[i] != tested)
            v->model.prior[labels[i]]++;
}

static void count_records(validation *v, uint32_t tested)
{
    const bayes_input *in = v->in;
    for (uint32_t j = 0; j < in->shown->n_columns; j++) {
        const query_column *c = &in->shown->columns[j];
        double *likely = v->model.likely[j];
        memset(likely, 0, (size_t)c->n_values * in->n_labels * sizeof *likely);
        for (uint32_t i = 0; i < in->shown->n_records; i++)
            if (in->record_label[i] != BAYES_NO_LABEL && v->fold[i] != tested &&
                c->positions[i] != QUERY_NO_VALUE)
                likely[(size_t)c->positions[i] * in->n_labels + in->record_label[i]]++;
    }
    count_labels(v, in->record_label, in->shown->n_records, tested);
}

/* Values of a cell, the missing one left out. */
static uint32_t known_values(const query_column *c, query_cell cell, uint32_t missing_leaf)
{
    const uint32_t missing = cell.by_position ? c->n_values : missing_leaf;
    return cell.last - cell.first + 1 -
           (c->n_leaves > c->n_values && cell.first <= missing && missing <= cell.last);
}

static uint32_t find_missing_leaf(const query_column *c)
{
    for (uint32_t leaf = 0; leaf < c->n_leaves; leaf++)
        if (c->rank[leaf] >= c->n_values)
            return leaf;
    return UINT32_MAX;
}

/* Cells are intervals of leaves or of positions. Where they begin and end is noted first; one pass
 * over the leaves then adds up what covers each of them. */
static void spread_cells(validation *v, uint32_t j, uint32_t tested)
{
    const bayes_input *in = v->in;
    const query_column *c = &in->shown->columns[j];
    const size_t n_labels = in->n_labels;
    const uint32_t missing_leaf = find_missing_leaf(c);
    for (int s = 0; s < 2; s++)
        memset(v->steps[s], 0, (c->n_leaves + (size_t)1) * n_labels * sizeof(double));
    for (uint32_t i = 0; i < in->n_rows; i++) {
        const query_cell cell = c->cells[in->row_class[i]];
        const uint32_t n = known_values(c, cell, missing_leaf);
        if (in->row_label[i] == BAYES_NO_LABEL || v->fold[i] == tested || n == 0)
            continue;
        double *steps = v->steps[cell.by_position];
        steps[cell.first * n_labels + in->row_label[i]] += 1.0 / n;
        steps[(cell.last + (size_t)1) * n_labels + in->row_label[i]] -= 1.0 / n;
    }
    for (int s = 0; s < 2; s++)
        for (size_t at = n_labels; at < c->n_leaves * n_labels; at++)
            v->steps[s][at] += v->steps[s][at - n_labels];
    for (uint32_t leaf = 0; leaf < c->n_leaves; leaf++)
        for (size_t label = 0; label < n_labels && c->rank[leaf] < c->n_values; label++) {
            const size_t position = c->rank[leaf];
            const double sum =
                v->steps[0][leaf * n_labels + label] + v->steps[1][position * n_labels + label];
            v->model.likely[j][position * n_labels + label] = sum > 0 ? sum : 0; /* rounding */
        }
}

static void count_rows(validation *v, uint32_t tested)
{
    for (uint32_t j = 0; j < v->in->shown->n_columns; j++)
        spread_cells(v, j, tested);
    count_labels(v, v->in->row_label, v->in->n_rows, tested);
}

/* From counts to logarithms of probabilities. */
static void take_logarithms(validation *v)
{
    const size_t n_labels = v->in->n_labels;
    for (uint32_t j = 0; j < v->in->shown->n_columns; j++) {
        const uint32_t n_values = v->in->shown->columns[j].n_values;
        double *likely = v->model.likely[j];
        for (size_t label = 0; label < n_labels; label++) {
            double sum = n_values;
            for (size_t value = 0; value < n_values; value++)
                sum += likely[value * n_labels + label];
            for (size_t value = 0; value < n_values; value++)
                likely[value * n_labels + label] =
                    log((likely[value * n_labels + label] + 1) / sum);
        }
    }
    for (size_t label = 0; label < n_labels; label++)
        v->model.prior[label] = log(v->model.prior[label] + 1); /* up to a constant */
}

/* Of equally likely labels the first. */
static uint32_t predict(const validation *v, uint32_t record, double *score)
{
    const size_t n_labels = v->in->n_labels;
    uint32_t best = 0;
    memcpy(score, v->model.prior, n_labels * sizeof *score);
    for (uint32_t j = 0; j < v->in->shown->n_columns; j++) {
        const uint32_t position = v->in->shown->columns[j].positions[record];
        if (position == QUERY_NO_VALUE)
            continue;
        const double *likely = v->model.likely[j] + position * n_labels;
        for (size_t label = 0; label < n_labels; label++)
            score[label] += likely[label];
    }
    for (uint32_t label = 1; label < n_labels; label++)
        if (score[label] > score[best])
            best = label;
    return best;
}

static uint32_t count_right(validation *v, uint32_t tested)
{
    const bayes_input *in = v->in;
    uint32_t right = 0;
    take_logarithms(v);
    for (uint32_t i = 0; i < in->shown->n_records; i++)
        if (v->fold[i] == tested && in->record_label[i] != BAYES_NO_LABEL)
            right += predict(v, i, v->steps[0]) == in->record_label[i];
    return right;
}

static uint32_t most_frequent(const validation *v)
{
    uint32_t best = 0;
    for (uint32_t label = 1; label < v->in->n_labels; label++)
        if (v->model.prior[label] > v->model.prior[best])
            best = label;
    return best;
}

kith_status naive_bayes_measure(bayes_report *report, const bayes_input *in, arena *memory,
                                kith_error *error)
{
    validation v = {.in = in};
    uint64_t original = 0, release = 0, baseline = 0;
    ASSERT(in->n_labels > 0 && in->n_folds >= 2);
    *report = (bayes_report){0, NAN, NAN, NAN};
    TRY(begin(&v, memory, error));
    for (uint32_t tested = 0; tested < in->n_folds; tested++) {
        count_records(&v, tested);
        const uint32_t usual = most_frequent(&v);
        for (uint32_t i = 0; i < in->shown->n_records; i++)
            if (v.fold[i] == tested && in->record_label[i] != BAYES_NO_LABEL) {
                report->n_tested++;
                baseline += in->record_label[i] == usual;
            }
        original += count_right(&v, tested);
        count_rows(&v, tested);
        release += count_right(&v, tested);
    }
    if (report->n_tested == 0)
        return KITH_OK;
    report->original = (double)original / report->n_tested;
    report->release = (double)release / report->n_tested;
    report->baseline = (double)baseline / report->n_tested;
    return KITH_OK;
}
