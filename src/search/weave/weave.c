/* Weave: grows a tree over all records, then reweaves neighbouring clusters again and again.
 *
 * The work of a round is cut into chunks of clusters that lie side by side in an order of closures,
 * another order each round, so that threads never touch the same cluster. Every chunk has a random
 * generator of its own, by round and place: the result is the same for any number of threads, as
 * long as no clock is asked (a budget in seconds) and nobody interrupts. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/algorithms.h"
#include "search/weave/weave_start.h"

enum { MIN_CHUNK = 128, MAX_CHUNK = 256, MIN_TASK_RECORDS = 4096 };

/* Temperatures fall to 0 when this share of the work is done. */
static const double COLD = 0.85;

/* How long to reweave. */
typedef struct schedule {
    uint32_t n_rounds;
    double tries; /* per cluster and round */
    double heat;  /* temperature at the start, in attributes of one record lost */
    double seconds;
} schedule;

static schedule plan_effort(const search_spec *spec)
{
    switch (spec->effort) {
    case EFFORT_QUICK: return (schedule){.n_rounds = 0};
    case EFFORT_BEST: return (schedule){.n_rounds = 100, .tries = 1, .heat = 1};
    case EFFORT_SECONDS: return (schedule){UINT32_MAX, 1, 1, spec->seconds};
    default: return (schedule){.n_rounds = 16, .tries = 1, .heat = 0.3};
    }
}

/* The state of the rounds. `sizes` has room for records / least clusters: chunk by chunk, each
 * beginning at the place of its first record divided by `min_class`. */
typedef struct rounds {
    weave_shared *shared;
    weave_partition now, next, best;
    uint32_t *sizes;
    uint32_t *order; /* clusters as sorted */
    struct key *key;
    uint32_t *slot_order;
    uint32_t n_chunks;
    uint32_t *first_cluster, *first_record, *found; /* [n_chunks + 1] */
    int64_t *cost;                                  /* [n_chunks] */
    int64_t best_cost;
    uint32_t round;
    weave_chunk_plan plan;
    double tries;
    atomic_bool failed;
} rounds;

/* Sorts by closure: as many slots as fit 64 bits, then the number of the cluster. */
typedef struct key {
    uint64_t bits;
    uint32_t cluster;
} key;

static int by_key(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

static uint64_t closure_bits(const slots *s, const uint16_t *closure, const uint32_t *slot_order)
{
    uint64_t bits = 0;
    unsigned room = 64;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = slot_order[i],
                 id = closure[at] == SLOT_NONE ? s->slots[at].n_ids : closure[at];
        unsigned width = 32 - (unsigned)__builtin_clz(s->slots[at].n_ids);
        if (width > room)
            break;
        bits = bits << width | id;
        room -= width;
    }
    return bits;
}

enum { KEYS_PER_TASK = 1024 };

static void key_task(void *user, size_t index, unsigned worker)
{
    rounds *r = user;
    weave_chunk *c = &r->shared->workers[worker];
    const weave_partition *w = &r->now;
    uint32_t first = (uint32_t)index * KEYS_PER_TASK, end = first + KEYS_PER_TASK;
    for (uint32_t i = first; i < end && i < w->count; i++) {
        slots_close(c->slots, c->closure, w->members + w->start[i], w->start[i + 1] - w->start[i]);
        r->key[i] = (key){closure_bits(c->slots, c->closure, r->slot_order), i};
    }
}

static void sort_clusters(rounds *r)
{
    uint32_t slots_count = r->shared->slots.count, count = r->now.count;
    rng order;
    rng_init(&order, r->shared->context->seed, (uint64_t)r->round << 32 | UINT32_MAX);
    for (uint32_t i = 0; i < slots_count; i++)
        r->slot_order[i] = i;
    rng_shuffle(&order, r->slot_order, slots_count);
    threads_run(r->shared->context->pool, (count + KEYS_PER_TASK - 1) / KEYS_PER_TASK, key_task, r);
    qsort(r->key, count, sizeof *r->key, by_key);
    for (uint32_t i = 0; i < count; i++)
        r->order[i] = r->key[i].cluster;
}

