/* A pass of sequential clustering: steps 3 to 17 of SDC Algorithm 4, a block of records at a
 * time. */
#include "protocol/columns/columns_internal.h"

#include <string.h>

#include "core/error.h"
#include "search/sequential_rules.h"

enum { MIN_BLOCK = 16, MAX_POLISHING = 20, MAX_PUT_OFF = 16 };

/* The records that are still to be visited: those put off, then further ones. Records of clusters
 * that may not shrink are left out. */
typedef struct queue {
    uint32_t off;  /* put off: w->scratch[0 … off-1] */
    uint32_t next; /* the first record that was in no block yet */
} queue;

static bool is_visited(const columns_state *w, uint32_t record, uint32_t keep)
{
    return w->c.size[w->c.of[record]] > keep;
}

static uint32_t take_block(columns_state *w, queue *q, uint32_t keep, uint32_t room)
{
    uint32_t count = 0, left = 0;
    for (uint32_t i = 0; i < q->off; i++) {
        if (count == room)
            w->scratch[left++] = w->scratch[i];
        else if (is_visited(w, w->scratch[i], keep))
            w->block.records[count++] = w->scratch[i];
    }
    q->off = left;
    for (; count < room && q->next < w->run->problem->n_records; q->next++)
        if (is_visited(w, q->next, keep))
            w->block.records[count++] = q->next;
    return count;
}

/* Prices that a peer chose at will could put off nearly all records of every block: a limit that
 * all parties know bounds the visits of a pass. */
static bool may_put_off(const columns_state *w)
{
    return w->n_put_off < MAX_PUT_OFF * (uint64_t)w->run->problem->n_records;
}

/* The column of prices with the lowest one below `limit` among the touched or the untouched
 * clusters, UINT32_MAX if there is none. */
static uint32_t columns_pass_cheapest(const columns_state *w, const int64_t *price, uint32_t own,
                                      int64_t limit, bool touched)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t r = 0; r < w->prices.count; r++) {
        const uint32_t to = w->prices.clusters[r];
        if (price[r] >= limit || to == own || columns_is_touched(w, to) != touched)
            continue;
        best = r;
        limit = price[r];
    }
    return best;
}

/* The same among the clusters that the models let the record enter now. Overwrites the prices of
 * those that they do not. */
static uint32_t cheapest_open(const columns_state *w, uint32_t record, int64_t *price,
                              int64_t limit, bool touched)
{
    for (;;) {
        const uint32_t best = columns_pass_cheapest(w, price, w->c.of[record], limit, touched);
        if (best == UINT32_MAX || !w->run->has_conditions)
            return best;
        const uint32_t to = w->prices.clusters[best], size = w->c.size[to];
        if (size > 0 && class_rules_join_valid(&w->pivot.rules, w->c.member[to], size, record))
            return best;
        price[best] = INT64_MAX;
    }
}

/* Steps 9, 10 and 14 for one record, at the pivot; may overwrite its prices. */
static uint32_t columns_pass_decide(const columns_state *w, uint32_t record, int64_t *price)
{
    const columns_clusters *c = &w->c;
    const uint32_t own = c->of[record];
    const int64_t limit = c->size[own] == 1 ? INT64_MAX : 0;
    if (columns_pass_cheapest(w, price, own, limit, false) == UINT32_MAX &&
        columns_pass_cheapest(w, price, own, limit, true) == UINT32_MAX)
        return COLUMNS_STAYS;
    if (w->run->has_conditions &&
        !class_rules_leave(&w->pivot.rules, c->member[own], c->size[own], record))
        return COLUMNS_STAYS;
    if (columns_is_touched(w, own))
        return may_put_off(w) ? COLUMNS_PUT_OFF : COLUMNS_STAYS;
    const uint32_t best = cheapest_open(w, record, price, limit, false);
    if (best != UINT32_MAX)
        return w->prices.clusters[best];
    bool blocked = may_put_off(w) && cheapest_open(w, record, price, limit, true) != UINT32_MAX;
    return blocked ? COLUMNS_PUT_OFF : COLUMNS_STAYS;
}

/* Steps 11 and 12, or 14 and 15. */
static kith_status columns_pass_apply(columns_state *w, uint32_t record, uint32_t to,
                                      kith_error *error)
{
    if (to == COLUMNS_STAYS || to == COLUMNS_PUT_OFF)
        return KITH_OK;
    columns_touch(w, w->c.of[record]);
    columns_touch(w, to);
    w->n_moves++;
    return columns_clusters_move(&w->c, record, to, error);
}

/* Makes the moves that the pivot told. Those that its own rules forbid are refused. */
static kith_status follow_block(columns_state *w, uint32_t count, kith_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = w->block.decisions[i], own = w->c.of[w->block.records[i]];
        bool moves = to != COLUMNS_STAYS && to != COLUMNS_PUT_OFF;
        bool wrong = moves && (!columns_in_use(w, to) || to == own || columns_is_touched(w, to) ||
                               columns_is_touched(w, own));
        if (wrong || (to == COLUMNS_PUT_OFF && (i == 0 || !may_put_off(w))))
            return columns_sequential_refuse(w->run, COLUMNS_MOVES, error);
        TRY(columns_pass_apply(w, w->block.records[i], to, error));
    }
    return KITH_OK;
}

