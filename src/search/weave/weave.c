#include "search/weave/weave.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "search/weave/weave_chunk.h"
#include "search/weave/weave_internal.h"
#include "search/weave/weave_leftovers.h"
#include "search/weave/weave_rounds.h"
#include "search/weave/weave_trim.h"

enum { MAX_TREES = 12 };

/* A pool is tried with the classes of others only if it is at most this part of all records. */
enum { SMALL_POOL = 16 };

/* Measured on Adult: what a split with a large rest is worth, relative to one without. */
static const double REST_SHARE = 0.6;

/* Which share of a set a split should keep depends on table and models. Where models have
 * conditions a start is made with each of these, and the cheapest wins. */
static const double KEEP[] = {0.5, 0.65, 0.8};
enum { N_KEEP = sizeof KEEP / sizeof KEEP[0] };

typedef struct grow_tasks {
    weave_shared *shared;
    uint32_t *members;
    const weave_node *node;
    const weave_tree_style *style;
} grow_tasks;

/* Grows one of the sets that the first worker has put off. */
static void grow_task(void *user, size_t index, unsigned worker)
{
    grow_tasks *g = user;
    context *c = g->shared->context;
    if (worker == 0 && !context_progress(c, "grow", -1))
        atomic_store(&g->shared->stop, true);
    weave_tree_resume(&g->shared->workers[worker].tree, g->members, &g->node[index], g->style);
}

/* Grows a tree over a list of records with all threads. */
static kith_status grow_all(segments *leaves, weave_shared *shared, const weave_tree_style *style,
                            uint32_t *list, uint32_t count, kith_error *error)
{
    weave_tree *first = &shared->workers[0].tree;
    uint32_t cut = shared->n_workers > 1 ? shared->task_records : 0;
    for (unsigned i = 0; i < shared->n_workers; i++)
        shared->workers[i].tree.leaves.count = 0;
    weave_tree_grow(first, list, count, style, NULL, cut);
    grow_tasks g = {shared, list, first->put_off.items, style};
    threads_run(shared->context->pool, first->put_off.count, grow_task, &g);
    /* The leaves of all workers by place, so that their order does not depend on which worker grew
     * which set. */
    *leaves = (segments){0};
    for (unsigned i = 0; i < shared->n_workers; i++) {
        leaves->count += shared->workers[i].tree.leaves.count;
        if (shared->workers[i].tree.failed)
            return error_nomem(error);
    }
    arena *memory = shared->context->memory;
    leaves->items = TRY_ARRAY(leaves->items, memory, leaves->count, error);
    uint32_t at = 0;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        const segments *leaf = &shared->workers[i].tree.leaves;
        if (leaf->count > 0)
            memcpy(leaves->items + at, leaf->items, leaf->count * sizeof *leaves->items);
        at += leaf->count;
    }
    qsort(leaves->items, leaves->count, sizeof *leaves->items, sort_uint32);
    return KITH_OK;
}

/* Appends the leaves to the partition and moves all other records to the front of the list; returns
 * how many these are. The tree was grown over the first `grown` of the list. */
static uint32_t move_leaves(weave_partition *w, const segments *leaves, uint32_t *list,
                            uint32_t grown, uint32_t count)
{
    uint32_t at = 0, left = 0;
    for (uint32_t i = 0; i <= leaves->count; i++) {
        uint32_t end = i < leaves->count ? leaves->items[i].first : grown;
        for (; at < end; at++)
            list[left++] = list[at];
        if (i == leaves->count)
            break;
        uint32_t size = leaves->items[i].size;
        memcpy(w->members + w->start[w->count], list + at, size * sizeof *list);
        w->start[w->count + 1] = w->start[w->count] + size;
        w->count++;
        at += size;
    }
    for (; at < count; at++)
        list[left++] = list[at];
    return left;
}

