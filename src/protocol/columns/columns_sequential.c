/* Sequential clustering: starts, and steps 1, 2 and 18 to 22 of SDC Algorithm 4. */
#include "protocol/columns/columns_sequential.h"

#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "protocol/columns/columns_internal.h"
#include "protocol/columns_agree.h"
#include "search/sequential_rules.h"

enum { ATTEMPTS = 8 };

kith_status columns_sequential_broadcast(const columns_run *run, columns_topic topic, void *bytes,
                                         size_t length, kith_error *error)
{
    const columns_link *link = run->link;
    return link->tell == NULL ? KITH_OK : link->tell(link->user, topic, bytes, length, error);
}

kith_status columns_sequential_sum(columns_state *w, columns_topic topic, size_t n,
                                   kith_error *error)
{
    w->run->result->asked += topic == COLUMNS_COST ? 0 : n;
    return w->run->link->sum == NULL
               ? KITH_OK
               : w->run->link->sum(w->run->link->user, topic, w->value, n, error);
}

kith_status columns_sequential_refuse(const columns_run *run, columns_topic topic,
                                      kith_error *error)
{
    const columns_link *link = run->link;
    if (link->refuse == NULL)
        return error_set(error, KITH_BUG, "the clustering decided something invalid");
    return link->refuse(link->user, topic, error);
}

kith_status columns_sequential_reserve(columns_state *w, uint64_t n, kith_error *error)
{
    if (n <= w->value_room)
        return KITH_OK;
    if (n > SIZE_MAX / sizeof *w->value / 2)
        return error_nomem(error);
    size_t room = (size_t)n + (size_t)n / 2;
    arena_release(w->memory, w->value, w->value_room * sizeof *w->value);
    w->value_room = 0;
    w->value = TRY_ARRAY(w->value, w->memory, room, error);
    w->value_room = room;
    return KITH_OK;
}

kith_status columns_sequential_begin_block(columns_state *w, kith_error *error)
{
    w->block.number++;
    if (w->block.touched_room >= w->c.capacity)
        return KITH_OK;
    w->block.touched = TRY_ZEROS(w->block.touched, w->memory, w->c.capacity, error);
    w->block.touched_room = w->c.capacity;
    return KITH_OK;
}

/* Step 2: makes up to n_parts clusters of the first `size` records of the block; records[i] goes to
 * parts[i]. Empty parts make no cluster. */
static kith_status make_clusters(columns_state *w, uint32_t size, uint32_t n_parts,
                                 const uint32_t *parts, kith_error *error)
{
    uint32_t *id = TRY_ARRAY(id, w->memory, n_parts, error);
    for (uint32_t i = 0; i < n_parts; i++)
        TRY(columns_clusters_add(&w->c, &id[i], error));
    for (uint32_t m = 0; m < size; m++)
        TRY(columns_clusters_append(&w->c, id[parts[m]], w->block.records[m], error));
    for (uint32_t i = 0; i < n_parts; i++) {
        if (w->c.size[id[i]] == 0)
            columns_clusters_drop(&w->c, id[i]);
        else
            columns_clusters_close(&w->c, id[i]);
    }
    return KITH_OK;
}

/* At the pivot: does every part of the first `size` records satisfy the models? The part of
 * records[i] is decisions[i]. */
static kith_status parts_hold(columns_state *w, uint32_t size, uint32_t n_parts, bool *hold,
                              kith_error *error)
{
    *hold = true;
    if (!w->run->has_conditions)
        return KITH_OK;
    uint32_t *start = TRY_ARRAY(start, w->memory, (size_t)n_parts + 2, error);
    group_by_part(w->scratch, start, w->block.decisions, n_parts, w->block.records, size);
    for (uint32_t i = 0; i < n_parts && *hold; i++)
        *hold = class_rules_allow(&w->pivot.rules, w->scratch + start[i], start[i + 1] - start[i]);
    arena_release(w->memory, start, ((size_t)n_parts + 2) * sizeof *start);
    return KITH_OK;
}