/* Steps 4 to 16 for all records of a block. */
static kith_status visit_block(columns_state *w, uint32_t count, kith_error *error)
{
    TRY(columns_sequential_begin_block(w, error));
    TRY(columns_prices_set_columns(&w->prices, UINT32_MAX, error));
    const uint64_t n_values = (uint64_t)count * w->prices.count;
    TRY(columns_sequential_reserve(w, n_values, error));
    columns_prices_moves(&w->prices, w->value, w->block.records, count);    /* 6 */
    TRY(columns_sequential_sum(w, COLUMNS_MOVES, (size_t)n_values, error)); /* 7 */
    for (uint32_t i = 0; w->run->is_pivot && i < count; i++) {
        int64_t *price = w->value + (uint64_t)i * w->prices.count;
        w->block.decisions[i] = columns_pass_decide(w, w->block.records[i], price);
        TRY(columns_pass_apply(w, w->block.records[i], w->block.decisions[i], error));
    }
    TRY(columns_sequential_broadcast(w->run, COLUMNS_MOVES, w->block.decisions,
                                     count * sizeof *w->block.decisions, error));
    return w->run->is_pivot ? KITH_OK : follow_block(w, count, error);
}

/* Puts the records that were put off in front of those still waiting. Returns how many. */
static uint32_t requeue(columns_state *w, queue *q, uint32_t count)
{
    uint32_t off = 0;
    for (uint32_t i = 0; i < count; i++)
        if (w->block.decisions[i] == COLUMNS_PUT_OFF)
            w->block.records[off++] = w->block.records[i];
    memmove(w->scratch + off, w->scratch, q->off * sizeof *w->scratch);
    memcpy(w->scratch, w->block.records, off * sizeof *w->scratch);
    q->off += off;
    return off;
}

/* The number of passes is not known in advance, so each counts as a tenth of what is left. */
static kith_status report_progress(columns_state *w, const queue *q, kith_error *error)
{
    double left = 1, pass = (double)q->next / (double)w->run->problem->n_records;
    for (uint32_t i = 0; i < w->n_passes; i++)
        left *= 0.9;
    if (context_progress(w->run->context, "clustering", 1 - left * (1 - 0.1 * pass)))
        return KITH_OK;
    return error_set(error, KITH_CANCELLED, "stopped while clustering");
}

kith_status columns_pass(columns_state *w, uint32_t keep, kith_error *error)
{
    queue q = {0};
    CHECK(columns_clusters_check(&w->c));
    w->n_moves = 0;
    w->n_put_off = 0;
    while (q.off > 0 || q.next < w->run->problem->n_records) { /* 3 */
        TRY(report_progress(w, &q, error));
        /* How many records a block may have now. */
        uint32_t room = COLUMNS_VALUES / columns_clusters_count(&w->c);
        room = room == 0 ? 1 : room;
        room = w->block.limit < room ? w->block.limit : room;
        uint32_t count = take_block(w, &q, keep, room);
        if (count == 0 || columns_clusters_count(&w->c) == 1)
            continue; /* no record may move, or there is no other cluster */
        TRY(visit_block(w, count, error));
        uint32_t off = requeue(w, &q, count);
        w->run->result->n_visits += count - off;
        w->run->result->n_paper_sums += count - off;
        w->run->result->put_off += off;
        w->n_put_off += off;
        w->run->result->n_blocks++;
        /* Large blocks save messages, but more of their records meet touched clusters. */
        if (w->run->spec->block == 0 && count >= w->block.limit) {
            if ((uint64_t)off * 10 < count && w->block.limit < COLUMNS_MAX_BLOCK)
                w->block.limit *= 2;
            else if ((uint64_t)off * 10 > (uint64_t)count * 3 && w->block.limit > MIN_BLOCK)
                w->block.limit /= 2;
        }
    }
    w->n_passes++;
    CHECK(columns_clusters_check(&w->c));
    return KITH_OK;
}

kith_status columns_pass_total_cost(columns_state *w, int64_t *cost, kith_error *error)
{
    TRY(columns_sequential_reserve(w, 1, error));
    w->value[0] = columns_clusters_total(&w->c);
    TRY(columns_sequential_sum(w, COLUMNS_COST, 1, error));
    *cost = w->value[0];
    return KITH_OK;
}

bool columns_pass_gain_is_small(const columns_state *w, int64_t before, int64_t now)
{
    const columns_link *link = w->run->link;
    const double small_gain = link->small_gain > 0 ? link->small_gain : SEQUENTIAL_SMALL_GAIN;
    /* Peers choose both sums, whose difference may not fit. */
    return (double)before - (double)now < small_gain * (double)before;
}

kith_status columns_pass_polish(columns_state *w, kith_error *error)
{
    int64_t before, now;
    unsigned char enough = 0;
    TRY(columns_pass_total_cost(w, &before, error));
    for (uint32_t pass = 0; pass < MAX_POLISHING && !enough; pass++) {
        TRY(columns_pass(w, w->run->problem->k, error));
        w->run->result->polishing++;
        if (w->n_moves == 0)
            return KITH_OK;
        TRY(columns_pass_total_cost(w, &now, error));
        enough = w->run->is_pivot && columns_pass_gain_is_small(w, before, now);
        TRY(columns_sequential_broadcast(w->run, COLUMNS_COST, &enough, sizeof enough, error));
        before = now;
    }
    return KITH_OK;
}
