#include "protocol/rows/rows_exchange.h"

#include <string.h>

#include "core/error.h"
#include "protocol/rows/rows_heard.h"
#include "smc/sums/sum.h"

static const message_type type_changes = {"cluster.changes", DISCLOSE_AGGREGATE}; /* message 11 */
static const message_type type_state = {"cluster.state", DISCLOSE_AGGREGATE};     /* message 11 */

/* --- by the primitives --- */

/* Sums do not tell which party gave a wrong number, so the errors here name no culprit. */
static kith_status sum_sizes(rows_state *v, const uint32_t *list, uint32_t count, uint64_t *size,
                             kith_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        size[i] = v->c.held[list[i]];
    TRY(sum_masked(v->p, size, size, count, 0, SMC_ALL, error)); /* message 5 */
    for (uint32_t i = 0; i < count; i++)
        if (size[i] < v->c.held[list[i]] || size[i] > v->n)
            return error_set(error, KITH_PEER, "impossible cluster size %llu",
                             (unsigned long long)size[i]);
    return KITH_OK;
}

static uint64_t total_size(const rows_state *v)
{
    uint64_t total = 0;
    for (uint32_t cluster = 0; cluster < v->c.used; cluster++)
        total += v->c.size[cluster];
    return total;
}

/* The listed clusters whose closures are computed: entries `known[0 … n_known-1]` of the list. */
typedef struct closing {
    const uint32_t *list;
    const uint16_t *above; /* NULL: below the roots */
    uint32_t *known;
    uint32_t n_known;
    lca_query *wanted; /* [n_known * n_attributes] */
    uint32_t *number;  /* [n_known * n_attributes] by cluster and attribute */
} closing;

static kith_status find_closures(rows_state *v, closing *x, kith_error *error)
{
    const uint32_t n_attributes = v->mine->n_attributes;
    size_t at = 0;
    for (uint32_t i = 0; i < x->n_known; i++) {
        const uint32_t *local = rows_state_local(v, x->list[x->known[i]]);
        for (uint32_t j = 0; j < n_attributes; j++)
            x->number[at + j] = local[j];
        for (uint32_t j = 0; j < n_attributes; j++)
            v->node[j] = tree_root(v->mine->attributes[j].tree);
        if (x->above != NULL)
            slots_to_nodes(&v->rows, v->mine, x->above + (size_t)x->known[i] * v->rows.stride,
                           v->node);
        for (uint32_t j = 0; j < n_attributes; j++, at++)
            x->wanted[at] = (lca_query){&v->trees[j].numbered, v->trees[j].number[v->node[j]]};
    }
    /* message 6 */
    return at == 0 ? KITH_OK : lca(v->p, x->number, x->wanted, x->number, at, SMC_ALL, error);
}

/* Sets the closure of a cluster to the result of the primitive. It must cover this party's own
 * records, which were part of the input. */
static kith_status accept_closure(rows_state *v, uint32_t cluster, const uint32_t *number,
                                  const uint16_t *above, kith_error *error)
{
    const uint32_t *local = rows_state_local(v, cluster), size = v->c.size[cluster];
    for (uint32_t j = 0; j < v->mine->n_attributes; j++) {
        const rows_tree *t = &v->trees[j];
        if (number[j] == LCA_NONE ||
            (local[j] != LCA_NONE && !tree_covers(t->tree, t->node[number[j]], t->node[local[j]])))
            return error_set(error, KITH_PEER,
                             "the closure of a cluster of %u records does not fit its records",
                             size);
        v->node[j] = t->node[number[j]];
    }
    rows_heard_set(v, ROWS_CLUSTER, size, v->c.held[cluster], v->node);
    slots_from_nodes(&v->rows, v->mine, v->row, v->node);
    if (party_self(v->p) == 0)
        paper_calls_close(&v->totals.paper, above, v->row);
    clusters_set_joint(&v->c, cluster, v->row, size);
    return KITH_OK;
}

