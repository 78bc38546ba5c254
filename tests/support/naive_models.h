/* The privacy models written down as naively as possible: records one by one, no histograms. A
 * class is a list of values 0 … NAIVE_VALUES-1; the table is all classes one after the other. Also
 * the facts that src/model needs about such a table, and a draw of parameters in which bounds are
 * often met exactly. Header only. */
#ifndef SUPPORT_NAIVE_MODELS_H
#define SUPPORT_NAIVE_MODELS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/rng.h"
#include "model/model.h"
#include "support/trees.h"

enum { NAIVE_VALUES = 6, NAIVE_MAX = 400 };

typedef struct naive_list {
    uint32_t size;
    uint32_t value[NAIVE_MAX];
} naive_list;

/* One example of every model and variant. */
static const struct {
    model_id id;
    model_variant variant;
} naive_kinds[] = {
    {MODEL_K_ANONYMITY, VARIANT_NONE},           {MODEL_L_DIVERSITY, VARIANT_FREQUENCY},
    {MODEL_L_DIVERSITY, VARIANT_DISTINCT},       {MODEL_L_DIVERSITY, VARIANT_ENTROPY},
    {MODEL_L_DIVERSITY, VARIANT_RECURSIVE},      {MODEL_T_CLOSENESS, VARIANT_EQUAL},
    {MODEL_T_CLOSENESS, VARIANT_ORDERED},        {MODEL_T_CLOSENESS, VARIANT_HIERARCHICAL},
    {MODEL_DELTA_PRESENCE, VARIANT_NONE},        {MODEL_ALPHA_K, VARIANT_NONE},
    {MODEL_P_SENSITIVE, VARIANT_NONE},           {MODEL_LKC, VARIANT_NONE},
    {MODEL_DISSIMILARITY, VARIANT_EQUAL},        {MODEL_DISSIMILARITY, VARIANT_ORDERED},
    {MODEL_DISSIMILARITY, VARIANT_HIERARCHICAL}, {MODEL_DELTA_DISCLOSURE, VARIANT_NONE},
    {MODEL_BETA_LIKENESS, VARIANT_BASIC},        {MODEL_BETA_LIKENESS, VARIANT_ENHANCED},
    {MODEL_M_INVARIANCE, VARIANT_NONE},
};

enum { NAIVE_KINDS = sizeof naive_kinds / sizeof naive_kinds[0] };

static inline double naive_pick(rng *r, const double *from, uint32_t count)
{
    return from[rng_below(r, count)];
}

#define NAIVE_PICK(r, ...)                       \
    naive_pick(r, (const double[]){__VA_ARGS__}, \
               sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static inline model_spec naive_draw(uint32_t kind, rng *r)
{
    return (model_spec){
        .id = naive_kinds[kind].id,
        .variant = naive_kinds[kind].variant,
        .k = 1 + rng_below(r, 4),
        .l = NAIVE_PICK(r, 1, 2, 3, 4),
        .c = naive_kinds[kind].id == MODEL_LKC ? NAIVE_PICK(r, .25, .5, .75, 1)
                                               : NAIVE_PICK(r, .5, 1, 2, 3),
        .t = NAIVE_PICK(r, 0, .1, .125, .2, .25, .5),
        .alpha = NAIVE_PICK(r, .25, .3, .5, .75, 1),
        .p = 1 + rng_below(r, 4),
        .min = NAIVE_PICK(r, 0, .1, .25, .5),
        .max = NAIVE_PICK(r, .5, .6, .75, 1),
        .epsilon = NAIVE_PICK(r, 0, .2, .25, .5),
        .delta = NAIVE_PICK(r, .25, .5, .75, 1),
        .beta = NAIVE_PICK(r, .25, .5, 1, 2),
        .m = 1 + rng_below(r, 4),
    };
}

/* Values that count as named in the study: the odd ones. */
static inline bool naive_listed(uint32_t value)
{
    return value % 2 == 1;
}

/* Random values, of which some tables have few. */
static inline void naive_fill(naive_list *list, uint32_t size, uint32_t n_values, rng *r)
{
    list->size = size;
    for (uint32_t i = 0; i < size; i++)
        list->value[i] = rng_below(r, 1 + rng_below(r, n_values));
}

static inline uint32_t naive_count(const naive_list *list, uint32_t value)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->size; i++)
        count += list->value[i] == value;
    return count;
}

