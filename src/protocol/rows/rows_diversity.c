#include "protocol/rows/rows_diversity.h"

#include <string.h>

#include "core/error.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "smc/sums/sum.h"

static const message_type type_values = {"cluster.values", DISCLOSE_AGGREGATE}; /* message 8 */

/* Adds up the tables of all parties. A sum does not tell who gave a wrong number. */
static kith_status sum_table(rows_state *v, size_t n_rows, kith_error *error)
{
    size_t count = n_rows * v->models.value_counts.n_values;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint64_t *wide = TRY_ALLOC(arena_array(scratch, count, sizeof *wide), error);
    for (size_t i = 0; i < count; i++)
        wide[i] = v->models.table[i];
    TRY(sum_masked(v->p, wide, wide, count, 0, SMC_ALL, error)); /* message 7 */
    for (size_t i = 0; i < count; i++) {
        if (wide[i] < v->models.table[i] || wide[i] > v->n)
            return error_set(error, KITH_PEER, "impossible count of a sensitive value: %llu",
                             (unsigned long long)wide[i]);
        v->models.table[i] = (uint32_t)wide[i];
    }
    party_learns(v->p, DISCLOSE_AGGREGATE, "counts of sensitive values", count);
    return KITH_OK;
}

/* A former table stays in the arena: tables grow seldom. */
static kith_status make_table(rows_state *v, size_t n_rows, kith_error *error)
{
    v->models.table =
        TRY_ARRAY(v->models.table, v->memory, n_rows * v->models.value_counts.n_values, error);
    v->models.n_table_rows = n_rows;
    return KITH_OK;
}

static void clear_table(rows_state *v, size_t n_rows)
{
    memset(v->models.table, 0, n_rows * v->models.value_counts.n_values * sizeof *v->models.table);
}

kith_status rows_diversity_check(rows_state *v, uint32_t n_parts, kith_error *error)
{
    TRY(value_counts_init(&v->models.value_counts, &v->models.rules, v->memory, error));
    if (v->models.rules.n_conditions == 0)
        return KITH_OK;
    TRY(make_table(v, n_parts, error));
    clear_table(v, 1);
    for (uint32_t i = 0; i < v->mine->n_records; i++)
        value_counts_add(&v->models.value_counts, v->models.table, i);
    TRY(sum_table(v, 1, error));
    if (!value_counts_add_up(&v->models.value_counts, v->models.table, v->n))
        return error_set(error, KITH_PEER, "counts of sensitive values do not add up");
    return value_counts_find_tightest(&v->models.value_counts, v->models.table, v->n, error);
}

/* --- one party after another --- */

/* The groups of records that are distributed to parts: group g are the records of cluster list[2
 * g]; without a list all records are one group. The table has `n_parts` rows for each. */
typedef struct distribution {
    const uint32_t *list;
    size_t n_groups;
    uint32_t n_parts;
} distribution;

/* My records of a group; returns how many. */
static uint32_t own_records(rows_state *v, const distribution *d, size_t group,
                            const uint32_t **records)
{
    *records = d->list == NULL ? v->block_pass.sites.records : v->site_choices.members;
    return d->list == NULL ? v->mine->n_records
                           : site_choices_members(&v->site_choices, d->list[2 * group], 0);
}

/* Adds my records to the parts that they are distributed to. */
static void count_own(rows_state *v, const distribution *d, uint32_t *table)
{
    const value_counts *by = &v->models.value_counts;
    for (size_t group = 0; group < d->n_groups; group++) {
        const uint32_t *records;
        uint32_t count = own_records(v, d, group, &records);
        site_choices_count(&v->site_choices, by, table + group * d->n_parts * by->n_values, records,
                           count);
    }
}

/* Receives the table that another party has evened out. It only moved its own records between
 * parts, so every value must occur in a group as often as before, and my records must be counted
 * where they are. */
static kith_status receive_table(rows_state *v, uint32_t from, const distribution *d,
                                 kith_error *error)
{
    const size_t n_groups = d->n_groups, n_parts = d->n_parts;
    const uint32_t n_values = v->models.value_counts.n_values;
    size_t count = n_groups * n_parts * n_values;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint32_t *theirs = TRY_ALLOC(arena_array(scratch, count, sizeof *theirs), error);
    uint32_t *own = TRY_ALLOC(arena_zalloc(scratch, count, sizeof *own), error);
    TRY(smc_recv(v->p, from, &type_values, theirs, count * sizeof *theirs, error));
    count_own(v, d, own);
    for (size_t i = 0; i < n_groups * n_values; i++) {
        uint64_t before = 0, now = 0;
        bool counted = true;
        size_t at = i / n_values * n_parts * n_values + i % n_values;
        for (size_t part = 0; part < n_parts; part++, at += n_values) {
            before += v->models.table[at];
            now += theirs[at];
            counted = counted && own[at] <= theirs[at];
        }
        if (before != now || !counted)
            return party_protocol_error(v->p, from, error,
                                        "sent counts of sensitive values that do not add up");
    }
    memcpy(v->models.table, theirs, count * sizeof *theirs);
    return KITH_OK;
}

/* After every party has distributed its records: sums up the counts of all. Then the table goes
 * from party to party, each of which evens it out with its own records; the last one sends the
 * result to all. */
