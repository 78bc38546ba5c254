/* Every small cluster knows its nearest other one. Invariant: bound[a] <= distance from a to every
 * other small cluster, with equality to nearest[a] unless stale[a]. Removing clusters keeps a bound
 * valid, so a stale one is only looked at again when it is the smallest of all. */
#include "search/cluster/finish_merge.h"

#include "core/error.h"

typedef struct small {
    clusters *c;
    cluster_lanes blocks; /* closures of the small clusters; scores are costs of unions */
    uint32_t count;       /* lanes in use */
    uint32_t *cluster;    /* [count] CLUSTER_NONE: gone */
    uint32_t *nearest;    /* [count] lane */
    int64_t *bound;       /* [count] INT64_MAX: gone */
    bool *stale;          /* [count] */
    uint16_t *ids, *weight;
} small;

/* Puts a cluster into its lane. With size 0 and cost 0 there the score is the cost of the union. */
static void finish_merge_show(small *s, uint32_t lane)
{
    lanes_set(&s->blocks, lane, clusters_closure(s->c, s->cluster[lane]), 0, 0);
}

static int64_t distance(const clusters *c, uint32_t a, uint32_t b, int32_t joint)
{
    return (int64_t)joint * ((int64_t)c->size[a] + c->size[b]) - clusters_total(c, a) -
           clusters_total(c, b);
}

static void offer(small *s, uint32_t lane, uint32_t other, int64_t d)
{
    if (d >= s->bound[lane])
        return;
    s->bound[lane] = d;
    s->nearest[lane] = other;
    s->stale[lane] = false;
}

/* Finds the nearest other cluster of a lane; bound stays INT64_MAX if there is none. With `tell`,
 * the others learn of it too: it has just grown. */
static void find_nearest(small *s, uint32_t a, bool tell)
{
    query q = clusters_query(s->c, s->cluster[a], s->ids, s->weight);
    int32_t joint[LANES_PER_BLOCK] __attribute__((aligned(64)));
    s->bound[a] = INT64_MAX;
    s->stale[a] = false;
    for (uint32_t block = 0; block < s->blocks.n_blocks; block++) {
        lanes_score(&s->blocks, block, &q, joint);
        for (uint32_t i = 0; i < LANES_PER_BLOCK; i++) {
            uint32_t lane = block * LANES_PER_BLOCK + i;
            if (lane >= s->count || lane == a || s->cluster[lane] == CLUSTER_NONE)
                continue;
            int64_t d = distance(s->c, s->cluster[a], s->cluster[lane], joint[i]);
            offer(s, a, lane, d);
            if (tell)
                offer(s, lane, a, d);
        }
    }
}

static void retire(small *s, uint32_t lane)
{
    lanes_clear(&s->blocks, lane);
    s->cluster[lane] = CLUSTER_NONE;
    s->bound[lane] = INT64_MAX;
}

/* Lane with the smallest bound, brought up to date; the two closest clusters are it and its
 * nearest. */
static uint32_t closest(small *s)
{
    for (;;) {
        uint32_t best = 0;
        for (uint32_t lane = 1; lane < s->count; lane++)
            best = s->bound[lane] < s->bound[best] ? lane : best;
        if (!s->stale[best])
            return best;
        find_nearest(s, best, false);
    }
}

static kith_status small_init(small *s, clusters *c, uint32_t k, arena *memory, kith_error *error)
{
    *s = (small){.c = c};
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        s->count += c->size[cluster] > 0 && c->extent[cluster] < k;
    s->cluster = TRY_ARRAY(s->cluster, memory, s->count, error);
    s->nearest = TRY_ZEROS(s->nearest, memory, s->count, error);
    s->bound = TRY_ARRAY(s->bound, memory, s->count, error);
    s->stale = TRY_ZEROS(s->stale, memory, s->count, error);
    s->ids = TRY_ARRAY(s->ids, memory, c->slots->stride, error);
    s->weight = TRY_ARRAY(s->weight, memory, c->slots->stride, error);
    uint32_t lane = 0;
    TRY(lanes_init(&s->blocks, c->slots, s->count / LANES_PER_BLOCK + 1, memory, error));
    s->blocks.n_blocks = s->blocks.capacity;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0 && c->extent[cluster] < k) {
            s->cluster[lane] = cluster;
            finish_merge_show(s, lane++);
        }
    return KITH_OK;
}

static bool finish_merge_report(context *run, uint32_t done, uint32_t all)
{
    return done % 256 != 0 || context_progress(run, "merging", (double)done / (double)all);
}

/* Steps 11-13. Returns the lane of the one that is left, or CLUSTER_NONE. */
static kith_status unify_pairs(small *s, uint32_t k, uint32_t *left_over, context *run,
                               kith_error *error)
{
    uint32_t left = s->count;
    for (uint32_t lane = 0; lane < s->count; lane++) {
        if (!finish_merge_report(run, lane, s->count))
            return error_set(error, KITH_CANCELLED, "stopped while merging");
        find_nearest(s, lane, false);
    }
    while (left > 1) {
        if (!finish_merge_report(run, s->count - left, s->count))
            return error_set(error, KITH_CANCELLED, "stopped while merging");
        uint32_t a = closest(s), b = s->nearest[a];
        TRY(clusters_merge(s->c, s->cluster[a], s->cluster[b], error));
        retire(s, b);
        left--;
        for (uint32_t lane = 0; lane < s->count; lane++)
            s->stale[lane] |= s->nearest[lane] == a || s->nearest[lane] == b;
        if (s->c->extent[s->cluster[a]] >= k) {
            retire(s, a);
            left--;
            continue;
        }
        finish_merge_show(s, a);
        find_nearest(s, a, true);
    }
    *left_over = CLUSTER_NONE;
    for (uint32_t lane = 0; lane < s->count; lane++)
        if (s->cluster[lane] != CLUSTER_NONE)
            *left_over = lane;
    return KITH_OK;
}

/* Step 14: the last small cluster goes to the closest of all others. */
static kith_status unify_last(small *s, uint32_t lane, kith_error *error)
{
    clusters *c = s->c;
    uint32_t last = s->cluster[lane], best = CLUSTER_NONE;
    const uint16_t *mine = clusters_closure(c, last);
    int64_t min_distance = INT64_MAX;
    for (uint32_t other = 0; other < c->used; other++) {
        if (c->size[other] == 0 || other == last)
            continue;
        const uint16_t *theirs = clusters_closure(c, other);
        for (uint32_t i = 0; i < c->slots->stride; i++)
            s->ids[i] = mine[i] == theirs[i] ? mine[i] : SLOT_NONE;
        int64_t d = distance(c, last, other, slots_closure_cost(c->slots, s->ids));
        if (d < min_distance) {
            min_distance = d;
            best = other;
        }
    }
    return best == CLUSTER_NONE ? KITH_OK : clusters_merge(c, best, last, error);
}

kith_status finish_merge_small(clusters *c, uint32_t k, context *run, kith_error *error)
{
    CHECK(clusters_check(c));
    small s;
    uint32_t last = CLUSTER_NONE;
    TRY(small_init(&s, c, k, c->memory, error));
    TRY(unify_pairs(&s, k, &last, run, error));
    return last == CLUSTER_NONE ? KITH_OK : unify_last(&s, last, error);
}
