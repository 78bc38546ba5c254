#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/portion_sum.h"
#include "job/analysis/analysis.h"
#include "measure/association.h"
#include "verify/cover_cells.h"

enum { BINS = ASSOCIATION_BINS, SPREAD = BINS /* a cell that stands for all values */ };

typedef double bin_shares[BINS];

/* A column in bins. Of a quasi-identifier a text shows shares of bins; other columns are released
 * as they are, so that a row shows one bin. */
typedef struct binned {
    const char *name;
    bool generalized;
    uint8_t *record_bin;    /* [n_records] */
    bin_shares all;         /* what SPREAD stands for */
    const column *released; /* these two, if it is generalized */
    bin_shares *text_share; /* [texts + 1] of those that rows show, missing cells last */
    uint8_t *row_bin;       /* [rows of the release], otherwise */
} binned;

/* What the rows of a class, of which `row` is one, show of a quasi-identifier. */
static const double *shown_shares(const binned *b, uint32_t row)
{
    const uint32_t code = b->released->codes[row];
    return b->text_share[code == TABLE_MISSING ? b->released->values.count : code];
}

static bool is_ordered(const study_column *s)
{
    return s->type != KITH_TYPE_STRING;
}

/* Shares of the bins among the values of a cell. below[bin][i]: of the first i leaves. */
static void share_cell(bin_shares shares, query_cell cell, uint32_t *const below[2][BINS])
{
    const double size = cell.last - cell.first + 1.0;
    for (int bin = 0; bin < BINS; bin++) {
        const uint32_t *b = below[cell.by_position][bin];
        shares[bin] = (b[cell.last + 1] - b[cell.first]) / size;
    }
}

/* Counts a missing value behind the others, where it has a leaf; a wildcard is spread. */
static kith_status bin_quasi(binned *to, const analysis *a, uint32_t j, arena *scratch, context *c,
                             kith_error *error)
{
    const query_column *q = &a->shown.by_class.columns[j];
    const study_column *s = a->data->columns[a->data->quasi[j]].study;
    const uint32_t n_records = a->shown.by_class.n_records;
    const bool missing = q->n_leaves > q->n_values;
    uint8_t *bins = TRY_ARRAY(bins, scratch, q->n_leaves, error);
    uint32_t *below[2][BINS];
    to->record_bin = TRY_ALLOC(arena_array(c->memory, n_records, 1), error);
    association_bins(bins, a->columns[j].records, q->n_leaves, is_ordered(s), missing);
    for (uint32_t i = 0; i < n_records; i++)
        if (q->positions[i] != QUERY_NO_VALUE)
            to->record_bin[i] = bins[q->positions[i]];
        else
            to->record_bin[i] = missing ? bins[q->n_values] : SPREAD;
    /* How many of the first leaves, in the order of the tree and in that of values, each bin
     * has. */
    for (int by_position = 0; by_position < 2; by_position++)
        for (int bin = 0; bin < BINS; bin++) {
            uint32_t *b = TRY_ZEROS(b, scratch, q->n_leaves + (size_t)1, error);
            for (uint32_t i = 0; i < q->n_leaves; i++)
                b[i + 1] = b[i] + (bins[by_position ? i : q->rank[i]] == bin);
            below[by_position][bin] = b;
        }
    /* Texts that mean nothing are shown by no row. */
    const query_cell *cells = a->shown.by_text[j];
    uint32_t at;
    TRY(assess_find_column(&at, a->texts, to->name, error));
    to->released = &a->texts->columns[at];
    const size_t n = to->released->values.count + (size_t)1;
    to->text_share = TRY_ZEROS(to->text_share, c->memory, n, error);
    for (size_t code = 0; code < n; code++)
        if (cells[code].first <= cells[code].last)
            share_cell(to->text_share[code], cells[code], below);
    share_cell(to->all, (query_cell){true, 0, q->n_leaves - 1}, below);
    return KITH_OK;
}

