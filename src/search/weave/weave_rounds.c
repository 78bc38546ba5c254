#include "search/weave/weave_rounds.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "search/weave/weave_chunk.h"

enum { MIN_CHUNK = 128, MAX_CHUNK = WEAVE_ROUNDS_MAX_CHUNK, KEYS_PER_TASK = 1024 };

/* The temperature falls to 0 when this share of the work is done. */
static const double COLD = 0.85;

/* A cluster's place in the order of a round: by closure, as many slots as fit into 64 bits, then by
 * number, so that the order is the same everywhere. */
typedef struct cluster_key {
    uint64_t bits;
    uint32_t cluster;
} cluster_key;

/* Part of the order of clusters, and what a thread has made of it. */
typedef struct chunk_range {
    uint32_t first_cluster; /* in the order */
    uint32_t first_record;  /* of all records, in this order */
    uint32_t n_clusters;    /* result */
    int64_t cost;           /* result */
} chunk_range;

typedef struct round_state {
    /* All rounds. */
    weave_shared *shared;
    weave_partition best;
    int64_t best_cost;
    double tries; /* per cluster */
    atomic_bool failed;
    /* One round. */
    uint32_t round;
    weave_chunk_plan plan;
    weave_partition now, next; /* before and after it */
    uint32_t *slot_order;      /* [slots] */
    cluster_key *keys;         /* [clusters] */
    uint32_t *order;           /* [clusters] as sorted */
    uint32_t n_chunks;
    chunk_range *chunks; /* [n_chunks + 1] the last one is the end */
    /* Sizes of the clusters that chunks have made. A chunk writes from the place of its first
     * record divided by `min_class` on: it has at most as many clusters as would fit there. */
    uint32_t *sizes; /* [n_records / min_class] */
} round_state;

/* Ids of a closure in the order of slots; SLOT_NONE comes behind all ids of its slot. */
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

/* Keys of KEYS_PER_TASK clusters: closures are not kept between rounds. */
static void key_task(void *user, size_t index, unsigned worker)
{
    round_state *r = user;
    weave_chunk *c = &r->shared->workers[worker];
    const weave_partition *w = &r->now;
    uint32_t first = (uint32_t)index * KEYS_PER_TASK, end = first + KEYS_PER_TASK;
    for (uint32_t i = first; i < end && i < w->count; i++) {
        slots_close(c->slots, c->closure, w->members + w->start[i], w->start[i + 1] - w->start[i]);
        r->keys[i] = (cluster_key){closure_bits(c->slots, c->closure, r->slot_order), i};
    }
}

/* Sorts the clusters by closure; the order of slots is drawn anew for every round, so that other
 * clusters become neighbours. */
static void sort_clusters(round_state *r)
{
    const uint32_t n_slots = r->shared->slots.count, count = r->now.count;
    rng order;
    rng_init(&order, r->shared->context->seed, (uint64_t)r->round << 32 | UINT32_MAX);
    for (uint32_t i = 0; i < n_slots; i++)
        r->slot_order[i] = i;
    rng_shuffle(&order, r->slot_order, n_slots);
    threads_run(r->shared->context->pool, (count + KEYS_PER_TASK - 1) / KEYS_PER_TASK, key_task, r);
    qsort(r->keys, count, sizeof *r->keys, sort_uint64_uint32);
    for (uint32_t i = 0; i < count; i++)
        r->order[i] = r->keys[i].cluster;
}

