#include "query/query_local.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* --- shares of signatures --- */

/* For every code of a column of the condition, the signatures of its values and their shares. */
static kith_status shares_of_codes(query_cell_shares **of_code, const query_where_column *column,
                                   const query_rows *rows, arena *memory, kith_error *error)
{
    const uint32_t n_codes = rows->n_codes[column->domain];
    const uint32_t n = column->n_signatures;
    double *sums = TRY_ARRAY(sums, memory, n, error);
    uint32_t *seen = TRY_ARRAY(seen, memory, n, error);
    bool *is_seen = TRY_ZEROS(is_seen, memory, n, error);
    *of_code = TRY_ARRAY(*of_code, memory, n_codes, error);
    for (uint32_t code = 0; code < n_codes; code++) {
        const query_interval cell = rows->intervals[column->domain][code];
        uint32_t n_seen = 0;
        for (uint32_t v = cell.first; v <= cell.last; v++) {
            const query_cell_shares *value = &column->of_value[v];
            for (uint32_t i = 0; i < value->n; i++) {
                const uint32_t s = value->signatures[i];
                if (!is_seen[s])
                    seen[n_seen++] = s;
                sums[s] = (is_seen[s] ? sums[s] : 0) + value->shares[i];
                is_seen[s] = true;
            }
        }
        uint32_t *signatures = TRY_ARRAY(signatures, memory, n_seen, error);
        double *shares = TRY_ARRAY(shares, memory, n_seen, error);
        (*of_code)[code] = (query_cell_shares){n_seen, signatures, shares};
        for (uint32_t i = 0; i < n_seen; i++) {
            signatures[i] = seen[i];
            shares[i] = sums[seen[i]] / (cell.last - cell.first + 1.0);
            is_seen[seen[i]] = false;
        }
    }
    return KITH_OK;
}

/* --- rows that agree --- */

/* Groups of rows with the same codes in the columns of the query. */
typedef struct tuples {
    uint32_t n;
    uint32_t *rows;   /* [n] the first row of each */
    uint32_t *counts; /* [n] */
} tuples;

static bool rows_agree(const query_rows *rows, const uint32_t *used, uint32_t n_used, uint32_t a,
                       uint32_t b)
{
    for (uint32_t i = 0; i < n_used; i++)
        if (rows->codes[used[i]][a] != rows->codes[used[i]][b])
            return false;
    return true;
}

static kith_status tuples_make(tuples *t, const query_rows *rows, const uint32_t *used,
                               uint32_t n_used, arena *memory, kith_error *error)
{
    size_t n_slots = 64;
    while (n_slots < (size_t)2 * rows->n_rows)
        n_slots *= 2;
    uint32_t *slots = TRY_ZEROS(slots, memory, n_slots, error);
    t->n = 0;
    t->rows = TRY_ARRAY(t->rows, memory, rows->n_rows, error);
    t->counts = TRY_ARRAY(t->counts, memory, rows->n_rows, error);
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        uint64_t h = 0x9e3779b97f4a7c15;
        for (uint32_t i = 0; i < n_used; i++) {
            h = (h ^ rows->codes[used[i]][row]) * 0xff51afd7ed558ccd;
            h ^= h >> 32;
        }
        size_t at = h & (n_slots - 1);
        while (slots[at] != 0 && !rows_agree(rows, used, n_used, row, t->rows[slots[at] - 1]))
            at = (at + 1) & (n_slots - 1);
        if (slots[at] == 0) {
            t->rows[t->n] = row;
            t->counts[t->n++] = 0;
            slots[at] = t->n;
        }
        t->counts[slots[at] - 1]++;
    }
    return KITH_OK;
}

/* --- one tuple --- */

typedef struct evaluation {
    const query_plan *plan;
    const query_rows *rows;
    uint64_t *vector;
    query_cell_shares **shares; /* [where.n_columns][n_codes] */
    query_cell_shares *cells;   /* [where.n_columns] of the present tuple */
    query_interval *intervals; /* [n_domains] of the present tuple, narrowed to a value by groups */
    uint64_t count;            /* rows of the tuple */
} evaluation;

/* Adds what each row of the tuple has: first rounded to units, then multiplied, so that it does not
 * matter how the rows are distributed to sites. */
static void add_units(const evaluation *e, uint64_t *to, double units)
{
    *to += e->count * (uint64_t)llround(units);
}

/* What a record contributes to an aggregate of a column's values: value by value, each with the
 * truth of the condition for it. */
typedef struct contribution {
    double sum, known;      /* expected */
    double lowest, highest; /* of the values for which the condition may be true */
    uint32_t at_lowest, at_highest;
    bool certain, possible; /* counted with a value, whatever the cells stand for */
} contribution;

