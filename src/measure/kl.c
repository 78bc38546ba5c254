/* Kullback-Leibler divergence (Kifer and Gehrke, SEQ 3): from the distribution of the original
 * records to the one a reader of the release must assume, in which every class spreads its records
 * evenly over the values that its cells cover. Boxes of local recodings overlap, so a record's
 * probability is a sum over all classes that cover it. Suppressed records are a class that covers
 * everything. An original cell above the leaves is not one value: the share of a box that it covers
 * counts.
 *
 * Distinct records and distinct boxes are both sorted attribute by attribute, and walked down
 * together: for all records that begin alike, the boxes that cover this beginning are a list of
 * ranges, found once. Threads walk runs of records separately, and ranks their own records. What a
 * record adds depends on no other, and sums are exact: the result is the same for any number of
 * threads and ranks. */
#include "measure/kl.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/exact_sum.h"

enum { RUN = 4096, FEW = 8 };

typedef struct divergence {
    const kl_input *in;
    uint32_t *attribute; /* [n_attributes] in which order they are compared */
    kl_rows boxes, records;
    const uint32_t **box_node, **record_node; /* [n_attributes] their nodes, in that order */
    long double *weight;                      /* [boxes] records / size of the box */
    bool *failed;                             /* [runs] no memory */
    struct walk *worker;                      /* [n_workers] */
} divergence;

typedef struct range {
    uint32_t from, to;
} range;

/* What records add, and what they take off. */
typedef struct balance {
    exact_sum more, less;
} balance;

/* The state of one thread. `stack` holds the ranges of every attribute on the path, one list after
 * the other; mark[at][node] is `stamp` for the cell looked at and the nodes above it. */
typedef struct walk {
    const divergence *d;
    arena *memory;
    range *stack;
    size_t room;
    uint64_t **mark;
    uint64_t stamp;
    balance sum;
} walk;

static const tree *tree_at(const divergence *d, uint32_t at)
{
    return d->in->trees[d->attribute[at]];
}

/* Attributes that separate classes least come first: many records then share their beginnings, and
 * long lists arise only at the end. (The opposite order takes four times as long.) */
static kith_status order_attributes(divergence *d, arena *memory, kith_error *error)
{
    const uint32_t n = d->in->n_attributes;
    uint64_t *covering = TRY_ARRAY(covering, memory, n, error);
    for (uint32_t j = 0; j < n; j++) {
        /* The boxes that cover the cells of this attribute, summed over all records. */
        const kl_rows *records = &d->in->records;
        const tree *t = d->in->trees[j];
        uint64_t *n_boxes = TRY_ZEROS(n_boxes, memory, t->n_nodes, error);
        for (uint32_t i = 0; i < d->boxes.count; i++)
            n_boxes[d->boxes.node[j][i]]++;
        for (uint32_t node = t->n_nodes - 1; node-- > 0;) /* parents have higher numbers */
            n_boxes[node] += n_boxes[t->parent[node]];
        covering[j] = 0;
        for (uint32_t i = 0; i < records->count; i++)
            covering[j] += n_boxes[records->node[j][i]] * (records->n == NULL ? 1 : records->n[i]);
        arena_release(memory, n_boxes, t->n_nodes * sizeof *n_boxes);
    }
    TRY(ranks_sum(d->in->ranks, covering, n, error));
    for (uint32_t j = 0; j < n; j++) {
        uint32_t at = j;
        for (; at > 0 && covering[d->attribute[at - 1]] < covering[j]; at--)
            d->attribute[at] = d->attribute[at - 1];
        d->attribute[at] = j;
    }
    return KITH_OK;
}

/* Distinct boxes of all ranks and distinct records of this one, in the best order of attributes,
 * which only shows when the boxes are known. */
