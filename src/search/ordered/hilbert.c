/* Grouping along a Hilbert curve (SEQ 6.2.3): all attributes are stretched to the same range, the
 * records are put in the order of the curve, and that sequence is cut into groups of k to 2k - 1 at
 * minimum cost, by dynamic programming.
 *
 * A value's coordinate is its place in the order of values (attribute.rank, else the leaves'
 * order). No class can keep a value that fewer than k units have: its lowest ancestor with k
 * units replaces it, so that near-unique columns do not scatter the records. A node above the
 * leaves stands in the middle of the leaves below it. */
#include "search/algorithms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "search/ordered/hilbert_curve.h"
#include "search/ordered/hilbert_cut.h"

/* Longer keys would not improve the order. Coordinates get as many bits as fit, at least one. */
enum { KEY_BITS = 512 };

typedef struct keys {
    uint32_t n_words;
    uint64_t *key; /* [n_records * n_words] */
} keys;

/* A node's place between 0 and 1. */
static double hilbert_place(const attribute *a, uint32_t node)
{
    const tree *t = a->tree;
    if (t->n_leaves < 2)
        return 0;
    double position;
    if (node < t->n_leaves && a->rank != NULL)
        position = (double)a->rank[node];
    else
        position = ((double)t->first[node] + (double)t->end[node] - 1) / 2;
    return fmin(position / ((double)t->n_leaves - 1), 1);
}

/* Counts the records below each node of an attribute. */
static void count_records(uint32_t *count, const problem *p, const attribute *a)
{
    const tree *t = a->tree;
    memset(count, 0, t->n_nodes * sizeof *count);
    for (uint32_t i = 0; i < p->n_records; i++)
        count[a->cells[i]]++;
    for (uint32_t node = 0; node + 1 < t->n_nodes; node++) /* parents come later */
        count[t->parent[node]] += count[node];
}

/* Counts the units instead; by_unit[]: the records in the order of their units. */
static void count_units(uint32_t *count, uint32_t *last, const problem *p, const attribute *a,
                        const uint32_t *by_unit)
{
    const tree *t = a->tree;
    memset(count, 0, t->n_nodes * sizeof *count);
    memset(last, 0xff, t->n_nodes * sizeof *last);
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t unit = p->unit[by_unit[i]];
        uint32_t node = a->cells[by_unit[i]];
        for (; node != tree_root(t) && last[node] != unit; node = t->parent[node]) {
            last[node] = unit;
            count[node]++;
        }
    }
}

/* Fills points[record * n_attributes + j], coordinates of `bits` bits. */
static kith_status make_points(uint32_t *points, const problem *p, uint32_t bits, arena *memory,
                               kith_error *error)
{
    uint32_t n_nodes = 1;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        n_nodes =
            p->attributes[j].tree->n_nodes > n_nodes ? p->attributes[j].tree->n_nodes : n_nodes;
    uint32_t *coordinate = TRY_ARRAY(coordinate, memory, n_nodes, error);
    uint32_t *count = TRY_ARRAY(count, memory, n_nodes, error);
    uint32_t *last = TRY_ARRAY(last, memory, n_nodes, error);
    const uint32_t n_sorted = p->unit == NULL ? 0 : p->n_records;
    uint32_t *by_unit = TRY_ARRAY(by_unit, memory, n_sorted, error);
    uint32_t *start = TRY_ARRAY(start, memory, p->n_units + (size_t)2, error);
    if (p->unit != NULL)
        group_by_part(by_unit, start, p->unit, p->n_units, NULL, p->n_records);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        const tree *t = a->tree;
        if (p->unit == NULL)
            count_records(count, p, a);
        else
            count_units(count, last, p, a, by_unit);
        for (uint32_t node = t->n_nodes; node-- > 0;)
            coordinate[node] = count[node] < p->k && node != tree_root(t)
                                   ? coordinate[t->parent[node]]
                                   : (uint32_t)lrint(hilbert_place(a, node) * ((1u << bits) - 1));
        for (uint32_t i = 0; i < p->n_records; i++)
            points[(size_t)i * p->n_attributes + j] = coordinate[a->cells[i]];
    }
    return KITH_OK;
}

static int by_key(const void *left, const void *right, void *user)
{
    const keys *k = user;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t *one = k->key + (size_t)a * k->n_words, *other = k->key + (size_t)b * k->n_words;
    for (uint32_t w = 0; w < k->n_words; w++)
        if (one[w] != other[w])
            return one[w] < other[w] ? -1 : 1;
    return a < b ? -1 : a > b;
}

kith_status hilbert_run(search_result *result, const problem *p, const search_spec *spec,
                        context *c, kith_error *error)
{
    (void)spec;
    keys k;
    uint32_t bits = p->n_attributes > 0 ? KEY_BITS / p->n_attributes : 1;
    bits = bits > HILBERT_CURVE_MAX_BITS ? HILBERT_CURVE_MAX_BITS : bits < 1 ? 1 : bits;
    k.n_words = hilbert_curve_words(p->n_attributes, bits);
    k.key = TRY_ALLOC(arena_array(c->memory, p->n_records, k.n_words * sizeof *k.key), error);
    uint32_t *points =
        TRY_ALLOC(arena_array(c->memory, p->n_records, p->n_attributes * sizeof *points), error);
    TRY(make_points(points, p, bits, c->memory, error));
    for (uint32_t i = 0; i < p->n_records && p->n_attributes > 0; i++)
        hilbert_curve_key(k.key + (size_t)i * k.n_words, points + (size_t)i * p->n_attributes,
                          p->n_attributes, bits);
    uint32_t *order = TRY_ARRAY(order, c->memory, p->n_records, error);
    uint32_t *class_of = TRY_ARRAY(class_of, c->memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        order[i] = i;
    qsort_r(order, p->n_records, sizeof *order, by_key, &k);
    result->partition = (partition){.class_of = class_of};
    TRY(hilbert_cut_sequence(&result->partition, p, order, c, error));
    return partition_close(&result->partition, p, c->memory, error);
}
