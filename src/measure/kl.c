/* Kullback-Leibler divergence (Kifer and Gehrke, SEQ 3): from the distribution of the original
 * records to the one a reader of the release must assume, in which every class spreads its records
 * evenly over the values that its cells cover. Boxes of local recodings overlap, so a record's
 * probability is a sum over all classes that cover it. Suppressed records are a class that covers
 * everything. An original cell above the leaves is not one value: the share of a box that it covers
 * counts.
 *
 * Distinct records and distinct boxes are both sorted attribute by attribute, and walked down
 * together: for all records that begin alike, the boxes that cover this beginning are a list of
 * ranges, found once. Threads walk runs of records separately, and the sums of the runs are added
 * in order, so that the result is the same for any number of threads. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "measure/losses.h"

enum { RUN = 4096, FEW = 8 };

/* Rows of nodes in ascending order, all different; node[at] is the column of attribute[at]. */
typedef struct sorted {
    uint32_t count;
    uint32_t **node;     /* [n_attributes][count] */
    long double *weight; /* [count] boxes: records / size of the box; records: how many */
} sorted;

typedef struct divergence {
    const loss_input *in;
    uint32_t *attribute; /* [n_attributes] in which order they are compared */
    uint32_t *size;      /* [classes + 1] the last for suppressed records */
    sorted boxes, records;
    long double *sum;    /* [runs] */
    bool *failed;        /* [runs] no memory */
    struct walk *worker; /* [n_workers] */
} divergence;

typedef struct range {
    uint32_t from, to;
} range;

/* The state of one thread. `stack` holds the ranges of every attribute on the path, one list after
 * the other; mark[at][node] is `stamp` for the cell looked at and the nodes above it. */
typedef struct walk {
    const divergence *d;
    arena *memory;
    range *stack;
    size_t room;
    uint64_t **mark;
    uint64_t stamp;
    long double sum;
} walk;

static const tree *tree_at(const divergence *d, uint32_t at)
{
    return d->in->column[d->attribute[at]].tree;
}

/* Share of the classes that cover a cell of this attribute, on average. */
static kith_status covered_share(double *share, const divergence *d, uint32_t j, arena *memory,
                                 kith_error *error)
{
    const loss_input *in = d->in;
    const tree *t = in->column[j].tree;
    double *classes = TRY_ALLOC(arena_zalloc(memory, t->n_nodes, sizeof *classes), error);
    for (uint32_t c = 0; c < in->n_classes; c++)
        if (d->size[c] > 0)
            classes[in->closure[(size_t)c * in->n_attributes + j]]++;
    for (uint32_t node = t->n_nodes - 1; node-- > 0;) /* parents have higher numbers */
        classes[node] += classes[t->parent[node]];
    *share = 0;
    for (uint32_t i = 0; i < in->n_records; i++)
        *share += classes[in->column[j].cells[i]];
    return KITH_OK;
}

/* Attributes that separate classes least come first: many records then share their beginnings, and
 * long lists arise only at the end. (The opposite order takes four times as long.) */
static kith_status order_attributes(divergence *d, arena *memory, kith_error *error)
{
    const loss_input *in = d->in;
    double *share = TRY_ALLOC(arena_array(memory, in->n_attributes, sizeof *share), error);
    for (uint32_t j = 0; j < in->n_attributes; j++) {
        TRY(covered_share(&share[j], d, j, memory, error));
        uint32_t at = j;
        for (; at > 0 && share[d->attribute[at - 1]] < share[j]; at--)
            d->attribute[at] = d->attribute[at - 1];
        d->attribute[at] = j;
    }
    return KITH_OK;
}

/* Node of a row (a record, or a class; one beyond the classes stands for suppressed records). */
static uint32_t node_of(const divergence *d, bool boxes, uint32_t row, uint32_t at)
{
    const loss_input *in = d->in;
    uint32_t j = d->attribute[at];
    if (!boxes)
        return in->column[j].cells[row];
    return row == in->n_classes ? tree_root(in->column[j].tree)
                                : in->closure[(size_t)row * in->n_attributes + j];
}

