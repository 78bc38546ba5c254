#include "search/weave/weave_chunk.h"

#include <math.h>
#include <string.h>

#include "core/run/context.h"
#include "core/error.h"

/* Passes of moving records in a try; room for nearest clusters, of which plans ask for fewer. */
enum { MOVE_PASSES = 3, MAX_NEAREST = 16 };

/* A new tree that costs more than this multiple of the limit, even before its ejected records are
 * placed, is given up: moves of single records hardly ever gain that much. */
static const double HOPELESS = 1.02;

kith_status weave_chunk_init(weave_chunk *c, const slots *s, const problem *p, uint32_t min_class,
                             uint32_t n_clusters, uint32_t max_records, arena *memory,
                             kith_error *error)
{
    /* How many records a try can pool. Clusters are seldom much larger than `min_class`; those that
     * do not fit are left out of the try. */
    uint32_t capacity = min_class < 100000 ? 44 * min_class + 4096 : min_class,
             n_blocks = 2 * n_clusters / LANES_PER_BLOCK + 2;
    const size_t n_lanes = (size_t)n_blocks * LANES_PER_BLOCK; /* a chunk may gain clusters */
    *c = (weave_chunk){.slots = s, .memory = memory};
    TRY(class_rules_init(&c->rules, p, memory, error));
    max_records = max_records > capacity ? max_records : capacity;
    TRY(weave_tree_init(&c->tree, s, &c->rules, min_class, max_records, memory, error));
    TRY(weave_patch_init(&c->patch, s, &c->rules, min_class, capacity, memory, error));
    TRY(lanes_init(&c->lanes, s, n_blocks, memory, error));
    c->clusters = TRY_ZEROS(c->clusters, memory, n_lanes, error);
    c->costs = TRY_ZEROS(c->costs, memory, n_lanes, error);
    c->idle = TRY_ARRAY(c->idle, memory, n_lanes, error);
    c->weight = TRY_ARRAY(c->weight, memory, s->stride, error);
    c->closure = TRY_ARRAY(c->closure, memory, s->stride, error);
    return KITH_OK;
}

/* Room for the records twice and a patch: replaced clusters are appended, and the store is
 * compacted only when it is full. */
static bool weave_chunk_reserve(weave_chunk *c, uint32_t n_records)
{
    uint64_t wanted = 2 * (uint64_t)n_records + c->patch.capacity;
    if (wanted <= c->store_capacity)
        return true;
    if (wanted > UINT32_MAX)
        return false;
    size_t old = c->store_capacity * sizeof *c->store, new = (size_t)wanted * sizeof *c->store;
    uint32_t *store = arena_resize(c->memory, c->store, old, new);
    c->store = store == NULL ? c->store : store;
    uint32_t *other = arena_resize(c->memory, c->other, old, new);
    c->other = other == NULL ? c->other : other;
    if (store == NULL || other == NULL)
        return false;
    c->store_capacity = (uint32_t)wanted;
    return true;
}

#if KITH_DEBUG
static void check_chunk(const weave_chunk *c)
{
    uint32_t n_clusters = 0, n_records = 0;
    const uint32_t n_lanes = c->lanes.capacity * LANES_PER_BLOCK;
    for (uint32_t lane = 0; lane < n_lanes; lane++) {
        const segment s = c->clusters[lane];
        if (s.size == 0)
            continue;
        n_clusters++;
        n_records += s.size;
        ASSERT(lane < c->lanes.n_blocks * LANES_PER_BLOCK);
        ASSERT(s.size >= c->tree.min_class && s.first + s.size <= c->store_used);
        ASSERT(class_rules_allow(&c->rules, c->store + s.first, s.size));
    }
    ASSERT(n_clusters + c->n_idle == n_lanes && n_records == c->n_records);
    for (uint32_t i = 0; i < c->n_idle; i++)
        ASSERT(c->clusters[c->idle[i]].size == 0);
}
#endif

/* Lets queries find a cluster. */
static void weave_chunk_show(weave_chunk *c, uint32_t lane, const uint16_t *closure)
{
    lanes_set(&c->lanes, lane, closure, c->clusters[lane].size, c->costs[lane]);
}

