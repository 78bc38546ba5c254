#include "measure/naive_bayes.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/portion_sum.h"
#include "core/rng.h"

/* What was learned: expected numbers of records, later logarithms of probabilities. */
typedef struct classifier {
    double *prior;   /* [labels] */
    double **likely; /* [columns][values * labels] */
} classifier;

typedef struct validation {
    const bayes_input *in;
    uint32_t *fold; /* [records or rows here, the larger number] */
    /* [(leaves + 1) * labels] where cells begin and end: leaves, positions */
    portion_sum *steps[2];
    uint64_t *counts; /* of labels, or of labels and values, in the place of the first steps */
    double *score;    /* [labels] of a record */
    classifier model;
} validation;

uint64_t naive_bayes_table_size(const query_input *shown, uint32_t n_labels)
{
    uint64_t leaves = 0;
    for (uint32_t j = 0; j < shown->n_columns; j++)
        leaves += shown->columns[j].n_leaves + 1;
    return leaves * n_labels;
}

static kith_status naive_bayes_begin(validation *v, arena *memory, kith_error *error)
{
    const query_input *shown = v->in->shown;
    const uint32_t n_labels = v->in->n_labels;
    const uint32_t n = shown->n_records > v->in->n_rows ? shown->n_records : v->in->n_rows;
    uint32_t max_leaves = 0;
    v->fold = TRY_ARRAY(v->fold, memory, n, error);
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
            arena_array(memory, (max_leaves + (size_t)1) * n_labels, sizeof(portion_sum)), error);
    v->counts = &v->steps[0][0].high;
    v->score = TRY_ARRAY(v->score, memory, n_labels, error);
    /* Folds are drawn block by block: each is about as large in every block, and a rank draws only
     * the blocks in which it has records. */
    enum { BLOCK = 1 << 16 };
    uint32_t *drawn = TRY_ARRAY(drawn, memory, BLOCK, error);
    const uint64_t n_all = v->in->n_all > 0 ? v->in->n_all : n;
    for (uint32_t i = 0; i < n;) {
        const uint64_t place = v->in->first_record + i, block = place / BLOCK;
        const uint64_t left = n_all - block * BLOCK;
        const uint32_t size = left < BLOCK ? (uint32_t)left : BLOCK;
        rng r;
        rng_init(&r, v->in->seed, 1 + block); /* queries draw from stream 0 */
        for (uint32_t k = 0; k < size; k++)
            drawn[k] = k % v->in->n_folds;
        rng_shuffle(&r, drawn, size);
        for (uint32_t k = (uint32_t)(place % BLOCK); k < size && i < n; k++)
            v->fold[i++] = drawn[k];
    }
    return KITH_OK;
}

/* What all ranks have counted, as numbers. */
static kith_status take_counts(double *to, validation *v, size_t n, kith_error *error)
{
    TRY(ranks_sum(v->in->shown->ranks, v->counts, n, error));
    for (size_t i = 0; i < n; i++)
        to[i] = (double)v->counts[i];
    return KITH_OK;
}

static kith_status count_labels(validation *v, const uint32_t *labels, uint32_t n, uint32_t tested,
                                kith_error *error)
{
    memset(v->counts, 0, v->in->n_labels * sizeof *v->counts);
    for (uint32_t i = 0; i < n; i++)
        if (labels[i] != BAYES_NO_LABEL && v->fold[i] != tested)
            v->counts[labels[i]]++;
    return take_counts(v->model.prior, v, v->in->n_labels, error);
}

static kith_status count_records(validation *v, uint32_t tested, kith_error *error)
{
    const bayes_input *in = v->in;
    for (uint32_t j = 0; j < in->shown->n_columns; j++) {
        const query_column *c = &in->shown->columns[j];
        const size_t n = (size_t)c->n_values * in->n_labels;
        memset(v->counts, 0, n * sizeof *v->counts);
        for (uint32_t i = 0; i < in->shown->n_records; i++)
            if (in->record_label[i] != BAYES_NO_LABEL && v->fold[i] != tested &&
                c->positions[i] != QUERY_NO_VALUE)
                v->counts[(size_t)c->positions[i] * in->n_labels + in->record_label[i]]++;
        TRY(take_counts(v->model.likely[j], v, n, error));
    }
    return count_labels(v, in->record_label, in->shown->n_records, tested, error);
}