/* Cuts the sorted clusters into chunks. */
static void cut_chunks(rounds *r)
{
    const weave_partition *w = &r->now;
    uint32_t size = w->count / 4;
    size = size < MIN_CHUNK ? MIN_CHUNK : size > MAX_CHUNK ? MAX_CHUNK : size;
    r->n_chunks = (w->count + size - 1) / size;
    uint32_t record = 0, cluster = 0;
    for (uint32_t i = 0; i < r->n_chunks; i++) {
        r->first_cluster[i] = cluster;
        r->first_record[i] = record;
        uint32_t end = (uint32_t)((uint64_t)w->count * (i + 1) / r->n_chunks);
        for (; cluster < end; cluster++)
            record += w->start[r->order[cluster] + 1] - w->start[r->order[cluster]];
    }
    r->first_cluster[r->n_chunks] = cluster;
    r->first_record[r->n_chunks] = record;
}

static void chunk_task(void *user, size_t index, unsigned worker)
{
    rounds *r = user;
    weave_shared *shared = r->shared;
    weave_chunk *c = &shared->workers[worker];
    uint32_t first = r->first_cluster[index], count = r->first_cluster[index + 1] - first;
    if (worker == 0 && !context_progress(shared->context, "weave", -1))
        atomic_store(&shared->stop, true);
    r->cost[index] = 0;
    if (!weave_chunk_load(c, &r->now, r->order + first, count)) {
        atomic_store(&r->failed, true);
        return;
    }
    rng_init(&c->rng, shared->context->seed, (uint64_t)r->round << 32 | index);
    weave_chunk_plan plan = r->plan;
    plan.n_tries = (uint32_t)(r->tries * count);
    weave_chunk_improve(c, &plan);
    if (c->tree.failed)
        atomic_store(&r->failed, true);
    uint32_t place = r->first_record[index];
    r->found[index] = weave_chunk_unload(c, r->next.members + place,
                                         r->sizes + place / shared->min_class, &r->cost[index]);
}

/* Takes over what the chunks have made. Returns the total cost. */
static int64_t finish_round(rounds *r)
{
    weave_partition done = r->next;
    int64_t total = 0;
    done.count = done.start[0] = 0;
    for (uint32_t i = 0; i < r->n_chunks; i++) {
        const uint32_t *sizes = r->sizes + r->first_record[i] / r->shared->min_class;
        for (uint32_t c = 0; c < r->found[i]; c++, done.count++)
            done.start[done.count + 1] = done.start[done.count] + sizes[c];
        total += r->cost[i];
    }
    r->next = r->now;
    r->now = done;
    return total;
}

static void save_best(rounds *r, int64_t cost)
{
    r->best_cost = cost;
    r->best.count = r->now.count;
    memcpy(r->best.members, r->now.members, r->shared->slots.n_records * sizeof *r->best.members);
    memcpy(r->best.start, r->now.start, ((size_t)r->now.count + 1) * sizeof *r->best.start);
}

static kith_status rounds_init(rounds *r, weave_shared *shared, const weave_partition *start,
                               kith_error *error)
{
    arena *memory = shared->context->memory;
    size_t max_clusters = (size_t)shared->problem->n_records / shared->min_class;
    *r = (rounds){.shared = shared, .now = *start, .best_cost = INT64_MAX};
    TRY(weave_chunk_partition_init(&r->next, shared->problem->n_records, shared->min_class, memory,
                                   error));
    TRY(weave_chunk_partition_init(&r->best, shared->problem->n_records, shared->min_class, memory,
                                   error));
    r->sizes = TRY_ALLOC(arena_array(memory, max_clusters, sizeof *r->sizes), error);
    r->order = TRY_ALLOC(arena_array(memory, max_clusters, sizeof *r->order), error);
    r->key = TRY_ALLOC(arena_array(memory, max_clusters, sizeof *r->key), error);
    r->slot_order =
        TRY_ALLOC(arena_array(memory, shared->slots.count, sizeof *r->slot_order), error);
    size_t n_chunks = max_clusters / MIN_CHUNK + 2; /* a last, smaller one, and the end */
    r->first_cluster = TRY_ALLOC(arena_array(memory, n_chunks, sizeof *r->first_cluster), error);
    r->first_record = TRY_ALLOC(arena_array(memory, n_chunks, sizeof *r->first_record), error);
    r->found = TRY_ALLOC(arena_zalloc(memory, n_chunks, sizeof *r->found), error);
    r->cost = TRY_ALLOC(arena_zalloc(memory, n_chunks, sizeof *r->cost), error);
    return KITH_OK;
}

