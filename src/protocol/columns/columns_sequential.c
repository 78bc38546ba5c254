/* The frame of columnwise.h: steps 1, 3 and 4, and starts. Step numbers in the comments are those
 * of SDC Algorithm 4. */
#include "protocol/columns/columns_sequential.h"

#include <string.h>

#include "core/error.h"
#include "protocol/columns/columns_internal.h"

enum { DEFAULT_PASSES = 200, PASSES_BEFORE_SMALL_GAIN = 5, ATTEMPTS = 8 };
static const double omega = 1.5;

kith_status columnwise_tell(columnwise *w, columnwise_topic topic, void *bytes, size_t length,
                            kith_error *error)
{
    return w->link->tell == NULL ? KITH_OK
                                 : w->link->tell(w->link->user, topic, bytes, length, error);
}

kith_status columnwise_sum(columnwise *w, columnwise_topic topic, size_t n, kith_error *error)
{
    w->result->asked += topic == COLUMNWISE_COST ? 0 : n;
    return w->link->sum == NULL ? KITH_OK : w->link->sum(w->link->user, topic, w->value, n, error);
}

kith_status columnwise_refuse(const columnwise *w, columnwise_topic topic, kith_error *error)
{
    if (w->link->refuse == NULL)
        return error_set(error, KITH_BUG, "clusters that cannot be");
    return w->link->refuse(w->link->user, topic, error);
}

kith_status columnwise_room(columnwise *w, uint64_t n, kith_error *error)
{
    if (n <= w->value_room)
        return KITH_OK;
    if (n > SIZE_MAX / sizeof *w->value / 2)
        return error_nomem(error);
    size_t room = (size_t)n + (size_t)n / 2;
    arena_release(w->memory, w->value, w->value_room * sizeof *w->value);
    w->value_room = 0;
    w->value = TRY_ALLOC(arena_array(w->memory, room, sizeof *w->value), error);
    w->value_room = room;
    return KITH_OK;
}

kith_status columnwise_begin(columnwise *w, kith_error *error)
{
    w->block_number++;
    if (w->touched_room >= w->c.capacity)
        return KITH_OK;
    w->touched = TRY_ALLOC(arena_zalloc(w->memory, w->c.capacity, sizeof *w->touched), error);
    w->touched_room = w->c.capacity;
    return KITH_OK;
}

/* Makes `parts` clusters of w->record[0 … size-1], record[i] going to part[i]; empty parts vanish.
 */
static kith_status make_clusters(columnwise *w, uint32_t size, uint32_t parts, const uint32_t *part,
                                 kith_error *error)
{
    uint32_t *id = TRY_ALLOC(arena_array(w->memory, parts, sizeof *id), error);
    for (uint32_t i = 0; i < parts; i++)
        TRY(column_clusters_add(&w->c, &id[i], error));
    for (uint32_t m = 0; m < size; m++)
        TRY(column_clusters_append(&w->c, id[part[m]], w->record[m], error));
    for (uint32_t i = 0; i < parts; i++) {
        if (w->c.size[id[i]] == 0)
            column_clusters_drop(&w->c, id[i]);
        else
            column_clusters_close(&w->c, id[i]);
    }
    return KITH_OK;
}

/* Do all parts of w->record[0 … size-1] satisfy the models? */
static kith_status parts_hold(columnwise *w, uint32_t size, uint32_t parts, bool *hold,
                              kith_error *error)
{
    *hold = true;
    if (!w->conditions)
        return KITH_OK;
    uint32_t *start = TRY_ALLOC(arena_zalloc(w->memory, (size_t)parts + 2, sizeof *start), error);
    for (uint32_t m = 0; m < size; m++)
        start[w->decision[m] + 2]++;
    for (uint32_t i = 0; i < parts; i++)
        start[i + 2] += start[i + 1];
    for (uint32_t m = 0; m < size; m++)
        w->scratch[start[w->decision[m] + 1]++] = w->record[m];
    for (uint32_t i = 0; i < parts && *hold; i++)
        *hold = admit_class(&w->admit, w->scratch + start[i], start[i + 1] - start[i]);
    arena_release(w->memory, start, ((size_t)parts + 2) * sizeof *start);
    return KITH_OK;
}

