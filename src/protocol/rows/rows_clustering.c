/* Step numbers are those of SDC Algorithm 3. */
#include "protocol/rows/rows_clustering.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_rules/united_classes.h"
#include "protocol/leave_together.h"
#include "protocol/rows_by_person.h"
#include "protocol/rows/rows_diversity.h"
#include "protocol/rows/rows_finish.h"
#include "protocol/rows/rows_repair.h"
#include "protocol/rows/rows_site_models.h"
#include "smc/sums/sum.h"

/* Memory is taken for n records, most of which other sites may only claim to have. */
static kith_status blame_claims(const rows_state *v, kith_status status, kith_error *error)
{
    if (status == KITH_NOMEM && v->n / 2 > v->mine->n_records)
        return error_set(error, KITH_PEER,
                         "all sites claim %u records together, for which there is no memory", v->n);
    return status;
}

/* Everything that can be wrong with the study, or with it and all records together. */
static kith_status rows_clustering_prepare(rows_state *v, kith_error *error)
{
    TRY(rows_repair_plan(v, error));
    TRY(rows_state_accept_task(v, error));
    party_step(v->p, "checking");
    TRY(rows_site_models_prune(v, error));
    TRY(rows_repair_check(v, error));
    TRY(blame_claims(v, rows_state_init(v, error), error));
    return rows_repair_check_values(v, error);
}

/* Steps 2 and 3. Where models look at values, fewer and larger clusters are tried until all of them
 * satisfy the models; one cluster does, or rows_diversity_check would have failed. */
static kith_status rows_clustering_distribute(rows_state *v, kith_error *error)
{
    const uint32_t n_values = v->models.value_counts.n_values;
    uint32_t n_parts = site_choices_parts(v->n, v->k, v->c.min_known);
    party_step(v->p, "first clusters");
    for (bool good = false;; n_parts = site_choices_fewer_parts(n_parts)) { /* 2 */
        site_choices_distribute(&v->site_choices, v->block_pass.sites.records, v->mine->n_records,
                                n_parts, &v->rng);
        TRY(rows_diversity_distribute(v, n_parts, &good, error));
        if (good || n_parts == 1)
            break;
    }
    TRY(site_choices_create_clusters(&v->site_choices, n_parts, error));
    uint32_t *list = TRY_ALLOC(arena_array(v->memory, n_parts, sizeof *list), error);
    for (uint32_t i = 0; i < n_parts; i++) {
        list[i] = i;
        if (v->c.value_counts != NULL)
            memcpy(clusters_row(&v->c, i), v->models.table + (size_t)i * n_values,
                   n_values * sizeof *v->models.table);
    }
    TRY(rows_exchange_compute(v, list, n_parts, NULL, error)); /* 3 */
    clusters_compact(&v->c);
    v->totals.n_paper_sums++;
    return KITH_OK;
}

/* Steps 21 to 24, for all large clusters at once. New clusters come behind all others, so that
 * their ids are the same at all parties. */
static kith_status rows_clustering_split_large(rows_state *v, kith_error *error)
{
    const size_t stride = v->rows.stride;
    uint32_t count = 0;
    clusters_compact(&v->c);
    for (uint32_t cluster = 0; cluster < v->c.used; cluster++)
        count += 2 * sequential_too_large(v->c.size[cluster], v->k);
    if (count == 0)
        return KITH_OK;
    /* Pairs: a large cluster, and the new one that takes half of its records. */
    uint32_t *list = TRY_ALLOC(arena_array(v->memory, count, sizeof *list), error);
    uint16_t *above = TRY_ALLOC(arena_array(v->memory, count * stride, sizeof *above), error);
    TRY(clusters_reserve(&v->c, count / 2, error));
    for (uint32_t cluster = 0, i = 0, used = v->c.used; cluster < used; cluster++)
        if (sequential_too_large(v->c.size[cluster], v->k)) { /* 21 */
            list[i++] = cluster;
            list[i++] = clusters_add(&v->c);
        }
    /* The closures of both halves lie below that of the whole. */
    for (uint32_t i = 0; i < count; i++)
        memcpy(above + i * stride, rows_state_closure(v, list[i - i % 2]), stride * sizeof *above);
    for (uint32_t i = 0; i < count; i += 2) /* 22 */
        site_choices_halve(&v->site_choices, list[i], 0, &v->rng);
    TRY(rows_diversity_halve(v, list, count, error));
    for (uint32_t i = 0; i < count; i += 2)
        TRY(site_choices_move_half(&v->site_choices, list[i], list[i + 1], error));
    TRY(rows_exchange_compute(v, list, count, above, error)); /* 23 */
    clusters_compact(&v->c);
    v->totals.n_paper_sums++;
    return KITH_OK;
}

/* Steps 4 to 24. */
static kith_status run_pass(rows_state *v, rows_turn *t, kith_error *error)
{
    if (!context_progress(v->task->context, "clustering", -1))
        return error_set(error, KITH_CANCELLED, "stopped while clustering");
    /* The ledger distinguishes the passes by the names of their steps. */
    const uint32_t pass = v->pass.course.n_passes + 1;
    const char *name =
        v->task->spec->n_restarts > 1
            ? arena_printf(party_memory(v->p), "start %u, pass %u", v->start + 1, pass)
            : arena_printf(party_memory(v->p), "pass %u", pass);
    TRY_ALLOC(name, error);
    TRY(clusters_arrange(&v->c, error));
    rows_state_forget(v);
    party_step(v->p, name);
    v->pass.moved = false;
    for (uint32_t i = 0; i < party_count(v->p); i++) /* 4 */
        TRY(rows_turn_run(t, v, i, error));          /* 5-19 */
    return rows_clustering_split_large(v, error);    /* 21-24 */
}

