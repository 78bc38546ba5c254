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

enum { LEAST_CHUNK = 128, MOST_CHUNK = 256, LEAST_CUT = 4096 };

/* Temperatures fall to 0 when this share of the work is done. */
static const double COLD = 0.85;

/* How long to reweave. */
typedef struct schedule {
    uint32_t rounds;
    double tries; /* per cluster and round */
    double heat;  /* temperature at the start, in attributes of one record lost */
    double seconds;
} schedule;

static schedule plan_effort(const search_spec *spec)
{
    switch (spec->effort) {
    case EFFORT_QUICK: return (schedule){.rounds = 0};
    case EFFORT_BEST: return (schedule){.rounds = 100, .tries = 1, .heat = 1};
    case EFFORT_SECONDS: return (schedule){UINT32_MAX, 1, 1, spec->seconds};
    default: return (schedule){.rounds = 16, .tries = 1, .heat = 0.3};
    }
}

/* The state of the rounds. `sizes` has room for records / least clusters: chunk by chunk, each
 * beginning at the place of its first record divided by `least`. */
typedef struct rounds {
    workshop *shop;
    weaving now, next, best;
    uint32_t *sizes;
    uint32_t *order; /* clusters as sorted */
    struct key *key;
    uint32_t *slot_order;
    uint32_t chunks;
    uint32_t *first_cluster, *first_record, *found; /* [chunks + 1] */
    int64_t *cost;                                  /* [chunks] */
    int64_t best_cost;
    uint32_t round;
    chunk_plan plan;
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
        uint32_t at = slot_order[i], id = closure[at] == SLOT_NONE ? s->slot[at].ids : closure[at];
        unsigned width = 32 - (unsigned)__builtin_clz(s->slot[at].ids);
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
    chunk *c = &r->shop->worker[worker];
    const weaving *w = &r->now;
    uint32_t first = (uint32_t)index * KEYS_PER_TASK, end = first + KEYS_PER_TASK;
    for (uint32_t i = first; i < end && i < w->count; i++) {
        slots_close(c->slots, c->closure, w->members + w->start[i], w->start[i + 1] - w->start[i]);
        r->key[i] = (key){closure_bits(c->slots, c->closure, r->slot_order), i};
    }
}

static void sort_clusters(rounds *r)
{
    uint32_t slots_count = r->shop->slots.count, count = r->now.count;
    rng order;
    rng_init(&order, r->shop->context->seed, (uint64_t)r->round << 32 | UINT32_MAX);
    for (uint32_t i = 0; i < slots_count; i++)
        r->slot_order[i] = i;
    rng_shuffle(&order, r->slot_order, slots_count);
    threads_run(r->shop->context->pool, (count + KEYS_PER_TASK - 1) / KEYS_PER_TASK, key_task, r);
    qsort(r->key, count, sizeof *r->key, by_key);
    for (uint32_t i = 0; i < count; i++)
        r->order[i] = r->key[i].cluster;
}

/* Cuts the sorted clusters into chunks. */
static void cut_chunks(rounds *r)
{
    const weaving *w = &r->now;
    uint32_t size = w->count / 4;
    size = size < LEAST_CHUNK ? LEAST_CHUNK : size > MOST_CHUNK ? MOST_CHUNK : size;
    r->chunks = (w->count + size - 1) / size;
    uint32_t record = 0, cluster = 0;
    for (uint32_t i = 0; i < r->chunks; i++) {
        r->first_cluster[i] = cluster;
        r->first_record[i] = record;
        uint32_t end = (uint32_t)((uint64_t)w->count * (i + 1) / r->chunks);
        for (; cluster < end; cluster++)
            record += w->start[r->order[cluster] + 1] - w->start[r->order[cluster]];
    }
    r->first_cluster[r->chunks] = cluster;
    r->first_record[r->chunks] = record;
}

static void chunk_task(void *user, size_t index, unsigned worker)
{
    rounds *r = user;
    workshop *shop = r->shop;
    chunk *c = &shop->worker[worker];
    uint32_t first = r->first_cluster[index], count = r->first_cluster[index + 1] - first;
    if (worker == 0 && !context_progress(shop->context, "weave", -1))
        atomic_store(&shop->stop, true);
    r->cost[index] = 0;
    if (!chunk_load(c, &r->now, r->order + first, count)) {
        atomic_store(&r->failed, true);
        return;
    }
    rng_init(&c->rng, shop->context->seed, (uint64_t)r->round << 32 | index);
    chunk_plan plan = r->plan;
    plan.tries = (uint32_t)(r->tries * count);
    chunk_weave(c, &plan);
    if (c->tree.failed)
        atomic_store(&r->failed, true);
    uint32_t place = r->first_record[index];
    r->found[index] =
        chunk_unload(c, r->next.members + place, r->sizes + place / shop->least, &r->cost[index]);
}

/* Takes over what the chunks have made. Returns the total cost. */
static int64_t finish_round(rounds *r)
{
    weaving done = r->next;
    int64_t total = 0;
    done.count = done.start[0] = 0;
    for (uint32_t i = 0; i < r->chunks; i++) {
        const uint32_t *sizes = r->sizes + r->first_record[i] / r->shop->least;
        for (uint32_t c = 0; c < r->found[i]; c++, done.count++)
            done.start[done.count + 1] = done.start[done.count] + sizes[c];
        total += r->cost[i];
    }
    r->next = r->now;
    r->now = done;
    return total;
}

