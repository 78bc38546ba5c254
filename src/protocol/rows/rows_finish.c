#include "protocol/rows/rows_finish.h"

#include "core/error.h"
#include "protocol/rows/rows_diversity.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "search/cluster/finish_merge.h"
#include "smc/sums/sum.h"

enum { MAX_CANDIDATES = 2048 }; /* nodes below the closure of a class for a search there */

/* --- steps 26 to 30 --- */

/* Each party in turn moves its records out of the clusters that dissolve. */
static kith_status dissolve(rows_state *v, rows_turn *t, rows_finish_rounds *h, kith_error *error)
{
    for (uint32_t i = 0; h->marked > 0 && i < party_count(v->p); i++) {
        TRY(rows_exchange_save(&t->exchange, v, error));
        rows_state_forget(v);
        if (i == party_self(v->p))
            TRY(rows_finish_rounds_dissolve(h, NULL, 0, error));
        TRY(rows_exchange_share(v, &t->exchange, i, true, error));
    }
    return KITH_OK;
}

static kith_status remove_small(rows_state *v, rows_turn *t, kith_error *error)
{
    rows_finish_rounds h;
    int64_t *price = TRY_ALLOC(arena_array(v->memory, v->c.used, sizeof *price), error);
    TRY(clusters_arrange(&v->c, error));
    TRY(rows_finish_rounds_init(&h, &v->c, v->k, error));
    while (rows_finish_rounds_pick(&h)) {
        if (!context_progress(v->task->context, "finishing", -1))
            return error_set(error, KITH_CANCELLED, "stopped while finishing");
        /* All parties add up what dissolving the clusters of the round would cost, decide alike,
         * and then each in turn moves its records out of the clusters that dissolve. */
        for (uint32_t i = 0; i < h.count; i++)
            price[i] = 0;
        rows_finish_rounds_price(&h, price);
        /* Two's complement: sums modulo 2^64 are those of signed numbers. */
        /* message 13 */
        TRY(sum_masked(v->p, (uint64_t *)price, (uint64_t *)price, h.count, 0, SMC_ALL, error));
        party_learns(v->p, DISCLOSE_AGGREGATE, "costs of dissolving clusters", h.count);
        TRY(rows_finish_rounds_decide(&h, price, error));
        TRY(dissolve(v, t, &h, error));
    }
    return KITH_OK;
}

/* Moves single records to better clusters as long as every cluster keeps k records. */
static kith_status polish(rows_state *v, rows_turn *t, kith_error *error)
{
    bool done = false;
    v->block_pass.keep = v->k;
    for (uint32_t pass = 0; pass < ROWS_FINISH_MAX_POLISHING && !done; pass++) {
        clusters_compact(&v->c);
        TRY(clusters_arrange(&v->c, error));
        rows_state_forget(v);
        int64_t before = clusters_total_cost(&v->c);
        v->pass.moved = false;
        for (uint32_t i = 0; i < party_count(v->p); i++)
            TRY(rows_turn_run(t, v, i, error));
        done = rows_finish_rounds_polished(v->pass.moved, before, clusters_total_cost(&v->c));
    }
    return KITH_OK;
}

kith_status rows_finish(rows_state *v, rows_turn *t, kith_error *error)
{
    if (v->c.min_known > 0) {
        /* A cluster whose closure was withheld cannot be priced or merged: it dissolves first. */
        rows_finish_rounds h;
        TRY(clusters_arrange(&v->c, error));
        TRY(rows_finish_rounds_init(&h, &v->c, v->k, error));
        rows_finish_rounds_pick_withheld(&h);
        TRY(dissolve(v, t, &h, error));
        v->c.min_known = 0; /* from here on clusters only grow, keep k records, or dissolve */
        clusters_compact(&v->c);
    }
    if (v->task->spec->finish == FINISH_MERGE)
        return finish_merge_small(&v->c, v->mine->k, v->task->context, error); /* 26-30 */
    party_step(v->p, "finishing");
    v->block_pass.paper = NULL; /* the paper has no such step: nothing to count */
    bool repaired;
    TRY(remove_small(v, t, error));
    party_step(v->p, "polishing");
    TRY(polish(v, t, error));
    party_step(v->p, "mending");
    TRY(rows_diversity_repair(v, &repaired, error));
    return repaired ? polish(v, t, error) : KITH_OK;
}

