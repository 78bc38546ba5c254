/* Random problems for tests, and a second, naive opinion on what a search returns. Header only. */
#ifndef SUPPORT_PROBLEMS_H
#define SUPPORT_PROBLEMS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/rng.h"
#include "search/problem.h"
#include "support/trees.h"

typedef struct problem_shape {
    uint32_t n_records, n_attributes;
    uint32_t n_leaves;    /* of every hierarchy */
    uint32_t width;       /* children per node; 0: leaves and root only */
    uint32_t n_kinds;     /* distinct records at most; 0: no limit */
    uint32_t n_sensitive; /* values of the one sensitive attribute; 0: none */
    double wildcards;     /* share of cells at the root */
    double skew;          /* 1: uniform values, more: the first are more frequent */
    measure_id measure;
    uint32_t k;
    double l;          /* 0: no diversity */
    bool by_sensitive; /* costs depend on the sensitive value: wmi with w = l / 10 */
} problem_shape;

/* Skewed values in hierarchies, and five sensitive values that depend on nothing. */
static inline problem_shape problems_shape_secret(uint32_t n_records, uint32_t n_attributes,
                                                  uint32_t k)
{
    return (problem_shape){.n_records = n_records,
                           .n_attributes = n_attributes,
                           .n_leaves = 16,
                           .width = 4,
                           .skew = 2,
                           .n_sensitive = 5,
                           .k = k};
}

static inline uint32_t problems_value(rng *r, uint32_t n_values, double skew)
{
    return (uint32_t)(pow(rng_unit(r), skew) * n_values);
}

static inline void problems_costs(problem *p, attribute *a, measure_id measure, arena *memory)
{
    uint64_t *count = arena_zalloc(memory, a->tree->n_leaves, sizeof *count);
    double *cost = arena_zalloc(memory, a->tree->n_nodes, sizeof *cost);
    for (uint32_t i = 0; i < p->n_records; i++)
        if (a->cells[i] < a->tree->n_leaves)
            count[a->cells[i]]++;
    measure_node_costs(cost, measure, a->tree, count);
    a->cost = cost;
}

static inline problem *problems_random(arena *memory, const problem_shape *shape, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 77);
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    attribute *attributes = arena_zalloc(memory, shape->n_attributes + 1, sizeof *attributes);
    sensitive_attribute *s = arena_zalloc(memory, 1, sizeof *s);
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    p->n_records = shape->n_records;
    p->n_attributes = shape->n_attributes;
    p->attributes = attributes;
    uint32_t n_kinds = shape->n_kinds == 0 ? p->n_records : shape->n_kinds;
    uint32_t *kinds = arena_zalloc(memory, p->n_records + 1, sizeof *kinds);
    for (uint32_t i = 0; i < p->n_records; i++)
        kinds[i] = i < n_kinds ? i : rng_below(&r, n_kinds);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        uint32_t *cells = arena_zalloc(memory, p->n_records + 1, sizeof *cells);
        const tree *t = shape->width == 0 ? trees_flat(memory, shape->n_leaves)
                                          : trees_grouped(memory, shape->n_leaves, shape->width);
        for (uint32_t i = 0; i < p->n_records; i++) {
            cells[i] = problems_value(&r, shape->n_leaves, shape->skew < 1 ? 1 : shape->skew);
            if (rng_unit(&r) < shape->wildcards)
                cells[i] = tree_root(t);
            cells[i] = cells[kinds[i]];
        }
        attributes[j] = (attribute){.tree = t, .cells = cells};
        problems_costs(p, &attributes[j], shape->measure, memory);
    }
    models[p->n_models++] = (model_spec){.id = MODEL_K_ANONYMITY, .k = shape->k};
    if (shape->n_sensitive > 0) {
        uint32_t *values = arena_zalloc(memory, p->n_records + 1, sizeof *values);
        for (uint32_t i = 0; i < p->n_records; i++)
            values[i] = rng_below(&r, shape->n_sensitive);
        *s = (sensitive_attribute){.values = values, .count = shape->n_sensitive};
        p->n_sensitive = 1;
        p->sensitive = s;
    }
    for (uint32_t j = 0; shape->by_sensitive && j < p->n_attributes; j++) {
        attribute *a = &attributes[j];
        sensitive_input in = {.tree = a->tree,
                              .n_records = p->n_records,
                              .cells = a->cells,
                              .values = s->values,
                              .distinct = s->count,
                              .w = shape->l / 10};
        double *cost = arena_zalloc(memory, a->tree->n_nodes, s->count * sizeof *cost);
        if (measure_sensitive_costs(cost, MEASURE_WMI, &in, memory, NULL) == KITH_OK)
            a->sensitive_cost = cost;
    }
    if (shape->l > 0)
        models[p->n_models++] = (model_spec){.id = MODEL_L_DIVERSITY,
                                             .variant = VARIANT_FREQUENCY,
                                             .l = shape->l,
                                             .attribute = "secret"};
    p->models = models;
    p->k = models_minimum_size(models, p->n_models);
    return p;
}