static void remember(rounds *r, int64_t cost)
{
    r->best_cost = cost;
    r->best.count = r->now.count;
    memcpy(r->best.members, r->now.members, r->shop->slots.records * sizeof *r->best.members);
    memcpy(r->best.start, r->now.start, ((size_t)r->now.count + 1) * sizeof *r->best.start);
}

static kith_status rounds_init(rounds *r, workshop *shop, const weaving *start, kith_error *error)
{
    arena *memory = shop->context->memory;
    size_t most = (size_t)shop->problem->records / shop->least;
    *r = (rounds){.shop = shop, .now = *start, .best_cost = INT64_MAX};
    TRY(weaving_init(&r->next, shop->problem->records, shop->least, memory, error));
    TRY(weaving_init(&r->best, shop->problem->records, shop->least, memory, error));
    r->sizes = TRY_ALLOC(arena_array(memory, most, sizeof *r->sizes), error);
    r->order = TRY_ALLOC(arena_array(memory, most, sizeof *r->order), error);
    r->key = TRY_ALLOC(arena_array(memory, most, sizeof *r->key), error);
    r->slot_order = TRY_ALLOC(arena_array(memory, shop->slots.count, sizeof *r->slot_order), error);
    size_t chunks = most / LEAST_CHUNK + 2; /* a last, smaller one, and the end */
    r->first_cluster = TRY_ALLOC(arena_array(memory, chunks, sizeof *r->first_cluster), error);
    r->first_record = TRY_ALLOC(arena_array(memory, chunks, sizeof *r->first_record), error);
    r->found = TRY_ALLOC(arena_zalloc(memory, chunks, sizeof *r->found), error);
    r->cost = TRY_ALLOC(arena_zalloc(memory, chunks, sizeof *r->cost), error);
    return KITH_OK;
}

/* Share of the work that is done: of the time, or of the rounds. */
static double progress(const schedule *s, uint32_t round, double begun)
{
    double done =
        s->seconds > 0 ? (context_seconds() - begun) / s->seconds : round / (double)s->rounds;
    return done < 1 ? done : 1;
}

static kith_status reweave(weaving *w, workshop *shop, const schedule *s, double begun,
                           kith_error *error)
{
    rounds r;
    TRY(rounds_init(&r, shop, w, error));
    double whole = shop->worker[0].tree.whole;
    r.tries = s->tries;
    r.plan = (chunk_plan){.fewest = 3, .most = 7, .stop = &shop->stop};
    r.plan.deadline = s->seconds > 0 ? begun + s->seconds : 0;
    while (r.round < s->rounds) {
        double done = progress(s, r.round, begun);
        if (done >= 1 || atomic_load(&shop->stop) ||
            !context_progress(shop->context, "weave", done))
            break;
        r.plan.temperature = done < COLD ? s->heat * whole * (1 - done) : 0;
        sort_clusters(&r);
        cut_chunks(&r);
        threads_run(shop->context->pool, r.chunks, chunk_task, &r);
        if (atomic_load(&r.failed))
            return error_nomem(error);
        int64_t cost = finish_round(&r);
        if (cost < r.best_cost)
            remember(&r, cost);
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
static kith_status open_workshop(workshop *shop, const problem *p, context *c, kith_error *error)
{
    *shop = (workshop){.problem = p, .context = c, .least = admit_minimum_size(p)};
    shop->least = shop->least > 0 ? shop->least : 1;
    TRY(slots_build(&shop->slots, p, shop->least, c->memory, error));
    shop->workers = threads_count(c->pool);
    shop->worker = TRY_ALLOC(arena_zalloc(c->memory, shop->workers, sizeof *shop->worker), error);
    uint32_t cut = p->records / (shop->workers * 8);
    shop->cut = cut > LEAST_CUT ? cut : LEAST_CUT;
    for (unsigned i = 0; i < shop->workers; i++) {
        arena *own = TRY_ALLOC(arena_new(), error);
        if (!arena_defer(c->memory, free_arena, own))
            return error_nomem(error);
        uint32_t most = i == 0 ? p->records : shop->cut;
        TRY(chunk_init(&shop->worker[i], &shop->slots, p, shop->least, MOST_CHUNK, most, own,
                       error));
        shop->worker[i].tree.stop = &shop->stop;
    }
    return KITH_OK;
}

static kith_status hand_over(search_result *result, const weaving *w, const problem *p,
                             arena *memory, kith_error *error)
{
    partition *out = &result->partition;
    out->classes = w->count;
    out->class_of = TRY_ALLOC(arena_array(memory, p->records, sizeof *out->class_of), error);
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
    workshop *shop = TRY_ALLOC(arena_alloc(c->memory, sizeof *shop), error);
    TRY(open_workshop(shop, p, c, error));
    weaving w;
    TRY(weaving_init(&w, p->records, shop->least, c->memory, error));
    TRY(weave_start(&w, shop, error));
    if (s.rounds > 0 && shop->slots.count > 0)
        TRY(reweave(&w, shop, &s, begun, error));
    result->interrupted = c->cancelled;
    result->stopped = c->cancelled ? "interrupted" : "done";
    return hand_over(result, &w, p, c->memory, error);
}
