/* The finish hybrid, which replaces steps 23 to 29 of SDC Algorithm 4: small clusters are united or
 * dissolved, many in one round of messages. A round takes a tenth of the small clusters: prices of
 * all of them come from one sum per round, and a cluster that was touched in the round must wait,
 * so that a larger share (rows_finish_rounds.h takes a quarter) would mostly wait, and one cluster
 * at a time (finish_hybrid.h) would need as many sums as there are small clusters. */
#include "protocol/columns/columns_internal.h"

#include <stdlib.h>

#include "core/error.h"

/* Told about a cluster, instead of the one that it unites with. */
#define WAITS UINT32_MAX
#define DISSOLVES (UINT32_MAX - 1)

/* One round: the clusters that it looks at, and what is told about each: one word, and if clusters
 * may be dissolved one more per member, its new cluster. */
typedef struct hybrid_round {
    columns_state *w;
    uint32_t count;
    uint32_t *clusters; /* [count] */
    uint32_t *rows;     /* [count] prices and words about it, in units of clusters and of one */
    uint32_t *words;    /* what is told */
    size_t n_words;
    bool dissolving;
} hybrid_round;

static int by_size(const void *a, const void *b, void *user)
{
    const columns_clusters *c = user;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    if (c->size[left] != c->size[right])
        return c->size[left] < c->size[right] ? -1 : 1;
    return left < right ? -1 : left > right;
}

/* Chooses the clusters of the next round: a tenth of the small ones, the smallest first, or fewer
 * if one sum cannot hold their prices. */
static void choose_clusters(hybrid_round *t)
{
    columns_clusters *c = &t->w->c;
    const uint32_t all = columns_clusters_list(c, t->clusters, t->w->run->problem->k);
    const uint64_t n_columns = columns_clusters_count(c);
    qsort_r(t->clusters, all, sizeof *t->clusters, by_size, c);
    t->n_words = 0;
    for (t->count = 0; t->count < (all + 9) / 10; t->count++) {
        const uint32_t n_rows = t->dissolving ? 1 + c->size[t->clusters[t->count]] : 1;
        const size_t n_words = t->n_words + n_rows;
        if (t->count > 0 && n_words * n_columns > COLUMNS_VALUES)
            break;
        t->n_words = n_words;
        t->rows[t->count] = n_rows;
    }
}

/* A union that makes one cluster of at least k records of two small ones counts half. */
static int64_t worth(const columns_state *w, uint32_t own, uint32_t column, int64_t price)
{
    const uint32_t mine = w->c.size[own], theirs = w->prices.size[column], k = w->run->problem->k;
    bool solves_both = theirs < k && mine + theirs >= k && price > 0;
    return solves_both ? price / 2 : price;
}

/* The other cluster with the lowest price in a row; there is one. */
static uint32_t nearest(const columns_state *w, const int64_t *row, uint32_t own, bool whole,
                        int64_t *price)
{
    uint32_t best = WAITS;
    *price = INT64_MAX;
    for (uint32_t r = 0; r < w->prices.count; r++) {
        const uint32_t other = w->prices.clusters[r];
        if (other == own)
            continue;
        const int64_t found = whole ? worth(w, own, r, row[r]) : row[r];
        if (best == WAITS || found < *price) {
            best = other;
            *price = found;
        }
    }
    return best;
}

/* What the pivot says about one untouched cluster, in word[0 … size]. */
static void columns_hybrid_decide(const columns_state *w, uint32_t own, const int64_t *whole,
                                  const int64_t *member, uint32_t *word)
{
    int64_t uniting, dissolving = 0;
    bool free = true;
    word[0] = nearest(w, whole, own, true, &uniting);
    for (uint32_t m = 0; m < w->c.size[own] && member != NULL; m++) {
        int64_t price;
        word[m + 1] = nearest(w, member + (uint64_t)m * w->prices.count, own, false, &price);
        free = free && !columns_is_touched(w, word[m + 1]);
        if (__builtin_add_overflow(dissolving, price, &dissolving)) /* peers chose the summands */
            dissolving = price > 0 ? INT64_MAX : INT64_MIN;
    }
    if (member != NULL && dissolving < uniting)
        word[0] = free ? DISSOLVES : WAITS;
    else if (columns_is_touched(w, word[0]))
        word[0] = WAITS;
    /* The other parties need not learn where members would have gone. */
    for (uint32_t m = 0; m < w->c.size[own] && member != NULL && word[0] != DISSOLVES; m++)
        word[m + 1] = WAITS;
}

/* Members leave from the last to the first, so that places of those before stay as they are. */
static kith_status dissolve(columns_state *w, uint32_t own, const uint32_t *to, kith_error *error)
{
    const uint32_t size = w->c.size[own];
    for (uint32_t m = 0; m < size; m++)
        columns_touch(w, to[m]);
    for (uint32_t m = size; m-- > 0;)
        TRY(columns_clusters_move(&w->c, w->c.member[own][m], to[m], error));
    w->run->result->n_paper_sums += size;
    return KITH_OK;
}