/* Sorts rows by counting, last attribute first. */
static kith_status sort_rows(const divergence *d, bool boxes, uint32_t *rows, uint32_t n_rows,
                             arena *memory, kith_error *error)
{
    uint32_t *from = rows, *to = arena_array(memory, n_rows, sizeof *to), *swap;
    TRY_ALLOC(to, error);
    for (uint32_t at = d->in->n_attributes; at-- > 0; swap = from, from = to, to = swap) {
        uint32_t n_nodes = tree_at(d, at)->n_nodes;
        uint32_t *start =
            TRY_ALLOC(arena_zalloc(memory, (size_t)n_nodes + 1, sizeof *start), error);
        for (uint32_t i = 0; i < n_rows; i++)
            start[node_of(d, boxes, from[i], at) + 1]++;
        for (uint32_t node = 0; node < n_nodes; node++)
            start[node + 1] += start[node];
        for (uint32_t i = 0; i < n_rows; i++)
            to[start[node_of(d, boxes, from[i], at)]++] = from[i];
    }
    if (from != rows)
        memcpy(rows, from, n_rows * sizeof *rows);
    return KITH_OK;
}

static bool same_rows(const divergence *d, bool boxes, uint32_t a, uint32_t b)
{
    for (uint32_t at = 0; at < d->in->n_attributes; at++)
        if (node_of(d, boxes, a, at) != node_of(d, boxes, b, at))
            return false;
    return true;
}

static long double box_size(const divergence *d, uint32_t class)
{
    long double size = 1;
    for (uint32_t at = 0; at < d->in->n_attributes; at++)
        size *= tree_size(tree_at(d, at), node_of(d, true, class, at));
    return size;
}

/* Sorts rows and keeps one of each kind; weight[] has an entry per row number. */
static kith_status make_sorted(sorted *s, const divergence *d, bool boxes, uint32_t *rows,
                               uint32_t n_rows, const uint32_t *weight, arena *memory,
                               kith_error *error)
{
    TRY(sort_rows(d, boxes, rows, n_rows, memory, error));
    s->node = TRY_ALLOC(arena_array(memory, d->in->n_attributes, sizeof *s->node), error);
    s->weight = TRY_ALLOC(arena_array(memory, n_rows, sizeof *s->weight), error);
    for (uint32_t i = 0; i < n_rows; i++) {
        long double here = weight == NULL ? 1 : weight[rows[i]];
        here = boxes ? here / box_size(d, rows[i]) : here;
        if (s->count > 0 && same_rows(d, boxes, rows[s->count - 1], rows[i])) {
            s->weight[s->count - 1] += here;
            continue;
        }
        s->weight[s->count] = here;
        rows[s->count++] = rows[i];
    }
    for (uint32_t at = 0; at < d->in->n_attributes; at++) {
        s->node[at] = TRY_ALLOC(arena_array(memory, s->count, sizeof **s->node), error);
        for (uint32_t i = 0; i < s->count; i++)
            s->node[at][i] = node_of(d, boxes, rows[i], at);
    }
    return KITH_OK;
}

