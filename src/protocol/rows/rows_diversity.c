#include "protocol/rows/rows_diversity.h"

#include <string.h>

#include "core/error.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "smc/sum.h"

static const message_type type_values = {"cluster.values", DISCLOSE_AGGREGATE};

/* The tables of all parties added up. */
static kith_status sum_table(rows_state *v, size_t n_rows, kith_error *error)
{
    size_t count = n_rows * v->value_counts.n_values;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint64_t *wide = arena_array(scratch, count, sizeof *wide);
    kith_status status = wide == NULL ? error_nomem(error) : KITH_OK;
    for (size_t i = 0; i < count && status == KITH_OK; i++)
        wide[i] = v->table[i];
    if (status == KITH_OK)
        status = sum_masked(v->p, wide, wide, count, 0, SMC_ALL, error);
    for (size_t i = 0; i < count && status == KITH_OK; i++) {
        if (wide[i] < v->table[i] || wide[i] > v->n)
            status = error_set(error, KITH_PEER, "%llu records with one value cannot be",
                               (unsigned long long)wide[i]);
        v->table[i] = (uint32_t)wide[i];
    }
    arena_free(scratch);
    if (status == KITH_OK)
        party_learns(v->p, DISCLOSE_AGGREGATE, "counts of sensitive values", count);
    return status;
}

static kith_status make_table(rows_state *v, size_t n_rows, kith_error *error)
{
    v->table = TRY_ALLOC(
        arena_array(v->memory, n_rows * v->value_counts.n_values, sizeof *v->table), error);
    v->n_table_rows = n_rows;
    return KITH_OK;
}

static void clear_table(rows_state *v, size_t n_rows)
{
    memset(v->table, 0, n_rows * v->value_counts.n_values * sizeof *v->table);
}

kith_status rows_diversity_check(rows_state *v, uint32_t n_parts, kith_error *error)
{
    TRY(value_counts_init(&v->value_counts, &v->rules, v->memory, error));
    if (v->rules.n_conditions == 0)
        return KITH_OK;
    TRY(make_table(v, n_parts, error));
    clear_table(v, 1);
    for (uint32_t i = 0; i < v->mine->n_records; i++)
        value_counts_add(&v->value_counts, v->table, i);
    TRY(sum_table(v, 1, error));
    if (!value_counts_add_up(&v->value_counts, v->table, v->n))
        return error_set(error, KITH_PEER, "sensitive values do not add up to the records");
    return value_counts_find_tightest(&v->value_counts, v->table, v->n, error);
}

/* --- one after another --- */

/* What the party before has made of the table: every value must be there as often as before. */
static kith_status receive_table(rows_state *v, uint32_t from, size_t n_groups, uint32_t n_parts,
                                 kith_error *error)
{
    const uint32_t n_values = v->value_counts.n_values;
    size_t count = n_groups * n_parts * n_values;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint32_t *theirs = arena_array(scratch, count, sizeof *theirs);
    kith_status status = theirs == NULL ? error_nomem(error) : KITH_OK;
    if (status == KITH_OK)
        status = smc_recv(v->p, from, &type_values, theirs, count * sizeof *theirs, error);
    for (size_t i = 0; i < n_groups * n_values && status == KITH_OK; i++) {
        uint64_t before = 0, now = 0;
        size_t at = i / n_values * n_parts * n_values + i % n_values;
        for (uint32_t part = 0; part < n_parts; part++) {
            before += v->table[at + (size_t)part * n_values];
            now += theirs[at + (size_t)part * n_values];
        }
        if (before != now)
            status = error_set(error, KITH_PEER, "%s has lost or made sensitive values",
                               party_name(v->p, from));
    }
    if (status == KITH_OK)
        memcpy(v->table, theirs, count * sizeof *theirs);
    arena_free(scratch);
    return status;
}

/* My records of one group, and what they were dealt to. */
static kith_status flatten_group(rows_state *v, const uint32_t *list, size_t group,
                                 uint32_t n_parts, kith_error *error)
{
    uint32_t *table = v->table + group * n_parts * v->value_counts.n_values;
    const uint32_t *record = v->block_pass.sites.records;
    uint32_t count = v->mine->n_records;
    if (list != NULL) {
        count = site_choices_members(&v->site_choices, list[2 * group], 0);
        record = v->site_choices.members;
    }
    return site_choices_flatten(&v->site_choices, &v->value_counts, table, n_parts, record, count,
                                error);
}

/* The table goes from party to party, each of which evens it out with its own records; the last one
 * tells all. */