static kith_status columns_hybrid_apply(columns_state *w, uint32_t own, const uint32_t *word,
                                        kith_error *error)
{
    if (word[0] == WAITS)
        return KITH_OK;
    columns_touch(w, own);
    if (word[0] == DISSOLVES)
        return dissolve(w, own, word + 1, error);
    columns_touch(w, word[0]);
    w->run->result->n_paper_sums++;
    return columns_clusters_merge(&w->c, word[0], own, error);
}

static bool may_receive(const columns_state *w, uint32_t own, uint32_t other)
{
    return columns_in_use(w, other) && other != own && !columns_is_touched(w, other);
}

/* Do the rules allow what the pivot told about a cluster? The first of a round never waits. */
static bool is_allowed(const hybrid_round *t, uint32_t i, const uint32_t *word)
{
    const columns_state *w = t->w;
    const uint32_t own = t->clusters[i];
    if (word[0] == WAITS)
        return i > 0;
    bool good = columns_in_use(w, own) && !columns_is_touched(w, own);
    if (word[0] != DISSOLVES)
        return good && may_receive(w, own, word[0]);
    for (uint32_t m = 0; m < w->c.size[own] && good && t->dissolving; m++)
        good = may_receive(w, own, word[m + 1]);
    return good && t->dissolving;
}

static kith_status decide_all(hybrid_round *t, kith_error *error)
{
    columns_state *w = t->w;
    const uint64_t n_columns = w->prices.count;
    const int64_t *member = w->value + t->count * n_columns;
    uint32_t *word = t->words;
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t own = t->clusters[i];
        for (uint32_t m = 0; m < t->rows[i]; m++)
            word[m] = WAITS;
        if (!columns_is_touched(w, own))
            columns_hybrid_decide(w, own, w->value + i * n_columns, t->dissolving ? member : NULL,
                                  word);
        TRY(columns_hybrid_apply(w, own, word, error));
        member += (t->rows[i] - 1) * n_columns;
        word += t->rows[i];
    }
    return KITH_OK;
}

static kith_status follow_all(hybrid_round *t, kith_error *error)
{
    const uint32_t *word = t->words;
    for (uint32_t i = 0; i < t->count; word += t->rows[i++]) {
        if (!is_allowed(t, i, word))
            return columns_sequential_refuse(t->w->run, COLUMNS_UNIONS, error);
        TRY(columns_hybrid_apply(t->w, t->clusters[i], word, error));
    }
    return KITH_OK;
}

kith_status columns_hybrid(columns_state *w, kith_error *error)
{
    const size_t n_ids = w->c.used, n_words = n_ids + w->run->problem->n_records;
    hybrid_round t = {.w = w, .dissolving = !w->run->has_conditions};
    CHECK(columns_clusters_check(&w->c));
    t.clusters = TRY_ARRAY(t.clusters, w->memory, n_ids, error);
    t.rows = TRY_ARRAY(t.rows, w->memory, n_ids, error);
    t.words = TRY_ARRAY(t.words, w->memory, n_words, error);
    choose_clusters(&t);
    const uint32_t all = columns_clusters_count(&w->c) + 1;
    for (; t.count > 0 && columns_clusters_count(&w->c) > 1; choose_clusters(&t)) {
        double left = (double)columns_clusters_list(&w->c, w->scratch, w->run->problem->k);
        if (!context_progress(w->run->context, "finishing", 1 - left / all))
            return error_set(error, KITH_CANCELLED, "stopped while finishing");
        TRY(columns_sequential_begin_block(w, error));
        /* Prices of unions first, then those of the members of each cluster. */
        TRY(columns_prices_set_columns(&w->prices, UINT32_MAX, error));
        const uint64_t n_values = (uint64_t)t.n_words * w->prices.count;
        TRY(columns_sequential_reserve(w, n_values, error));
        columns_prices_unions(&w->prices, w->value, t.clusters, t.count);
        int64_t *out = w->value + (uint64_t)t.count * w->prices.count;
        for (uint32_t i = 0; i < t.count && t.dissolving; i++) {
            columns_prices_members(&w->prices, out, t.clusters[i]);
            out += (uint64_t)(t.rows[i] - 1) * w->prices.count;
        }
        TRY(columns_sequential_sum(w, COLUMNS_UNIONS, (size_t)n_values, error));
        if (w->run->is_pivot)
            TRY(decide_all(&t, error));
        TRY(columns_sequential_broadcast(w->run, COLUMNS_UNIONS, t.words,
                                         t.n_words * sizeof *t.words, error));
        if (!w->run->is_pivot)
            TRY(follow_all(&t, error));
    }
    return columns_pass_polish(w, error);
}
