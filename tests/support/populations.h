/* Populations of which the truth is known, and samples of them, for estimates of uniqueness. */
#ifndef TESTS_SUPPORT_POPULATIONS_H
#define TESTS_SUPPORT_POPULATIONS_H

#include <math.h>
#include <stdlib.h>

#include "core/rng.h"
#include "risk/class_sizes.h"

/* People by the class that they are in. */
typedef struct people {
    uint32_t count, n_classes;
    uint32_t *class_of;
} people;

/* The Chinese restaurant process with parameters alpha and theta: Pitman's model itself. */
static inline people people_pitman(uint32_t count, double alpha, double theta, rng *r)
{
    people p = {count, 0, malloc(count * sizeof(uint32_t))};
    uint32_t *sizes = calloc(count, sizeof *sizes);
    for (uint32_t i = 0; i < count; i++) {
        double draw = rng_unit(r) * (i + theta) - (theta + alpha * p.n_classes);
        uint32_t class = p.n_classes;
        if (i > 0 && draw >= 0) {
            /* A random earlier person's class, with probability in proportion to size - alpha. */
            do
                class = p.class_of[rng_below(r, i)];
            while (rng_unit(r) * sizes[class] < alpha);
        }
        p.n_classes += class == p.n_classes;
        sizes[class]++;
        p.class_of[i] = class;
    }
    free(sizes);
    return p;
}

/* A number from a geometric distribution with this mean. */
static inline uint32_t draw_geometric(double mean, rng *r)
{
    return mean <= 0 ? 0 : (uint32_t)(log(1 - rng_unit(r)) / log(mean / (1 + mean)));
}

/* Classes of 1 + a negative binomial number of people; the shape is a whole number here. */
static inline people people_slide(uint32_t count, uint32_t shape, double mean, rng *r)
{
    people p = {count, 0, malloc(count * sizeof(uint32_t))};
    for (uint32_t i = 0; i < count; p.n_classes++) {
        uint32_t size = 1;
        for (uint32_t k = 0; k < shape; k++)
            size += draw_geometric(mean / shape, r);
        for (; size > 0 && i < count; size--)
            p.class_of[i++] = p.n_classes;
    }
    return p;
}

static inline int people_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* People with independent columns: column j has widths[j] values, the first ones more frequent (the
 * i-th has a weight of 1 / (i + 1)^skew). Classes are numbered by value. */
static inline people people_columns(uint32_t count, const uint32_t *widths, uint32_t n_columns,
                                    double skew, rng *r)
{
    people p = {count, 0, malloc(count * sizeof(uint32_t))};
    uint64_t *keys = calloc(count, sizeof *keys), *sorted = malloc(count * sizeof *sorted);
    for (uint32_t j = 0; j < n_columns; j++) {
        double *below = malloc(widths[j] * sizeof *below), sum = 0;
        for (uint32_t v = 0; v < widths[j]; v++)
            below[v] = sum += pow(v + 1, -skew);
        for (uint32_t i = 0; i < count; i++) {
            const double draw = rng_unit(r) * sum;
            uint32_t low = 0, high = widths[j] - 1;
            while (low < high) {
                const uint32_t middle = (low + high) / 2;
                if (below[middle] > draw)
                    high = middle;
                else
                    low = middle + 1;
            }
            keys[i] = keys[i] * widths[j] + low;
        }
        free(below);
    }
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = keys[i];
    qsort(sorted, count, sizeof *sorted, people_compare);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (n == 0 || sorted[n - 1] != sorted[i])
            sorted[n++] = sorted[i];
    p.n_classes = n;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *found = bsearch(&keys[i], sorted, n, sizeof *sorted, people_compare);
        p.class_of[i] = (uint32_t)(found - sorted);
    }
    free(keys);
    free(sorted);
    return p;
}

/* Sizes of the classes of a random sample of n people (all of them: n = count). Shuffles them. */
static inline void people_sample(class_sizes *s, people *p, uint32_t n, rng *r, arena *memory)
{
    uint32_t *sizes = calloc(p->n_classes, sizeof *sizes), n_classes = 0;
    kith_error error;
    rng_shuffle(r, p->class_of, p->count);
    for (uint32_t i = 0; i < n; i++)
        sizes[p->class_of[i]]++;
    for (uint32_t c = 0; c < p->n_classes; c++)
        if (sizes[c] > 0)
            sizes[n_classes++] = sizes[c];
    if (class_sizes_make(s, sizes, n_classes, UINT32_MAX, memory, &error) != KITH_OK)
        abort();
    free(sizes);
}

static inline void people_free(people *p)
{
    free(p->class_of);
}

#endif