/* Step 1 at the pivot: decisions[i] becomes the part of records[i], one of *parts. One part always
 * satisfies the models (search_feasible), so the loop ends. */
static kith_status distribute_records(columns_state *w, uint32_t *parts, kith_error *error)
{
    bool hold = false;
    for (uint32_t attempt = 1;; attempt++) {
        random_split_assign(&w->pivot.split, w->block.decisions, w->block.records,
                            w->run->problem->n_records, *parts, &w->pivot.rng);
        TRY(parts_hold(w, w->run->problem->n_records, *parts, &hold, error));
        if (hold)
            return KITH_OK;
        if (attempt % ATTEMPTS == 0)
            *parts -= *parts / 8 + 1;
    }
}

/* Steps 1 and 2. */
static kith_status columns_sequential_distribute(columns_state *w, kith_error *error)
{
    const uint32_t n = w->run->problem->n_records,
                   half = w->run->min_size / 2 > 0 ? w->run->min_size / 2 : 1;
    /* By record its cluster; told[n]: how many clusters there are. */
    uint32_t *told = TRY_ARRAY(told, w->memory, (size_t)n + 1, error);
    for (uint32_t i = 0; i < n; i++)
        w->block.records[i] = i;
    told[n] = n / half;
    if (w->run->is_pivot) {
        TRY(distribute_records(w, &told[n], error));
        for (uint32_t m = 0; m < n; m++)
            told[w->block.records[m]] = w->block.decisions[m];
    }
    TRY(columns_sequential_broadcast(w->run, COLUMNS_CLUSTERS, told, (n + (size_t)1) * sizeof *told,
                                     error));
    if (told[n] == 0 || told[n] > n)
        return columns_sequential_refuse(w->run, COLUMNS_CLUSTERS, error);
    for (uint32_t i = 0; i < n; i++) {
        if (told[i] >= told[n])
            return columns_sequential_refuse(w->run, COLUMNS_CLUSTERS, error);
        w->block.records[i] = i;
    }
    return make_clusters(w, n, told[n], told, error);
}

/* Step 20: a half without records means that the cluster stays whole. */
static kith_status columns_sequential_split(columns_state *w, uint32_t cluster,
                                            const unsigned char *half, kith_error *error)
{
    const uint32_t size = w->c.size[cluster];
    uint32_t second = 0;
    for (uint32_t m = 0; m < size; m++) {
        if (half[m] > 1)
            return columns_sequential_refuse(w->run, COLUMNS_SPLITS, error);
        w->block.records[m] = w->c.member[cluster][m];
        w->block.decisions[m] = half[m];
        second += half[m];
    }
    if (second == 0 || second == size)
        return KITH_OK;
    columns_clusters_drop(&w->c, cluster);
    return make_clusters(w, size, 2, w->block.decisions, error);
}

