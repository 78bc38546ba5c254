#include "measure/query_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/portion_sum.h"
#include "core/rng.h"
#include "core/sort.h"

enum {
    MAX_TABLE = 1 << 22, /* cells of a table of sums; larger domains are counted record by record */
    MAX_BATCHES = 50     /* how often queries without an answer are drawn anew */
};

/* A column's share of every class that satisfies a range. */
static void fill_shares(double *shares, uint32_t *below, const query_column *column,
                        uint32_t n_classes, query_range range)
{
    below[0] = 0;
    for (uint32_t leaf = 0; leaf < column->n_leaves; leaf++)
        below[leaf + 1] =
            below[leaf] + (column->rank[leaf] >= range.first && column->rank[leaf] <= range.last);
    for (uint32_t c = 0; c < n_classes; c++) {
        const query_cell cell = column->cells[c];
        ASSERT(cell.first <= cell.last && cell.last < column->n_leaves);
        uint32_t hits = below[cell.last + 1] - below[cell.first];
        if (cell.by_position) {
            uint32_t first = cell.first > range.first ? cell.first : range.first;
            uint32_t last = cell.last < range.last ? cell.last : range.last;
            hits = first <= last ? last - first + 1 : 0;
        }
        shares[c] = (double)hits / (cell.last - cell.first + 1.0);
    }
}

/* --- exact answers --- */

/* Sums over rectangles of the values of two columns: at[(i + 1) * stride + j + 1] is the number of
 * records with positions up to i and up to j. */
typedef struct sum_table {
    uint32_t *at;
    size_t stride;
} sum_table;

static void sum_table_fill(sum_table *t, const query_input *in, uint32_t a, uint32_t b)
{
    const query_column *rows = &in->columns[a], *columns = &in->columns[b];
    t->stride = (size_t)columns->n_values + 1;
    memset(t->at, 0, ((size_t)rows->n_values + 1) * t->stride * sizeof *t->at);
    for (uint32_t i = 0; i < in->n_records; i++)
        if (rows->positions[i] != QUERY_NO_VALUE && columns->positions[i] != QUERY_NO_VALUE)
            t->at[(rows->positions[i] + 1) * t->stride + columns->positions[i] + 1]++;
    for (uint32_t i = 1; i <= rows->n_values; i++)
        for (uint32_t j = 1; j <= columns->n_values; j++) {
            uint32_t *here = t->at + i * t->stride + j;
            *here += here[-1] + *(here - t->stride) - *(here - t->stride - 1);
        }
}

static uint32_t sum_table_count(const sum_table *t, const query_pair *q)
{
    const uint32_t *low = t->at + q->ranges[0].first * t->stride;
    const uint32_t *high = t->at + (q->ranges[0].last + (size_t)1) * t->stride;
    const uint32_t first = q->ranges[1].first, last = q->ranges[1].last + 1;
    return high[last] - high[first] - low[last] + low[first];
}

static bool in_range(const query_input *in, query_range range, uint32_t record)
{
    const uint32_t at = in->columns[range.column].positions[record];
    return at != QUERY_NO_VALUE && at >= range.first && at <= range.last;
}

static uint32_t scan_count(const query_input *in, const query_pair *q)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->n_records; i++)
        count += in_range(in, q->ranges[0], i) && in_range(in, q->ranges[1], i);
    return count;
}

/* --- both answers --- */

typedef struct query_order {
    uint32_t pair, index; /* the two columns as one number; the query */
} query_order;

/* Scratch of query_error_count. */
typedef struct counter {
    sum_table table;
    uint32_t *below;    /* [most leaves + 1] */
    double *shares[2];  /* [n_classes] of each condition */
    query_order *order; /* [n_queries] queries on the same columns follow each other */
} counter;

static portion_sum estimate_query(const counter *k, const query_input *in, const query_pair *q)
{
    for (int i = 0; i < 2; i++)
        fill_shares(k->shares[i], k->below, &in->columns[q->ranges[i].column], in->n_classes,
                    q->ranges[i]);
    const bool one = q->ranges[0].column == q->ranges[1].column;
    portion_sum sum = {0, 0};
    for (uint32_t c = 0; c < in->n_classes; c++)
        portion_sum_add(&sum, k->shares[0][c] * (one ? 1 : k->shares[1][c]), in->sizes[c]);
    return sum;
}