kith_status rows_exchange_compute(rows_state *v, const uint32_t *list, uint32_t count,
                                  const uint16_t *above, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    closing x = {.list = list, .above = above};
    const size_t n_attributes = v->mine->n_attributes;
    uint64_t *size = TRY_ALLOC(arena_array(scratch, count, sizeof *size), error);
    x.known = TRY_ALLOC(arena_array(scratch, count, sizeof *x.known), error);
    x.wanted = TRY_ALLOC(arena_array(scratch, count * n_attributes, sizeof *x.wanted), error);
    x.number = TRY_ALLOC(arena_array(scratch, count * n_attributes, sizeof *x.number), error);
    rows_state_forget(v);
    TRY(rows_state_reserve(v, error));
    TRY(sum_sizes(v, list, count, size, error));
    /* Empty clusters are dropped; no more is learned of those that are withheld. */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cluster = list[i];
        v->c.size[cluster] = (uint32_t)size[i];
        if (size[i] == 0)
            clusters_drop(&v->c, cluster);
        else if (size[i] < v->c.min_known)
            clusters_withhold(&v->c, cluster);
        else
            x.known[x.n_known++] = i;
    }
    if (total_size(v) != v->n)
        return error_set(error, KITH_PEER, "the sizes of the clusters do not add up to %u records",
                         v->n);
    TRY(find_closures(v, &x, error));
    for (uint32_t i = 0; i < x.n_known; i++) {
        const uint16_t *row = above == NULL ? NULL : above + (size_t)x.known[i] * v->rows.stride;
        TRY(accept_closure(v, list[x.known[i]], x.number + i * n_attributes, row, error));
    }
    party_learns(v->p, DISCLOSE_AGGREGATE, "sizes and closures of clusters", count);
    rows_heard_report(v);
    return KITH_OK;
}

/* --- by messages --- */

/* An entry has the id, the size, the nodes of the closure and the counts of one cluster. */
static size_t entry_length(const rows_state *v)
{
    return (size_t)2 + v->mine->n_attributes + rows_state_values(v);
}

kith_status rows_exchange_save(rows_exchange *k, const rows_state *v, kith_error *error)
{
    const size_t stride = v->rows.stride, used = v->c.used, n_values = rows_state_values(v);
    if (k->n_clusters < used || k->n_values != n_values) {
        k->n_values = n_values;
        k->n_clusters = v->c.capacity;
        k->room = k->n_clusters * entry_length(v);
        k->row = TRY_ALLOC(arena_array(v->memory, k->n_clusters * n_values, sizeof *k->row), error);
        k->size = TRY_ALLOC(arena_array(v->memory, k->n_clusters, sizeof *k->size), error);
        k->closure = TRY_ARRAY(k->closure, v->memory, k->n_clusters * stride, error);
        k->body = TRY_ALLOC(arena_array(v->memory, k->room, sizeof *k->body), error);
    }
    k->used = v->c.used;
    memcpy(k->size, v->c.size, used * sizeof *k->size);
    memcpy(k->closure, v->c.closure, used * stride * sizeof *k->closure);
    if (n_values > 0)
        memcpy(k->row, v->c.row, used * n_values * sizeof *k->row);
    return KITH_OK;
}

/* Has the pivot changed anything that the others know of a cluster? */
static bool changed(const rows_state *v, const rows_exchange *k, uint32_t cluster)
{
    const size_t stride = v->rows.stride, n_values = rows_state_values(v);
    if (v->c.size[cluster] != k->size[cluster])
        return true;
    if (k->size[cluster] == 0)
        return false;
    return memcmp(rows_state_closure(v, cluster), k->closure + cluster * stride,
                  stride * sizeof *k->closure) != 0 ||
           (n_values > 0 && memcmp(clusters_row(&v->c, cluster), k->row + cluster * n_values,
                                   n_values * sizeof *k->row) != 0);
}

/* Writes an entry for every cluster that has changed to k->body; returns how many. */
static uint32_t write_changes(const rows_state *v, rows_exchange *k)
{
    const uint32_t n_attributes = v->mine->n_attributes, n_values = rows_state_values(v);
    uint32_t count = 0, *body = k->body;
    for (uint32_t cluster = 0; cluster < k->used; cluster++) {
        if (!changed(v, k, cluster))
            continue;
        body[0] = cluster;
        body[1] = v->c.size[cluster];
        slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, cluster), body + 2);
        if (n_values > 0)
            memcpy(body + 2 + n_attributes, clusters_row(&v->c, cluster), n_values * sizeof *body);
        body += entry_length(v);
        count++;
    }
    return count;
}

