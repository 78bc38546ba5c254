#include "smc/sets/sets.h"

#include "core/error.h"

enum { MERGER = 0 };

/* What the protocol begins with. */
typedef struct gathered {
    commute *c;
    commute_set mine;            /* plain points */
    commute_set sets[PARTY_MAX]; /* at the merger */
    uint64_t smallest;           /* size of a set */
} gathered;

static kith_status gather(gathered *g, const smc_call *call, const commute_key *keys, size_t n,
                          uint64_t max_keys, threads *pool, kith_error *error)
{
    party *p = call->party;
    uint64_t sizes[PARTY_MAX];
    const uint32_t m = party_count(p);
    TRY(commute_new(&g->c, call, pool, error));
    TRY(commute_points(g->c, &g->mine, keys, n, error));
    TRY(commute_sizes(g->c, sizes, g->mine.count, max_keys, error));
    TRY(commute_gather(g->c, g->sets, sizes, &g->mine, MERGER, NULL, error));
    g->smallest = sizes[0];
    for (uint32_t i = 1; i < m; i++)
        g->smallest = sizes[i] < g->smallest ? sizes[i] : g->smallest;
    party_learns(p, DISCLOSE_AGGREGATE, "set.sizes", m);
    if (party_self(p) == MERGER) /* of every group of two parties or more */
        party_learns(p, DISCLOSE_AGGREGATE, "set.overlaps",
                     m > 63 ? UINT64_MAX : (UINT64_C(1) << m) - m - 1);
    return KITH_OK;
}

/* At the merger: the points of set 0 that all others hold. */
static kith_status intersect(commute_set *set, const commute_set *sets, party *p, kith_error *error)
{
    const uint32_t m = party_count(p);
    size_t kept = 0;
    for (uint32_t j = 0; j < m; j++)
        CHECK(commute_sorted_check(&sets[j]));
    *set = sets[0];
    for (size_t i = 0; i < set->count; i++) {
        bool common = true;
        TRY(party_poll(p, error));
        for (uint32_t j = 1; j < m && common; j++)
            common = commute_holds(&sets[j], &set->points[i]);
        if (common)
            set->points[kept++] = set->points[i];
    }
    set->count = kept;
    return KITH_OK;
}

/* `n_common` is the size of the intersection. */
static kith_status intersection(const smc_call *call, bool *common, size_t *n_common,
                                const commute_key *keys, size_t n, uint64_t max_keys, threads *pool,
                                kith_error *error)
{
    gathered g = {0};
    commute_set chosen = {0}, plain;
    TRY(gather(&g, call, keys, n, max_keys, pool, error));
    if (party_self(call->party) == MERGER)
        TRY(intersect(&chosen, g.sets, call->party, error));
    TRY(commute_strip(g.c, &plain, &chosen, g.smallest, &g.mine, MERGER, error));
    for (size_t i = 0; i < n; i++) {
        point own;
        TRY(party_poll(call->party, error));
        TRY(commute_point(g.c, &own, keys[i], error));
        common[i] = commute_holds(&plain, &own);
    }
    *n_common = plain.count;
    return KITH_OK;
}

kith_status sets_intersection(party *p, bool *common, const commute_key *keys, size_t n,
                              uint64_t max_keys, threads *pool, kith_error *error)
{
    smc_call call;
    size_t n_common = 0;
    TRY(smc_call_open(&call, p, "intersection", (smc_output){SMC_ALL, "intersection"}, error));
    kith_status status = intersection(&call, common, &n_common, keys, n, max_keys, pool, error);
    return smc_call_close(&call, status, n_common);
}