static inline uint32_t naive_distinct(const naive_list *list)
{
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < list->size; i++) {
        bool seen = false;
        for (uint32_t j = 0; j < i; j++)
            seen = seen || list->value[j] == list->value[i];
        distinct += !seen;
    }
    return distinct;
}

static inline double naive_share(const naive_list *list, uint32_t value)
{
    return (double)naive_count(list, value) / list->size;
}

/* Place of a value among those that occur in the table. */
static inline uint32_t naive_place(const naive_list *table, uint32_t value)
{
    uint32_t place = 0;
    for (uint32_t v = 0; v < value; v++)
        place += naive_count(table, v) > 0;
    return place;
}

/* The hierarchy: pairs of neighbours below the root. */
static inline double naive_apart(model_variant variant, const naive_list *table, uint32_t a,
                                 uint32_t b)
{
    if (a == b)
        return 0;
    if (variant == VARIANT_ORDERED)
        return fabs((double)naive_place(table, a) - naive_place(table, b)) /
               (naive_distinct(table) - 1);
    return variant == VARIANT_HIERARCHICAL && a / 2 == b / 2 ? .5 : 1;
}

static inline int naive_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Every record of the class as often as the table has records, and the other way round: two lists
 * of the same length, matched in sorted order, which is the cheapest way on a line. Where only
 * equality counts, or a tree, what is equal (or in one pair) is matched first. */
static inline double naive_emd(model_variant variant, const naive_list *class,
                               const naive_list *table)
{
    uint32_t n = class->size * table->size, left = 0;
    uint32_t *a = malloc(2 * (size_t)n * sizeof *a), *b = a + n;
    for (uint32_t i = 0; i < n; i++) {
        a[i] = class->value[i / table->size];
        b[i] = table->value[i / class->size];
    }
    qsort(a, n, sizeof *a, naive_compare);
    qsort(b, n, sizeof *b, naive_compare);
    double cost = 0;
    if (variant == VARIANT_ORDERED) {
        for (uint32_t i = 0; i < n; i++)
            cost += naive_apart(variant, table, a[i], b[i]);
    } else {
        uint32_t more[NAIVE_VALUES] = {0}, less[NAIVE_VALUES] = {0};
        for (uint32_t v = 0; v < NAIVE_VALUES; v++) {
            uint32_t x = naive_count(class, v) * table->size,
                     y = naive_count(table, v) * class->size;
            more[v] = x > y ? x - y : 0;
            less[v] = y > x ? y - x : 0;
        }
        for (uint32_t v = 0; v < NAIVE_VALUES; v += 2) {
            uint32_t x = more[v] + more[v + 1], y = less[v] + less[v + 1];
            uint32_t within = x < y ? x : y;
            cost += variant == VARIANT_HIERARCHICAL ? .5 * within : within;
            left += x - within;
        }
        cost += left;
    }
    free(a);
    return cost / n;
}

static inline bool naive_diverse(const model_spec *m, const naive_list *c)
{
    uint32_t count[NAIVE_VALUES], tail = 0;
    double entropy = 0, max_count = 0;
    for (uint32_t v = 0; v < NAIVE_VALUES; v++)
        count[v] = naive_count(c, v);
    qsort(count, NAIVE_VALUES, sizeof *count, naive_compare); /* ascending */
    max_count = count[NAIVE_VALUES - 1];
    for (uint32_t rank = 1; rank <= NAIVE_VALUES; rank++)
        tail += rank >= m->l ? count[NAIVE_VALUES - rank] : 0;
    for (uint32_t i = 0; i < c->size; i++)
        entropy -= log(naive_share(c, c->value[i])) / c->size;
    switch (m->variant) {
    case VARIANT_FREQUENCY: return max_count * m->l <= c->size;
    case VARIANT_DISTINCT: return naive_distinct(c) >= m->l;
    case VARIANT_ENTROPY: return exp(entropy) >= m->l - 1e-7;
    default: return naive_distinct(c) >= m->l && max_count < m->c * tail;
    }
}

