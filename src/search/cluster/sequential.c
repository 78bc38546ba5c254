/* Sequential clustering: Goldberger and Tassa, "Efficient anonymizations with enhanced utility",
 * Algorithm 1, and Algorithms 2 and 3 where a model looks at sensitive values. Step numbers in the
 * comments are those of Algorithm 1, then those of Algorithm 2.
 *
 * Costs are integers (slots.h), so that the result depends on the seed alone. Two things the papers
 * leave open: when a small gain ends the passes (sequential_rules.h), and what to do where the
 * first clusters cannot have the diversity that is asked for: larger ones are tried, up to the
 * whole table. */
#include "search/algorithms.h"

#include "core/error.h"
#include "core/group_by_part.h"
#include "core/rng.h"
#include "search/class_rules.h"
#include "search/cluster/finish_merge.h"
#include "search/cluster/clusters.h"
#include "search/cluster/finish_hybrid.h"
#include "search/cluster/sequential_repair.h"
#include "search/sequential_rules.h"
#include "search/cluster/sequential_sensitive.h"
#include "search/random_split.h"
#include "search/cluster/block_pass.h"

enum { ATTEMPTS = 8 };

typedef struct sequential {
    const problem *p;
    context *run;
    clusters c;
    class_rules rules; /* of the passes: sizes may be smaller than k */
    class_rules whole; /* of what comes after them */
    random_split split;
    block_pass block_pass;
    rng rng;
    uint32_t k;        /* what sizes are aimed at: k, or more where the models need it */
    uint32_t *members; /* [n_records] scratch */
    uint32_t *part;    /* [n_records] scratch */
    uint32_t n_passes, max_passes;
    search_finish finish;
    const char *stopped;
} sequential;

/* Makes `n_parts` clusters of members[0 … size-1] as spread over part[]; empty parts vanish. */
static kith_status make_clusters(sequential *s, uint32_t size, uint32_t n_parts, uint32_t *first,
                                 kith_error *error)
{
    TRY(clusters_reserve(&s->c, n_parts, error));
    for (uint32_t i = 0; i < n_parts; i++)
        first[i] = clusters_add(&s->c);
    for (uint32_t m = 0; m < size; m++)
        TRY(clusters_append(&s->c, first[s->part[m]], s->members[m], error));
    for (uint32_t i = 0; i < n_parts; i++) {
        if (s->c.size[first[i]] == 0)
            clusters_drop(&s->c, first[i]);
        else
            clusters_close(&s->c, first[i]);
    }
    return KITH_OK;
}

/* Do all parts satisfy the models? Parts are brought together in `order`, of `size` entries. */
static bool parts_hold(const sequential *s, uint32_t size, uint32_t n_parts, uint32_t *start,
                       uint32_t *order)
{
    if (s->rules.n_conditions == 0)
        return true;
    group_by_part(order, start, s->part, n_parts, s->members, size);
    for (uint32_t i = 0; i < n_parts; i++)
        if (!class_rules_allow(&s->rules, order + start[i], start[i + 1] - start[i]))
            return false;
    return true;
}

