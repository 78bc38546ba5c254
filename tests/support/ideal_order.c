/* Ideal twins of comparisons, common ancestors and order statistics. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "support/ideal.h"

kith_status ideal_dominates(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                            size_t n_groups, size_t size, uint32_t receiver, kith_error *error)
{
    void *all[PARTY_MAX];
    TRY(ideal_gather(p, all, value, n_groups * size * sizeof *value, error));
    for (size_t g = 0; g < n_groups && smc_receives(p, receiver); g++) {
        bool holds = true;
        for (size_t i = g * size; i < (g + 1) * size; i++) {
            __int128 sum = 0; /* values may be extreme */
            for (uint32_t j = 0; j < party_count(p); j++)
                sum += ((const int64_t *)all[j])[i];
            holds = holds && sum >= least[i];
        }
        smc_set_bit(out, g, holds);
    }
    return KITH_OK;
}

/* Upwards from the first node until all others are below. */
static uint32_t ancestor(const lca_tree *t, void *const *all, size_t i, uint32_t m)
{
    for (uint32_t v = t->n_nodes; v-- > 0;) { /* a node's ancestors have smaller numbers */
        bool common = true, any = false;
        for (uint32_t j = 0; j < m; j++) {
            uint32_t node = ((const uint32_t *)all[j])[i];
            any = any || node != LCA_NONE;
            common = common && (node == LCA_NONE || (v <= node && node <= t->last_descendants[v]));
        }
        if (!any)
            return LCA_NONE;
        if (common)
            return v;
    }
    return LCA_NONE;
}

kith_status ideal_lca(party *p, uint32_t *out, const lca_query *query, const uint32_t *node,
                      size_t n, uint32_t receiver, kith_error *error)
{
    void *all[PARTY_MAX];
    TRY(ideal_gather(p, all, node, n * sizeof *node, error));
    for (size_t i = 0; i < n && smc_receives(p, receiver); i++)
        out[i] = ancestor(query[i].tree, all, i, party_count(p));
    return KITH_OK;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void choose(int64_t *out, bool *found, const kth_query *q, const int64_t *sorted, size_t n)
{
    size_t at = q->rank - 1;
    if (q->kind == KTH_LARGEST)
        at = n - q->rank;
    if (q->kind == KTH_QUANTILE)
        at = (n * q->rank + q->parts - 1) / q->parts - 1;
    *found = q->kind == KTH_QUANTILE ? n > 0 : n >= q->rank;
    *out = *found ? sorted[at] : 0;
}

kith_status ideal_kth(party *p, int64_t *out, bool *found, const kth_query *query,
                      const kth_values *values, size_t n, kith_error *error)
{
    for (size_t i = 0; i < n; i++) {
        enum { ROOM = 4096 };
        int64_t mine[ROOM] = {(int64_t)values[i].count}, *sorted;
        void *all[PARTY_MAX];
        size_t total = 0;
        if (values[i].count >= ROOM)
            return error_set(error, KITH_INVALID, "the ideal twin takes less");
        if (values[i].count > 0)
            memcpy(mine + 1, values[i].values, values[i].count * sizeof *mine);
        TRY(ideal_gather(p, all, mine, sizeof mine, error));
        sorted = arena_array(party_memory(p), ROOM * party_count(p), sizeof *sorted);
        TRY_ALLOC(sorted, error);
        for (uint32_t j = 0; j < party_count(p); j++) {
            const int64_t *theirs = all[j];
            memcpy(sorted + total, theirs + 1, (size_t)theirs[0] * sizeof *sorted);
            total += (size_t)theirs[0];
        }
        qsort(sorted, total, sizeof *sorted, ascending);
        choose(&out[i], &found[i], &query[i], sorted, total);
    }
    return KITH_OK;
}