static inline bool naive_dissimilar(const model_spec *m, const naive_list *c,
                                    const naive_list *table)
{
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t far = 0;
        for (uint32_t j = 0; j < c->size; j++)
            far += j != i && naive_apart(m->variant, table, c->value[i], c->value[j]) > m->epsilon;
        if (far < m->delta * (c->size - 1))
            return false;
    }
    return c->size >= m->k;
}

static inline bool naive_shares(const model_spec *m, const naive_list *c, const naive_list *table)
{
    double inside = 0;
    for (uint32_t v = 0; v < NAIVE_VALUES; v++) {
        double p = naive_share(c, v), q = naive_share(table, v);
        double bound = m->variant == VARIANT_ENHANCED ? fmin(m->beta, -log(q)) : m->beta;
        inside += naive_listed(v) ? naive_count(c, v) : 0;
        if (m->id == MODEL_DELTA_DISCLOSURE && q > 0 &&
            (p <= 0 || !(fabs(log(p) - log(q)) < m->delta)))
            return false;
        if (m->id == MODEL_BETA_LIKENESS && p > q && p - q > bound * q + 1e-7)
            return false;
        if (m->id == MODEL_ALPHA_K && naive_count(c, v) > m->alpha * c->size + 1e-7)
            return false;
        if (m->id == MODEL_LKC && naive_listed(v) && naive_count(c, v) > m->c * c->size + 1e-7)
            return false;
    }
    if (m->id == MODEL_DELTA_PRESENCE)
        return inside >= m->min * c->size - 1e-7 && inside <= m->max * c->size + 1e-7;
    return m->id == MODEL_DELTA_DISCLOSURE || m->id == MODEL_BETA_LIKENESS || c->size >= m->k;
}

/* All models but k-map. */
static inline bool naive_holds(const model_spec *m, const naive_list *c, const naive_list *table)
{
    switch (m->id) {
    case MODEL_K_ANONYMITY: return c->size >= m->k;
    case MODEL_L_DIVERSITY: return naive_diverse(m, c);
    case MODEL_T_CLOSENESS: return naive_emd(m->variant, c, table) <= m->t + 1e-7;
    case MODEL_P_SENSITIVE: return c->size >= m->k && naive_distinct(c) >= m->p;
    case MODEL_DISSIMILARITY: return naive_dissimilar(m, c, table);
    case MODEL_M_INVARIANCE: return c->size >= m->m && naive_distinct(c) == c->size;
    default: return naive_shares(m, c, table);
    }
}

/* What src/model knows of a table. */
static inline model_facts *naive_facts(arena *memory, const naive_list *table)
{
    model_facts *f = arena_zalloc(memory, 1, sizeof *f);
    uint32_t *array = arena_zalloc(memory, 5 * NAIVE_VALUES, sizeof *array);
    uint8_t *listed = arena_zalloc(memory, NAIVE_VALUES, sizeof *listed);
    static const uint32_t groups[] = {0, 1, 2, 3, 4, 5, 0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0};
    uint32_t *overall = array, *rank = array + NAIVE_VALUES, *by_rank = rank + NAIVE_VALUES;
    uint32_t *leaf_of = by_rank + NAIVE_VALUES, *value_of = leaf_of + NAIVE_VALUES;
    for (uint32_t v = 0; v < NAIVE_VALUES; v++) {
        overall[v] = naive_count(table, v);
        rank[v] = overall[v] > 0 ? f->occurring : UINT32_MAX;
        if (overall[v] > 0)
            by_rank[f->occurring++] = v;
        leaf_of[v] = value_of[v] = v;
        listed[v] = naive_listed(v);
    }
    *f = (model_facts){.n_records = table->size,
                       .n_values = NAIVE_VALUES,
                       .overall = overall,
                       .occurring = f->occurring,
                       .rank = rank,
                       .by_rank = by_rank,
                       .tree = trees_from_groups(memory, NAIVE_VALUES, 3, groups),
                       .leaf_of = leaf_of,
                       .value_of_leaf = value_of,
                       .listed = listed};
    return f;
}

#endif