/* Adds one part of the value at position v, of which a cell has `share`. */
static double query_local_add_part(contribution *c, const query_part *part, uint32_t v,
                                   query_truth t, double share)
{
    c->certain = c->certain && t.certain && !part->missing && !part->unknown;
    if (part->missing || part->unknown || !t.possible)
        return 0;
    c->possible = true;
    c->sum += (part->low + part->high) / 2 * t.expected * share;
    c->known += t.expected * share;
    if (part->low < c->lowest) {
        c->lowest = part->low;
        c->at_lowest = v;
    }
    if (part->high > c->highest) {
        c->highest = part->high;
        c->at_highest = v;
    }
    return t.expected * share;
}

/* A value of a column that the condition does not look at, in one part. */
static query_part whole_value(const query_domain *d, uint32_t v)
{
    if (v == d->n_values)
        return (query_part){.share = 1, .missing = true};
    return (query_part){.share = 1,
                        .low = query_domain_low(d, v),
                        .high = query_domain_high(d, v),
                        .unknown = d->labels != NULL && d->labels[v].unknown};
}

static contribution contribute(evaluation *e, uint32_t domain, uint64_t *histogram, double weight)
{
    const query_domain *d = &e->plan->domains[domain];
    const query_interval cell = e->intervals[domain];
    const double length = cell.last - cell.first + 1.0;
    const uint32_t column = query_where_find(&e->plan->where, domain);
    const query_truth always = query_where_evaluate(&e->plan->where, e->cells);
    contribution c = {.lowest = HUGE_VAL, .highest = -HUGE_VAL, .certain = true};
    for (uint32_t v = cell.first; v <= cell.last; v++) {
        double expected = 0;
        if (column == UINT32_MAX) {
            const query_part part = whole_value(d, v);
            expected = query_local_add_part(&c, &part, v, always, 1 / length);
            c.certain =
                c.certain && (d->labels == NULL || v == d->n_values || !d->labels[v].missing);
        } else {
            const query_where_column *w = &e->plan->where.columns[column];
            for (uint32_t i = w->first_part[v]; i < w->first_part[v + 1]; i++) {
                /* The truth of the condition if the cell has this signature. */
                static const double whole = 1;
                const query_cell_shares before = e->cells[column];
                e->cells[column] = (query_cell_shares){1, &w->parts[i].signature, &whole};
                const query_truth t = query_where_evaluate(&e->plan->where, e->cells);
                e->cells[column] = before;
                expected +=
                    query_local_add_part(&c, &w->parts[i], v, t, w->parts[i].share / length);
            }
        }
        if (histogram != NULL && expected > 0)
            add_units(e, &histogram[v], weight * expected * e->plan->scale);
    }
    return c;
}

/* `weight` is the chance that the record is in this group, `sure` that it certainly is. */
static void add_sum(evaluation *e, uint64_t *to, const query_measure *m, double weight, bool sure)
{
    const contribution c = contribute(e, m->domain, NULL, weight);
    const bool certain = sure && c.certain;
    if (!c.possible)
        return;
    add_units(e, &to[0], certain || c.lowest < 0 ? c.lowest * m->scale : 0);
    add_units(e, &to[1], weight * c.sum * m->scale);
    add_units(e, &to[2], certain || c.highest > 0 ? c.highest * m->scale : 0);
    to[QUERY_ANSWERS + QUERY_CERTAIN] += certain ? e->count : 0;
    add_units(e, &to[QUERY_ANSWERS + QUERY_EXPECTED], weight * c.known * e->plan->scale);
    to[QUERY_ANSWERS + QUERY_POSSIBLE] += e->count;
}

static void add_extreme(evaluation *e, uint64_t *to, const query_measure *m, double weight,
                        bool sure)
{
    const size_t n = e->plan->domains[m->domain].n_values;
    const contribution c = contribute(e, m->domain, to + 2 * n, weight);
    const bool is_min = m->function == QUERY_MIN;
    if (!c.possible)
        return;
    to[is_min ? c.at_lowest : c.at_highest] += e->count;
    if (sure && c.certain)
        to[n + (is_min ? c.at_highest : c.at_lowest)] += e->count;
}

/* Adds a tuple to one group. */
static void add_to_block(evaluation *e, uint32_t block, double weight, bool sure)
{
    const query_plan *p = e->plan;
    const query_truth t = query_where_evaluate(&p->where, e->cells);
    uint64_t *to = e->vector + block * p->block;
    if (!t.possible)
        return;
    to[QUERY_CERTAIN] += t.certain && sure ? e->count : 0;
    add_units(e, &to[QUERY_EXPECTED], weight * t.expected * p->scale);
    to[QUERY_POSSIBLE] += e->count;
    for (uint32_t i = 0; i < p->q->n_items; i++) {
        const query_measure *m = &p->measures[i];
        if (m->function == QUERY_SUM || m->function == QUERY_AVG)
            add_sum(e, to + m->offset, m, weight, sure);
        else if (m->function == QUERY_MIN || m->function == QUERY_MAX)
            add_extreme(e, to + m->offset, m, weight, sure);
    }
}