/* Removes a cluster; its lane is free for another one. */
static void clear(weave_chunk *c, uint32_t lane)
{
    c->clusters[lane] = (segment){0};
    lanes_clear(&c->lanes, lane);
    c->idle[c->n_idle++] = lane;
}

/* Asks for the records of clusters that will be loaded soon: those of a chunk lie anywhere in a
 * large table. First for the lists of members, then for what these name. */
static void fetch_ahead(const weave_chunk *c, const weave_partition *w, const uint32_t *order,
                        uint32_t count, uint32_t i)
{
    enum { LISTS = 16, RECORDS = 8 };
    if (i + LISTS < count)
        __builtin_prefetch(w->members + w->start[order[i + LISTS]]);
    if (i + RECORDS >= count)
        return;
    const uint32_t next = order[i + RECORDS];
    for (uint32_t m = w->start[next]; m < w->start[next + 1] && m < w->start[next] + 64; m++)
        slots_fetch(c->slots, w->members[m]);
}

bool weave_chunk_load(weave_chunk *c, const weave_partition *w, const uint32_t *order,
                      uint32_t count)
{
    c->n_records = c->store_used = c->n_idle = 0;
    for (uint32_t i = 0; i < count; i++)
        c->n_records += w->start[order[i] + 1] - w->start[order[i]];
    if (!weave_chunk_reserve(c, c->n_records))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *members = w->members + w->start[order[i]];
        uint32_t size = w->start[order[i] + 1] - w->start[order[i]];
        fetch_ahead(c, w, order, count, i);
        memcpy(c->store + c->store_used, members, size * sizeof *members);
        c->clusters[i] = (segment){c->store_used, size};
        c->store_used += size;
        slots_close(c->slots, c->closure, members, size);
        c->costs[i] = slots_cost(c->slots, c->closure, members[0]);
        weave_chunk_show(c, i, c->closure);
    }
    c->lanes.n_blocks = (count + LANES_PER_BLOCK - 1) / LANES_PER_BLOCK;
    /* Downwards, so that take_lane finds the lowest free lanes first and few blocks are in use. */
    for (uint32_t lane = c->lanes.capacity * LANES_PER_BLOCK; lane-- > count;)
        clear(c, lane);
    return true;
}

/* Copies the records of the nearest clusters to the patch, as many clusters as fit; returns how
 * many these are. */
static uint32_t pool_clusters(weave_chunk *c, const neighbour *near, uint32_t count, int64_t *cost)
{
    weave_patch *p = &c->patch;
    p->n_records = 0;
    *cost = 0;
    uint32_t taken = 0;
    for (; taken < count; taken++) {
        const segment s = c->clusters[near[taken].lane];
        if (p->n_records + s.size > p->capacity)
            break;
        memcpy(p->records + p->n_records, c->store + s.first, s.size * sizeof *p->records);
        for (uint32_t i = 0; i < s.size; i++)
            slots_fetch(c->slots, c->store[s.first + i]);
        p->n_records += s.size;
        *cost += (int64_t)s.size * c->costs[near[taken].lane];
    }
    return taken;
}

/* Forms the records of the patch into new clusters; false unless these cost less than `limit`. */
static bool regrow(weave_chunk *c, double limit)
{
    weave_tree_style style = {.borrow = true,
                              .eject = 0.75 + 2.25 * rng_unit(&c->rng),
                              .keep = 0.5 + 0.4 * rng_unit(&c->rng),
                              .noise = 0.2 + rng_unit(&c->rng)};
    uint32_t ejected;
    weave_tree_grow(&c->tree, c->patch.records, c->patch.n_records, &style, &c->rng, 0);
    if (c->tree.failed || !weave_patch_take(&c->patch, &c->tree, &ejected))
        return false;
    if ((double)weave_patch_total(&c->patch) >= limit * HOPELESS ||
        !weave_patch_insert(&c->patch, ejected))
        return false;
    weave_patch_move(&c->patch, MOVE_PASSES);
    return (double)weave_patch_total(&c->patch) < limit;
}

/* A lane for one more cluster. */
static uint32_t take_lane(weave_chunk *c)
{
    uint32_t lane = c->idle[--c->n_idle];
    uint32_t block = lane / LANES_PER_BLOCK;
    if (block >= c->lanes.n_blocks)
        c->lanes.n_blocks = block + 1;
    return lane;
}