static kith_status sort_all(divergence *d, arena *memory, kith_error *error)
{
    const loss_input *in = d->in;
    uint32_t max_rows = in->n_records > in->n_classes ? in->n_records : in->n_classes + 1,
             n_rows = 0;
    uint32_t *rows = TRY_ALLOC(arena_array(memory, max_rows, sizeof *rows), error);
    for (uint32_t c = 0; c <= in->n_classes; c++)
        if (d->size[c] > 0)
            rows[n_rows++] = c;
    TRY(make_sorted(&d->boxes, d, true, rows, n_rows, d->size, memory, error));
    for (uint32_t i = 0; i < in->n_records; i++)
        rows[i] = i;
    return make_sorted(&d->records, d, false, rows, in->n_records, NULL, memory, error);
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

/* Marks a cell and all nodes above it with the present stamp. */
static void mark_path(walk *w, uint32_t at, uint32_t cell)
{
    const tree *t = tree_at(w->d, at);
    for (uint32_t node = cell;; node = t->parent[node]) {
        w->mark[at][node] = w->stamp;
        if (node == tree_root(t))
            break;
    }
}

/* Splits a short range into its parts that cover the cell, by the marks of their nodes. */
static range *narrow_few(const walk *w, uint32_t at, range r, range *out)
{
    const uint32_t *nodes = w->d->boxes.node[at];
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
    const uint32_t *nodes = w->d->boxes.node[at];
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
    mark_path(w, at, cell);
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
        long double expected = 0, here = d->records.weight[first];
        for (size_t i = from; i < to; i++)
            expected += d->boxes.weight[w->stack[i].from];
        w->sum += here * log2l(here / (expected * cells));
        return true;
    }
    const uint32_t *column = d->records.node[at];
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
    w->sum = 0;
    d->failed[run] = !descend(w, 0, first, first + (left < RUN ? left : RUN), 1, 0, 1);
    d->sum[run] = w->sum;
}

static kith_status walk_init(walk *w, const divergence *d, kith_error *error)
{
    w->d = d;
    w->memory = TRY_ALLOC(arena_new(), error);
    w->room = 1024;
    w->stack = TRY_ALLOC(arena_array(w->memory, w->room, sizeof *w->stack), error);
    w->mark = TRY_ALLOC(arena_array(w->memory, d->in->n_attributes, sizeof *w->mark), error);
    for (uint32_t at = 0; at < d->in->n_attributes; at++) {
        w->mark[at] =
            TRY_ALLOC(arena_zalloc(w->memory, tree_at(d, at)->n_nodes, sizeof **w->mark), error);
    }
    return KITH_OK;
}

static kith_status walk_all(divergence *d, size_t runs, unsigned n_workers, kith_error *error)
{
    for (unsigned i = 0; i < n_workers; i++)
        TRY(walk_init(&d->worker[i], d, error));
    threads_run(d->in->pool, runs, walk_run, d);
    for (size_t run = 0; run < runs; run++)
        if (d->failed[run])
            return error_nomem(error);
    return KITH_OK;
}

kith_status kl_measure(double *kl, const loss_input *in, arena *memory, kith_error *error)
{
    divergence d = {.in = in};
    unsigned n_workers = in->pool == NULL ? 1 : threads_count(in->pool);
    d.attribute = TRY_ALLOC(arena_array(memory, in->n_attributes, sizeof *d.attribute), error);
    /* [classes]: suppressed records */
    d.size = TRY_ALLOC(arena_zalloc(memory, (size_t)in->n_classes + 1, sizeof *d.size), error);
    for (uint32_t i = 0; i < in->n_records; i++)
        d.size[in->class_of[i] == LOSS_SUPPRESSED ? in->n_classes : in->class_of[i]]++;
    TRY(order_attributes(&d, memory, error));
    TRY(sort_all(&d, memory, error));
    size_t runs = d.records.count / RUN + (d.records.count % RUN > 0);
    d.sum = TRY_ALLOC(arena_array(memory, runs, sizeof *d.sum), error);
    d.failed = TRY_ALLOC(arena_array(memory, runs, sizeof *d.failed), error);
    d.worker = TRY_ALLOC(arena_zalloc(memory, n_workers, sizeof *d.worker), error);
    kith_status status = walk_all(&d, runs, n_workers, error);
    long double sum = 0;
    for (size_t run = 0; status == KITH_OK && run < runs; run++)
        sum += d.sum[run];
    for (unsigned i = 0; i < n_workers; i++)
        arena_free(d.worker[i].memory);
    *kl = in->n_records > 0 ? fmax((double)(sum / in->n_records), 0) : 0;
    return status;
}