static kith_status sort_all(divergence *d, arena *memory, kith_error *error)
{
    const kl_input *in = d->in;
    const uint32_t n = in->n_attributes;
    kl_rows own, all;
    d->attribute = TRY_ARRAY(d->attribute, memory, n, error);
    d->box_node = TRY_ARRAY(d->box_node, memory, n, error);
    d->record_node = TRY_ARRAY(d->record_node, memory, n, error);
    for (uint32_t j = 0; j < n; j++)
        d->attribute[j] = j;
    const kl_order order = {n, in->trees, d->attribute};
    TRY(kl_rows_sort(&own, &in->boxes, &order, memory, error));
    TRY(kl_rows_gather(&all, &own, n, in->ranks, memory, error));
    d->boxes = all;
    TRY(order_attributes(d, memory, error));
    TRY(kl_rows_sort(&d->boxes, &all, &order, memory, error));
    TRY(kl_rows_sort(&d->records, &in->records, &order, memory, error));
    for (uint32_t at = 0; at < n; at++) {
        d->box_node[at] = d->boxes.node[d->attribute[at]];
        d->record_node[at] = d->records.node[d->attribute[at]];
    }
    d->weight = TRY_ARRAY(d->weight, memory, d->boxes.count, error);
    for (uint32_t i = 0; i < d->boxes.count; i++) {
        long double size = 1;
        for (uint32_t at = 0; at < n; at++)
            size *= tree_size(tree_at(d, at), d->box_node[at][i]);
        d->weight[i] = d->boxes.n[i] / size;
    }
    return KITH_OK;
}

/* First place in from … to-1 whose node is at least `node`. */
static uint32_t first_place(const uint32_t *nodes, uint32_t from, uint32_t to, uint32_t node)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (nodes[middle] < node)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Splits a short range into its parts that cover the cell, by the marks of their nodes. */
static range *narrow_few(const walk *w, uint32_t at, range r, range *out)
{
    const uint32_t *nodes = w->d->box_node[at];
    const uint64_t *mark = w->mark[at];
    for (uint32_t from = r.from, to; from < r.to; from = to) {
        for (to = from + 1; to < r.to && nodes[to] == nodes[from];)
            to++;
        *out = (range){from, to};
        out += mark[nodes[from]] == w->stamp;
    }
    return out;
}

/* The same for a long range, by binary search for every node above the cell. */
static range *narrow_many(const walk *w, uint32_t at, range r, uint32_t cell, range *out)
{
    const uint32_t *nodes = w->d->box_node[at];
    const tree *t = tree_at(w->d, at);
    for (uint32_t node = cell; r.from < r.to; node = t->parent[node]) {
        uint32_t first = first_place(nodes, r.from, r.to, node);
        uint32_t end = first_place(nodes, first, r.to, node + 1);
        *out = (range){first, end};
        out += first < end;
        r.from = end; /* nodes above have higher numbers */
        if (node == tree_root(t))
            break;
    }
    return out;
}

/* Pushes the parts of the ranges stack[from … to-1] that cover a cell onto the stack. Returns the
 * new end of the stack, or 0 if memory ran out. */
static size_t narrow(walk *w, uint32_t at, uint32_t cell, size_t from, size_t to)
{
    const tree *t = tree_at(w->d, at);
    w->stamp++;
    for (uint32_t node = cell; node != tree_root(t); node = t->parent[node])
        w->mark[at][node] = w->stamp;
    w->mark[at][tree_root(t)] = w->stamp;
    size_t each = t->n_levels > FEW ? t->n_levels : FEW, need = to + (to - from) * each + 1;
    if (need > w->room) {
        range *more = need > SIZE_MAX / 2 / sizeof *more
                          ? NULL
                          : arena_resize(w->memory, w->stack, w->room * sizeof *more,
                                         2 * need * sizeof *more);
        if (more == NULL)
            return 0;
        w->stack = more;
        w->room = 2 * need;
    }
    range *out = w->stack + to;
    for (size_t i = from; i < to; i++) {
        range r = w->stack[i];
        out = r.to - r.from <= FEW ? narrow_few(w, at, r, out) : narrow_many(w, at, r, cell, out);
    }
    return (size_t)(out - w->stack);
}

/* Adds the records first … end-1, which are alike before attribute `at`; `cells` is the product of
 * the sizes of these cells, and stack[from … to-1] the boxes that cover them. */
static bool descend(walk *w, uint32_t at, uint32_t first, uint32_t end, long double cells,
                    size_t from, size_t to)
{
    const divergence *d = w->d;
    if (at == d->in->n_attributes) {
        long double expected = 0, here = d->records.n[first];
        for (size_t i = from; i < to; i++)
            expected += d->weight[w->stack[i].from];
        const long double term = here * log2l(here / (expected * cells));
        exact_sum_add(term > 0 ? &w->sum.more : &w->sum.less, fabsl(term));
        return true;
    }
    const uint32_t *column = d->record_node[at];
    for (uint32_t next; first < end; first = next) {
        uint32_t cell = column[first];
        for (next = first + 1; next < end && column[next] == cell;)
            next++;
        size_t narrowed = narrow(w, at, cell, from, to);
        if (narrowed == 0 ||
            !descend(w, at + 1, first, next, cells * tree_size(tree_at(d, at), cell), to, narrowed))
            return false;
    }
    return true;
}