/* Puts the clusters of the patch in the place of the old ones. */
static void replace(weave_chunk *c, const neighbour *near, uint32_t count)
{
    const weave_patch *p = &c->patch;
    if (c->store_used + p->n_records > c->store_capacity) {
        /* Makes the records of the clusters contiguous again. */
        uint32_t used = 0;
        for (uint32_t lane = 0; lane < c->lanes.n_blocks * LANES_PER_BLOCK; lane++) {
            segment *s = &c->clusters[lane];
            memcpy(c->other + used, c->store + s->first, s->size * sizeof *c->store);
            s->first = used;
            used += s->size;
        }
        uint32_t *swap = c->store;
        c->store = c->other;
        c->other = swap;
        c->store_used = used;
    }
    for (uint32_t i = 0; i < p->n_clusters; i++) {
        uint32_t lane = i < count ? near[i].lane : take_lane(c);
        c->clusters[lane] = (segment){c->store_used, p->size[i]};
        c->costs[lane] = p->cost[i];
        c->store_used += weave_patch_members(p, i, c->store + c->store_used);
        weave_chunk_show(c, lane, weave_patch_closure(p, i));
    }
    for (uint32_t i = p->n_clusters; i < count; i++)
        clear(c, near[i].lane);
}

/* One try: the clusters nearest to the record are replaced by new ones if these cost less than the
 * limit. With a temperature the limit is above the present cost by an exponentially distributed
 * amount, which is the rule of Metropolis. */
static void try_record(weave_chunk *c, uint32_t record, const weave_chunk_plan *plan)
{
    neighbour near[MAX_NEAREST];
    uint32_t wanted =
        plan->min_clusters + rng_below(&c->rng, plan->max_clusters - plan->min_clusters + 1);
    query q = lanes_query(c->slots, record, c->weight);
    uint32_t found =
        lanes_nearest(&c->lanes, &q, near, wanted < MAX_NEAREST ? wanted : MAX_NEAREST);
    int64_t cost;
    uint32_t taken = pool_clusters(c, near, found, &cost);
    if (taken == 0 || cost == 0)
        return;
    double limit = (double)cost;
    if (plan->temperature > 0)
        limit -= plan->temperature * log(1 - rng_unit(&c->rng));
    if (regrow(c, limit) && c->patch.n_clusters <= taken + c->n_idle)
        replace(c, near, taken);
}

static bool time_is_up(const weave_chunk_plan *plan)
{
    if (plan->stop != NULL && atomic_load_explicit(plan->stop, memory_order_relaxed))
        return true;
    return plan->deadline > 0 && context_seconds() >= plan->deadline;
}

static int64_t lane_cost(const weave_chunk *c, uint32_t lane)
{
    return (int64_t)c->costs[lane] * c->clusters[lane].size;
}

void weave_chunk_improve(weave_chunk *c, const weave_chunk_plan *plan)
{
    CHECK(check_chunk(c));
    ASSERT(plan->min_clusters <= plan->max_clusters);
    for (uint32_t i = 0; i < plan->n_tries; i++) {
        if (i % 32 == 0 && time_is_up(plan)) /* asking the clock costs time, too */
            return;
        /* The costlier of two random clusters, where there is more to gain. An idle lane costs
         * nothing. */
        uint32_t n_lanes = c->lanes.n_blocks * LANES_PER_BLOCK;
        uint32_t one = rng_below(&c->rng, n_lanes), other = rng_below(&c->rng, n_lanes);
        uint32_t lane = lane_cost(c, one) >= lane_cost(c, other) ? one : other;
        const segment s = c->clusters[lane];
        if (lane_cost(c, lane) == 0)
            continue;
        try_record(c, c->store[s.first + rng_below(&c->rng, s.size)], plan);
        if (c->tree.failed)
            return;
    }
}

uint32_t weave_chunk_unload(const weave_chunk *c, uint32_t *members, uint32_t *sizes,
                            int64_t *total)
{
    CHECK(check_chunk(c));
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < c->lanes.n_blocks * LANES_PER_BLOCK; lane++) {
        const segment s = c->clusters[lane];
        if (s.size == 0)
            continue;
        memcpy(members, c->store + s.first, s.size * sizeof *members);
        members += s.size;
        sizes[count++] = s.size;
        *total += (int64_t)s.size * c->costs[lane];
    }
    return count;
}