/* The answers of this rank's records and rows. */
static kith_status count_own(uint64_t *exact, portion_sum *estimate, const query_input *in,
                             const query_pair *queries, uint32_t n_queries, arena *memory,
                             kith_error *error)
{
    counter k = {0};
    uint32_t pair = UINT32_MAX, max_leaves = 0;
    bool tabled = false;
    for (uint32_t j = 0; j < in->n_columns; j++)
        max_leaves = in->columns[j].n_leaves > max_leaves ? in->columns[j].n_leaves : max_leaves;
    k.table.at = TRY_ARRAY(k.table.at, memory, MAX_TABLE, error);
    k.below = TRY_ARRAY(k.below, memory, (size_t)max_leaves + 1, error);
    for (int i = 0; i < 2; i++)
        k.shares[i] = TRY_ALLOC(arena_array(memory, in->n_classes, sizeof(double)), error);
    k.order = TRY_ARRAY(k.order, memory, n_queries, error);
    for (uint32_t i = 0; i < n_queries; i++) {
        const query_range *r = queries[i].ranges;
        ASSERT(r[0].column <= r[1].column && r[1].column < in->n_columns);
        ASSERT(r[0].last < in->columns[r[0].column].n_values);
        ASSERT(r[1].last < in->columns[r[1].column].n_values);
        k.order[i] = (query_order){r[0].column * in->n_columns + r[1].column, i};
    }
    qsort(k.order, n_queries, sizeof *k.order, sort_uint32_uint32);
    for (uint32_t i = 0; i < n_queries; i++) {
        const query_pair *q = &queries[k.order[i].index];
        const uint32_t a = q->ranges[0].column, b = q->ranges[1].column;
        if (k.order[i].pair != pair) {
            pair = k.order[i].pair;
            tabled = (in->columns[a].n_values + 1.0) * (in->columns[b].n_values + 1.0) <= MAX_TABLE;
            if (tabled)
                sum_table_fill(&k.table, in, a, b);
        }
        exact[k.order[i].index] = tabled ? sum_table_count(&k.table, q) : scan_count(in, q);
        estimate[k.order[i].index] = estimate_query(&k, in, q);
    }
    return KITH_OK;
}

kith_status query_error_count(double *exact, double *estimate, const query_input *in,
                              const query_pair *queries, uint32_t n_queries, arena *memory,
                              kith_error *error)
{
    uint64_t *counts = TRY_ARRAY(counts, memory, n_queries, error);
    portion_sum *sums = TRY_ARRAY(sums, memory, n_queries, error);
    TRY(count_own(counts, sums, in, queries, n_queries, memory, error));
    TRY(ranks_sum(in->ranks, counts, n_queries, error));
    TRY(ranks_sum(in->ranks, &sums[0].high, 2 * (size_t)n_queries, error));
    for (uint32_t i = 0; i < n_queries; i++) {
        exact[i] = (double)counts[i];
        estimate[i] = portion_sum_value(&sums[i]);
    }
    return KITH_OK;
}

/* --- random queries --- */

static query_range draw_range(const query_input *in, uint32_t column, rng *r)
{
    const uint32_t n = in->columns[column].n_values;
    uint32_t length = n == 2 ? 1 : (uint32_t)lround(0.3 * n);
    length = length < 1 ? 1 : length;
    const uint32_t first = rng_below(r, n - length + 1);
    return (query_range){column, first, first + length - 1};
}

/* Columns without values (all missing) cannot be asked about; `usable` lists the others. */
static query_pair draw_query(const query_input *in, const uint32_t *usable, uint32_t n_usable,
                             rng *r)
{
    const uint32_t i = rng_below(r, n_usable);
    if (n_usable == 1) {
        const query_range only = draw_range(in, usable[i], r);
        return (query_pair){{only, only}};
    }
    uint32_t j = rng_below(r, n_usable - 1);
    j += j >= i;
    const query_range one = draw_range(in, usable[i], r), other = draw_range(in, usable[j], r);
    return i < j ? (query_pair){{one, other}} : (query_pair){{other, one}};
}

/* The smallest of the sorted errors that a share of all errors does not exceed. */
static double quantile(const double *sorted, uint32_t n, double share)
{
    const double rank = ceil(share * n);
    return sorted[rank < 1 ? 0 : (uint32_t)rank - 1];
}

kith_status query_error_measure(query_error_report *report, const query_input *in,
                                uint32_t n_queries, uint64_t seed, arena *memory, kith_error *error)
{
    rng r;
    uint32_t n_usable = 0;
    double sum = 0;
    *report = (query_error_report){.mean = NAN, .median = NAN, .p95 = NAN};
    rng_init(&r, seed, 0);
    uint32_t *usable = TRY_ARRAY(usable, memory, in->n_columns, error);
    query_pair *queries = TRY_ARRAY(queries, memory, n_queries, error);
    double *exact = TRY_ARRAY(exact, memory, n_queries, error);
    double *estimate = TRY_ARRAY(estimate, memory, n_queries, error);
    double *errors = TRY_ARRAY(errors, memory, n_queries, error);
    for (uint32_t j = 0; j < in->n_columns; j++)
        if (in->columns[j].n_values > 0)
            usable[n_usable++] = j;
    for (int batch = 0; n_usable > 0 && batch < MAX_BATCHES && report->n_queries < n_queries;
         batch++) {
        const uint32_t n = n_queries - report->n_queries;
        for (uint32_t i = 0; i < n; i++)
            queries[i] = draw_query(in, usable, n_usable, &r);
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        TRY(query_error_count(exact, estimate, in, queries, n, scratch, error));
        for (uint32_t i = 0; i < n; i++)
            if (exact[i] > 0)
                errors[report->n_queries++] = fabs(exact[i] - estimate[i]) / exact[i];
            else
                report->n_redrawn++;
    }
    if (report->n_queries == 0)
        return KITH_OK;
    qsort(errors, report->n_queries, sizeof *errors, sort_double);
    for (uint32_t i = 0; i < report->n_queries; i++)
        sum += errors[i];
    report->mean = sum / report->n_queries;
    report->median = quantile(errors, report->n_queries, 0.5);
    report->p95 = quantile(errors, report->n_queries, 0.95);
    return KITH_OK;
}
