/* Step numbers are those of SDC Algorithm 3. */
#include "protocol/rows/rows_clustering.h"

#include <string.h>

#include "core/error.h"
#include "protocol/rows/rows_conclude.h"
#include "protocol/rows/rows_diversity.h"
#include "protocol/rows/rows_finish.h"
#include "protocol/rows/rows_repair.h"
#include "protocol/rows/rows_site_models.h"
#include "protocol/leave_together.h"
#include "smc/sum.h"

/* 1: all learn n, and nobody anyone's part of it. */
static kith_status count_records(rows_state *v, kith_error *error)
{
    uint64_t n = v->mine->n_records;
    party_step(v->p, "counting");
    TRY(sum_masked(v->p, &n, &n, 1, 0, SMC_ALL, error));
    if (n < v->mine->n_records || n > UINT32_MAX / 2)
        return error_set(error, KITH_PEER, "all sites together cannot have %llu records",
                         (unsigned long long)n);
    v->n = (uint32_t)n;
    v->n_paper_sums++;
    return KITH_OK;
}

/* 2: where models look at values, fewer clusters until all hold. */
static kith_status deal(rows_state *v, uint32_t *parts, kith_error *error)
{
    bool good = false;
    for (*parts = sequential_parts(v->n, v->k);; *parts = site_choices_fewer_parts(*parts)) {
        site_choices_deal(&v->site_choices, v->block_pass.sites.records, v->mine->n_records, *parts,
                          &v->rng);
        TRY(rows_diversity_deal(v, *parts, &good, error));
        if (good || *parts == 1)
            return KITH_OK;
    }
}

/* 2 and 3. */
static kith_status first_clusters(rows_state *v, kith_error *error)
{
    uint32_t n_parts;
    party_step(v->p, "first clusters");
    TRY(deal(v, &n_parts, error));
    TRY(site_choices_create_clusters(&v->site_choices, n_parts, error));
    uint32_t *list = TRY_ALLOC(arena_array(v->memory, n_parts, sizeof *list), error);
    for (uint32_t i = 0; i < n_parts; i++) {
        list[i] = i;
        if (v->c.value_counts != NULL)
            memcpy(clusters_row(&v->c, i), v->table + (size_t)i * v->value_counts.n_values,
                   v->value_counts.n_values * sizeof *v->table);
    }
    TRY(rows_exchange_compute(v, list, n_parts, NULL, error));
    clusters_compact(&v->c);
    v->n_paper_sums++;
    return KITH_OK;
}

/* The clusters that are too large, each with the new one that is to take half of it: they come
 * behind all others. */
static kith_status list_large(rows_state *v, uint32_t **list, uint32_t *count, kith_error *error)
{
    uint32_t used = v->c.used;
    *count = 0;
    for (uint32_t cluster = 0; cluster < used; cluster++)
        *count += 2 * sequential_too_large(v->c.size[cluster], v->k);
    *list = arena_array(v->memory, *count, sizeof **list);
    TRY_ALLOC(*list, error);
    TRY(clusters_reserve(&v->c, *count / 2, error));
    for (uint32_t cluster = 0, i = 0; cluster < used; cluster++)
        if (sequential_too_large(v->c.size[cluster], v->k)) {
            (*list)[i++] = cluster;
            (*list)[i++] = clusters_add(&v->c);
        }
    return KITH_OK;
}

/* 21 to 24: all large clusters at once. */
static kith_status split_large(rows_state *v, kith_error *error)
{
    const size_t stride = v->rows.stride;
    uint32_t *list, count;
    clusters_compact(&v->c);
    TRY(list_large(v, &list, &count, error));
    if (count == 0)
        return KITH_OK;
    uint16_t *above = TRY_ALLOC(arena_array(v->memory, count * stride, sizeof *above), error);
    for (uint32_t i = 0; i < count; i++)
        memcpy(above + i * stride, rows_state_closure(v, list[i - i % 2]), stride * sizeof *above);
    for (uint32_t i = 0; i < count; i += 2) /* 22 */
        site_choices_halve(&v->site_choices, list[i], 0, &v->rng);
    TRY(rows_diversity_halve(v, list, count, error));
    for (uint32_t i = 0; i < count; i += 2)
        TRY(site_choices_move_half(&v->site_choices, list[i], list[i + 1], error));
    TRY(rows_exchange_compute(v, list, count, above, error)); /* 23 */
    clusters_compact(&v->c);
    v->n_paper_sums++;
    return KITH_OK;
}

