/* Kullback-Leibler divergence (Kifer and Gehrke, SEQ 3): from the distribution of the original
 * records to the one a reader of the release must assume, in which every class spreads its records
 * evenly over the values that its cells cover. Boxes of local recodings overlap, so a record's
 * probability is a sum over all classes that cover it. Suppressed records are a class that covers
 * everything.
 *
 * The classes are sorted by their closures, attribute by attribute; a record walks down that order,
 * at each attribute through its cell and the nodes above it that still occur. A cell above the
 * leaves covers what it covers: its share of a box counts. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "measure/losses.h"

typedef struct boxes {
    const loss_input *in;
    uint32_t *attribute; /* [attributes] in which order they are compared */
    uint32_t count;
    uint32_t *sorted;     /* [count] classes; `classes` stands for the suppressed records */
    const uint32_t *size; /* [classes + 1] */
} boxes;

static uint32_t box_node(const boxes *b, uint32_t class, uint32_t at)
{
    uint32_t j = b->attribute[at];
    return class == b->in->classes ? tree_root(b->in->column[j].tree)
                                   : b->in->closure[(size_t) class * b->in->attributes + j];
}

static int by_closure(const void *left, const void *right, void *user)
{
    const boxes *b = user;
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    for (uint32_t at = 0; at < b->in->attributes; at++) {
        uint32_t x = box_node(b, one, at), y = box_node(b, other, at);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return one < other ? -1 : one > other;
}

/* First place in from … to-1 whose node is at least `node`. */
static uint32_t first_place(const boxes *b, uint32_t from, uint32_t to, uint32_t at, uint32_t node)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (box_node(b, b->sorted[middle], at) < node)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Records that the classes in from … to-1 expect where a record stands; `share` is what is left of
 * them after the attributes before `at`. */
static long double expected(const boxes *b, uint32_t record, uint32_t from, uint32_t to,
                            uint32_t at, long double share)
{
    long double sum = 0;
    if (at == b->in->attributes) {
        for (uint32_t c = from; c < to; c++)
            sum += share * b->size[b->sorted[c]];
        return sum;
    }
    const loss_column *column = &b->in->column[b->attribute[at]];
    const tree *t = column->tree;
    uint32_t cell = column->cells[record];
    for (uint32_t node = cell; from < to; node = t->parent[node]) {
        uint32_t first = first_place(b, from, to, at, node);
        uint32_t end = first_place(b, first, to, at, node + 1);
        if (first < end)
            sum += expected(b, record, first, end, at + 1,
                            share * tree_size(t, cell) / tree_size(t, node));
        from = end; /* nodes above have higher numbers */
        if (node == tree_root(t))
            break;
    }
    return sum;
}

/* Attributes that are hidden least often first: they tell classes apart soonest. */
static void order_attributes(boxes *b, uint32_t *hidden)
{
    const loss_input *in = b->in;
    for (uint32_t j = 0; j < in->attributes; j++) {
        hidden[j] = 0;
        for (uint32_t c = 0; c < in->classes; c++)
            hidden[j] += b->size[c] > 0 && in->closure[(size_t)c * in->attributes + j] ==
                                               tree_root(in->column[j].tree);
        uint32_t at = j;
        for (; at > 0 && hidden[b->attribute[at - 1]] > hidden[j]; at--)
            b->attribute[at] = b->attribute[at - 1];
        b->attribute[at] = j;
    }
}

static kith_status boxes_new(boxes *b, const loss_input *in, arena *memory, kith_error *error)
{
    uint32_t *size = arena_zalloc(memory, (size_t)in->classes + 1, sizeof *size);
    uint32_t *hidden = arena_array(memory, (size_t)in->attributes + 1, sizeof *hidden);
    *b = (boxes){.in = in, .size = size};
    b->attribute = arena_array(memory, (size_t)in->attributes + 1, sizeof *b->attribute);
    b->sorted = arena_array(memory, (size_t)in->classes + 1, sizeof *b->sorted);
    TRY_ALLOC(size, error);
    TRY_ALLOC(hidden, error);
    TRY_ALLOC(b->attribute, error);
    TRY_ALLOC(b->sorted, error);
    for (uint32_t i = 0; i < in->records; i++)
        size[in->class_of[i] == LOSS_SUPPRESSED ? in->classes : in->class_of[i]]++;
    for (uint32_t c = 0; c <= in->classes; c++)
        if (size[c] > 0)
            b->sorted[b->count++] = c;
    order_attributes(b, hidden);
    qsort_r(b->sorted, b->count, sizeof *b->sorted, by_closure, b);
    return KITH_OK;
}

static int by_cells(const void *left, const void *right, void *user)
{
    const loss_input *in = user;
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    for (uint32_t j = 0; j < in->attributes; j++) {
        uint32_t x = in->column[j].cells[one], y = in->column[j].cells[other];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

kith_status kl_measure(double *kl, const loss_input *in, arena *memory, kith_error *error)
{
    boxes b;
    TRY(boxes_new(&b, in, memory, error));
    uint32_t *order = arena_array(memory, (size_t)in->records + 1, sizeof *order);
    TRY_ALLOC(order, error);
    for (uint32_t i = 0; i < in->records; i++)
        order[i] = i;
    void *user = (void *)(uintptr_t)in;
    qsort_r(order, in->records, sizeof *order, by_cells, user);
    long double sum = 0;
    for (uint32_t i = 0, next; i < in->records; i = next) {
        for (next = i + 1; next < in->records && by_cells(&order[i], &order[next], user) == 0;)
            next++;
        long double here = next - i;
        sum += here * log2l(here / expected(&b, order[i], 0, b.count, 0, 1));
    }
    *kl = in->records > 0 ? fmax((double)(sum / in->records), 0) : 0;
    return KITH_OK;
}
