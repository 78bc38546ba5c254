/* Random problems for the tests of the searches: trees, costs, records, secrets. */
#ifndef SUPPORT_RANDOM_PROBLEM_H
#define SUPPORT_RANDOM_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/arena.h"
#include "core/rng.h"
#include "search/problem.h"

typedef struct random_shape {
    uint32_t n_records;
    uint32_t n_attributes;
    uint32_t max_leaves; /* at least 1 */
    uint32_t max_levels; /* at least 2 */
    uint32_t k;
    double wildcards;     /* share of cells at the root */
    double inner;         /* share of cells at an inner node */
    bool falling;         /* costs may fall along a path */
    bool skewed;          /* few values are frequent */
    uint32_t n_sensitive; /* distinct values of the sensitive attribute; 0: none */
    double l;             /* l-diversity by frequency, with secrets */
} random_shape;

static inline void random_tree(tree *t, uint32_t n_leaves, uint32_t n_levels, rng *r, arena *memory)
{
    uint32_t *start = arena_array(memory, n_levels + 1, sizeof *start);
    uint32_t room = n_leaves * n_levels;
    uint32_t *first = arena_array(memory, room, sizeof *first);
    uint32_t *end = arena_array(memory, room, sizeof *end);
    uint32_t *parent = arena_array(memory, room, sizeof *parent);
    uint8_t *level = arena_array(memory, room, sizeof *level);
    uint32_t *up = arena_array(memory, (size_t)n_leaves * n_levels, sizeof *up);
    uint32_t n_nodes = 0;
    for (uint32_t l = 0; l < n_levels; l++) {
        start[l] = n_nodes;
        uint32_t below = l == 0 ? 0 : start[l - 1], below_end = n_nodes;
        bool root = l == n_levels - 1;
        for (uint32_t at = 0; l == 0 ? at < n_leaves : below + at < below_end;) {
            uint32_t take = l == 0 ? 1 : root ? below_end - below : 1 + rng_below(r, 3);
            if (l > 0 && below + at + take > below_end)
                take = below_end - below - at;
            first[n_nodes] = l == 0 ? at : first[below + at];
            end[n_nodes] = l == 0 ? at + 1 : end[below + at + take - 1];
            level[n_nodes] = (uint8_t)l;
            for (uint32_t c = 0; l > 0 && c < take; c++)
                parent[below + at + c] = n_nodes;
            for (uint32_t leaf = first[n_nodes]; leaf < end[n_nodes]; leaf++)
                up[(size_t)l * n_leaves + leaf] = n_nodes;
            at += take;
            n_nodes++;
        }
    }
    start[n_levels] = n_nodes;
    parent[n_nodes - 1] = n_nodes - 1;
    *t = (tree){n_leaves, n_nodes, n_levels, start, first, end, parent, level, up};
}

static inline void random_attribute(attribute *a, const random_shape *shape, rng *r, arena *memory)
{
    tree *t = arena_alloc(memory, sizeof *t);
    /* Not as arguments: compilers evaluate those in different orders. */
    const uint32_t n_levels = 2 + rng_below(r, shape->max_levels - 1);
    const uint32_t n_leaves = 1 + rng_below(r, shape->max_leaves);
    random_tree(t, n_leaves, n_levels, r, memory);
    double *cost = arena_array(memory, t->n_nodes, sizeof *cost);
    double weight = 0.25 + rng_unit(r);
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        cost[node] = t->n_leaves > 1 ? (tree_size(t, node) - 1.0) / (t->n_leaves - 1.0) : 0;
        if (shape->falling)
            cost[node] = rng_unit(r);
        cost[node] *= weight;
    }
    uint32_t *cells = arena_array(memory, shape->n_records + 1, sizeof *cells);
    for (uint32_t i = 0; i < shape->n_records; i++) {
        uint32_t leaf = rng_below(r, t->n_leaves);
        if (shape->skewed)
            leaf = rng_below(r, leaf + 1), leaf = rng_below(r, leaf + 1);
        double kind = rng_unit(r);
        if (kind < shape->wildcards)
            cells[i] = tree_root(t);
        else if (kind < shape->wildcards + shape->inner)
            cells[i] = tree_up(t, leaf, rng_below(r, t->n_levels));
        else
            cells[i] = leaf;
    }
    *a = (attribute){.tree = t, .cells = cells, .cost = cost};
}

static inline problem *random_problem(const random_shape *shape, uint64_t seed, arena *memory)
{
    rng r;
    rng_init(&r, seed, 0);
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    attribute *attributes = arena_array(memory, shape->n_attributes, sizeof *attributes);
    for (uint32_t j = 0; j < shape->n_attributes; j++)
        random_attribute(&attributes[j], shape, &r, memory);
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    models[0] = (model_spec){.id = MODEL_K_ANONYMITY, .k = shape->k};
    *p = (problem){.n_records = shape->n_records,
                   .n_attributes = shape->n_attributes,
                   .attributes = attributes,
                   .n_models = 1,
                   .models = models,
                   .k = shape->k};
    if (shape->n_sensitive > 0) {
        sensitive_attribute *s = arena_zalloc(memory, 1, sizeof *s);
        uint32_t *values = arena_array(memory, shape->n_records + 1, sizeof *values);
        for (uint32_t i = 0; i < shape->n_records; i++)
            values[i] = rng_below(&r, rng_below(&r, shape->n_sensitive) + 1);
        *s = (sensitive_attribute){.values = values, .count = shape->n_sensitive};
        models[1] =
            (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = shape->l};
        p->n_models = 2;
        p->n_sensitive = 1;
        p->sensitive = s;
    }
    return p;
}

#endif
