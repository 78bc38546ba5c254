#include "smc/sets.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { MERGER = 0 };

/* What the protocol begins with. */
typedef struct gathered {
    commute *c;
    commute_set mine;             /* plain points */
    commute_set sets[PARTY_MOST]; /* at the merger */
} gathered;

static kith_status gather(gathered *g, party *p, const commute_key *key, size_t n, arena *scratch,
                          kith_error *error)
{
    uint64_t sizes[PARTY_MOST];
    const uint32_t m = party_count(p);
    TRY(commute_new(&g->c, p, scratch, error));
    TRY(commute_points(&g->mine, key, n, scratch, error));
    TRY(commute_gather(g->c, g->sets, sizes, &g->mine, MERGER, error));
    party_learns(p, DISCLOSE_AGGREGATE, "set.sizes", m);
    if (party_self(p) == MERGER) /* of every group of two parties or more */
        party_learns(p, DISCLOSE_AGGREGATE, "set.overlaps",
                     m > 63 ? UINT64_MAX : (UINT64_C(1) << m) - m - 1);
    return KITH_OK;
}

/* At the merger: the points of set 0 that all others hold. */
static void intersect(commute_set *set, const commute_set *sets, uint32_t m)
{
    size_t kept = 0;
    *set = sets[0];
    for (size_t i = 0; i < set->count; i++) {
        bool common = true;
        for (uint32_t j = 1; j < m && common; j++)
            common = commute_holds(&sets[j], &set->point[i]);
        if (common)
            set->point[kept++] = set->point[i];
    }
    set->count = kept;
}

static kith_status intersection(party *p, bool *common, const commute_key *key, size_t n,
                                arena *scratch, kith_error *error)
{
    gathered g = {0};
    commute_set chosen = {0}, plain;
    TRY(gather(&g, p, key, n, scratch, error));
    if (party_self(p) == MERGER)
        intersect(&chosen, g.sets, party_count(p));
    TRY(commute_strip(g.c, &plain, &chosen, MERGER, error));
    for (size_t i = 0; i < n; i++) {
        point own;
        commute_point(&own, key[i]);
        common[i] = commute_holds(&plain, &own);
    }
    party_learns(p, DISCLOSE_AGGREGATE, "intersection", plain.count);
    return KITH_OK;
}

kith_status sets_intersection(party *p, bool *common, const commute_key *key, size_t n,
                              kith_error *error)
{
    party_next_call(p, "intersection");
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = intersection(p, common, key, n, scratch, error);
    arena_free(scratch);
    return status;
}