/* Step 1 at the pivot: w->decision says which of `parts` a record of w->record is in. */
static kith_status deal(columnwise *w, uint32_t *parts, kith_error *error)
{
    bool hold = false;
    for (uint32_t attempt = 1;; attempt++) {
        spread_split(&w->spread, w->decision, w->record, w->p->records, *parts, &w->rng);
        TRY(parts_hold(w, w->p->records, *parts, &hold, error));
        if (hold)
            return KITH_OK;
        if (attempt % ATTEMPTS == 0)
            *parts -= *parts / 8 + 1;
    }
}

static kith_status first_clusters(columnwise *w, kith_error *error)
{
    const uint32_t n = w->p->records, half = w->aim / 2 > 0 ? w->aim / 2 : 1;
    /* [n]: how many clusters there are */
    uint32_t *told = TRY_ALLOC(arena_array(w->memory, (size_t)n + 1, sizeof *told), error);
    for (uint32_t i = 0; i < n; i++)
        w->record[i] = i;
    told[n] = n / half;
    if (w->decides) {
        TRY(deal(w, &told[n], error));
        for (uint32_t m = 0; m < n; m++)
            told[w->record[m]] = w->decision[m];
    }
    TRY(columnwise_tell(w, COLUMNWISE_CLUSTERS, told, (n + (size_t)1) * sizeof *told, error));
    if (told[n] == 0 || told[n] > n)
        return columnwise_refuse(w, COLUMNWISE_CLUSTERS, error);
    for (uint32_t i = 0; i < n; i++) {
        if (told[i] >= told[n])
            return columnwise_refuse(w, COLUMNWISE_CLUSTERS, error);
        w->record[i] = i;
    }
    return make_clusters(w, n, told[n], told, error); /* 2 */
}

/* Step 19 at the pivot: 1 for the members that are in the second half; all 0 if it stays whole. */
static kith_status halve(columnwise *w, uint32_t cluster, unsigned char *half, kith_error *error)
{
    const uint32_t size = w->c.size[cluster];
    bool hold = false;
    for (uint32_t attempt = 0; attempt < ATTEMPTS && !hold; attempt++) {
        memcpy(w->record, w->c.member[cluster], size * sizeof *w->record);
        spread_split(&w->spread, w->decision, w->record, size, 2, &w->rng);
        TRY(parts_hold(w, size, 2, &hold, error));
    }
    for (uint32_t m = 0; m < size; m++)
        half[w->c.place[w->record[m]]] = hold && w->decision[m] == 1;
    return KITH_OK;
}

/* Step 20: a part without records means that the cluster stays whole. */
static kith_status split(columnwise *w, uint32_t cluster, const unsigned char *half,
                         kith_error *error)
{
    const uint32_t size = w->c.size[cluster];
    uint32_t second = 0;
    for (uint32_t m = 0; m < size; m++) {
        if (half[m] > 1)
            return columnwise_refuse(w, COLUMNWISE_SPLITS, error);
        w->record[m] = w->c.member[cluster][m];
        w->decision[m] = half[m];
        second += half[m];
    }
    if (second == 0 || second == size)
        return KITH_OK;
    column_clusters_drop(&w->c, cluster);
    return make_clusters(w, size, 2, w->decision, error);
}