static kith_status bad_change(const rows_state *v, uint32_t pivot, kith_error *error)
{
    return party_protocol_error(v->p, pivot, error, "sent an inconsistent clustering");
}

/* Checks one entry of the pivot's message against what this party knows, and applies it. The new
 * closure must cover this party's own records and the new counts include them: they did not move.
 */
static kith_status read_change(rows_state *v, uint32_t *body, uint32_t pivot, kith_error *error)
{
    uint32_t cluster = body[0], size = body[1];
    if (cluster >= v->c.used || v->c.size[cluster] == 0 || size > v->n || size < v->c.held[cluster])
        return bad_change(v, pivot, error);
    const bool withheld = size < v->c.min_known;
    const uint32_t *local = rows_state_local(v, cluster);
    for (uint32_t j = 0; j < v->mine->n_attributes; j++) {
        const rows_tree *t = &v->trees[j];
        if (!rows_trees_has(t, body[2 + j]) ||
            (local[j] != LCA_NONE && !tree_covers(t->tree, body[2 + j], t->node[local[j]])) ||
            (withheld && size > 0 && body[2 + j] != tree_root(t->tree)))
            return bad_change(v, pivot, error);
    }
    const value_counts *by = v->c.value_counts;
    if (by != NULL) {
        uint32_t *counts = body + 2 + v->mine->n_attributes;
        if (!value_counts_add_up(by, counts, size) ||
            !value_counts_contain(by, counts, v->c.member[cluster], v->c.held[cluster]))
            return bad_change(v, pivot, error);
        memcpy(clusters_row(&v->c, cluster), counts, by->n_values * sizeof *counts);
    }
    /* One that dissolves keeps the closure that it had. */
    if (size > 0 && !withheld && v->c.lane[cluster] != LANES_NONE)
        rows_heard_set(v, ROWS_CLUSTER, size, v->c.held[cluster], body + 2);
    slots_from_nodes(&v->rows, v->mine, v->row, body + 2);
    clusters_set_joint(&v->c, cluster, v->row, size);
    return KITH_OK;
}

/* All parties but the pivot. */
static kith_status receive_changes(rows_state *v, rows_exchange *k, uint32_t pivot,
                                   uint32_t head[2], kith_error *error)
{
    const size_t entry = entry_length(v);
    TRY(party_recv(v->p, pivot, &type_changes, head, 2 * sizeof *head, error));
    if (head[0] > 1 || head[1] > k->used)
        return bad_change(v, pivot, error);
    TRY(smc_recv(v->p, pivot, &type_state, k->body, head[1] * entry * sizeof *k->body, error));
    for (uint32_t i = 0; i < head[1]; i++)
        TRY(read_change(v, k->body + i * entry, pivot, error));
    if (total_size(v) != v->n)
        return bad_change(v, pivot, error);
    party_learns(v->p, DISCLOSE_AGGREGATE, "sizes and closures of clusters", head[1]);
    rows_heard_report(v);
    return KITH_OK;
}

kith_status rows_exchange_share(rows_state *v, rows_exchange *k, uint32_t pivot, bool moved,
                                kith_error *error)
{
    uint32_t head[2] = {moved, 0}; /* has the pivot moved records? how many entries follow? */
    if (pivot == party_self(v->p)) {
        head[1] = write_changes(v, k);
        const size_t bytes = head[1] * entry_length(v) * sizeof *k->body;
        TRY(party_broadcast(v->p, &type_changes, head, sizeof head, error));
        for (uint32_t to = 0; to < party_count(v->p); to++)
            if (to != pivot)
                TRY(smc_send(v->p, to, &type_state, k->body, bytes, error));
        rows_state_forget(v);
    } else {
        TRY(receive_changes(v, k, pivot, head, error));
    }
    v->pass.moved = v->pass.moved || head[0] != 0;
    return KITH_OK;
}