/* t-closeness of the one sensitive attribute. */
static inline model_spec problems_closeness(const problem *p, double t, arena *memory)
{
    model_facts *facts = arena_zalloc(memory, 1, sizeof *facts);
    uint32_t *overall = arena_zalloc(memory, p->sensitive[0].count, sizeof *overall);
    for (uint32_t i = 0; i < p->n_records; i++)
        overall[p->sensitive[0].values[i]]++;
    *facts = (model_facts){.n_records = p->n_records,
                           .n_values = p->sensitive[0].count,
                           .overall = overall,
                           .occurring = p->sensitive[0].count};
    return (model_spec){.id = MODEL_T_CLOSENESS,
                        .variant = VARIANT_EQUAL,
                        .t = t,
                        .attribute = "secret",
                        .facts = facts};
}

/* Lowest node of a tree that covers all cells of a class, by trying every node. */
static inline uint32_t problems_cover(const problem *p, const uint32_t *class_of, uint32_t class,
                                      uint32_t j)
{
    const attribute *a = &p->attributes[j];
    for (uint32_t node = 0; node < a->tree->n_nodes; node++) {
        bool all = true;
        for (uint32_t i = 0; i < p->n_records && all; i++)
            all = class_of[i] != class || tree_covers(a->tree, node, a->cells[i]);
        if (all)
            return node;
    }
    return UINT32_MAX;
}

/* Total cost of a partition, evaluated the slow way. */
static inline double problems_cost(const problem *p, const uint32_t *class_of, uint32_t n_classes)
{
    double sum = 0;
    for (uint32_t c = 0; c < n_classes; c++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < p->n_records; i++)
            size += class_of[i] == c;
        for (uint32_t j = 0; size > 0 && j < p->n_attributes; j++) {
            const attribute *a = &p->attributes[j];
            uint32_t node = problems_cover(p, class_of, c, j);
            sum += a->sensitive_cost == NULL ? size * a->cost[node] : 0;
            for (uint32_t i = 0; a->sensitive_cost != NULL && i < p->n_records; i++)
                if (class_of[i] == c)
                    sum +=
                        a->sensitive_cost[node * p->sensitive[0].count + p->sensitive[0].values[i]];
        }
    }
    return sum;
}

/* Do k and l hold in every class? Counted the slow way. */
static inline bool problems_hold(const problem *p, const uint32_t *class_of, uint32_t n_classes)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        for (uint32_t c = 0; c < n_classes; c++) {
            uint32_t size = 0, max_count = 0;
            for (uint32_t i = 0; i < p->n_records; i++) {
                if (class_of[i] != c)
                    continue;
                uint32_t same = 0;
                for (uint32_t o = 0; p->n_sensitive > 0 && o < p->n_records; o++)
                    same +=
                        class_of[o] == c && p->sensitive[0].values[o] == p->sensitive[0].values[i];
                max_count = same > max_count ? same : max_count;
                size++;
            }
            if (size == 0)
                continue;
            if (p->models[m].id == MODEL_K_ANONYMITY ? size < p->models[m].k
                                                     : (double)size / max_count < p->models[m].l)
                return false;
        }
    return true;
}

#endif