/* The codes of the release are those of texts; `same` leads from the data's codes to them. */
static kith_status bin_other(binned *to, const analysis *a, const prepared_column *from,
                             arena *scratch, context *c, kith_error *error)
{
    const prepared *p = a->data;
    const column *original = &p->table->columns[from->source];
    const uint32_t n = original->values.count;
    cover_column compared = {.data = from->source};
    cover_cells cells;
    TRY(assess_find_column(&compared.release, a->texts, from->study->name, error));
    TRY(cover_cells_init(&cells, scratch, a->texts, p->table, &compared, false, error));
    const column *released = &a->texts->columns[compared.release];
    uint64_t *counts = TRY_ZEROS(counts, scratch, n + (size_t)1, error);
    uint8_t *bins = TRY_ARRAY(bins, scratch, n + (size_t)1, error);
    uint8_t *text_bins =
        TRY_ALLOC(arena_array(scratch, released->values.count + (size_t)1, 1), error);
    to->record_bin = TRY_ALLOC(arena_array(c->memory, p->n_rows, 1), error);
    to->row_bin = TRY_ALLOC(arena_array(c->memory, a->texts->n_rows, 1), error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t code = original->codes[p->rows[i]];
        counts[code == TABLE_MISSING ? n : code]++;
    }
    TRY(ranks_sum(c->ranks, counts, n + (size_t)1, error));
    association_bins(bins, counts, n + 1, is_ordered(from->study), true);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t code = original->codes[p->rows[i]];
        to->record_bin[i] = bins[code == TABLE_MISSING ? n : code];
    }
    memset(text_bins, bins[n], released->values.count + (size_t)1);
    for (uint32_t code = 0; code < n; code++)
        if (cells.same[code] < released->values.count)
            text_bins[cells.same[code]] = bins[code];
    for (uint32_t i = 0; i < a->texts->n_rows; i++) {
        const uint32_t code = released->codes[i];
        to->row_bin[i] = text_bins[code == TABLE_MISSING ? released->values.count : code];
    }
    return KITH_OK;
}

static kith_status bin_column(binned *to, const analysis *a, const prepared_column *from,
                              context *c, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    *to = (binned){.name = from->study->name, .generalized = from->attribute != PREPARE_NONE};
    return to->generalized ? bin_quasi(to, a, from->attribute, scratch, c, error)
                           : bin_other(to, a, from, scratch, c, error);
}

/* How often the bins of two columns occur together, on all ranks: among records, where a cell may
 * stand for all values, and in the release, as expectations. An array of numbers to ranks_sum. */
typedef struct pair_counts {
    uint64_t before[BINS + 1][BINS + 1];
    portion_sum after[BINS][BINS];
} pair_counts;

/* Two columns of which the first one is generalized. */
typedef struct column_pair {
    const binned *one, *other;
} column_pair;

static kith_status count_pair(pair_counts *to, column_pair p, const analysis *a, arena *scratch,
                              kith_error *error)
{
    const classes *shown = a->report->grouping;
    for (uint32_t i = 0; i < a->shown.by_class.n_records; i++)
        to->before[p.one->record_bin[i]][p.other->record_bin[i]]++;
    if (!p.other->generalized) {
        /* The rows of each class show a single bin of the other column each. */
        typedef uint32_t bin_rows[BINS];
        bin_rows *rows = TRY_ZEROS(rows, scratch, shown->count, error);
        for (uint32_t row = 0; row < a->texts->n_rows; row++)
            rows[shown->class_of[row]][p.other->row_bin[row]]++;
        for (uint32_t class = 0; class < shown->count; class ++) {
            const double *one = shown_shares(p.one, shown->first[class]);
            for (int i = 0; i < BINS; i++)
                for (int j = 0; j < BINS && one[i] > 0; j++)
                    portion_sum_add(&to->after[i][j], one[i], rows[class][j]);
        }
        arena_release(scratch, rows, shown->count * sizeof *rows);
        return KITH_OK;
    }
    for (uint32_t class = 0; class < shown->count; class ++) {
        const double *one = shown_shares(p.one, shown->first[class]);
        const double *other = shown_shares(p.other, shown->first[class]);
        for (int i = 0; i < BINS; i++)
            for (int j = 0; j < BINS && one[i] > 0; j++)
                portion_sum_add(&to->after[i][j], one[i] * other[j], shown->size[class]);
    }
    return KITH_OK;
}