/* Steps 4 to 25: passes until the stop rule ends them. */
static kith_status rows_clustering_improve(rows_state *v, rows_turn *t, kith_error *error)
{
    const search_spec *spec = v->task->spec;
    v->pass.course.max_passes = spec->max_passes > 0 ? spec->max_passes : SEQUENTIAL_MAX_PASSES;
    v->pass.course.before = clusters_total_cost(&v->c);
    while (v->pass.stopped == NULL) {
        const uint64_t before = v->block_pass.totals.n_visited;
        TRY(run_pass(v, t, error));
        /* With hidden sizes a pass visits only some records, and only a sum tells how many. */
        uint64_t visits = v->n;
        if (v->task->options->hide_sizes) {
            visits = v->block_pass.totals.n_visited - before;
            TRY(sum_masked(v->p, &visits, &visits, 1, 0, SMC_ALL, error)); /* message 12 */
        }
        v->pass.stopped = sequential_end_pass(&v->pass.course, v->n, visits, v->pass.moved, /* 25 */
                                              clusters_total_cost(&v->c));
    }
    return KITH_OK;
}

/* Steps 2 to 30, whose classes are kept if none were better before (SDC 2.4). All parties know
 * sizes and closures, and so which start is the best. */
static kith_status run_start(rows_result *result, rows_state *v, kith_error *error)
{
    rows_turn turn;
    TRY(blame_claims(v, rows_state_begin(v, error), error));
    TRY(rows_turn_init(&turn, v, error));
    TRY(rows_clustering_distribute(v, error));
    TRY(rows_clustering_improve(v, &turn, error));
    TRY(rows_finish(v, &turn, error));
    TRY(rows_repair(v, error));
    v->totals.n_visited += v->block_pass.totals.n_visited;
    v->totals.n_put_off += v->block_pass.totals.n_put_off;
    const int64_t cost = clusters_total_cost(&v->c);
    if (v->start > 0 && cost >= v->best_cost)
        return KITH_OK;
    v->best_cost = cost;
    result->report =
        (protocol_report){.n_passes = v->pass.course.n_passes, .stopped = v->pass.stopped};
    return rows_finish_classes(result, v, error);
}

static kith_status run_starts(rows_result *result, rows_state *v, kith_error *error)
{
    const rows_models models = v->models; /* tables that grow belong to their start */
    arena *memory = v->memory;
    for (v->start = 0; v->start == 0 || v->start < v->task->spec->n_restarts; v->start++) {
        arena *own ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
        v->memory = own;
        TRY(run_start(result, v, error));
        v->memory = memory;
        v->models = models;
    }
    return KITH_OK;
}

static kith_status rows_clustering_steps(rows_result *result, rows_state *v, kith_error *error)
{
    /* Step 1: everyone learns n, but not the individual n_i. */
    uint64_t n = v->mine->n_records;
    party_step(v->p, "counting");
    TRY(sum_masked(v->p, &n, &n, 1, 0, SMC_ALL, error)); /* message 1 */
    if (n < v->mine->n_records || n > UINT32_MAX / 2)
        return error_set(error, KITH_PEER, "impossible number of records at all sites: %llu",
                         (unsigned long long)n);
    v->n = (uint32_t)n;
    v->totals.n_paper_sums++;
    kith_status status = rows_clustering_prepare(v, error);
    if (status == KITH_INFEASIBLE || status == KITH_INVALID)
        leave_together(v->p, &leave_together_word); /* all parties have the same error */
    TRY(status);
    TRY(run_starts(result, v, error));
    TRY(rows_finish_closures(result, v, error));
    TRY(rows_site_models_raise(result, v, error));
    if (v->models.persons != NULL)
        /* message 16 */
        TRY(united_classes_make(result, v->p, v->task->mine, v->models.persons,
                                "classes keep the models", v->task->context->memory, error));
    /* The totals of all parties for the summary, by one more sum. */
    protocol_report *r = &result->report;
    uint64_t total[4] = {v->totals.n_visited, v->totals.n_put_off, v->totals.paper.n_ands,
                         v->totals.paper.strict};
    party_step(v->p, "counting");
    TRY(sum_masked(v->p, total, total, 4, 0, SMC_ALL, error)); /* message 17 */
    r->n_paper_sums = v->totals.n_paper_sums;
    r->n_paper_ands = total[2];
    r->n_paper_ands_strict = total[3];
    report_fact(r, "visits", (double)total[0]);
    report_fact(r, "questions", (double)v->totals.n_questions);
    report_fact(r, "put_off", (double)total[1]);
    report_fact(r, "blocks", (double)v->totals.n_blocks);
    return KITH_OK;
}

kith_status rows_clustering_recorded(rows_result *result, party *p, const rows_task *task,
                                     const rows_recorder *recorder, kith_error *error)
{
    rows_by_person sorted;
    TRY(rows_by_person_sort(&sorted, task, error));
    rows_state v = {.p = p,
                    .task = &sorted.task,
                    .mine = sorted.task.mine,
                    .memory = task->context->memory,
                    .recorder = recorder};
    kith_status status = rows_clustering_steps(result, &v, error);
    rng_wipe(&v.rng);
    rng_wipe(&v.padding);
    if (v.models.persons != NULL)
        joint_tree_rules_wipe(v.models.persons);
    return status == KITH_OK ? rows_by_person_restore(result, &sorted, error) : status;
}

kith_status rows_clustering(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    return rows_clustering_recorded(result, p, task, NULL, error);
}
