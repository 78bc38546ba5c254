#include "verify/place_index.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"

/* A run of neighbouring values, both ends included. Nodes are runs of leaves; the place behind the
 * last leaf is that of a missing value without a leaf. Ranges are runs in the order of the values.
 * A text that stands for nothing has no value: low > high. */
typedef struct run {
    uint32_t low, high;
    bool is_range;
} run;

/* One column with the run of each of its texts. */
typedef struct run_column {
    const cover_cells *cells;
    run *runs;       /* [n_release_values + 1], the last for missing */
    double coverage; /* the mean share of the values that its cells stand for */
} run_column;

/* Invariants: the children of a node are neighbours, first those that show nodes, then those that
 * show ranges, both by ascending `low`; a node without children is a leaf of the index. */
typedef struct index_node {
    uint32_t low, high;         /* the run that this node shows in the column above it */
    uint32_t highest;           /* of the subtree of siblings, see `highest_of` */
    uint32_t begin, end;        /* its places: order[begin] … order[end - 1] */
    uint32_t child, n_children; /* in the array of nodes */
    uint32_t n_ranges;          /* of the children: those that show ranges */
} index_node;

struct place_index {
    arena *memory;
    uint32_t n_columns;
    run_column *columns; /* those that say most come first */
    index_node *nodes;   /* the first ones are those of the buckets */
    uint32_t n_nodes, capacity;
    uint32_t *order; /* [n_places] */
    uint64_t steps;
    /* The record that is looked for: */
    uint32_t *leaf, *rank; /* [n_columns] its place among the leaves, and in the order of ranges */
    uint32_t *found, n_found;
};

/* A place to be sorted by the run that it shows in one column. */
typedef struct keyed_place {
    uint64_t key;
    uint32_t place;
} keyed_place;

static run run_of(const cover_column *c, cell_set set)
{
    const tree *t = &c->hierarchy->tree;
    switch (set.kind) {
    case CELL_NOTHING: break;
    case CELL_ALL: return (run){0, t->n_leaves, false};
    case CELL_NODE:
        if (strcmp(c->hierarchy->label[set.a], hierarchy_root_label(c->hierarchy)) == 0)
            return (run){0, t->n_leaves, false}; /* also of a missing value without a leaf */
        return (run){t->first[set.a], t->end[set.a] - 1, false};
    case CELL_RANGE: return (run){set.a, set.b, true};
    }
    return (run){1, 0, false};
}

static const run *run_shown(const run_column *c, uint32_t release_row)
{
    const uint32_t code = c->cells->release[release_row];
    return &c->runs[code == TABLE_MISSING ? c->cells->n_release_values : code];
}

static kith_status read_column(run_column *to, const cover_cells *cells, const place_list *places,
                               arena *memory, kith_error *error)
{
    const uint32_t n = cells->n_release_values + 1;
    uint64_t covered = 0;
    *to = (run_column){.cells = cells};
    to->runs = TRY_ARRAY(to->runs, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        to->runs[i] = run_of(cells->column, cells->sets[i]);
    for (uint32_t i = 0; i < places->n_places; i++) {
        const run *shown = run_shown(to, places->row[i]);
        covered += shown->low > shown->high ? 0 : shown->high - shown->low + 1;
    }
    to->coverage = (double)covered / (cells->column->hierarchy->tree.n_leaves + 1.0);
    return KITH_OK;
}

/* Nodes before ranges, then by the first value. A tree has fewer than 2^31 leaves. */
static uint64_t key_of(const run *r)
{
    return (uint64_t)r->is_range << 63 | (uint64_t)r->low << 32 | r->high;
}

/* Siblings are also a balanced tree: the one in the middle of begin … end - 1 is above the others,
 * and `highest` is the largest `high` at or below it. */
static uint32_t highest_of(index_node *nodes, uint32_t begin, uint32_t end)
{
    if (begin == end)
        return 0;
    const uint32_t middle = begin + (end - begin) / 2;
    const uint32_t left = highest_of(nodes, begin, middle);
    const uint32_t right = highest_of(nodes, middle + 1, end);
    uint32_t highest = nodes[middle].high;
    highest = left > highest ? left : highest;
    nodes[middle].highest = right > highest ? right : highest;
    return nodes[middle].highest;
}

/* Sorts the places of a node by what they show in a column and gives it a child for each run. */
static kith_status split_node(place_index *index, uint32_t which, const run_column *c,
                              const uint32_t *row, keyed_place *sorted, kith_error *error)
{
    const uint32_t begin = index->nodes[which].begin, n = index->nodes[which].end - begin;
    uint32_t n_ranges = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t place = index->order[begin + i];
        sorted[i] = (keyed_place){key_of(run_shown(c, row[place])), place};
    }
    qsort(sorted, n, sizeof *sorted, sort_uint64_uint32);
    const uint32_t first = index->n_nodes;
    for (uint32_t i = 0; i < n; i++) {
        index->order[begin + i] = sorted[i].place;
        if (i == 0 || sorted[i].key != sorted[i - 1].key) {
            const run *shown = run_shown(c, row[sorted[i].place]);
            TRY_GROW(index->nodes, index->capacity, index->n_nodes + (size_t)1, index->memory,
                     error);
            index->nodes[index->n_nodes++] =
                (index_node){.low = shown->low, .high = shown->high, .begin = begin + i};
            n_ranges += shown->is_range;
        }
        index->nodes[index->n_nodes - 1].end = begin + i + 1;
    }
    index_node *parent = &index->nodes[which];
    parent->child = first;
    parent->n_children = index->n_nodes - first;
    parent->n_ranges = n_ranges;
    highest_of(index->nodes, first, index->n_nodes - n_ranges);
    highest_of(index->nodes, index->n_nodes - n_ranges, index->n_nodes);
    return KITH_OK;
}

