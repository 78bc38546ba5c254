#include "search/cluster/finish_hybrid.h"

#include "core/error.h"
#include "search/cluster/finish_divide.h"

enum { MAX_POLISHING = 20 };

typedef struct hybrid {
    clusters *c;
    context *run;
    uint32_t k;
    uint32_t *small; /* [count] clusters that were small when last looked at */
    uint32_t count, all;
    uint16_t *ids, *weight;
} hybrid;

/* The small cluster with the lowest total cost, CLUSTER_NONE if there is none. Takes clusters that
 * no longer exist or have grown off the list. */
static uint32_t finish_hybrid_cheapest(hybrid *h)
{
    const clusters *c = h->c;
    uint32_t kept = 0, best = CLUSTER_NONE;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t cluster = h->small[i];
        if (c->size[cluster] == 0 || c->extent[cluster] >= h->k)
            continue;
        h->small[kept++] = cluster;
        if (best == CLUSTER_NONE || clusters_total(c, cluster) < clusters_total(c, best))
            best = cluster;
    }
    h->count = kept;
    return best;
}

/* Growth of the total cost if all records of a cluster move to where that costs least, as the
 * clusters are now; INT64_MAX if a record has nowhere to go, or models might forbid it. */
static int64_t price_of_dissolving(hybrid *h, uint32_t cluster)
{
    clusters *c = h->c;
    int64_t price = -clusters_total(c, cluster);
    if (c->rules->n_conditions > 0 && !c->rules->only_units)
        return INT64_MAX;
    for (uint32_t m = 0; m < c->size[cluster]; m++) {
        uint32_t record = c->member[cluster][m], to = clusters_best(c, record, INT64_MAX);
        if (to == CLUSTER_NONE)
            return INT64_MAX;
        price += clusters_growth(c, to, record);
    }
    return price;
}

/* Computes the costs per record from the scores of the index (search/slots/lanes.h). */
uint32_t finish_hybrid_nearest(const clusters *c, uint32_t k, uint32_t cluster, uint16_t *ids,
                               uint16_t *weight, int64_t *price)
{
    const cluster_lanes *lanes = &c->index.lanes;
    query q = clusters_query(c, cluster, ids, weight);
    uint32_t best = CLUSTER_NONE;
    *price = INT64_MAX;
    for (uint32_t block = 0; block < lanes->n_blocks; block++) {
        int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
        lanes_score(lanes, block, &q, score);
        for (uint32_t i = 0; i < LANES_PER_BLOCK; i++) {
            uint32_t lane = block * LANES_PER_BLOCK + i, other = c->at[lane];
            if (score[i] >= LANES_FAR || other == cluster)
                continue;
            int32_t joint =
                (score[i] - lanes->plus[lane]) / lanes->factor[lane] + lanes->minus[lane];
            int64_t size = (int64_t)c->size[cluster] + c->size[other];
            int64_t found = joint * size - clusters_total(c, cluster) - clusters_total(c, other);
            /* It removes two small clusters at once; units of both are rare. */
            if (c->extent[other] < k && c->extent[cluster] + c->extent[other] >= k && found > 0)
                found /= 2;
            if (found < *price) {
                *price = found;
                best = other;
            }
        }
    }
    return best;
}

static kith_status remove_small(hybrid *h, kith_error *error)
{
    clusters *c = h->c;
    for (uint32_t done = 0, cluster; (cluster = finish_hybrid_cheapest(h)) != CLUSTER_NONE;
         done++) {
        int64_t uniting;
        if (done % 64 == 0 &&
            !context_progress(h->run, "finishing", 1 - (double)h->count / (double)(h->all + 1)))
            return error_set(error, KITH_CANCELLED, "stopped while finishing");
        uint32_t other = finish_hybrid_nearest(c, h->k, cluster, h->ids, h->weight, &uniting);
        if (other == CLUSTER_NONE)
            return KITH_OK; /* it is the only one */
        if (price_of_dissolving(h, cluster) >= uniting) {
            TRY(clusters_merge(c, other, cluster, error));
            continue;
        }
        while (c->size[cluster] > 0) { /* dissolves it */
            uint32_t record = c->member[cluster][c->size[cluster] - 1];
            int32_t remaining;
            (void)clusters_gain(c, record, &remaining);
            TRY(clusters_move(c, record, clusters_best(c, record, INT64_MAX), remaining, error));
        }
    }
    return KITH_OK;
}

/* Moves single records to better clusters, if their own remain large enough and the models allow
 * it, until nothing moves. */
static kith_status polish(hybrid *h, kith_error *error)
{
    clusters *c = h->c;
    uint32_t n_moves = 1;
    for (uint32_t pass = 0; pass < MAX_POLISHING && n_moves > 0; pass++) {
        n_moves = 0;
        TRY(clusters_arrange(c, error));
        for (uint32_t record = 0; record < c->slots->n_records; record++) {
            if (record % 512 == 0 && !context_progress(h->run, "polishing", -1))
                return error_set(error, KITH_CANCELLED, "stopped while polishing");
            uint32_t own = c->of[record], size = c->size[own];
            if (size <= h->k || size == 1 ||
                !class_rules_leave(c->rules, c->member[own], size, record))
                continue;
            int32_t remaining;
            uint32_t to = clusters_best(c, record, clusters_gain(c, record, &remaining));
            if (to == CLUSTER_NONE)
                continue;
            n_moves++;
            TRY(clusters_move(c, record, to, remaining, error));
        }
    }
    return KITH_OK;
}

kith_status finish_hybrid(clusters *c, uint32_t k, context *run, kith_error *error)
{
    hybrid h = {.c = c, .run = run, .k = k};
    TRY(clusters_arrange(c, error));
    h.small = TRY_ARRAY(h.small, c->memory, c->used, error);
    h.ids = TRY_ARRAY(h.ids, c->memory, c->slots->stride, error);
    h.weight = TRY_ARRAY(h.weight, c->memory, c->slots->stride, error);
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0 && c->extent[cluster] < k)
            h.small[h.count++] = cluster;
    h.all = h.count;
    TRY(remove_small(&h, error));
    if (c->rules->n_conditions > 0)
        TRY(finish_divide_large(c, k, error));
    return polish(&h, error);
}
