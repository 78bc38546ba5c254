/* The finish merge: steps 23 to 29 of SDC Algorithm 4.
 *
 * The paper adds up the prices of all pairs anew after every union. Here the pivot remembers the
 * nearest other cluster of every small one. After a union only the rows of prices of the new
 * cluster and of those whose nearest one is gone are asked for again, all in one sum. Invariant, at
 * the pivot: near[i] is the nearest of the clusters that existed when the row of i was last asked
 * for. Of any two clusters the younger one's row includes the other, so the lowest of all price[i]
 * is the lowest price of all. */
#include "protocol/columns/columns_internal.h"

#include "core/error.h"

typedef struct merge_state {
    columns_state *w;
    uint32_t count;       /* small clusters */
    uint32_t *small;      /* [count] ids, ascending */
    unsigned char *asked; /* [count] whether its row is needed */
    uint32_t *near;       /* [n_ids] nearest small cluster, by id; pivot only */
    int64_t *price;       /* [n_ids] of the union with it; pivot only */
} merge_state;

/* Orders clusters by the price of their union with the nearest one; of equal prices the lower pair
 * of numbers comes first. */
static bool is_before(const merge_state *g, uint32_t a, uint32_t b)
{
    if (g->price[a] != g->price[b])
        return g->price[a] < g->price[b];
    uint32_t low_a = a < g->near[a] ? a : g->near[a], low_b = b < g->near[b] ? b : g->near[b];
    uint32_t high_a = a ^ g->near[a] ^ low_a, high_b = b ^ g->near[b] ^ low_b;
    return low_a != low_b ? low_a < low_b : high_a < high_b;
}

/* At the pivot: finds the nearest cluster of each in the rows of prices that were added up. */
static void find_nearest(merge_state *g, const uint32_t *rows, uint32_t n)
{
    const columns_prices *prices = &g->w->prices;
    for (uint32_t i = 0; i < n; i++) {
        const int64_t *row = g->w->value + (uint64_t)i * prices->count;
        const uint32_t own = rows[i];
        g->near[own] = COLUMNS_STAYS;
        for (uint32_t r = 0; r < prices->count; r++) {
            const uint32_t other = prices->clusters[r];
            if (other == own)
                continue;
            if (g->near[own] == COLUMNS_STAYS || row[r] < g->price[own]) {
                g->near[own] = other;
                g->price[own] = row[r];
            }
        }
    }
}

static bool is_small(const merge_state *g, uint32_t cluster)
{
    return columns_in_use(g->w, cluster) && g->w->c.size[cluster] < g->w->run->problem->k;
}

/* Steps 26 and 27, and which rows of prices are out of date after them. */
static kith_status unite_pair(merge_state *g, kith_error *error)
{
    columns_state *w = g->w;
    uint32_t pair[2] = {0, 0};
    if (w->run->is_pivot) {
        /* Step 26: in ascending order. */
        uint32_t best = g->small[0];
        for (uint32_t i = 1; i < g->count; i++)
            best = is_before(g, g->small[i], best) ? g->small[i] : best;
        const uint32_t other = g->near[best];
        pair[0] = best < other ? best : other;
        pair[1] = best < other ? other : best;
    }
    TRY(columns_sequential_broadcast(w->run, COLUMNS_UNIONS, pair, sizeof pair, error));
    if (!is_small(g, pair[0]) || !is_small(g, pair[1]) || pair[0] == pair[1])
        return columns_sequential_refuse(w->run, COLUMNS_UNIONS, error);
    TRY(columns_clusters_merge(&w->c, pair[0], pair[1], error));
    w->run->result->n_paper_sums++;
    g->count = columns_clusters_list(&w->c, g->small, w->run->problem->k);
    for (uint32_t i = 0; i < g->count && w->run->is_pivot; i++) {
        const uint32_t own = g->small[i], near = g->near[own];
        g->asked[i] = own == pair[0] || near == pair[0] || near == pair[1];
    }
    if (g->count > 1)
        TRY(columns_sequential_broadcast(w->run, COLUMNS_ROWS, g->asked, g->count, error));
    return KITH_OK;
}

/* Step 29. */
static kith_status unite_last(merge_state *g, kith_error *error)
{
    columns_state *w = g->w;
    const uint32_t last = g->small[0];
    uint32_t to = COLUMNS_STAYS;
    TRY(columns_prices_set_columns(&w->prices, UINT32_MAX, error));
    if (w->prices.count == 1)
        return KITH_OK;
    TRY(columns_sequential_reserve(w, w->prices.count, error));
    columns_prices_unions(&w->prices, w->value, &last, 1);
    TRY(columns_sequential_sum(w, COLUMNS_UNIONS, w->prices.count, error));
    for (uint32_t r = 0; r < w->prices.count && w->run->is_pivot; r++) {
        const uint32_t other = w->prices.clusters[r];
        if (other != last && (to == COLUMNS_STAYS || w->value[r] < w->value[w->prices.column[to]]))
            to = other;
    }
    TRY(columns_sequential_broadcast(w->run, COLUMNS_UNIONS, &to, sizeof to, error));
    if (!columns_in_use(w, to) || to == last)
        return columns_sequential_refuse(w->run, COLUMNS_UNIONS, error);
    w->run->result->n_paper_sums++;
    return columns_clusters_merge(&w->c, to, last, error);
}

kith_status columns_merge(columns_state *w, kith_error *error)
{
    const size_t n_ids = w->c.used;
    merge_state g = {.w = w};
    CHECK(columns_clusters_check(&w->c));
    g.small = TRY_ARRAY(g.small, w->memory, n_ids, error);
    g.asked = TRY_ARRAY(g.asked, w->memory, n_ids, error);
    g.near = TRY_ARRAY(g.near, w->memory, n_ids, error);
    g.price = TRY_ARRAY(g.price, w->memory, n_ids, error);
    g.count = columns_clusters_list(&w->c, g.small, w->run->problem->k);
    const uint32_t all = g.count;
    for (uint32_t i = 0; i < g.count; i++)
        g.asked[i] = 1;
    while (g.count > 1) { /* 23 */
        if (!context_progress(w->run->context, "merging", 1 - (double)g.count / (double)all))
            return error_set(error, KITH_CANCELLED, "stopped while merging");
        /* Steps 24 and 25 for the rows that are needed, as many at a time as one sum may have. */
        TRY(columns_prices_set_columns(&w->prices, w->run->problem->k, error));
        uint32_t max_rows = COLUMNS_VALUES / w->prices.count, at = 0;
        max_rows = max_rows == 0 ? 1 : max_rows;
        while (at < g.count) {
            uint32_t n = 0;
            for (; at < g.count && n < max_rows; at++)
                if (g.asked[at])
                    w->scratch[n++] = g.small[at];
            if (n == 0)
                break;
            const uint64_t n_values = (uint64_t)n * w->prices.count;
            TRY(columns_sequential_reserve(w, n_values, error));
            columns_prices_unions(&w->prices, w->value, w->scratch, n);
            TRY(columns_sequential_sum(w, COLUMNS_UNIONS, (size_t)n_values, error));
            if (w->run->is_pivot)
                find_nearest(&g, w->scratch, n);
        }
        TRY(unite_pair(&g, error));
    }
    return g.count == 1 ? unite_last(&g, error) : KITH_OK;
}