static kith_status flatten(rows_state *v, const distribution *d, kith_error *error)
{
    const uint32_t self = party_self(v->p), last = party_count(v->p) - 1;
    const value_counts *by = &v->models.value_counts;
    const size_t n_rows = d->n_groups * d->n_parts;
    const size_t bytes = n_rows * by->n_values * sizeof *v->models.table;
    clear_table(v, n_rows);
    count_own(v, d, v->models.table);
    TRY(sum_table(v, n_rows, error));
    if (self > 0)
        TRY(receive_table(v, self - 1, d, error));
    for (size_t group = 0; group < d->n_groups; group++) {
        const uint32_t *records;
        uint32_t count = own_records(v, d, group, &records);
        uint32_t *table = v->models.table + group * d->n_parts * by->n_values;
        TRY(site_choices_flatten(&v->site_choices, by, table, d->n_parts, records, count, error));
    }
    if (self < last) {
        TRY(smc_send(v->p, self + 1, &type_values, v->models.table, bytes, error));
        TRY(receive_table(v, last, d, error));
    }
    for (uint32_t to = 0; self == last && to < last; to++)
        TRY(smc_send(v->p, to, &type_values, v->models.table, bytes, error));
    party_learns(v->p, DISCLOSE_AGGREGATE, "counts of sensitive values", n_rows * by->n_values);
    return KITH_OK;
}

kith_status rows_diversity_distribute(rows_state *v, uint32_t n_parts, bool *good,
                                      kith_error *error)
{
    *good = true;
    if (!v->models.strict)
        return KITH_OK;
    TRY(flatten(v, &(distribution){.n_groups = 1, .n_parts = n_parts}, error));
    *good = site_choices_hold(&v->models.value_counts, v->models.table, n_parts);
    return KITH_OK;
}

/* Sets the counts of two halves, or of the whole if a half would violate the models. */
static void take_halves(rows_state *v, const uint32_t *pair, uint32_t *table)
{
    const uint32_t n_values = v->models.value_counts.n_values;
    if (!site_choices_hold(&v->models.value_counts, table, 2)) {
        for (uint32_t i = 0; i < n_values; i++) {
            table[i] += table[n_values + i];
            table[n_values + i] = 0;
        }
        for (uint32_t m = 0; m < v->c.held[pair[0]]; m++)
            v->site_choices.part_of[v->c.member[pair[0]][m]] = 0;
    }
    for (int half = 0; half < 2; half++)
        memcpy(clusters_row(&v->c, pair[half]), table + (size_t)half * n_values,
               n_values * sizeof *table);
}

kith_status rows_diversity_halve(rows_state *v, const uint32_t *list, uint32_t count,
                                 kith_error *error)
{
    const size_t pair = (size_t)2 * v->models.value_counts.n_values;
    if (!v->models.strict)
        return KITH_OK;
    if (v->models.n_table_rows < count)
        TRY(make_table(v, count, error));
    TRY(flatten(v, &(distribution){list, count / 2, 2}, error));
    for (uint32_t g = 0; g < count / 2; g++)
        take_halves(v, list + (size_t)2 * g, v->models.table + g * pair);
    return KITH_OK;
}

/* --- in the end --- */

/* All parties learn the counts of all clusters. From here on the clusters have rows of counts. */
static kith_status count_all(rows_state *v, kith_error *error)
{
    const uint32_t n_values = v->models.value_counts.n_values;
    clusters_compact(&v->c);
    if (v->models.n_table_rows < v->c.used)
        TRY(make_table(v, v->c.used, error));
    clear_table(v, v->c.used);
    for (uint32_t i = 0; i < v->c.used; i++)
        for (uint32_t m = 0; m < v->c.held[i]; m++)
            value_counts_add(&v->models.value_counts, v->models.table + (size_t)i * n_values,
                             v->c.member[i][m]);
    TRY(sum_table(v, v->c.used, error));
    TRY(clusters_count_values(&v->c, &v->models.value_counts, error));
    for (uint32_t i = 0; i < v->c.used; i++) {
        const uint32_t *row = v->models.table + (size_t)i * n_values;
        if (!value_counts_add_up(&v->models.value_counts, row, v->c.size[i]))
            return error_set(error, KITH_PEER, "counts of sensitive values do not add up");
        memcpy(clusters_row(&v->c, i), row, n_values * sizeof *row);
    }
    return KITH_OK;
}

kith_status rows_diversity_repair(rows_state *v, bool *repaired, kith_error *error)
{
    *repaired = false;
    if (v->models.rules.n_conditions == 0)
        return KITH_OK;
    TRY(count_all(v, error));
    v->c.rules = &v->models.rules; /* moves must keep all models from here on */
    for (bool left = true; left;) {
        clusters_compact(&v->c);
        TRY(clusters_arrange(&v->c, error));
        bool *bad = TRY_ALLOC(arena_zalloc(v->memory, v->c.used, sizeof *bad), error);
        left = false;
        for (uint32_t i = 0; i < v->c.used; i++) {
            bad[i] =
                !value_counts_hold(&v->models.value_counts, clusters_row(&v->c, i), v->c.size[i]);
            left = left || bad[i];
        }
        *repaired = *repaired || left;
        TRY(rows_finish_rounds_merge(&v->c, v->k, bad, error));
    }
    return KITH_OK;
}