/* Total cost of a partition; the closure of the worker is scratch. */
static int64_t cost_of(const weave_partition *w, const weave_chunk *c)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t *members = w->members + w->start[i];
        uint32_t size = w->start[i + 1] - w->start[i];
        slots_close(c->slots, c->closure, members, size);
        sum += (int64_t)size * slots_cost(c->slots, c->closure, members[0]);
    }
    return sum;
}

/* Has a tree kept the whole list as one class that shows no more than all records have in
 * common? */
static bool keeps_nothing(const weave_partition *w, const segments *leaves, const weave_chunk *c,
                          const uint32_t *list, uint32_t count)
{
    if (leaves->count != 1 || leaves->items[0].size != count)
        return false;
    slots_close(c->slots, c->closure, list, count);
    for (uint32_t m = 0; m < w->start[w->count]; m++) {
        const uint16_t *row = slots_row(c->slots, w->members[m]);
        for (uint32_t s = 0; s < c->slots->count; s++)
            if (c->closure[s] != SLOT_NONE && c->closure[s] != row[s])
                return false;
    }
    return true;
}

/* The partition that `w` becomes if the classes that it has so far take all that is left. */
static kith_status without_pool(weave_partition *other, const weave_partition *w,
                                weave_shared *shared, const uint32_t *list, uint32_t left,
                                kith_error *error)
{
    TRY(weave_partition_init(other, shared->problem->n_records, shared->min_class,
                             shared->context->memory, error));
    other->count = w->count;
    memcpy(other->start, w->start, ((size_t)w->count + 1) * sizeof *w->start);
    memcpy(other->members, w->members, w->start[w->count] * sizeof *w->members);
    return weave_leftovers(other, shared, list, left, error);
}

/* One start. What trees eject is the list of the next tree, until too little is left. Where records
 * with nothing in common become a class, the classes before it may be cheaper for them. */
