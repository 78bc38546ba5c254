#include "protocol/rows/rows_exchange.h"

#include <string.h>

#include "core/error.h"
#include "smc/sum.h"

static const message_type type_changes = {"cluster.changes", DISCLOSE_AGGREGATE};
static const message_type type_state = {"cluster.state", DISCLOSE_AGGREGATE};

/* --- by the primitives --- */

/* Sums do not tell which party gave a wrong number, so the errors here name no culprit. */
static kith_status sum_sizes(rows_state *v, const uint32_t *list, uint32_t count, uint64_t *size,
                             kith_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        size[i] = v->c.held[list[i]];
    TRY(sum_masked(v->p, size, size, count, 0, SMC_ALL, error));
    for (uint32_t i = 0; i < count; i++)
        if (size[i] < v->c.held[list[i]] || size[i] > v->n)
            return error_set(error, KITH_PEER, "impossible cluster size %llu",
                             (unsigned long long)size[i]);
    return KITH_OK;
}

/* The closures of the listed clusters, as numbers by cluster and attribute. */
static kith_status find_closures(rows_state *v, const uint32_t *list, uint32_t count,
                                 const uint16_t *above, lca_query *wanted, uint32_t *number,
                                 kith_error *error)
{
    const uint32_t n_attributes = v->mine->n_attributes;
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *local = rows_state_local(v, list[i]);
        for (uint32_t j = 0; j < n_attributes; j++)
            number[at + j] = local[j];
        for (uint32_t j = 0; j < n_attributes; j++)
            v->node[j] = tree_root(v->mine->attributes[j].tree);
        if (above != NULL)
            slots_to_nodes(&v->rows, v->mine, above + (size_t)i * v->rows.stride, v->node);
        for (uint32_t j = 0; j < n_attributes; j++, at++)
            wanted[at] = (lca_query){&v->trees[j].numbered, v->trees[j].number[v->node[j]]};
    }
    return lca(v->p, number, wanted, number, at, SMC_ALL, error);
}

/* Sets the size and closure of a cluster to the results of the primitives. The closure must cover
 * this party's own records, which were part of the input. */
static kith_status accept_result(rows_state *v, uint32_t cluster, uint64_t size,
                                 const uint32_t *number, const uint16_t *above, kith_error *error)
{
    const uint32_t *local = rows_state_local(v, cluster);
    for (uint32_t j = 0; j < v->mine->n_attributes; j++) {
        const rows_tree *t = &v->trees[j];
        bool covers = number[j] == LCA_NONE || local[j] == LCA_NONE ||
                      tree_covers(t->tree, t->node[number[j]], t->node[local[j]]);
        if ((number[j] == LCA_NONE) != (size == 0) || !covers)
            return error_set(error, KITH_PEER,
                             "the closure of a cluster of %llu records does not fit its records",
                             (unsigned long long)size);
        v->node[j] = size == 0 ? 0 : t->node[number[j]];
    }
    if (size > 0)
        slots_from_nodes(&v->rows, v->mine, v->row, v->node);
    if (size > 0 && party_self(v->p) == 0)
        paper_calls_close(&v->totals.paper, above, v->row);
    if (v->c.size[cluster] == 0) /* none of the records are mine */
        v->c.size[cluster] = 1;  /* clusters_set_joint drops only clusters in use */
    clusters_set_joint(&v->c, cluster, v->row, (uint32_t)size);
    return KITH_OK;
}

kith_status rows_exchange_compute(rows_state *v, const uint32_t *list, uint32_t count,
                                  const uint16_t *above, kith_error *error)
{
    const size_t n_attributes = v->mine->n_attributes;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint64_t *size = arena_array(scratch, count, sizeof *size);
    lca_query *wanted = arena_array(scratch, count * n_attributes, sizeof *wanted);
    uint32_t *number = arena_array(scratch, count * n_attributes, sizeof *number);
    kith_status status = KITH_OK;
    if (size == NULL || wanted == NULL || number == NULL)
        status = error_nomem(error);
    rows_state_forget(v);
    if (status == KITH_OK)
        status = rows_state_reserve(v, error);
    if (status == KITH_OK)
        status = sum_sizes(v, list, count, size, error);
    if (status == KITH_OK)
        status = find_closures(v, list, count, above, wanted, number, error);
    for (uint32_t i = 0; i < count && status == KITH_OK; i++)
        status = accept_result(v, list[i], size[i], number + i * n_attributes,
                               above == NULL ? NULL : above + i * v->rows.stride, error);
    arena_free(scratch);
    if (status == KITH_OK)
        party_learns(v->p, DISCLOSE_AGGREGATE, "sizes and closures of clusters", count);
    return status;
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
        k->closure =
            TRY_ALLOC(arena_array(v->memory, k->n_clusters * stride, sizeof *k->closure), error);
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
    const uint32_t *local = rows_state_local(v, cluster);
    for (uint32_t j = 0; j < v->mine->n_attributes; j++) {
        const rows_tree *t = &v->trees[j];
        if (!rows_trees_has(t, body[2 + j]) ||
            (local[j] != LCA_NONE && !tree_covers(t->tree, body[2 + j], t->node[local[j]])))
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
    slots_from_nodes(&v->rows, v->mine, v->row, body + 2);
    clusters_set_joint(&v->c, cluster, v->row, size);
    return KITH_OK;
}

/* All parties but the pivot. */
static kith_status receive_changes(rows_state *v, rows_exchange *k, uint32_t pivot,
                                   uint32_t head[2], kith_error *error)
{
    const size_t entry = entry_length(v);
    uint64_t total = 0;
    TRY(party_recv(v->p, pivot, &type_changes, head, 2 * sizeof *head, error));
    if (head[0] > 1 || head[1] > k->used)
        return bad_change(v, pivot, error);
    TRY(smc_recv(v->p, pivot, &type_state, k->body, head[1] * entry * sizeof *k->body, error));
    for (uint32_t i = 0; i < head[1]; i++)
        TRY(read_change(v, k->body + i * entry, pivot, error));
    for (uint32_t cluster = 0; cluster < v->c.used; cluster++)
        total += v->c.size[cluster];
    if (total != v->n)
        return bad_change(v, pivot, error);
    party_learns(v->p, DISCLOSE_AGGREGATE, "sizes and closures of clusters", head[1]);
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
