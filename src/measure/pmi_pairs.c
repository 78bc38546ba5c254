#include "measure/pmi_pairs.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "core/sort.h"

kith_status pmi_order_make(pmi_order *o, const uint32_t *label, uint32_t n_labels,
                           uint32_t n_records, arena *memory, kith_error *error)
{
    *o = (pmi_order){.label = label, .n_labels = n_labels, .n_records = n_records};
    o->start = TRY_ARRAY(o->start, memory, (size_t)n_labels + 2, error);
    o->order = TRY_ARRAY(o->order, memory, n_records, error);
    group_by_part(o->order, o->start, label, n_labels, NULL, n_records);
    return KITH_OK;
}

void pmi_order_release(const pmi_order *o, arena *memory)
{
    arena_release(memory, o->order, o->n_records * sizeof *o->order);
    arena_release(memory, o->start, ((size_t)o->n_labels + 2) * sizeof *o->start);
}

/* The nodes that occur with the present label. */
typedef struct board {
    uint32_t n_nodes;
    uint32_t *there, *shown; /* [n_nodes], zero between two labels */
    uint32_t *touched;       /* [n_touched] nodes with a count */
    uint32_t n_touched;
} board;

static void note(board *b, uint32_t *count, uint32_t node)
{
    if (b->there[node] == 0 && b->shown[node] == 0)
        b->touched[b->n_touched++] = node;
    count[node]++;
}

/* Few nodes are sorted, many are found again in their order. */
static kith_status flush(pmi_pairs *to, board *b, uint32_t label, arena *memory, kith_error *error)
{
    if (b->n_touched < b->n_nodes / 16) {
        qsort(b->touched, b->n_touched, sizeof *b->touched, sort_uint32);
    } else {
        b->n_touched = 0;
        for (uint32_t node = 0; node < b->n_nodes; node++)
            if (b->there[node] > 0 || b->shown[node] > 0)
                b->touched[b->n_touched++] = node;
    }
    TRY_GROW(to->pair, to->capacity, to->count + b->n_touched, memory, error);
    for (uint32_t i = 0; i < b->n_touched; i++) {
        const uint32_t node = b->touched[i];
        to->pair[to->count++] = (pmi_pair){label, node, b->there[node], b->shown[node]};
        b->there[node] = b->shown[node] = 0;
    }
    b->n_touched = 0;
    return KITH_OK;
}

kith_status pmi_pairs_make(pmi_pairs *pairs, const pmi_order *o, const tree *t,
                           const uint32_t *cells, const uint32_t *shown, arena *memory,
                           kith_error *error)
{
    const uint32_t n_nodes = t->n_nodes;
    *pairs = (pmi_pairs){0};
    board b = {.n_nodes = n_nodes};
    b.there = TRY_ZEROS(b.there, memory, n_nodes, error);
    b.shown = TRY_ZEROS(b.shown, memory, n_nodes, error);
    b.touched = TRY_ARRAY(b.touched, memory, n_nodes, error);
    for (uint32_t y = 0; y < o->n_labels; y++) {
        for (uint32_t m = o->start[y]; m < o->start[y + 1]; m++) {
            note(&b, b.there, cells[o->order[m]]);
            if (shown != NULL)
                note(&b, b.shown, shown[o->order[m]]);
        }
        if (b.n_touched > 0)
            TRY(flush(pairs, &b, y, memory, error));
    }
    arena_release(memory, b.touched, n_nodes * sizeof *b.touched);
    arena_release(memory, b.shown, n_nodes * sizeof *b.shown);
    arena_release(memory, b.there, n_nodes * sizeof *b.there);
    return KITH_OK;
}

static int pmi_pairs_compare(const pmi_pair *a, const pmi_pair *b)
{
    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Merges both from behind, in place: what is written has been read. `at` counts the room that is
 * left in front. */
static void merge_back(pmi_pair *pair, size_t n_own, const pmi_pair *more, size_t n_more, size_t at)
{
    while (n_own > 0 || n_more > 0) {
        const int order = n_own == 0    ? -1
                          : n_more == 0 ? 1
                                        : pmi_pairs_compare(&pair[n_own - 1], &more[n_more - 1]);
        pmi_pair next = order >= 0 ? pair[--n_own] : more[--n_more];
        if (order == 0) {
            next.there += more[--n_more].there;
            next.shown += more[n_more].shown;
        }
        pair[--at] = next;
    }
}

/* How many pairs both have. */
static size_t count_both(const pmi_pairs *a, const pmi_pairs *b)
{
    size_t i = 0, j = 0, n = 0;
    while (i < a->count && j < b->count) {
        const int order = pmi_pairs_compare(&a->pair[i], &b->pair[j]);
        n += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return n;
}

kith_status pmi_pairs_merge(pmi_pairs *pairs, const pmi_pairs *more, arena *memory,
                            kith_error *error)
{
    const size_t n = pairs->count + more->count - count_both(pairs, more);
    TRY_GROW(pairs->pair, pairs->capacity, n, memory, error);
    merge_back(pairs->pair, pairs->count, more->pair, more->count, n);
    pairs->count = n;
    return KITH_OK;
}

void pmi_pairs_release(pmi_pairs *pairs, arena *memory)
{
    if (pairs->pair != NULL)
        arena_release(memory, pairs->pair, pairs->capacity * sizeof *pairs->pair);
    *pairs = (pmi_pairs){0};
}