/* Share of the work that is done: of the time, or of the rounds. */
static double progress(const schedule *s, uint32_t round, double begun)
{
    double done =
        s->seconds > 0 ? (context_seconds() - begun) / s->seconds : round / (double)s->n_rounds;
    return done < 1 ? done : 1;
}

static kith_status reweave(weave_partition *w, weave_shared *shared, const schedule *s,
                           double begun, kith_error *error)
{
    rounds r;
    TRY(rounds_init(&r, shared, w, error));
    double whole = shared->workers[0].tree.whole;
    r.tries = s->tries;
    r.plan = (weave_chunk_plan){.min_clusters = 3, .max_clusters = 7, .stop = &shared->stop};
    r.plan.deadline = s->seconds > 0 ? begun + s->seconds : 0;
    while (r.round < s->n_rounds) {
        double done = progress(s, r.round, begun);
        if (done >= 1 || atomic_load(&shared->stop) ||
            !context_progress(shared->context, "weave", done))
            break;
        r.plan.temperature = done < COLD ? s->heat * whole * (1 - done) : 0;
        sort_clusters(&r);
        cut_chunks(&r);
        threads_run(shared->context->pool, r.n_chunks, chunk_task, &r);
        if (atomic_load(&r.failed))
            return error_nomem(error);
        int64_t cost = finish_round(&r);
        if (cost < r.best_cost)
            save_best(&r, cost);
        r.round++;
    }
    if (r.round > 0)
        *w = r.best;
    return KITH_OK;
}

static void free_arena(void *memory)
{
    arena_free(memory);
}

/* Every worker has an arena of its own, since arenas belong to one thread. */
static kith_status open_shared(weave_shared *shared, const problem *p, context *c,
                               kith_error *error)
{
    *shared = (weave_shared){.problem = p, .context = c, .min_class = class_rules_min_size(p)};
    shared->min_class = shared->min_class > 0 ? shared->min_class : 1;
    TRY(slots_build(&shared->slots, p, shared->min_class, c->memory, error));
    shared->n_workers = threads_count(c->pool);
    shared->workers =
        TRY_ALLOC(arena_zalloc(c->memory, shared->n_workers, sizeof *shared->workers), error);
    uint32_t cut = p->n_records / (shared->n_workers * 8);
    shared->task_records = cut > MIN_TASK_RECORDS ? cut : MIN_TASK_RECORDS;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        arena *own = TRY_ALLOC(arena_new(), error);
        if (!arena_defer(c->memory, free_arena, own))
            return error_nomem(error);
        uint32_t max_records = i == 0 ? p->n_records : shared->task_records;
        TRY(weave_chunk_init(&shared->workers[i], &shared->slots, p, shared->min_class, MAX_CHUNK,
                             max_records, own, error));
        shared->workers[i].tree.stop = &shared->stop;
    }
    return KITH_OK;
}

static kith_status write_result(search_result *result, const weave_partition *w, const problem *p,
                                arena *memory, kith_error *error)
{
    partition *out = &result->partition;
    out->n_classes = w->count;
    out->class_of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *out->class_of), error);
    for (uint32_t c = 0; c < w->count; c++)
        for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++)
            out->class_of[w->members[i]] = c;
    return partition_close(out, p, memory, error);
}

kith_status weave_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                      kith_error *error)
{
    double begun = context_seconds();
    schedule s = plan_effort(spec);
    weave_shared *shared = TRY_ALLOC(arena_alloc(c->memory, sizeof *shared), error);
    TRY(open_shared(shared, p, c, error));
    weave_partition w;
    TRY(weave_chunk_partition_init(&w, p->n_records, shared->min_class, c->memory, error));
    TRY(weave_start(&w, shared, error));
    if (s.n_rounds > 0 && shared->slots.count > 0)
        TRY(reweave(&w, shared, &s, begun, error));
    result->interrupted = c->cancelled;
    result->stopped = c->cancelled ? "interrupted" : "done";
    return write_result(result, &w, p, c->memory, error);
}