static kith_status start_once(weave_partition *w, weave_shared *shared,
                              const weave_tree_style *style, uint32_t *list, kith_error *error)
{
    const uint32_t n_records = shared->problem->n_records;
    const weave_chunk *first = &shared->workers[0];
    weave_partition other = {0};
    uint32_t left = n_records;
    for (uint32_t i = 0; i < left; i++)
        list[i] = i;
    w->count = w->start[0] = 0;
    for (int round = 0; round < MAX_TREES && left >= shared->min_class; round++) {
        weave_tree *t = &shared->workers[0].tree;
        uint32_t fits = weave_trim(t->rules, list, left, t->spare);
        if (fits < shared->min_class)
            break;
        segments leaves;
        TRY(grow_all(&leaves, shared, style, list, fits, error));
        if (w->count > 0 && other.count == 0 && left <= n_records / SMALL_POOL &&
            keeps_nothing(w, &leaves, first, list, left))
            TRY(without_pool(&other, w, shared, list, left, error));
        left = move_leaves(w, &leaves, list, fits, left);
    }
    if (w->count == 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the models do not hold even if all records form one class");
    TRY(weave_leftovers(w, shared, list, left, error));
    if (other.count > 0 && cost_of(&other, first) < cost_of(w, first))
        *w = other;
    return KITH_OK;
}

/* The first partition: a tree over all records, trees over the records that these eject, and
 * clusters for the few records that remain (weave_leftovers.h). Fills w, whose arrays have been
 * allocated. All classes satisfy all models. KITH_INFEASIBLE if not
 * even all records together do. */
static kith_status weave_start(weave_partition *w, weave_shared *shared, kith_error *error)
{
    const weave_chunk *c = &shared->workers[0];
    arena *memory = shared->context->memory;
    weave_partition other;
    TRY(weave_partition_init(&other, shared->problem->n_records, shared->min_class, memory, error));
    uint32_t *list = TRY_ARRAY(list, memory, shared->problem->n_records, error);
    int64_t best = INT64_MAX;
    const int n_starts = c->rules.n_conditions > 0 && !c->rules.only_units ? N_KEEP : 1;
    for (int i = 0; i < n_starts && !atomic_load(&shared->stop); i++) {
        weave_tree_style style = {.rest_share = REST_SHARE, .keep = KEEP[i]};
        TRY(start_once(&other, shared, &style, list, error));
        int64_t cost = cost_of(&other, c);
        if (cost >= best)
            continue;
        best = cost;
        weave_partition swap = *w;
        *w = other;
        other = swap;
    }
    CHECK(weave_partition_check(w, shared));
    return KITH_OK;
}

enum { MIN_TASK_RECORDS = 4096 };

/* More rounds need a higher temperature at the start: they have the time to cool down. */
static weave_schedule plan_effort(const search_spec *spec)
{
    switch (spec->effort) {
    case EFFORT_QUICK: return (weave_schedule){.n_rounds = 0};
    case EFFORT_BEST: return (weave_schedule){.n_rounds = 100, .tries = 1, .heat = 1};
    case EFFORT_SECONDS: return (weave_schedule){UINT32_MAX, 1, 1, spec->seconds};
    default: return (weave_schedule){.n_rounds = 16, .tries = 1, .heat = 0.3};
    }
}

kith_status weave_partition_init(weave_partition *w, uint32_t n_records, uint32_t min_class,
                                 arena *memory, kith_error *error)
{
    *w = (weave_partition){0};
    w->members = TRY_ARRAY(w->members, memory, n_records, error);
    w->start = TRY_ARRAY(w->start, memory, (size_t)n_records / min_class + 1, error);
    return KITH_OK;
}

#if KITH_DEBUG
void weave_partition_check(const weave_partition *w, const weave_shared *shared)
{
    const uint32_t n_records = shared->problem->n_records;
    bool *placed = calloc(n_records, sizeof *placed);
    if (placed == NULL) /* a check must not make a run fail that could go on */
        return;
    ASSERT(w->start[0] == 0 && w->start[w->count] == n_records);
    for (uint32_t c = 0; c < w->count; c++) {
        const uint32_t *members = w->members + w->start[c], size = w->start[c + 1] - w->start[c];
        ASSERT(w->start[c] < w->start[c + 1] && size >= shared->min_class);
        ASSERT(class_rules_allow(&shared->workers[0].rules, members, size));
        for (uint32_t i = 0; i < size; i++) {
            ASSERT(members[i] < n_records && !placed[members[i]]);
            placed[members[i]] = true;
        }
    }
    free(placed);
}
#endif

static void free_arena(void *memory)
{
    arena_free(memory);
}

/* Grows and improves the classes of one piece. */
static kith_status search_piece(weave_partition *w, const problem *p, const search_spec *spec,
                                context *c, kith_error *error)
{
    const double begun = context_seconds();
    const weave_schedule s = plan_effort(spec);
    weave_shared *shared = TRY_ALLOC(arena_alloc(c->memory, sizeof *shared), error);
    /* Every worker has an arena of its own, since arenas belong to one thread. */
    *shared = (weave_shared){.problem = p, .context = c, .min_class = class_rules_min_size(p)};
    shared->min_class = shared->min_class > 0 ? shared->min_class : 1;
    TRY(slots_build(&shared->slots, p, shared->min_class, c->memory, error));
    shared->n_workers = threads_count(c->pool);
    shared->workers = TRY_ZEROS(shared->workers, c->memory, shared->n_workers, error);
    /* Several tasks for each worker, so that no worker waits long for the others. */
    uint32_t share = p->n_records / (shared->n_workers * 8);
    shared->task_records = share > MIN_TASK_RECORDS ? share : MIN_TASK_RECORDS;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        arena *own = TRY_ALLOC(arena_new_like(c->memory), error);
        TRY_ALLOC(arena_defer(c->memory, free_arena, own), error);
        uint32_t max_records = i == 0 ? p->n_records : shared->task_records;
        TRY(weave_chunk_init(&shared->workers[i], &shared->slots, p, shared->min_class,
                             WEAVE_ROUNDS_MAX_CHUNK, max_records, own, error));
        shared->workers[i].tree.stop = &shared->stop;
    }
    TRY(weave_partition_init(w, p->n_records, shared->min_class, c->memory, error));
    TRY(weave_start(w, shared, error));
    if (s.n_rounds > 0 && shared->slots.count > 0)
        TRY(weave_rounds(w, shared, &s, begun, error));
    return KITH_OK;
}