kith_status place_index_new(place_index **result, const place_list *places, arena *memory,
                            kith_error *error)
{
    place_index *index = TRY_ZEROS(index, memory, 1, error);
    index->memory = memory;
    /* Columns whose cells stand for few values come first: they leave the fewest places. */
    index->columns = TRY_ARRAY(index->columns, index->memory, places->n_columns, error);
    for (uint32_t i = 0; i < places->n_columns; i++) {
        run_column read;
        if (places->cells[i].column->hierarchy == NULL || places->cells[i].column->mean)
            continue;
        TRY(read_column(&read, &places->cells[i], places, index->memory, error));
        uint32_t at = index->n_columns++;
        for (; at > 0 && index->columns[at - 1].coverage > read.coverage; at--)
            index->columns[at] = index->columns[at - 1];
        index->columns[at] = read;
    }
    index->leaf = TRY_ARRAY(index->leaf, index->memory, index->n_columns, error);
    index->rank = TRY_ARRAY(index->rank, index->memory, index->n_columns, error);
    /* The places of each bucket are one node. */
    index->capacity = places->n_buckets + places->n_places;
    index->nodes = TRY_ZEROS(index->nodes, index->memory, index->capacity, error);
    index->order = TRY_ARRAY(index->order, index->memory, places->n_places, error);
    index->n_nodes = places->n_buckets;
    for (uint32_t i = 0; i < places->n_places; i++)
        index->nodes[places->bucket[i]].end++;
    for (uint32_t i = 0, begin = 0; i < places->n_buckets; i++) {
        const uint32_t size = index->nodes[i].end;
        index->nodes[i].begin = index->nodes[i].end = begin;
        begin += size;
    }
    for (uint32_t i = 0; i < places->n_places; i++)
        index->order[index->nodes[places->bucket[i]].end++] = i;
    keyed_place *sorted = TRY_ARRAY(sorted, memory, places->n_places, error);
    /* Column by column, so that the nodes of one step are neighbours. */
    uint32_t begin = 0;
    for (uint32_t j = 0; j < index->n_columns; j++) {
        const uint32_t end = index->n_nodes;
        for (uint32_t i = begin; i < end; i++)
            if (index->nodes[i].end - index->nodes[i].begin > 1)
                TRY(split_node(index, i, &index->columns[j], places->row, sorted, error));
        begin = end;
    }
    arena_release(memory, sorted, places->n_places * sizeof *sorted);
    *result = index;
    return KITH_OK;
}

static void enter_node(place_index *index, const index_node *node, uint32_t depth);

/* Enters those of the siblings begin … end - 1 whose run holds the value. */
static void enter_siblings(place_index *index, uint32_t begin, uint32_t end, uint32_t value,
                           uint32_t depth)
{
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const index_node *node = &index->nodes[middle];
        index->steps++;
        if (node->highest < value)
            return;
        enter_siblings(index, begin, middle, value, depth);
        if (node->low > value)
            return;
        if (value <= node->high)
            enter_node(index, node, depth + 1);
        begin = middle + 1;
    }
}

static void enter_node(place_index *index, const index_node *node, uint32_t depth)
{
    if (node->n_children == 0) {
        index->steps += node->end - node->begin;
        for (uint32_t i = node->begin; i < node->end; i++)
            index->found[index->n_found++] = index->order[i];
        return;
    }
    const uint32_t end = node->child + node->n_children, ranges = end - node->n_ranges;
    enter_siblings(index, node->child, ranges, index->leaf[depth], depth);
    enter_siblings(index, ranges, end, index->rank[depth], depth);
}

uint32_t place_index_find(place_index *index, uint32_t bucket, uint32_t data_row, uint32_t *found)
{
    /* UINT32_MAX is behind every run. */
    for (uint32_t j = 0; j < index->n_columns; j++) {
        const cover_cells *cells = index->columns[j].cells;
        const cover_column *c = cells->column;
        const uint32_t leaf = cover_cells_leaf(cells, data_row);
        index->leaf[j] = index->rank[j] = UINT32_MAX;
        if (leaf == CELL_ABSENT)
            continue;
        index->leaf[j] = leaf == UINT32_MAX ? c->hierarchy->tree.n_leaves : leaf;
        if (leaf != UINT32_MAX && leaf != c->hierarchy->missing_leaf)
            index->rank[j] = c->rank == NULL ? leaf : c->rank[leaf];
    }
    index->found = found;
    index->n_found = 0;
    enter_node(index, &index->nodes[bucket], 0);
    return index->n_found;
}

uint64_t place_index_key(const place_index *index, uint32_t bucket, uint32_t data_row)
{
    const uint32_t leaf =
        index->n_columns == 0 ? 0 : cover_cells_leaf(index->columns[0].cells, data_row);
    return (uint64_t)bucket << 32 | leaf;
}

uint64_t place_index_steps(const place_index *index)
{
    return index->steps;
}