/* Steps 18 to 21: the large clusters are known to all, their halves come from the pivot. */
static kith_status columns_sequential_split_large(columns_state *w, kith_error *error)
{
    uint32_t *large = arena_array(w->memory, w->c.used, sizeof *large), count = 0;
    size_t told = 0, at = 0;
    TRY_ALLOC(large, error);
    for (uint32_t cluster = 0; cluster < w->c.used; cluster++) {
        if (!sequential_too_large(w->c.size[cluster], w->run->min_size))
            continue;
        if (w->run->is_pivot) {
            /* Step 19 at the pivot: half[m] becomes 1 for members in the second half; all are 0 if
             * the cluster stays whole because of the models. */
            unsigned char *half = w->half + told;
            const uint32_t size = w->c.size[cluster];
            bool hold = false;
            for (uint32_t attempt = 0; attempt < ATTEMPTS && !hold; attempt++) {
                memcpy(w->block.records, w->c.member[cluster], size * sizeof *w->block.records);
                random_split_assign(&w->pivot.split, w->block.decisions, w->block.records, size, 2,
                                    &w->pivot.rng);
                TRY(parts_hold(w, size, 2, &hold, error));
            }
            for (uint32_t m = 0; m < size; m++)
                half[w->c.place[w->block.records[m]]] = hold && w->block.decisions[m] == 1;
        }
        told += w->c.size[cluster];
        large[count++] = cluster;
    }
    if (told > 0)
        TRY(columns_sequential_broadcast(w->run, COLUMNS_SPLITS, w->half, told, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = w->c.size[large[i]];
        TRY(columns_sequential_split(w, large[i], w->half + at, error));
        at += size;
    }
    return KITH_OK;
}

/* Steps 3 to 22. The total cost is a sum that the pivot learns, so it is asked for only when it can
 * end the passes: first after the pass before the fifth. */
static kith_status columns_sequential_improve(columns_state *w, kith_error *error)
{
    const uint32_t max_passes =
        w->run->spec->max_passes > 0 ? w->run->spec->max_passes : SEQUENTIAL_MAX_PASSES;
    columns_sequential_result *r = w->run->result;
    int64_t before = 0, now;
    for (r->n_passes = 0, r->stopped = NULL; r->stopped == NULL;) {
        TRY(columns_pass(w, 0, error));
        TRY(columns_sequential_split_large(w, error));
        r->n_passes++;
        if (w->n_moves == 0) {
            r->stopped = "no move";
        } else if (r->n_passes >= max_passes) {
            r->stopped = "max_passes";
        } else if (r->n_passes + 1 >= SEQUENTIAL_SURE_PASSES) {
            unsigned char enough = 0;
            TRY(columns_pass_total_cost(w, &now, error));
            if (r->n_passes >= SEQUENTIAL_SURE_PASSES) {
                enough = w->run->is_pivot && columns_pass_gain_is_small(w, before, now);
                TRY(columns_sequential_broadcast(w->run, COLUMNS_COST, &enough, sizeof enough,
                                                 error));
            }
            before = now;
            r->stopped = enough ? "small gain" : NULL;
        }
    }
    return KITH_OK;
}

static kith_status columns_state_init(columns_state *w, uint64_t seed, uint64_t start,
                                      kith_error *error)
{
    const uint32_t n = w->run->problem->n_records,
                   half = w->run->min_size / 2 > 0 ? w->run->min_size / 2 : 1, n_parts = n / half;
    if (w->run->is_pivot) {
        if (w->run->link->choices != NULL)
            rng_init_key(&w->pivot.rng, w->run->link->choices, start);
        else
            rng_init(&w->pivot.rng, seed, start);
        TRY(class_rules_init(&w->pivot.rules, w->run->problem, w->memory, error));
        uint32_t tightest = class_rules_tightest(&w->pivot.rules);
        const sensitive_attribute *by =
            tightest == UINT32_MAX ? NULL : &w->run->problem->sensitive[tightest];
        TRY(random_split_init(&w->pivot.split, by, n, n_parts > 2 ? n_parts : 2, w->memory, error));
    }
    TRY(columns_clusters_init(&w->c, w->run->problem, w->run->link->tag, w->run->link->user,
                              w->memory, error));
    TRY(columns_prices_init(&w->prices, &w->c, w->run->context->pool, error));
    w->prices.noise = w->run->link->noise;
    w->prices.user = w->run->link->user;
    w->block.limit = w->run->spec->block == 0 ? COLUMNS_BLOCK : w->run->spec->block;
    w->block.records = TRY_ARRAY(w->block.records, w->memory, n, error);
    w->block.decisions = TRY_ARRAY(w->block.decisions, w->memory, n, error);
    w->scratch = TRY_ARRAY(w->scratch, w->memory, n, error);
    w->half = TRY_ALLOC(arena_array(w->memory, n, 1), error);
    return KITH_OK;
}

/* Steps 1 to 29, and keeping the clusters if they are the best. */
static kith_status run_start(columns_state *w, uint64_t seed, uint64_t start, int64_t *best,
                             kith_error *error)
{
    columns_sequential_result *r = w->run->result;
    const columns_sequential_result kept = *r;
    unsigned char better;
    r->polishing = 0;
    TRY(columns_state_init(w, seed, start, error));
    TRY(columns_sequential_distribute(w, error));
    TRY(columns_sequential_improve(w, error));
    TRY(w->run->spec->finish == FINISH_MERGE ? columns_merge(w, error) : columns_hybrid(w, error));
    /* Are the clusters of this start the best so far? Only the pivot knows the costs. */
    int64_t cost;
    better = 1;
    if (w->run->spec->n_restarts > 1) {
        TRY(columns_pass_total_cost(w, &cost, error));
        better = start == 0 || cost < *best;
        TRY(columns_sequential_broadcast(w->run, COLUMNS_COST, &better, sizeof better, error));
        *best = better ? cost : *best;
    }
    if (!better) {
        r->n_passes = kept.n_passes;
        r->polishing = kept.polishing;
        r->stopped = kept.stopped;
        return KITH_OK;
    }
    memcpy(r->partition.class_of, w->c.of, w->run->problem->n_records * sizeof(uint32_t));
    r->partition.n_classes = w->c.used;
    return KITH_OK;
}

kith_status columns_sequential_check(const problem *p, kith_error *error)
{
    if (problem_costs_sensitive(p))
        return error_set(error, KITH_INVALID,
                         "a measure that depends on sensitive values needs all columns in one "
                         "place");
    for (uint32_t m = 0; m < p->n_models; m++)
        if (model_of_sites(p->models[m].id) || !model_closed(&p->models[m]) ||
            models_need_closure(&p->models[m], 1))
            return error_set(error, KITH_INVALID,
                             "clustering over columns does not serve the model %s",
                             model_name(p->models[m].id));
    return columns_agree_size(p, error);
}

/* Agrees on whether the models can be met, and on K, which may both depend on sensitive values that
 * only the pivot has. */
static kith_status agree_on_terms(columns_run *run, kith_error *error)
{
    uint32_t terms[2] = {0, 0};
    kith_status status = KITH_OK;
    if (run->is_pivot) {
        status = search_feasible(run->problem, run->context->memory, error);
        if (status != KITH_OK && status != KITH_INFEASIBLE)
            return status;
        terms[0] = status == KITH_OK;
        terms[1] = class_rules_min_size(run->problem);
    }
    TRY(columns_sequential_broadcast(run, COLUMNS_TERMS, terms, sizeof terms, error));
    if (status == KITH_OK && terms[0] == 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the holder of the sensitive columns says that the models cannot be met");
    run->min_size = terms[1];
    if (status == KITH_OK && (run->min_size == 0 || run->min_size < run->problem->k ||
                              run->min_size > run->problem->n_records))
        return columns_sequential_refuse(run, COLUMNS_TERMS, error);
    return status;
}

kith_status columns_sequential_run(columns_sequential_result *result, const problem *p,
                                   const search_spec *spec, const columns_link *link, uint64_t seed,
                                   context *c, kith_error *error)
{
    const uint32_t starts = spec->n_restarts > 0 ? spec->n_restarts : 1;
    int64_t best = 0;
    *result = (columns_sequential_result){.stopped = "no move"};
    columns_run run = {.problem = p,
                       .spec = spec,
                       .link = link,
                       .context = c,
                       .result = result,
                       .is_pivot = !link->follows};
    for (uint32_t m = 0; m < p->n_models; m++)
        run.has_conditions |= p->models[m].id != MODEL_K_ANONYMITY;
    TRY(columns_sequential_check(p, error));
    TRY(agree_on_terms(&run, error));
    partition *out = &result->partition;
    out->class_of = TRY_ARRAY(out->class_of, c->memory, p->n_records, error);
    out->n_classes = p->n_records;
    for (uint32_t i = 0; i < p->n_records; i++)
        out->class_of[i] = i; /* stays so if a class may have one record of any value */
    for (uint32_t start = 0; start < starts && (run.min_size > 1 || run.has_conditions); start++) {
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        columns_state w = {.run = &run, .memory = memory};
        kith_status status = run_start(&w, seed, start, &best, error);
        rng_wipe(&w.pivot.rng);
        TRY(status);
    }
    return partition_close(out, p, c->memory, error); /* 30 */
}