/* Cuts the sorted clusters into chunks. */
static void cut_chunks(round_state *r)
{
    const weave_partition *w = &r->now;
    uint32_t size = w->count / 4;
    size = size < MIN_CHUNK ? MIN_CHUNK : size > MAX_CHUNK ? MAX_CHUNK : size;
    r->n_chunks = (w->count + size - 1) / size;
    uint32_t record = 0, cluster = 0;
    for (uint32_t i = 0; i < r->n_chunks; i++) {
        r->chunks[i].first_cluster = cluster;
        r->chunks[i].first_record = record;
        uint32_t end = (uint32_t)((uint64_t)w->count * (i + 1) / r->n_chunks);
        for (; cluster < end; cluster++)
            record += w->start[r->order[cluster] + 1] - w->start[r->order[cluster]];
    }
    r->chunks[r->n_chunks].first_cluster = cluster;
    r->chunks[r->n_chunks].first_record = record;
}

/* Improves one chunk. Its clusters go to the place of its records in the next partition. */
static void chunk_task(void *user, size_t index, unsigned worker)
{
    round_state *r = user;
    weave_shared *shared = r->shared;
    weave_chunk *c = &shared->workers[worker];
    chunk_range *range = &r->chunks[index];
    const uint32_t first = range->first_cluster, count = range[1].first_cluster - first;
    if (worker == 0 && !context_progress(shared->context, "weave", -1))
        atomic_store(&shared->stop, true);
    range->cost = 0;
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
    range->n_clusters =
        weave_chunk_unload(c, r->next.members + range->first_record,
                           r->sizes + range->first_record / shared->min_class, &range->cost);
}

/* Puts the clusters of all chunks together, in order; returns their total cost. */
static int64_t finish_round(round_state *r)
{
    weave_partition done = r->next;
    int64_t total = 0;
    done.count = done.start[0] = 0;
    for (uint32_t i = 0; i < r->n_chunks; i++) {
        const uint32_t *sizes = r->sizes + r->chunks[i].first_record / r->shared->min_class;
        for (uint32_t c = 0; c < r->chunks[i].n_clusters; c++, done.count++)
            done.start[done.count + 1] = done.start[done.count] + sizes[c];
        total += r->chunks[i].cost;
    }
    r->next = r->now;
    r->now = done;
    return total;
}

/* Share of the work that is done: of the time, or of the rounds. */
static double progress(const weave_schedule *s, uint32_t round, double begun)
{
    double done =
        s->seconds > 0 ? (context_seconds() - begun) / s->seconds : round / (double)s->n_rounds;
    return done < 1 ? done : 1;
}

kith_status weave_rounds(weave_partition *w, weave_shared *shared, const weave_schedule *s,
                         double begun, kith_error *error)
{
    CHECK(weave_partition_check(w, shared));
    arena *memory = shared->context->memory;
    size_t max_clusters = (size_t)shared->problem->n_records / shared->min_class;
    round_state r = {.shared = shared, .now = *w, .best_cost = INT64_MAX};
    TRY(weave_partition_init(&r.next, shared->problem->n_records, shared->min_class, memory,
                             error));
    TRY(weave_partition_init(&r.best, shared->problem->n_records, shared->min_class, memory,
                             error));
    r.sizes = TRY_ARRAY(r.sizes, memory, max_clusters, error);
    r.order = TRY_ARRAY(r.order, memory, max_clusters, error);
    r.keys = TRY_ARRAY(r.keys, memory, max_clusters, error);
    r.slot_order = TRY_ARRAY(r.slot_order, memory, shared->slots.count, error);
    size_t n_chunks = max_clusters / MIN_CHUNK + 2; /* a last, smaller one, and the end */
    r.chunks = TRY_ZEROS(r.chunks, memory, n_chunks, error);
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
        CHECK(weave_partition_check(&r.now, shared));
        if (cost < r.best_cost) {
            /* With a temperature a later partition may cost more than an earlier one. */
            r.best_cost = cost;
            r.best.count = r.now.count;
            memcpy(r.best.members, r.now.members,
                   r.shared->slots.n_records * sizeof *r.best.members);
            memcpy(r.best.start, r.now.start, ((size_t)r.now.count + 1) * sizeof *r.best.start);
        }
        r.round++;
    }
    if (r.round > 0)
        *w = r.best;
    return KITH_OK;
}
