#include "modules/id_based/id_based_estimate.h"

#include "core/error.h"
#include "protocol/id_based/id_based_cost.h"
#include "table/rows/row_groups.h"

/* The bytes of the release's cells as a party sends them. */
static double cell_bytes(const estimation *e)
{
    enum { LENGTH = 4 };
    const kith_table *t = e->table;
    double sum = 0;
    for (uint32_t i = 0; i < t->n_columns; i++)
        for (uint32_t row = 0; row < t->n_rows; row++) {
            const uint32_t code = t->columns[i].codes[row];
            const dictionary *values = &t->columns[i].values;
            sum += LENGTH + (code == TABLE_MISSING ? 0 : dictionary_length(values, code));
        }
    return sum / t->n_rows * (double)e->n_records;
}

/* Counts the quasi-identifiers that k records have, if the given table is like the whole one. */
static kith_status count_kept(id_based_sizes *sizes, const estimation *e, kith_error *error)
{
    const kith_study *study = e->study;
    const double times = (double)e->n_records / e->table->n_rows;
    arena *memory = e->context.memory;
    row_groups groups;
    row_groups_lists lists;
    uint32_t *quasi = TRY_ARRAY(quasi, memory, study->n_columns, error), n = 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            quasi[n++] = table_find(e->table, study->columns[i].name);
    TRY(row_groups_by(&groups, memory, e->table, quasi, n, error));
    TRY(row_groups_list(&lists, &groups, memory, error));
    for (uint32_t i = 0; i < groups.count; i++)
        sizes->n_kept += (lists.starts[i + 1] - lists.starts[i]) * times >= sizes->k;
    sizes->already = sizes->n_kept == groups.count;
    return KITH_OK;
}

/* The cost of the ID-based protocol. Without `lists` both sites are taken to have half of the
 * rows. */
kith_status id_based_estimate_run(estimation *e, kith_error *error)
{
    const protocol_options *o = &e->study->joint;
    const uint64_t half = e->n_records / 2 + e->n_records % 2;
    id_based_sizes sizes = {.lists = o->lists > 0 ? o->lists : 1,
                            .agreed = o->lists == 0,
                            .hashing = o->hashing,
                            .k = models_minimum_size(e->study->models, e->study->n_models),
                            .row_bytes = cell_bytes(e)};
    id_based_speed speed;
    id_based_cost cost;
    if (e->n_sites != 0 && e->n_sites != 2)
        return error_set(error, KITH_INVALID, "protocol id-based is for two parties, not for %u",
                         e->n_sites);
    if (o->max_rows > 0 && half > o->max_rows)
        return error_set(error, KITH_INVALID,
                         "half of the records are %llu; the study allows a party %u (rows)",
                         (unsigned long long)half, o->max_rows);
    while (sizes.agreed && sizes.lists < half)
        sizes.lists *= 2;
    e->n_sites = 2;
    TRY(count_kept(&sizes, e, error));
    TRY(id_based_cost_measure(&speed, ESTIMATE_CALIBRATION_SECONDS, error));
    /* Both parties share this machine, as in a rehearsal. */
    id_based_cost_estimate(&cost, &sizes, &speed, threads_count(e->context.pool) / 2.0);
    e->figure[ROUNDS] = (double)cost.n_rounds;
    e->figure[MESSAGES] = (double)cost.n_messages;
    e->figure[BYTES] = (double)cost.bytes;
    e->figure[BUSIEST] = (double)cost.busiest_bytes;
    e->figure[SECONDS] = cost.seconds;
    e->modelled = true;
    return KITH_OK;
}