/* Notes where the cells of rows begin and end. */
static kith_status note_steps(validation *v, const query_column *c, uint32_t tested,
                              kith_error *error)
{
    const bayes_input *in = v->in;
    const size_t n_labels = in->n_labels, n_steps = (c->n_leaves + (size_t)1) * n_labels;
    uint32_t missing_leaf = 0; /* the number of leaves, if there is none */
    while (missing_leaf < c->n_leaves && c->rank[missing_leaf] < c->n_values)
        missing_leaf++;
    for (int s = 0; s < 2; s++)
        memset(v->steps[s], 0, n_steps * sizeof *v->steps[s]);
    for (uint32_t i = 0; i < in->n_rows; i++) {
        const query_cell cell = c->cells[in->row_class[i]];
        /* Values of a cell, the missing one left out. */
        const uint32_t missing = cell.by_position ? c->n_values : missing_leaf;
        const uint32_t n =
            cell.last - cell.first + 1 -
            (c->n_leaves > c->n_values && cell.first <= missing && missing <= cell.last);
        if (in->row_label[i] == BAYES_NO_LABEL || v->fold[i] == tested || n == 0)
            continue;
        portion_sum *steps = v->steps[cell.by_position] + in->row_label[i];
        portion_sum_add(&steps[cell.first * n_labels], 1.0 / n, 1);
        portion_sum_subtract(&steps[(cell.last + (size_t)1) * n_labels], 1.0 / n, 1);
    }
    for (int s = 0; s < 2; s++)
        TRY(ranks_sum(in->shown->ranks, &v->steps[s][0].high, 2 * n_steps, error));
    return KITH_OK;
}

/* Cells are intervals of leaves or of positions. Where they begin and end is noted first; one pass
 * over the leaves then adds up what covers each of them. */
static kith_status spread_cells(validation *v, uint32_t j, uint32_t tested, kith_error *error)
{
    const query_column *c = &v->in->shown->columns[j];
    const size_t n_labels = v->in->n_labels;
    TRY(note_steps(v, c, tested, error));
    for (int s = 0; s < 2; s++)
        for (size_t at = n_labels; at < c->n_leaves * n_labels; at++)
            portion_sum_merge(&v->steps[s][at], &v->steps[s][at - n_labels]);
    for (uint32_t leaf = 0; leaf < c->n_leaves; leaf++)
        for (size_t label = 0; label < n_labels && c->rank[leaf] < c->n_values; label++) {
            const size_t at = c->rank[leaf] * n_labels + label;
            portion_sum sum = v->steps[0][leaf * n_labels + label];
            portion_sum_merge(&sum, &v->steps[1][at]);
            v->model.likely[j][at] = portion_sum_value(&sum);
        }
    return KITH_OK;
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
static uint32_t predict(const validation *v, uint32_t record)
{
    const size_t n_labels = v->in->n_labels;
    double *score = v->score;
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
            right += predict(v, i) == in->record_label[i];
    return right;
}

/* How many records of one fold are tested, and of how many the label is found. */
typedef enum right_by { BY_ORIGINAL, BY_RELEASE, BY_USUAL, N_TESTED, N_COUNTS } right_by;

static kith_status test_fold(uint64_t found[N_COUNTS], validation *v, uint32_t tested,
                             kith_error *error)
{
    const bayes_input *in = v->in;
    TRY(count_records(v, tested, error));
    uint32_t usual = 0; /* the most frequent label */
    for (uint32_t label = 1; label < in->n_labels; label++)
        if (v->model.prior[label] > v->model.prior[usual])
            usual = label;
    for (uint32_t i = 0; i < in->shown->n_records; i++)
        if (v->fold[i] == tested && in->record_label[i] != BAYES_NO_LABEL) {
            found[N_TESTED]++;
            found[BY_USUAL] += in->record_label[i] == usual;
        }
    found[BY_ORIGINAL] += count_right(v, tested);
    for (uint32_t j = 0; j < in->shown->n_columns; j++)
        TRY(spread_cells(v, j, tested, error));
    TRY(count_labels(v, in->row_label, in->n_rows, tested, error));
    found[BY_RELEASE] += count_right(v, tested);
    return KITH_OK;
}

kith_status naive_bayes_measure(bayes_report *report, const bayes_input *in, arena *memory,
                                kith_error *error)
{
    validation v = {.in = in};
    uint64_t found[N_COUNTS] = {0};
    ASSERT(in->n_labels > 0 && in->n_folds >= 2);
    *report = (bayes_report){0, NAN, NAN, NAN};
    TRY(naive_bayes_begin(&v, memory, error));
    for (uint32_t tested = 0; tested < in->n_folds; tested++)
        TRY(test_fold(found, &v, tested, error));
    TRY(ranks_sum(in->shown->ranks, found, N_COUNTS, error));
    const double n = (double)found[N_TESTED];
    report->n_tested = (uint32_t)found[N_TESTED];
    if (report->n_tested == 0)
        return KITH_OK;
    report->original = (double)found[BY_ORIGINAL] / n;
    report->release = (double)found[BY_RELEASE] / n;
    report->baseline = (double)found[BY_USUAL] / n;
    return KITH_OK;
}
