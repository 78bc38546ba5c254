/* needs: weave */
#include "reference/column_tree_plain_pools.h"

#include "core/error.h"
#include "protocol/column_tree/column_tree_score.h"

typedef struct list {
    uint32_t *records;
    uint32_t size;
} list;

typedef struct plain {
    const problem *p;
    double unit;
    arena *memory;
    list classes; /* one record of each */
    uint32_t *class_of;
    uint32_t *depth; /* [n_records] of every class */
} plain;

/* A split: the attribute, and the value of every record, or COLUMN_TREE_REST. */
typedef struct choice {
    uint32_t score, *value;
} choice;

static kith_status list_new(list *l, const plain *w, kith_error *error)
{
    *l = (list){TRY_ALLOC(arena_array(w->memory, w->p->n_records, sizeof *l->records), error), 0};
    return KITH_OK;
}

/* Keeps the better of *best and what attribute a offers. */
static kith_status look_at(choice *best, const plain *w, uint32_t a, const list *s,
                           kith_error *error)
{
    const attribute *of = &w->p->attributes[a];
    uint32_t common = of->cells[s->records[0]], n_live = 0;
    for (uint32_t i = 1; i < s->size; i++)
        common = tree_lca(of->tree, common, of->cells[s->records[i]]);
    const uint32_t level = column_tree_score_level(of, common);
    if (level == COLUMN_TREE_NO_SLOT)
        return KITH_OK;
    uint32_t *count = TRY_ALLOC(arena_zalloc(w->memory, of->tree->n_nodes, sizeof *count), error);
    uint32_t *value = TRY_ALLOC(arena_array(w->memory, s->size, sizeof *value), error);
    column_tree_value live[COLUMN_TREE_MAX_LIVE];
    for (uint32_t i = 0; i < s->size; i++) {
        value[i] = column_tree_score_value(of->tree, of->cells[s->records[i]], level);
        if (value[i] != COLUMN_TREE_REST)
            count[value[i]]++;
    }
    for (uint32_t v = 0; v < of->tree->n_nodes; v++)
        if (column_tree_score_live(count[v], s->size, w->p->k))
            live[n_live++] = (column_tree_value){v, count[v], of->cost[common] - of->cost[v]};
    for (uint32_t i = 0; i < s->size; i++)
        if (value[i] != COLUMN_TREE_REST &&
            !column_tree_score_live(count[value[i]], s->size, w->p->k))
            value[i] = COLUMN_TREE_REST;
    const uint32_t score = column_tree_score_pools(live, n_live, s->size, w->p->k, w->unit);
    if (score > best->score)
        *best = (choice){score, value};
    return KITH_OK;
}

static void close_class(plain *w, const list *s, uint32_t depth)
{
    w->depth[w->classes.size] = depth;
    for (uint32_t i = 0; i < s->size; i++)
        w->class_of[s->records[i]] = w->classes.size;
    w->classes.records[w->classes.size++] = s->records[0];
}

static void pour(list *to, const list *from)
{
    for (uint32_t i = 0; i < from->size; i++)
        to->records[to->size++] = from->records[i];
}

/* Grows a set. What leaves it is added to `above`. */
static kith_status grow(plain *w, const list *s, list *above, uint32_t depth, kith_error *error)
{
    choice best = {0};
    list pool, part;
    for (uint32_t a = 0; s->size > w->p->k && a < w->p->n_attributes; a++)
        TRY(look_at(&best, w, a, s, error));
    if (best.score == 0) {
        close_class(w, s, depth);
        return KITH_OK;
    }
    TRY(list_new(&pool, w, error));
    for (uint32_t first = 0; first < s->size; first++) {
        const uint32_t value = best.value[first];
        bool seen = false;
        for (uint32_t i = 0; i < first && !seen; i++)
            seen = best.value[i] == value;
        if (seen)
            continue;
        TRY(list_new(&part, w, error));
        for (uint32_t i = first; i < s->size; i++)
            if (best.value[i] == value)
                part.records[part.size++] = s->records[i];
        if (part.size < w->p->k)
            pour(above, &part);
        else
            TRY(grow(w, &part, &pool, depth + 1, error));
    }
    while (pool.size >= w->p->k) {
        const list again = pool;
        TRY(list_new(&pool, w, error));
        TRY(grow(w, &again, &pool, depth, error));
    }
    pour(above, &pool);
    return KITH_OK;
}

/* Fewer than k records: to the class with the fewest splits above it, of these to the smallest, of
 * these to that of the first record. */
static void place(plain *w, const list *left)
{
    uint32_t best = UINT32_MAX, best_size = 0;
    for (uint32_t r = 0; r < w->p->n_records && left->size > 0; r++) {
        const uint32_t c = w->class_of[r];
        uint32_t size = 0;
        if (c == UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < w->p->n_records; i++)
            size += w->class_of[i] == c;
        if (best == UINT32_MAX || w->depth[c] < w->depth[best] ||
            (w->depth[c] == w->depth[best] && size < best_size)) {
            best = c;
            best_size = size;
        }
    }
    for (uint32_t i = 0; i < left->size; i++)
        w->class_of[left->records[i]] = best;
}

kith_status column_tree_plain_pools(partition *result, const problem *p, double unit, arena *memory,
                                    kith_error *error)
{
    plain w = {.p = p, .unit = unit, .memory = memory};
    list all, left;
    TRY(list_new(&w.classes, &w, error));
    TRY(list_new(&all, &w, error));
    TRY(list_new(&left, &w, error));
    w.class_of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *w.class_of), error);
    w.depth = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *w.depth), error);
    for (uint32_t i = 0; i < p->n_records; i++) {
        all.records[all.size++] = i;
        w.class_of[i] = UINT32_MAX;
    }
    TRY(grow(&w, &all, &left, 0, error));
    while (left.size >= p->k) {
        const list again = left;
        TRY(list_new(&left, &w, error));
        TRY(grow(&w, &again, &left, 0, error));
    }
    place(&w, &left);
    *result = (partition){.n_classes = w.classes.size, .class_of = w.class_of};
    return partition_close(result, p, memory, error);
}