static kith_status sequential_distribute(sequential *s, arena *memory, kith_error *error)
{
    uint32_t n = s->p->n_records, n_parts = sequential_parts(n, s->k);
    uint32_t *start = TRY_ARRAY(start, memory, (size_t)n_parts + 2, error);
    uint32_t *order = TRY_ARRAY(order, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        s->members[i] = i;
    for (uint32_t attempt = 1;; attempt++) {
        random_split_assign(&s->split, s->part, s->members, n, n_parts, &s->rng); /* 1 | 2 */
        if (parts_hold(s, n, n_parts, start, order))                              /* – | 3 */
            break;
        if (attempt % ATTEMPTS == 0)
            n_parts -= n_parts / 8 + 1;
    }
    return make_clusters(s, n, n_parts, start, error);
}

/* Splits one cluster that is too large, if a random split satisfies the models. */
static kith_status sequential_split(sequential *s, uint32_t cluster, kith_error *error)
{
    uint32_t size = s->c.size[cluster], halves[4];
    for (uint32_t m = 0; m < size; m++)
        s->members[m] = s->c.member[cluster][m];
    bool good = false;
    for (uint32_t attempt = 0; attempt < ATTEMPTS && !good; attempt++) {
        random_split_assign(&s->split, s->part, s->members, size, 2, &s->rng);
        good = parts_hold(s, size, 2, halves, s->c.member[cluster]);
    }
    if (!good) {
        for (uint32_t m = 0; m < size; m++)
            s->c.place[s->c.member[cluster][m]] = m;
        return KITH_OK;
    }
    clusters_drop(&s->c, cluster);
    return make_clusters(s, size, 2, halves, error);
}

/* Reports progress: the number of passes is unknown, so each counts as a tenth of what is left. */
static bool sequential_report(void *user, uint32_t visited)
{
    const sequential *s = user;
    double left = 1, pass = 0;
    for (uint32_t i = 1; i < s->n_passes; i++)
        left *= 0.9;
    pass = (double)visited / (double)s->p->n_records;
    return context_progress(s->run, "clustering", 1 - left * (1 - 0.1 * pass));
}

static kith_status sequential_improve(sequential *s, kith_error *error)
{
    int64_t before = clusters_total_cost(&s->c);
    while (s->stopped == NULL) {
        TRY(clusters_arrange(&s->c, error));
        s->n_passes++;
        if (!sequential_report(s, 0))
            return error_set(error, KITH_CANCELLED, "stopped while clustering");
        TRY(block_pass_run(&s->block_pass, error)); /* 2-7 | 4-12 */
        const uint32_t used = s->c.used;
        for (uint32_t cluster = 0; cluster < used; cluster++) /* 9 | 14 */
            if (sequential_too_large(s->c.extent[cluster], s->k))
                TRY(sequential_split(s, cluster, error));
        int64_t now = clusters_total_cost(&s->c);
        s->stopped = sequential_stop(s->n_passes, s->max_passes, s->block_pass.totals.n_moves,
                                     (double)before, (double)(before - now));
        before = now; /* 10 | 15 */
    }
    return KITH_OK;
}

/* Algorithm 1 or 2 from one random start, with memory of its own. */
static kith_status start_once(sequential *s, const slots *rows, const search_spec *spec,
                              uint64_t start, arena *memory, kith_error *error)
{
    uint32_t n = s->p->n_records, n_parts = sequential_parts(n, s->k);
    rng_init(&s->rng, s->run->seed, start);
    TRY(class_rules_init_any_size(&s->rules, s->p, memory, error));
    TRY(class_rules_init(&s->whole, s->p, memory, error));
    uint32_t tightest = class_rules_tightest(&s->rules);
    const sensitive_attribute *spread_by =
        tightest == UINT32_MAX ? NULL : &s->p->sensitive[tightest];
    TRY(random_split_init(&s->split, spread_by, n, n_parts > 2 ? n_parts : 2, memory, error));
    TRY(clusters_init(&s->c, rows, &s->rules, n_parts + n_parts / 4 + 2, memory, error));
    TRY(block_pass_init(&s->block_pass, &s->c, NULL, spec->block, error));
    s->block_pass.report = sequential_report;
    s->block_pass.user = s;
    s->members = TRY_ARRAY(s->members, memory, n, error);
    s->part = TRY_ARRAY(s->part, memory, n, error);

    TRY(sequential_distribute(s, memory, error)); /* 1 | 1-3 */
    TRY(sequential_improve(s, error));            /* 2-10 | 4-15 */
    s->c.rules = &s->whole;
    if (s->finish != FINISH_MERGE)
        return finish_hybrid(&s->c, s->p->k, s->run, error);
    return finish_merge_small(&s->c, s->p->k, s->run, error); /* 11-15 | 16-20 */
}

/* One start; keeps its clusters in the result if they are the best so far. */
static kith_status try_start(search_result *result, int64_t *best, const problem *p,
                             const slots *rows, const search_spec *spec, uint64_t start, context *c,
                             kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new_like(c->memory), error);
    sequential s = {.p = p,
                    .run = c,
                    .k = class_rules_min_size(p),
                    .finish = spec->finish,
                    .max_passes = spec->max_passes > 0 ? spec->max_passes : SEQUENTIAL_MAX_PASSES};
    kith_status status = start_once(&s, rows, spec, start, memory, error);
    int64_t cost = status == KITH_OK ? clusters_total_cost(&s.c) : 0;
    if (status == KITH_OK && (start == 0 || cost < *best)) {
        for (uint32_t i = 0; i < p->n_records; i++)
            result->partition.class_of[i] = s.c.of[i];
        result->partition.n_classes = s.c.used;
        result->n_passes = s.n_passes;
        result->n_questions = s.block_pass.totals.n_questions;
        result->put_off = s.block_pass.totals.n_put_off;
        result->stopped = s.stopped;
        *best = cost;
    }
    arena_free(memory);
    return status;
}

/* Does a model ask for more than size? */
static bool has_conditions(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (p->models[m].id != MODEL_K_ANONYMITY)
            return true;
    return false;
}

/* May any record be a class of its own? */
static bool all_allow_one(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (p->models[m].id != MODEL_K_ANONYMITY &&
            (p->models[m].id != MODEL_L_DIVERSITY || p->models[m].variant == VARIANT_RECURSIVE))
            return false;
    return true;
}

kith_status sequential_run(search_result *result, const problem *p, const search_spec *spec,
                           context *c, kith_error *error)
{
    slots rows;
    int64_t best = 0;
    uint32_t starts = spec->n_restarts > 0 ? spec->n_restarts : 1;
    result->partition.class_of =
        TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof(uint32_t)), error);
    /* Every record becomes a class of its own if the models ask for nothing more. */
    if (class_rules_min_size(p) <= 1 && all_allow_one(p)) {
        for (uint32_t i = 0; i < p->n_records; i++)
            result->partition.class_of[i] = i;
        result->partition.n_classes = p->n_records;
        result->stopped = "no move";
        return partition_close(&result->partition, p, c->memory, error);
    }
    if (problem_costs_sensitive(p) && spec->block > 1)
        return error_set(error, KITH_INVALID,
                         "blocks are for measures that do not depend on sensitive values");
    if (problem_costs_sensitive(p))
        return sequential_sensitive_run(result, p, spec, c, error);
    TRY(slots_build(&rows, p, 1, c->memory, error));
    for (uint32_t start = 0; start < starts; start++)
        TRY(try_start(result, &best, p, &rows, spec, start, c, error));
    TRY(partition_close(&result->partition, p, c->memory, error));
    bool as_printed = spec->finish == FINISH_MERGE || spec->block > 1;
    return as_printed || !has_conditions(p) ? KITH_OK
                                            : sequential_repair(result, p, spec, c, error);
}
