#include "protocol/rows/rows_diversity.h"

#include <string.h>

#include "core/error.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "smc/sum.h"

static const message_type type_values = {"cluster.values", DISCLOSE_AGGREGATE};

/* The tables of all parties added up. */
static kith_status sum_table(horizontal_view *v, size_t rows, kith_error *error)
{
    size_t count = rows * v->census.values;
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

static kith_status make_table(horizontal_view *v, size_t rows, kith_error *error)
{
    v->table = TRY_ALLOC(arena_array(v->memory, rows * v->census.values, sizeof *v->table), error);
    v->table_rows = rows;
    return KITH_OK;
}

static void clear_table(horizontal_view *v, size_t rows)
{
    memset(v->table, 0, rows * v->census.values * sizeof *v->table);
}

kith_status horizontal_diversity_weigh(horizontal_view *v, uint32_t parts, kith_error *error)
{
    TRY(census_init(&v->census, &v->admit, v->memory, error));
    if (v->admit.conditions == 0)
        return KITH_OK;
    TRY(make_table(v, parts, error));
    clear_table(v, 1);
    for (uint32_t i = 0; i < v->mine->records; i++)
        census_add(&v->census, v->table, i);
    TRY(sum_table(v, 1, error));
    if (!census_fits(&v->census, v->table, v->n))
        return error_set(error, KITH_PEER, "sensitive values do not add up to the records");
    return census_weigh(&v->census, v->table, v->n, error);
}

/* --- one after another --- */

/* What the party before has made of the table: every value must be there as often as before. */
static kith_status receive_table(horizontal_view *v, uint32_t from, size_t groups, uint32_t parts,
                                 kith_error *error)
{
    const uint32_t values = v->census.values;
    size_t count = groups * parts * values;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint32_t *theirs = arena_array(scratch, count, sizeof *theirs);
    kith_status status = theirs == NULL ? error_nomem(error) : KITH_OK;
    if (status == KITH_OK)
        status = smc_recv(v->p, from, &type_values, theirs, count * sizeof *theirs, error);
    for (size_t i = 0; i < groups * values && status == KITH_OK; i++) {
        uint64_t before = 0, now = 0;
        size_t at = i / values * parts * values + i % values;
        for (uint32_t part = 0; part < parts; part++) {
            before += v->table[at + (size_t)part * values];
            now += theirs[at + (size_t)part * values];
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
static kith_status flatten_group(horizontal_view *v, const uint32_t *list, size_t group,
                                 uint32_t parts, kith_error *error)
{
    uint32_t *table = v->table + group * parts * v->census.values;
    const uint32_t *record = v->turns.record;
    uint32_t count = v->mine->records;
    if (list != NULL) {
        count = sites_members(&v->sites, list[2 * group], 0);
        record = v->sites.members;
    }
    return sites_flatten(&v->sites, &v->census, table, parts, record, count, error);
}

/* The table goes from party to party, each of which evens it out with its own records; the last one
 * tells all. */
static kith_status flatten(horizontal_view *v, const uint32_t *list, size_t groups, uint32_t parts,
                           kith_error *error)
{
    const uint32_t self = party_self(v->p), last = party_count(v->p) - 1;
    const size_t bytes = groups * parts * v->census.values * sizeof *v->table;
    if (self > 0)
        TRY(receive_table(v, self - 1, groups, parts, error));
    for (size_t group = 0; group < groups; group++)
        TRY(flatten_group(v, list, group, parts, error));
    if (self < last) {
        TRY(smc_send(v->p, self + 1, &type_values, v->table, bytes, error));
        TRY(receive_table(v, last, groups, parts, error));
    }
    for (uint32_t to = 0; self == last && to < last; to++)
        TRY(smc_send(v->p, to, &type_values, v->table, bytes, error));
    party_learns(v->p, DISCLOSE_AGGREGATE, "counts of sensitive values",
                 groups * parts * v->census.values);
    return KITH_OK;
}

kith_status horizontal_diversity_deal(horizontal_view *v, uint32_t parts, bool *good,
                                      kith_error *error)
{
    *good = true;
    if (!v->strict)
        return KITH_OK;
    clear_table(v, parts);
    sites_count(&v->sites, &v->census, v->table, v->turns.record, v->mine->records);
    TRY(sum_table(v, parts, error));
    TRY(flatten(v, NULL, 1, parts, error));
    *good = sites_hold(&v->census, v->table, parts);
    return KITH_OK;
}

/* Takes over the rows of two halves, or the whole where they may not be apart. */
static void take_halves(horizontal_view *v, const uint32_t *pair, uint32_t *table)
{
    const uint32_t values = v->census.values;
    if (!sites_hold(&v->census, table, 2)) {
        for (uint32_t i = 0; i < values; i++) {
            table[i] += table[values + i];
            table[values + i] = 0;
        }
        for (uint32_t m = 0; m < v->c.held[pair[0]]; m++)
            v->sites.part_of[v->c.member[pair[0]][m]] = 0;
    }
    for (int half = 0; half < 2; half++)
        memcpy(clusters_row(&v->c, pair[half]), table + (size_t)half * values,
               values * sizeof *table);
}

kith_status horizontal_diversity_halve(horizontal_view *v, const uint32_t *list, uint32_t count,
                                       kith_error *error)
{
    const size_t pair = (size_t)2 * v->census.values;
    if (!v->strict)
        return KITH_OK;
    if (v->table_rows < count)
        TRY(make_table(v, count, error));
    clear_table(v, count);
    for (uint32_t g = 0; g < count / 2; g++)
        sites_count(&v->sites, &v->census, v->table + g * pair, v->c.member[list[2 * g]],
                    v->c.held[list[2 * g]]);
    TRY(sum_table(v, count, error));
    TRY(flatten(v, list, count / 2, 2, error));
    for (uint32_t g = 0; g < count / 2; g++)
        take_halves(v, list + (size_t)2 * g, v->table + g * pair);
    return KITH_OK;
}

/* --- in the end --- */

/* Counts of all clusters become known; from here on they go with them. */
static kith_status count_all(horizontal_view *v, kith_error *error)
{
    const uint32_t values = v->census.values;
    clusters_compact(&v->c);
    if (v->table_rows < v->c.used)
        TRY(make_table(v, v->c.used, error));
    clear_table(v, v->c.used);
    for (uint32_t i = 0; i < v->c.used; i++)
        for (uint32_t m = 0; m < v->c.held[i]; m++)
            census_add(&v->census, v->table + (size_t)i * values, v->c.member[i][m]);
    TRY(sum_table(v, v->c.used, error));
    TRY(clusters_count(&v->c, &v->census, error));
    for (uint32_t i = 0; i < v->c.used; i++) {
        const uint32_t *row = v->table + (size_t)i * values;
        if (!census_fits(&v->census, row, v->c.size[i]))
            return error_set(error, KITH_PEER, "sensitive values do not add up to the records");
        memcpy(clusters_row(&v->c, i), row, values * sizeof *row);
    }
    return KITH_OK;
}

kith_status horizontal_diversity_mend(horizontal_view *v, bool *mended, kith_error *error)
{
    *mended = false;
    if (v->admit.conditions == 0)
        return KITH_OK;
    TRY(count_all(v, error));
    v->c.admit = &v->admit;
    for (bool left = true; left;) {
        clusters_compact(&v->c);
        TRY(clusters_arrange(&v->c, error));
        bool *bad = TRY_ALLOC(arena_zalloc(v->memory, v->c.used, sizeof *bad), error);
        left = false;
        for (uint32_t i = 0; i < v->c.used; i++) {
            bad[i] = !census_holds(&v->census, clusters_row(&v->c, i), v->c.size[i]);
            left = left || bad[i];
        }
        *mended = *mended || left;
        TRY(hybrid_sites_unite(&v->c, v->k, bad, error));
    }
    return KITH_OK;
}