/* --- step 31 --- */

kith_status rows_finish_classes(rows_result *result, rows_state *v, kith_error *error)
{
    const uint32_t n_attributes = v->mine->n_attributes;
    arena *memory = v->task->context->memory; /* it outlives the start */
    clusters_compact(&v->c);
    CHECK(rows_state_check(v));
    result->n_classes = v->c.used;
    result->closure =
        TRY_ALLOC(arena_array(memory, (size_t)v->c.used * n_attributes, sizeof(uint32_t)), error);
    result->size = TRY_ALLOC(arena_array(memory, v->c.used, sizeof *result->size), error);
    result->class_of = TRY_ALLOC(arena_array(memory, v->mine->n_records, sizeof(uint32_t)), error);
    for (uint32_t i = 0; i < v->c.used; i++) {
        if (v->c.size[i] < v->mine->k) /* a pivot has said more of an earlier one than was so */
            return error_set(error, KITH_PEER, "a class has only %u records", v->c.size[i]);
        slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, i),
                       result->closure + (size_t)i * n_attributes);
        result->size[i] = v->c.size[i];
    }
    for (uint32_t i = 0; i < v->mine->n_records; i++)
        result->class_of[i] = v->c.of[i];
    return KITH_OK;
}

/* nodes[n_classes] become the lowest nodes of a whole tree that cover my records of each class;
 * LCA_NONE if I have none. */
static void own_nodes(uint32_t *nodes, const rows_result *result, const rows_state *v,
                      const rows_tree *h, uint32_t j)
{
    const uint32_t *cells = v->mine->attributes[j].cells;
    for (uint32_t i = 0; i < result->n_classes; i++)
        nodes[i] = LCA_NONE;
    for (uint32_t i = 0; i < v->mine->n_records; i++) {
        uint32_t *node = &nodes[result->class_of[i]];
        *node = *node == LCA_NONE ? cells[i] : tree_lca(h->tree, *node, cells[i]);
    }
}

/* One attribute whose lowest levels were left out: searches the closures of classes at the floor
 * among the nodes below it. */
static kith_status search_below_floor(rows_result *result, rows_state *v, uint32_t j,
                                      kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    rows_tree whole;
    const uint32_t n_attributes = v->mine->n_attributes, floor = v->trees[j].floor;
    TRY(rows_trees_whole(&whole, v->trees[j].tree, scratch, error));
    lca_query *wanted = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *wanted), error);
    uint32_t *own = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *own), error);
    uint32_t *found = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *found), error);
    uint32_t *class = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *class), error);
    uint32_t *nodes = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *nodes), error);
    uint32_t count = 0;
    own_nodes(nodes, result, v, &whole, j);
    for (uint32_t i = 0; i < result->n_classes; i++) {
        uint32_t node = result->closure[(size_t)i * n_attributes + j], at = whole.number[node];
        if (whole.tree->level[node] != floor ||
            whole.numbered.last_descendants[at] - at > MAX_CANDIDATES)
            continue;
        wanted[count] = (lca_query){&whole.numbered, at};
        own[count] = nodes[i] == LCA_NONE ? LCA_NONE : whole.number[nodes[i]];
        class[count++] = i;
    }
    if (count == 0)
        return KITH_OK;
    TRY(lca(v->p, found, wanted, own, count, SMC_ALL, error)); /* message 14 */
    for (uint32_t i = 0; i < count; i++) {
        if (found[i] == LCA_NONE)
            return error_set(error, KITH_PEER, "no site has the records of a class");
        if (own[i] != LCA_NONE &&
            !tree_covers(whole.tree, whole.node[found[i]], whole.node[own[i]]))
            return error_set(error, KITH_PEER, "the closure of a class does not fit its records");
        result->closure[(size_t) class[i] * n_attributes + j] = whole.node[found[i]];
    }
    return KITH_OK;
}

kith_status rows_finish_closures(rows_result *result, rows_state *v, kith_error *error)
{
    party_step(v->p, "closing");
    for (uint32_t j = 0; j < v->mine->n_attributes; j++)
        if (v->trees[j].floor > 0)
            TRY(search_below_floor(result, v, j, error));
    return KITH_OK;
}
