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
    uint32_t records;
    uint32_t attributes;
    uint32_t max_leaves; /* at least 1 */
    uint32_t max_levels; /* at least 2 */
    uint32_t k;
    double wildcards; /* share of cells at the root */
    double inner;     /* share of cells at an inner node */
    bool falling;     /* costs may fall along a path */
    bool skewed;      /* few values are frequent */
    uint32_t secrets; /* distinct values of the sensitive attribute; 0: none */
    double l;         /* l-diversity by frequency, with secrets */
} random_shape;

static inline void random_tree(tree *t, uint32_t leaves, uint32_t levels, rng *r, arena *memory)
{
    uint32_t *start = arena_array(memory, levels + 1, sizeof *start);
    uint32_t room = leaves * levels;
    uint32_t *first = arena_array(memory, room, sizeof *first);
    uint32_t *end = arena_array(memory, room, sizeof *end);
    uint32_t *parent = arena_array(memory, room, sizeof *parent);
    uint8_t *level = arena_array(memory, room, sizeof *level);
    uint32_t *up = arena_array(memory, (size_t)leaves * levels, sizeof *up);
    uint32_t nodes = 0;
    for (uint32_t l = 0; l < levels; l++) {
        start[l] = nodes;
        uint32_t below = l == 0 ? 0 : start[l - 1], below_end = nodes;
        bool root = l == levels - 1;
        for (uint32_t at = 0; l == 0 ? at < leaves : below + at < below_end;) {
            uint32_t take = l == 0 ? 1 : root ? below_end - below : 1 + rng_below(r, 3);
            if (l > 0 && below + at + take > below_end)
                take = below_end - below - at;
            first[nodes] = l == 0 ? at : first[below + at];
            end[nodes] = l == 0 ? at + 1 : end[below + at + take - 1];
            level[nodes] = (uint8_t)l;
            for (uint32_t c = 0; l > 0 && c < take; c++)
                parent[below + at + c] = nodes;
            for (uint32_t leaf = first[nodes]; leaf < end[nodes]; leaf++)
                up[(size_t)l * leaves + leaf] = nodes;
            at += take;
            nodes++;
        }
    }
    start[levels] = nodes;
    parent[nodes - 1] = nodes - 1;
    *t = (tree){leaves, nodes, levels, start, first, end, parent, level, up};
}

static inline void random_attribute(attribute *a, const random_shape *shape, rng *r, arena *memory)
{
    tree *t = arena_alloc(memory, sizeof *t);
    random_tree(t, 1 + rng_below(r, shape->max_leaves), 2 + rng_below(r, shape->max_levels - 1), r,
                memory);
    double *cost = arena_array(memory, t->nodes, sizeof *cost);
    double weight = 0.25 + rng_unit(r);
    for (uint32_t node = 0; node < t->nodes; node++) {
        cost[node] = t->leaves > 1 ? (tree_size(t, node) - 1.0) / (t->leaves - 1.0) : 0;
        if (shape->falling)
            cost[node] = rng_unit(r);
        cost[node] *= weight;
    }
    uint32_t *cells = arena_array(memory, shape->records + 1, sizeof *cells);
    for (uint32_t i = 0; i < shape->records; i++) {
        uint32_t leaf = rng_below(r, t->leaves);
        if (shape->skewed)
            leaf = rng_below(r, leaf + 1), leaf = rng_below(r, leaf + 1);
        double kind = rng_unit(r);
        if (kind < shape->wildcards)
            cells[i] = tree_root(t);
        else if (kind < shape->wildcards + shape->inner)
            cells[i] = tree_up(t, leaf, rng_below(r, t->levels));
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
    attribute *attributes = arena_array(memory, shape->attributes, sizeof *attributes);
    for (uint32_t j = 0; j < shape->attributes; j++)
        random_attribute(&attributes[j], shape, &r, memory);
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    models[0] = (model_spec){.id = MODEL_K_ANONYMITY, .k = shape->k};
    *p = (problem){.records = shape->records,
                   .attributes = shape->attributes,
                   .attribute = attributes,
                   .models = 1,
                   .model = models,
                   .k = shape->k};
    if (shape->secrets > 0) {
        secret *s = arena_zalloc(memory, 1, sizeof *s);
        uint32_t *values = arena_array(memory, shape->records + 1, sizeof *values);
        for (uint32_t i = 0; i < shape->records; i++)
            values[i] = rng_below(&r, rng_below(&r, shape->secrets) + 1);
        *s = (secret){.values = values, .count = shape->secrets};
        models[1] =
            (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = shape->l};
        p->models = 2;
        p->secrets = 1;
        p->secret = s;
    }
    return p;
}

#endif
