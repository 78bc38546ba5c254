/* Flash: finds the border between violating and satisfying nodes by binary searches along greedy
 * paths (Kohlmayer, Prasser et al.; EGV 2.1), then proves the optimum. It skips nodes whose bound
 * shows that they are not the best. Where suppression makes a model not monotone, the border is
 * that of the monotone part (monotone_models.h). */
#include "search/algorithms.h"
#include "search/lattice/lattice_search.h"

#include "core/error.h"

/* Nodes that wait for a path of their own, a binary heap with the lowest sum of levels first. */
typedef struct node_queue {
    uint32_t *nodes;
    uint32_t count;
    uint8_t *seen; /* [n_nodes] ever put in: a node waits at most once */
} node_queue;

typedef struct flash {
    lattice_search search;
    node_queue queue;
    uint32_t *path; /* [top + 1] */
} flash;

static bool before(const lattice *l, uint32_t a, uint32_t b)
{
    uint32_t x = lattice_sum(l, a), y = lattice_sum(l, b);
    return x < y || (x == y && a < b);
}

static void push(flash *f, uint32_t node)
{
    node_queue *w = &f->queue;
    if (w->seen[node])
        return;
    w->seen[node] = 1;
    uint32_t i = w->count++;
    for (; i > 0 && before(&f->search.lattice, node, w->nodes[(i - 1) / 2]); i = (i - 1) / 2)
        w->nodes[i] = w->nodes[(i - 1) / 2];
    w->nodes[i] = node;
}

static uint32_t pop(flash *f)
{
    node_queue *w = &f->queue;
    uint32_t first = w->nodes[0], last = w->nodes[--w->count], i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= w->count)
            break;
        if (child + 1 < w->count &&
            before(&f->search.lattice, w->nodes[child + 1], w->nodes[child]))
            child++;
        if (!before(&f->search.lattice, w->nodes[child], last))
            break;
        w->nodes[i] = w->nodes[child];
        i = child;
    }
    w->nodes[i] = last;
    return first;
}

/* The next node of a greedy path: among the untagged nodes above, the one that loses least. */
static uint32_t best_untagged_above(flash *f, uint32_t node)
{
    lattice_search *s = &f->search;
    uint32_t best = UINT32_MAX;
    double min_bound = 0;
    for (uint32_t j = 0; j < s->lattice.n_attributes; j++) {
        uint32_t up = lattice_up(&s->lattice, node, j);
        if (up == UINT32_MAX || s->lattice.tag[up] != TAG_UNKNOWN)
            continue;
        lattice_search_inherit(s, up, node);
        if (lattice_search_hopeless(s, up))
            continue;
        uint8_t levels[LATTICE_MAX_ATTRIBUTES];
        lattice_levels(&s->lattice, up, levels);
        double bound = checker_estimate(s->checker, levels);
        if (best == UINT32_MAX || bound < min_bound) {
            best = up;
            min_bound = bound;
        }
    }
    return best;
}

/* Binary search along a greedy path from `node` upwards. Untagged nodes above a violating node get
 * paths of their own. */
static void search_path(flash *f, uint32_t node)
{
    lattice_search *s = &f->search;
    uint32_t length = 0;
    for (uint32_t at = node; at != UINT32_MAX; at = best_untagged_above(f, at))
        f->path[length++] = at;
    uint32_t low = 0, high = length;
    while (low < high && !s->stopped) {
        uint32_t middle = (low + high) / 2;
        if (lattice_search_possible(s, f->path[middle])) {
            high = middle;
            continue;
        }
        low = middle + 1;
        for (uint32_t j = 0; j < s->lattice.n_attributes; j++) {
            uint32_t up = lattice_up(&s->lattice, f->path[middle], j);
            if (up != UINT32_MAX && s->lattice.tag[up] == TAG_UNKNOWN)
                push(f, up);
        }
    }
}

/* Tags all nodes, except those that are hopeless, bottom-up. */
static void find_border(flash *f, const uint32_t *order)
{
    lattice_search *s = &f->search;
    for (uint32_t i = 0; i < s->lattice.n_nodes && !s->stopped; i++) {
        if (s->lattice.tag[order[i]] != TAG_UNKNOWN || lattice_search_hopeless(s, order[i]))
            continue;
        search_path(f, order[i]);
        while (f->queue.count > 0 && !s->stopped) {
            uint32_t node = pop(f);
            if (s->lattice.tag[node] == TAG_UNKNOWN && !lattice_search_hopeless(s, node))
                search_path(f, node);
        }
    }
}

kith_status flash_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                      kith_error *error)
{
    flash f = {0};
    TRY(lattice_search_init(&f.search, p, spec, c, error));
    uint32_t n_nodes = f.search.lattice.n_nodes, *order, *start;
    TRY(lattice_by_sum(&f.search.lattice, &order, &start, c->memory, error));
    f.queue.nodes = TRY_ALLOC(arena_array(c->memory, n_nodes, sizeof *f.queue.nodes), error);
    f.queue.seen = TRY_ALLOC(arena_zalloc(c->memory, n_nodes, 1), error);
    f.path = TRY_ARRAY(f.path, c->memory, (size_t)f.search.lattice.top + 1, error);
    find_border(&f, order);
    TRY(lattice_search_finish(&f.search, error));
    return lattice_search_result(&f.search, result, error);
}
