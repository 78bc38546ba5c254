#include "protocol/rows/rows_finish_rounds.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/sort.h"
#include "search/cluster/finish_hybrid.h"

/* Above what any cluster can cost: 2^16 for each of 2^32 records. */
#define MAX_PRICE (INT64_C(1) << 56)

enum { SHARE = 4 }; /* a round looks at 1/SHARE of the small clusters */

kith_status rows_finish_rounds_init(rows_finish_rounds *h, clusters *c, uint32_t k,
                                    kith_error *error)
{
    *h = (rows_finish_rounds){.c = c, .k = k};
    h->batch = TRY_ALLOC(arena_array(c->memory, c->used, sizeof *h->batch), error);
    h->size = TRY_ALLOC(arena_array(c->memory, c->used, sizeof *h->size), error);
    h->dissolves = TRY_ALLOC(arena_array(c->memory, c->used, sizeof *h->dissolves), error);
    h->members = TRY_ALLOC(arena_array(c->memory, c->slots->n_records, sizeof *h->members), error);
    h->ids = TRY_ALLOC(arena_array(c->memory, c->slots->stride, sizeof *h->ids), error);
    h->weight = TRY_ALLOC(arena_array(c->memory, c->slots->stride, sizeof *h->weight), error);
    return KITH_OK;
}

/* Ties by id, so that all sites sort alike. */
static int by_total(const void *a, const void *b, void *user)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int64_t x = clusters_total(user, left), y = clusters_total(user, right);
    return x != y ? (x < y ? -1 : 1) : (left < right ? -1 : left > right);
}

bool rows_finish_rounds_pick(rows_finish_rounds *h)
{
    clusters *c = h->c;
    uint32_t all = 0;
    h->count = h->marked = 0;
    for (uint32_t cluster = 0; cluster < c->used; cluster++) {
        all += c->size[cluster] > 0;
        if (c->size[cluster] > 0 && c->size[cluster] < h->k)
            h->batch[h->count++] = cluster;
    }
    qsort_r(h->batch, h->count, sizeof *h->batch, by_total, c);
    h->count = (h->count + SHARE - 1) / SHARE;
    for (uint32_t i = 0; i < h->count; i++) {
        h->size[i] = c->size[h->batch[i]];
        h->dissolves[i] = false;
    }
    return h->count > 0 && all > 1;
}

void rows_finish_rounds_pick_withheld(rows_finish_rounds *h)
{
    clusters *c = h->c;
    h->count = 0;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0 && c->size[cluster] < c->min_known) {
            h->batch[h->count] = cluster;
            h->dissolves[h->count++] = true;
            clusters_hide(c, cluster);
        }
    h->marked = h->count;
}

void rows_finish_rounds_price(rows_finish_rounds *h, int64_t *price)
{
    clusters *c = h->c;
    for (uint32_t i = 0; i < h->count; i++)
        for (uint32_t m = 0; m < c->held[h->batch[i]]; m++) {
            uint32_t record = c->member[h->batch[i]][m];
            /* There is another cluster: rows_finish_rounds_pick has made sure of that. */
            price[i] += clusters_growth(c, clusters_best(c, record, INT64_MAX), record);
        }
}

kith_status rows_finish_rounds_decide(rows_finish_rounds *h, const int64_t *price,
                                      kith_error *error)
{
    clusters *c = h->c;
    uint32_t n_open = 0; /* clusters that can receive records */
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        n_open += c->size[cluster] > 0 && c->lane[cluster] != LANES_NONE;
    for (uint32_t i = 0; i < h->count && n_open > 1; i++) {
        uint32_t cluster = h->batch[i];
        /* Parties add prices up, and one of them may have said anything. */
        if (price[i] > MAX_PRICE || price[i] < -MAX_PRICE)
            return error_set(error, KITH_PEER, "dissolving a cluster cannot cost %lld",
                             (long long)price[i]);
        int64_t uniting, dissolving = price[i] - clusters_total(c, cluster);
        if (c->size[cluster] != h->size[i]) /* it has grown: its price is outdated */
            continue;
        uint32_t other = finish_hybrid_nearest(c, h->k, cluster, h->ids, h->weight, &uniting);
        if (other == CLUSTER_NONE)
            return error_set(error, KITH_BUG, "a cluster among others has no nearest one");
        if (dissolving < uniting) {
            h->dissolves[i] = true;
            h->marked++;
            clusters_hide(c, cluster); /* no later cluster of the round may merge with it */
        } else {
            TRY(clusters_merge(c, other, cluster, error));
        }
        n_open--;
    }
    return KITH_OK;
}

kith_status rows_finish_rounds_dissolve(rows_finish_rounds *h, const uint32_t *site, uint32_t own,
                                        kith_error *error)
{
    clusters *c = h->c;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t count = 0, cluster = h->batch[i];
        for (uint32_t m = 0; h->dissolves[i] && m < c->held[cluster]; m++)
            if (site == NULL || site[c->member[cluster][m]] == own)
                h->members[count++] = c->member[cluster][m];
        /* Member lists are in the order of past moves; records go in theirs. */
        qsort(h->members, count, sizeof *h->members, sort_uint32);
        for (uint32_t m = 0; m < count; m++) {
            uint32_t to = clusters_best(c, h->members[m], INT64_MAX);
            TRY(clusters_evict(c, h->members[m], to, error));
        }
    }
    return KITH_OK;
}

kith_status rows_finish_rounds_merge(clusters *c, uint32_t k, bool *bad, kith_error *error)
{
    uint16_t *ids = TRY_ALLOC(arena_array(c->memory, c->slots->stride, sizeof *ids), error);
    uint16_t *weight = TRY_ALLOC(arena_array(c->memory, c->slots->stride, sizeof *weight), error);
    for (uint32_t i = 0, used = c->used; i < used; i++) {
        int64_t price;
        if (!bad[i] || c->size[i] == 0)
            continue;
        uint32_t other = finish_hybrid_nearest(c, k, i, ids, weight, &price);
        if (other == CLUSTER_NONE)
            break;
        bad[other] = false; /* the union is checked in the next round */
        TRY(clusters_merge(c, other, i, error));
    }
    return KITH_OK;
}