/* The ledger tells passes apart. */
static kith_status name_pass(rows_state *v, kith_error *error)
{
    const char *name =
        TRY_ALLOC(arena_printf(party_memory(v->p), "pass %u", v->course.n_passes + 1), error);
    party_step(v->p, name);
    return KITH_OK;
}

static kith_status pass(rows_state *v, rows_turn *t, kith_error *error)
{
    if (!context_progress(v->task->context, "clustering", -1))
        return error_set(error, KITH_CANCELLED, "stopped while clustering");
    TRY(clusters_arrange(&v->c, error));
    rows_state_forget(v);
    TRY(name_pass(v, error));
    v->moved = false;
    for (uint32_t i = 0; i < party_count(v->p); i++) /* 4 */
        TRY(rows_turn_run(t, v, i, error));          /* 5-19 */
    return split_large(v, error);
}

/* How many records have been visited in this pass. Nobody asks where all are visited once. */
static kith_status count_visits(rows_state *v, uint64_t before, uint64_t *visits, kith_error *error)
{
    *visits = v->n;
    if (!v->task->options->hide_sizes)
        return KITH_OK;
    *visits = v->block_pass.totals.n_visited - before;
    return sum_masked(v->p, visits, visits, 1, 0, SMC_ALL, error);
}

static kith_status improve(rows_state *v, rows_turn *t, kith_error *error)
{
    const search_spec *spec = v->task->spec;
    v->course.max_passes = spec->max_passes > 0 ? spec->max_passes : SEQUENTIAL_MAX_PASSES;
    v->course.before = clusters_total_cost(&v->c);
    while (v->stopped == NULL) {
        uint64_t visits, before = v->block_pass.totals.n_visited;
        TRY(pass(v, t, error));
        TRY(count_visits(v, before, &visits, error));
        v->stopped = sequential_end_pass(&v->course, v->n, visits, v->moved, /* 25 */
                                         clusters_total_cost(&v->c));
    }
    return KITH_OK;
}

/* Totals for the summary, by one more sum. */
static kith_status report(rows_result *result, rows_state *v, kith_error *error)
{
    protocol_report *r = &result->report;
    uint64_t total[4] = {v->block_pass.totals.n_visited, v->block_pass.totals.n_put_off,
                         v->paper.n_ands, v->paper.strict};
    party_step(v->p, "counting");
    TRY(sum_masked(v->p, total, total, 4, 0, SMC_ALL, error));
    *r = (protocol_report){.n_passes = v->course.n_passes, .stopped = v->stopped};
    r->n_paper_sums = v->n_paper_sums;
    r->n_paper_ands = total[2];
    r->n_paper_ands_strict = total[3];
    report_fact(r, "visits", (double)total[0]);
    report_fact(r, "questions", (double)v->n_questions);
    report_fact(r, "put_off", (double)total[1]);
    report_fact(r, "blocks", (double)v->n_blocks);
    return KITH_OK;
}

/* Everything that can be wrong with the study, or with it and all records together. */
static kith_status prepare(rows_state *v, kith_error *error)
{
    TRY(rows_repair_plan(v, error));
    TRY(rows_state_check(v, error));
    party_step(v->p, "checking");
    TRY(rows_site_models_prune(v, error));
    TRY(rows_repair_check(v, error));
    return rows_state_init(v, error);
}

kith_status rows_clustering(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    rows_state v = {.p = p, .task = task, .mine = task->mine, .memory = task->context->memory};
    rows_turn turn;
    TRY(count_records(&v, error));
    kith_status status = prepare(&v, error);
    if (status == KITH_INFEASIBLE || status == KITH_INVALID)
        leave_together(p, &leave_together_word); /* for all alike */
    TRY(status);
    TRY(rows_turn_init(&turn, &v, error));
    TRY(first_clusters(&v, error));
    TRY(improve(&v, &turn, error));
    TRY(rows_finish(&v, &turn, error));
    TRY(rows_repair(&v, error));
    TRY(rows_conclude(result, &v, error));
    TRY(rows_site_models_raise(result, &v, error));
    return report(result, &v, error);
}