static void walk_run(void *user, size_t run, unsigned worker)
{
    divergence *d = user;
    walk *w = &d->worker[worker];
    uint32_t first = (uint32_t)run * RUN, left = d->records.count - first;
    w->stack[0] = (range){0, d->boxes.count};
    d->failed[run] = !descend(w, 0, first, first + (left < RUN ? left : RUN), 1, 0, 1);
}

static kith_status walk_all(divergence *d, size_t runs, unsigned n_workers, kith_error *error)
{
    const uint32_t n = d->in->n_attributes;
    for (walk *w = d->worker; w < d->worker + n_workers; w++) {
        *w = (walk){.d = d, .room = 1024};
        w->memory = TRY_ALLOC(arena_new(), error);
        w->stack = TRY_ARRAY(w->stack, w->memory, w->room, error);
        w->mark = TRY_ARRAY(w->mark, w->memory, n, error);
        for (uint32_t at = 0; at < n; at++)
            w->mark[at] = TRY_ALLOC(
                arena_zalloc(w->memory, tree_at(d, at)->n_nodes, sizeof **w->mark), error);
    }
    threads_run(d->in->pool, runs, walk_run, d);
    for (size_t run = 0; run < runs; run++)
        if (d->failed[run])
            return error_nomem(error);
    return KITH_OK;
}

kith_status kl_boxes(kl_rows *boxes, const loss_input *in, arena *memory, kith_error *error)
{
    const uint32_t n = in->n_attributes, last = in->n_classes; /* that of suppressed records */
    TRY(kl_rows_new(boxes, n, (size_t)last + 1, memory, error));
    memset(boxes->n, 0, boxes->count * sizeof *boxes->n);
    for (uint32_t i = 0; i < in->n_records; i++)
        boxes->n[in->class_of[i] == LOSS_SUPPRESSED ? last : in->class_of[i]]++;
    uint32_t kept = 0;
    for (uint32_t c = 0; c <= last; c++) {
        if (boxes->n[c] == 0)
            continue;
        boxes->n[kept] = boxes->n[c];
        for (uint32_t j = 0; j < n; j++)
            boxes->node[j][kept] =
                c == last ? tree_root(in->column[j].tree) : in->closure[(size_t)c * n + j];
        kept++;
    }
    boxes->count = kept;
    return KITH_OK;
}

kith_status kl_measure(double *kl, const kl_input *in, arena *memory, kith_error *error)
{
    divergence d = {.in = in};
    balance sum = {0};
    uint64_t n_records = 0;
    for (uint32_t i = 0; i < in->records.count; i++)
        n_records += in->records.n == NULL ? 1 : in->records.n[i];
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    /* The sum over the records of this rank. */
    const unsigned n_workers = d.in->pool == NULL ? 1 : threads_count(d.in->pool);
    TRY(sort_all(&d, scratch, error));
    const size_t runs = d.records.count / RUN + (d.records.count % RUN > 0);
    d.failed = TRY_ARRAY(d.failed, scratch, runs, error);
    d.worker = TRY_ZEROS(d.worker, scratch, n_workers, error);
    const kith_status status = walk_all(&d, runs, n_workers, error);
    for (unsigned i = 0; i < n_workers; i++) {
        exact_sum_merge(&sum.more, &d.worker[i].sum.more);
        exact_sum_merge(&sum.less, &d.worker[i].sum.less);
        arena_free(d.worker[i].memory);
    }
    TRY(status);
    TRY(ranks_sum(in->ranks, &n_records, 1, error));
    TRY(ranks_sum(in->ranks, sum.more.limb, EXACT_SUM_LIMBS, error));
    TRY(ranks_sum(in->ranks, sum.less.limb, EXACT_SUM_LIMBS, error));
    const long double total = exact_sum_value(&sum.more) - exact_sum_value(&sum.less);
    *kl = n_records > 0 ? fmax((double)(total / (long double)n_records), 0) : 0;
    return KITH_OK;
}