static void shares_of_bin(bin_shares shares, int bin, const bin_shares all)
{
    for (int i = 0; i < BINS; i++)
        shares[i] = bin == SPREAD ? all[i] : i == bin;
}

/* Records with a wildcard are in all bins by shares. */
static double v_before(const pair_counts *counts, column_pair p)
{
    contingency t = {0};
    for (int a = 0; a <= BINS; a++)
        for (int b = 0; b <= BINS; b++) {
            bin_shares one, other;
            if (counts->before[a][b] == 0)
                continue;
            shares_of_bin(one, a, p.one->all);
            shares_of_bin(other, b, p.other->all);
            for (int i = 0; i < BINS; i++)
                for (int j = 0; j < BINS; j++)
                    t.counts[i][j] += (double)counts->before[a][b] * one[i] * other[j];
        }
    return association_v(&t);
}

static double v_after(const pair_counts *counts)
{
    contingency t;
    for (int i = 0; i < BINS; i++)
        for (int j = 0; j < BINS; j++)
            t.counts[i][j] = portion_sum_value(&counts->after[i][j]);
    return association_v(&t);
}

/* `c` has memory that is given back. */
static kith_status bin_and_assess(pairs_report *report, const analysis *a, uint32_t n, context *c,
                                  kith_error *error)
{
    const prepared *p = a->data;
    binned *columns = TRY_ARRAY(columns, c->memory, n, error);
    column_pair *pairs = TRY_ARRAY(pairs, c->memory, (size_t)n * n, error);
    for (uint32_t i = 0; i < n; i++)
        TRY(bin_column(&columns[i], a, &p->columns[i], c, error));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            const bool swap = !columns[i].generalized;
            const column_pair pair = {&columns[swap ? j : i], &columns[swap ? i : j]};
            if (!pair.one->generalized)
                continue;
            report->pairs[report->count] =
                (pair_report){.one = columns[i].name, .other = columns[j].name};
            pairs[report->count++] = pair;
        }
    pair_counts *counts = TRY_ZEROS(counts, c->memory, report->count, error);
    for (uint32_t i = 0; i < report->count; i++)
        TRY(count_pair(&counts[i], pairs[i], a, c->memory, error));
    TRY(ranks_sum(c->ranks, (uint64_t *)(void *)counts,
                  report->count * (sizeof *counts / sizeof(uint64_t)), error));
    for (uint32_t i = 0; i < report->count; i++) {
        report->pairs[i].before = v_before(&counts[i], pairs[i]);
        report->pairs[i].after = v_after(&counts[i]);
        const bool associated = report->pairs[i].before >= PAIRS_THRESHOLD;
        report->n_associated += associated;
        report->n_surviving += associated && report->pairs[i].after >= report->pairs[i].before / 2;
        report->n_created += !associated && report->pairs[i].after >= PAIRS_THRESHOLD &&
                             report->pairs[i].after >= 2 * report->pairs[i].before;
    }
    return KITH_OK;
}

kith_status pairs_assess(pairs_report *report, const analysis *a, context *c, kith_error *error)
{
    const uint32_t n_columns = a->data->n_columns;
    const uint32_t n = n_columns < PAIRS_MAX_COLUMNS ? n_columns : PAIRS_MAX_COLUMNS;
    *report = (pairs_report){0};
    report->pairs = TRY_ARRAY(report->pairs, c->memory, (size_t)n * n, error);
    context scratch = *c;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    scratch.memory = memory;
    return bin_and_assess(report, a, n, &scratch, error);
}

void pairs_put(kith_document *d, document_node *root, const pairs_report *report)
{
    document_node *node = document_object(d, root, "associations");
    document_put_number(d, node, "threshold", PAIRS_THRESHOLD);
    document_put_count(d, node, "pairs", report->count);
    document_put_count(d, node, "associated", report->n_associated);
    document_put_count(d, node, "surviving", report->n_surviving);
    document_put_count(d, node, "created", report->n_created);
    document_node *list = document_array(d, node, "list");
    for (uint32_t i = 0; i < report->count; i++) {
        const pair_report *pair = &report->pairs[i];
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "one", pair->one);
        document_put_text(d, one, "other", pair->other);
        document_put_number(d, one, "before", pair->before);
        document_put_number(d, one, "after", pair->after);
    }
}