/* Steps 18 to 21: the large clusters are known to all, their halves come from the pivot. */
static kith_status split_large(columnwise *w, kith_error *error)
{
    uint32_t *large = arena_array(w->memory, w->c.used, sizeof *large), count = 0;
    size_t told = 0, at = 0;
    TRY_ALLOC(large, error);
    for (uint32_t cluster = 0; cluster < w->c.used; cluster++) {
        if ((double)w->c.size[cluster] <= omega * w->aim)
            continue;
        if (w->decides)
            TRY(halve(w, cluster, w->half + told, error));
        told += w->c.size[cluster];
        large[count++] = cluster;
    }
    if (told > 0)
        TRY(columnwise_tell(w, COLUMNWISE_SPLITS, w->half, told, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = w->c.size[large[i]];
        TRY(split(w, large[i], w->half + at, error));
        at += size;
    }
    return KITH_OK;
}

/* Step 22. */
static kith_status improve(columnwise *w, kith_error *error)
{
    const uint32_t most = w->spec->max_passes > 0 ? w->spec->max_passes : DEFAULT_PASSES;
    columnwise_result *r = w->result;
    int64_t before = 0, now;
    for (r->passes = 0, r->stopped = NULL; r->stopped == NULL;) {
        TRY(columnwise_pass(w, 0, error));
        TRY(split_large(w, error));
        r->passes++;
        if (w->moves == 0) {
            r->stopped = "no move";
        } else if (r->passes >= most) {
            r->stopped = "max_passes";
        } else if (r->passes + 1 >= PASSES_BEFORE_SMALL_GAIN) {
            unsigned char enough = 0;
            TRY(columnwise_cost(w, &now, error));
            if (r->passes >= PASSES_BEFORE_SMALL_GAIN) {
                enough = w->decides && columnwise_is_little(w, before, now);
                TRY(columnwise_tell(w, COLUMNWISE_COST, &enough, sizeof enough, error));
            }
            before = now;
            r->stopped = enough ? "small gain" : NULL;
        }
    }
    return KITH_OK;
}

static kith_status begin(columnwise *w, uint64_t seed, uint64_t start, kith_error *error)
{
    const uint32_t n = w->p->records, half = w->aim / 2 > 0 ? w->aim / 2 : 1, parts = n / half;
    if (w->decides) {
        rng_init(&w->rng, seed, start);
        TRY(admit_init(&w->admit, w->p, w->memory, error));
        uint32_t tightest = admit_tightest(&w->admit);
        const secret *by = tightest == UINT32_MAX ? NULL : &w->p->secret[tightest];
        TRY(spread_init(&w->spread, by, n, parts > 2 ? parts : 2, w->memory, error));
    }
    TRY(column_clusters_init(&w->c, w->p, w->link->tag, w->link->user, w->memory, error));
    TRY(column_prices_init(&w->prices, &w->c, w->run->pool, error));
    w->prices.noise = w->link->noise;
    w->prices.user = w->link->user;
    w->block = w->spec->block == 0 ? COLUMNWISE_BLOCK : w->spec->block;
    w->record = TRY_ALLOC(arena_array(w->memory, n, sizeof *w->record), error);
    w->decision = TRY_ALLOC(arena_array(w->memory, n, sizeof *w->decision), error);
    w->scratch = TRY_ALLOC(arena_array(w->memory, n, sizeof *w->scratch), error);
    w->half = TRY_ALLOC(arena_array(w->memory, n, 1), error);
    return KITH_OK;
}

/* Whether the clusters of this start are the best so far, which the pivot knows. */
static kith_status is_best(columnwise *w, uint64_t start, int64_t *best, unsigned char *better,
                           kith_error *error)
{
    int64_t cost;
    *better = 1;
    if (w->spec->restarts <= 1)
        return KITH_OK;
    TRY(columnwise_cost(w, &cost, error));
    *better = start == 0 || cost < *best;
    TRY(columnwise_tell(w, COLUMNWISE_COST, better, sizeof *better, error));
    *best = *better ? cost : *best;
    return KITH_OK;
}

static kith_status start_once(columnwise *w, uint64_t seed, uint64_t start, int64_t *best,
                              kith_error *error)
{
    columnwise_result *r = w->result;
    const columnwise_result kept = *r;
    unsigned char better;
    r->polishing = 0;
    TRY(begin(w, seed, start, error));
    TRY(first_clusters(w, error));
    TRY(improve(w, error));
    TRY(w->spec->finish == FINISH_MERGE ? columnwise_merge(w, error) : columnwise_hybrid(w, error));
    TRY(is_best(w, start, best, &better, error));
    if (!better) {
        r->passes = kept.passes;
        r->polishing = kept.polishing;
        r->stopped = kept.stopped;
        return KITH_OK;
    }
    memcpy(r->partition.class_of, w->c.of, w->p->records * sizeof(uint32_t));
    r->partition.classes = w->c.used;
    return KITH_OK;
}

/* One start with memory of its own. */
static kith_status try_start(const columnwise *frame, uint64_t seed, uint64_t start, int64_t *best,
                             kith_error *error)
{
    columnwise w = *frame;
    w.memory = TRY_ALLOC(arena_new(), error);
    kith_status status = start_once(&w, seed, start, best, error);
    arena_free(w.memory);
    return status;
}

kith_status columnwise_check(const problem *p, kith_error *error)
{
    if (problem_costs_secrets(p))
        return error_set(error, KITH_INVALID,
                         "a measure that depends on sensitive values needs all columns in one "
                         "place");
    for (uint32_t m = 0; m < p->models; m++)
        if (model_of_sites(p->model[m].id) || !model_closed(&p->model[m]) ||
            models_need_closure(&p->model[m], 1))
            return error_set(error, KITH_INVALID,
                             "clustering over columns does not serve the model %s",
                             model_name(p->model[m].id));
    if (p->records == 0)
        return error_set(error, KITH_INFEASIBLE, "no records to anonymize");
    if (p->records < p->k)
        return error_set(error, KITH_INFEASIBLE,
                         "only %u record%s: k-anonymity with k = %u cannot be met", p->records,
                         p->records == 1 ? "" : "s", p->k);
    return KITH_OK;
}

/* Whether the models can be met, and K: the pivot sees both. */
static kith_status agree(columnwise *w, kith_error *error)
{
    uint32_t terms[2] = {0, 0};
    kith_status status = KITH_OK;
    if (w->decides) {
        status = search_feasible(w->p, w->run->memory, error);
        if (status != KITH_OK && status != KITH_INFEASIBLE)
            return status;
        terms[0] = status == KITH_OK;
        terms[1] = admit_minimum_size(w->p);
    }
    TRY(columnwise_tell(w, COLUMNWISE_TERMS, terms, sizeof terms, error));
    if (status == KITH_OK && terms[0] == 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the holder of the sensitive columns says that the models cannot be met");
    w->aim = terms[1];
    if (status == KITH_OK && (w->aim == 0 || w->aim > w->p->records))
        return columnwise_refuse(w, COLUMNWISE_TERMS, error);
    return status;
}

kith_status columnwise_run(columnwise_result *result, const problem *p, const search_spec *spec,
                           const columnwise_link *link, uint64_t seed, context *c,
                           kith_error *error)
{
    const uint32_t starts = spec->restarts > 0 ? spec->restarts : 1;
    int64_t best = 0;
    *result = (columnwise_result){.stopped = "no move"};
    columnwise w = {.p = p, .spec = spec, .link = link, .run = c, .result = result};
    w.decides = !link->follows;
    for (uint32_t m = 0; m < p->models; m++)
        w.conditions |= p->model[m].id != MODEL_K_ANONYMITY;
    TRY(columnwise_check(p, error));
    TRY(agree(&w, error));
    partition *out = &result->partition;
    out->class_of = TRY_ALLOC(arena_array(c->memory, p->records, sizeof *out->class_of), error);
    out->classes = p->records;
    for (uint32_t i = 0; i < p->records; i++)
        out->class_of[i] = i; /* nothing needs to be hidden */
    for (uint32_t start = 0; start < starts && (w.aim > 1 || w.conditions); start++)
        TRY(try_start(&w, seed, start, &best, error));
    return partition_close(out, p, c->memory, error);
}