/* Goes through the values that the cells of the group columns may have, from group `g` on. */
static void add_to_groups(evaluation *e, uint32_t g, uint32_t block, double weight, bool sure)
{
    const query_plan *p = e->plan;
    if (g == p->q->n_groups) {
        add_to_block(e, block, weight, sure);
        return;
    }
    const uint32_t domain = p->groups[g], column = query_where_find(&p->where, domain);
    const query_interval cell = e->intervals[domain];
    const double length = cell.last - cell.first + 1.0;
    for (uint32_t v = cell.first; v <= cell.last; v++) {
        query_cell_shares before = {0};
        if (column != UINT32_MAX) {
            before = e->cells[column];
            e->cells[column] = p->where.columns[column].of_value[v];
        }
        e->intervals[domain] = (query_interval){v, v};
        add_to_groups(e, g + 1, block + v * p->group_strides[g], weight / length,
                      sure && length == 1);
        e->intervals[domain] = cell;
        if (column != UINT32_MAX)
            e->cells[column] = before;
    }
}

/* --- all rows --- */

static kith_status evaluation_init(evaluation *e, const query_plan *p, const query_rows *rows,
                                   arena *memory, kith_error *error)
{
    const uint32_t n = p->where.n_columns;
    *e = (evaluation){.plan = p, .rows = rows};
    e->shares = TRY_ARRAY(e->shares, memory, n, error);
    e->cells = TRY_ARRAY(e->cells, memory, n, error);
    e->intervals = TRY_ARRAY(e->intervals, memory, p->n_domains, error);
    for (uint32_t c = 0; c < n; c++)
        TRY(shares_of_codes(&e->shares[c], &p->where.columns[c], rows, memory, error));
    return KITH_OK;
}

static void load_row(evaluation *e, uint32_t row)
{
    const query_where *w = &e->plan->where;
    for (uint32_t c = 0; c < w->n_columns; c++)
        e->cells[c] = e->shares[c][e->rows->codes[w->columns[c].domain][row]];
}

kith_status query_local_vector(const query_plan *p, uint64_t *vector, const query_rows *rows,
                               arena *memory, kith_error *error)
{
    evaluation e;
    tuples t;
    ASSERT(p->q->aggregate);
    TRY(evaluation_init(&e, p, rows, memory, error));
    /* The columns that the query looks at. */
    bool *seen = TRY_ZEROS(seen, memory, p->n_domains, error);
    uint32_t *used = TRY_ARRAY(used, memory, p->n_domains, error);
    for (uint32_t c = 0; c < p->where.n_columns; c++)
        seen[p->where.columns[c].domain] = true;
    for (uint32_t g = 0; g < p->q->n_groups; g++)
        seen[p->groups[g]] = true;
    for (uint32_t i = 0; i < p->q->n_items; i++)
        if (p->measures[i].domain != UINT32_MAX)
            seen[p->measures[i].domain] = true;
    uint32_t n_used = 0;
    for (uint32_t d = 0; d < p->n_domains; d++)
        if (seen[d])
            used[n_used++] = d;
    TRY(tuples_make(&t, rows, used, n_used, memory, error));
    memset(vector, 0, query_plan_length(p) * sizeof *vector);
    e.vector = vector;
    for (uint32_t i = 0; i < t.n; i++) {
        load_row(&e, t.rows[i]);
        for (uint32_t u = 0; u < n_used; u++)
            e.intervals[used[u]] = rows->intervals[used[u]][rows->codes[used[u]][t.rows[i]]];
        e.count = t.counts[i];
        add_to_groups(&e, 0, 0, 1, true);
    }
    return KITH_OK;
}

kith_status query_local_matches(const query_plan *p, query_match **matches, uint32_t *n_matches,
                                const query_rows *rows, arena *memory, kith_error *error)
{
    evaluation e;
    uint32_t n = 0;
    TRY(evaluation_init(&e, p, rows, memory, error));
    query_match *all = TRY_ARRAY(all, memory, rows->n_rows, error);
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        load_row(&e, row);
        const query_truth t = query_where_evaluate(&p->where, e.cells);
        if (t.possible)
            all[n++] = (query_match){row, t.expected, t.certain};
    }
    *matches = all;
    *n_matches = n;
    return KITH_OK;
}