/* One call. The shares of the present piece, and of those before it, of what is searched here. */
typedef struct weave_pieces {
    const record_source *records;
    const search_spec *spec;
    context *context;
    const division *division;
    double before, share;
} weave_pieces;

/* What the caller hears of the progress of a piece is its part of the whole. */
static bool tell_whole(void *user, const char *phase, double done)
{
    const weave_pieces *t = user;
    return context_progress(t->context, phase, done < 0 ? -1 : t->before + done * t->share);
}

/* After an interrupt a piece is grown, but not improved: its records have no class yet. */
static kith_status run_piece(weave_pieces *t, uint32_t number, arena *memory, kith_error *error)
{
    const record_source *r = t->records;
    context *c = t->context, own = *c;
    problem p;
    weave_partition w;
    own.memory = memory;
    TRY(r->fetch(r->self, number, &p, &own, error));
    c->cancelled = own.cancelled;
    kith_run told = *c->run;
    told.progress = c->cancelled ? NULL : tell_whole;
    told.user = t;
    search_spec spec = *t->spec;
    spec.seconds *= t->share;
    if (c->cancelled)
        spec.effort = EFFORT_QUICK;
    context alone = {.memory = memory,
                     .pool = c->pool,
                     .seed = division_seed(t->division, c->seed, number),
                     .run = &told};
    TRY(search_piece(&w, &p, &spec, &alone, error));
    partition classes = {.n_classes = w.count};
    classes.class_of = TRY_ARRAY(classes.class_of, memory, p.n_records, error);
    for (uint32_t class = 0; class < w.count; class ++)
        for (uint32_t i = w.start[class]; i < w.start[class + 1]; i++)
            classes.class_of[w.members[i]] = class;
    TRY(partition_close(&classes, &p, memory, error));
    own.cancelled = c->cancelled;
    const kith_status status = r->put(r->self, number, &classes, &own, error);
    c->cancelled = own.cancelled;
    return status;
}

static kith_status run_pieces(weave_pieces *t, const bool *here, kith_error *error)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < division_count(t->division); i++)
        all += here[i] ? division_size(t->division, i) : 0;
    for (uint32_t i = 0; i < division_count(t->division); i++) {
        if (!here[i])
            continue;
        arena *memory = TRY_ALLOC(arena_new_like(t->context->memory), error);
        t->share = (double)division_size(t->division, i) / (double)all;
        const kith_status status = run_piece(t, i, memory, error);
        t->before += t->share;
        arena_free(memory);
        TRY(status);
    }
    return KITH_OK;
}

kith_status weave_run(search_result *result, const problem *p, const record_source *r,
                      const search_spec *spec, context *c, kith_error *error)
{
    division *d;
    const uint32_t min_class = class_rules_min_size_of(p, r->count);
    const uint32_t limit = division_limit(p, min_class, spec->piece);
    TRY(division_make(&d, p, r->count, min_class, limit, &r->scan, c, error));
    bool *here = TRY_ARRAY(here, c->memory, division_count(d), error);
    for (uint32_t i = 0; i < division_count(d); i++)
        here[i] = true;
    TRY(r->divide(r->self, d, here, error));
    weave_pieces t = {.records = r, .spec = spec, .context = c, .division = d};
    TRY(run_pieces(&t, here, error));
    /* An interrupt on one rank is one on all. */
    uint64_t n_cancelled = c->cancelled;
    TRY(ranks_sum(c->ranks, &n_cancelled, 1, error));
    c->cancelled = n_cancelled > 0;
    if (r->finish != NULL)
        TRY(r->finish(r->self, error));
    result->interrupted = c->cancelled;
    result->stopped = c->cancelled ? "interrupted" : "done";
    return KITH_OK;
}