static kith_status flatten(rows_state *v, const uint32_t *list, size_t n_groups, uint32_t n_parts,
                           kith_error *error)
{
    const uint32_t self = party_self(v->p), last = party_count(v->p) - 1;
    const size_t bytes = n_groups * n_parts * v->value_counts.n_values * sizeof *v->table;
    if (self > 0)
        TRY(receive_table(v, self - 1, n_groups, n_parts, error));
    for (size_t group = 0; group < n_groups; group++)
        TRY(flatten_group(v, list, group, n_parts, error));
    if (self < last) {
        TRY(smc_send(v->p, self + 1, &type_values, v->table, bytes, error));
        TRY(receive_table(v, last, n_groups, n_parts, error));
    }
    for (uint32_t to = 0; self == last && to < last; to++)
        TRY(smc_send(v->p, to, &type_values, v->table, bytes, error));
    party_learns(v->p, DISCLOSE_AGGREGATE, "counts of sensitive values",
                 n_groups * n_parts * v->value_counts.n_values);
    return KITH_OK;
}

kith_status rows_diversity_deal(rows_state *v, uint32_t n_parts, bool *good, kith_error *error)
{
    *good = true;
    if (!v->strict)
        return KITH_OK;
    clear_table(v, n_parts);
    site_choices_count(&v->site_choices, &v->value_counts, v->table, v->block_pass.sites.records,
                       v->mine->n_records);
    TRY(sum_table(v, n_parts, error));
    TRY(flatten(v, NULL, 1, n_parts, error));
    *good = site_choices_hold(&v->value_counts, v->table, n_parts);
    return KITH_OK;
}

/* Takes over the rows of two halves, or the whole where they may not be apart. */
static void take_halves(rows_state *v, const uint32_t *pair, uint32_t *table)
{
    const uint32_t n_values = v->value_counts.n_values;
    if (!site_choices_hold(&v->value_counts, table, 2)) {
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
    const size_t pair = (size_t)2 * v->value_counts.n_values;
    if (!v->strict)
        return KITH_OK;
    if (v->n_table_rows < count)
        TRY(make_table(v, count, error));
    clear_table(v, count);
    for (uint32_t g = 0; g < count / 2; g++)
        site_choices_count(&v->site_choices, &v->value_counts, v->table + g * pair,
                           v->c.member[list[2 * g]], v->c.held[list[2 * g]]);
    TRY(sum_table(v, count, error));
    TRY(flatten(v, list, count / 2, 2, error));
    for (uint32_t g = 0; g < count / 2; g++)
        take_halves(v, list + (size_t)2 * g, v->table + g * pair);
    return KITH_OK;
}

/* --- in the end --- */

/* Counts of all clusters become known; from here on they go with them. */
static kith_status count_all(rows_state *v, kith_error *error)
{
    const uint32_t n_values = v->value_counts.n_values;
    clusters_compact(&v->c);
    if (v->n_table_rows < v->c.used)
        TRY(make_table(v, v->c.used, error));
    clear_table(v, v->c.used);
    for (uint32_t i = 0; i < v->c.used; i++)
        for (uint32_t m = 0; m < v->c.held[i]; m++)
            value_counts_add(&v->value_counts, v->table + (size_t)i * n_values, v->c.member[i][m]);
    TRY(sum_table(v, v->c.used, error));
    TRY(clusters_count_values(&v->c, &v->value_counts, error));
    for (uint32_t i = 0; i < v->c.used; i++) {
        const uint32_t *row = v->table + (size_t)i * n_values;
        if (!value_counts_add_up(&v->value_counts, row, v->c.size[i]))
            return error_set(error, KITH_PEER, "sensitive values do not add up to the records");
        memcpy(clusters_row(&v->c, i), row, n_values * sizeof *row);
    }
    return KITH_OK;
}

kith_status rows_diversity_repair(rows_state *v, bool *repaired, kith_error *error)
{
    *repaired = false;
    if (v->rules.n_conditions == 0)
        return KITH_OK;
    TRY(count_all(v, error));
    v->c.rules = &v->rules;
    for (bool left = true; left;) {
        clusters_compact(&v->c);
        TRY(clusters_arrange(&v->c, error));
        bool *bad = TRY_ALLOC(arena_zalloc(v->memory, v->c.used, sizeof *bad), error);
        left = false;
        for (uint32_t i = 0; i < v->c.used; i++) {
            bad[i] = !value_counts_hold(&v->value_counts, clusters_row(&v->c, i), v->c.size[i]);
            left = left || bad[i];
        }
        *repaired = *repaired || left;
        TRY(rows_finish_rounds_merge(&v->c, v->k, bad, error));
    }
    return KITH_OK;
}
