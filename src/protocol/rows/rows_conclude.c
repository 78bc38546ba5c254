#include "protocol/rows/rows_conclude.h"

#include "core/error.h"

enum { CANDIDATES = 2048 }; /* nodes below the closure of a class, at most */

static kith_status write_classes(rows_result *result, rows_state *v, kith_error *error)
{
    const uint32_t n_attributes = v->mine->n_attributes;
    result->n_classes = v->c.used;
    result->closure = TRY_ALLOC(
        arena_array(v->memory, (size_t)v->c.used * n_attributes, sizeof(uint32_t)), error);
    result->size = TRY_ALLOC(arena_array(v->memory, v->c.used, sizeof *result->size), error);
    result->class_of =
        TRY_ALLOC(arena_array(v->memory, v->mine->n_records, sizeof(uint32_t)), error);
    for (uint32_t i = 0; i < v->c.used; i++) {
        slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, i),
                       result->closure + (size_t)i * n_attributes);
        result->size[i] = v->c.size[i];
    }
    for (uint32_t i = 0; i < v->mine->n_records; i++)
        result->class_of[i] = v->c.of[i];
    return KITH_OK;
}

/* The lowest node of a whole tree that covers my records of a class; LCA_NONE if I have none. */
static uint32_t own_node(const rows_state *v, const rows_tree *h, uint32_t class, uint32_t j)
{
    const uint32_t *member = v->c.member[class], *cells = v->mine->attributes[j].cells;
    if (v->c.held[class] == 0)
        return LCA_NONE;
    uint32_t node = cells[member[0]];
    for (uint32_t m = 1; m < v->c.held[class]; m++)
        node = tree_lca(h->tree, node, cells[member[m]]);
    return h->number[node];
}

/* One attribute whose lowest levels had been left out: classes that may reach below the floor. */
static kith_status look_below(rows_result *result, rows_state *v, uint32_t j, arena *scratch,
                              kith_error *error)
{
    rows_tree whole;
    const uint32_t n_attributes = v->mine->n_attributes, floor = v->tree[j].floor;
    TRY(rows_trees_whole(&whole, v->tree[j].tree, scratch, error));
    lca_query *wanted = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *wanted), error);
    uint32_t *number = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *number), error);
    uint32_t *class = TRY_ALLOC(arena_array(scratch, result->n_classes, sizeof *class), error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->n_classes; i++) {
        uint32_t node = result->closure[(size_t)i * n_attributes + j], at = whole.number[node];
        if (whole.tree->level[node] != floor ||
            whole.numbered.last_descendants[at] - at > CANDIDATES)
            continue;
        wanted[count] = (lca_query){&whole.numbered, at};
        number[count] = own_node(v, &whole, i, j);
        class[count++] = i;
    }
    if (count == 0)
        return KITH_OK;
    TRY(lca(v->p, number, wanted, number, count, SMC_ALL, error));
    for (uint32_t i = 0; i < count; i++) {
        if (number[i] == LCA_NONE)
            return error_set(error, KITH_PEER, "nobody has the records of a class");
        result->closure[(size_t) class[i] * n_attributes + j] = whole.node[number[i]];
    }
    return KITH_OK;
}

kith_status rows_conclude(rows_result *result, rows_state *v, kith_error *error)
{
    kith_status status = KITH_OK;
    clusters_compact(&v->c);
    TRY(write_classes(result, v, error));
    party_step(v->p, "closing");
    for (uint32_t j = 0; j < v->mine->n_attributes && status == KITH_OK; j++) {
        if (v->tree[j].floor == 0)
            continue;
        arena *scratch = TRY_ALLOC(arena_new(), error);
        status = look_below(result, v, j, scratch, error);
        arena_free(scratch);
    }
    return status;
}
