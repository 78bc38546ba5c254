/* Lattice searches: CPU time and nodes checked on Adult (8 quasi-identifiers, 4,320 nodes, k = 5,
 * 3% suppression, entropy), and every node of a lattice of 9,000 over a table like KDD Cup 98's. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "adult.h"
#include "core/run/context.h"
#include "core/rng.h"
#include "measure/measure.h"
#include "search/algorithms.h"
#include "search/search.h"

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
           (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
}

static void measure_search(const char *title, const problem *p, const char *name, unsigned count,
                           int repeats)
{
    double min_spent = 1e300, wall = 1e300;
    search_result result;
    char levels[200] = "";
    for (int repeat = 0; repeat < repeats; repeat++) {
        kith_run how = KITH_OPTIONS(kith_run, .n_threads = count, .seeded = true, .seed = 1);
        context c;
        kith_error error;
        if (context_init(&c, &how, &error) != KITH_OK)
            exit(5);
        double begin = cpu_seconds(), clock = context_seconds();
        if (search_run(&result, search_find(name), p, &(search_spec){0}, &c, &error) != KITH_OK) {
            fprintf(stderr, "%s: %s\n", name, error.message);
            exit(1);
        }
        double spent = cpu_seconds() - begin;
        min_spent = spent < min_spent ? spent : min_spent;
        wall = context_seconds() - clock < wall ? context_seconds() - clock : wall;
        size_t used = 0;
        for (uint32_t j = 0; j < p->n_attributes; j++)
            used += (size_t)snprintf(levels + used, sizeof levels - used, "%u ", result.levels[j]);
        context_wipe(&c);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "%-28s %-13s %u thread%s %6.3f s CPU %6.3f s  checked %6llu of %llu  levels %s (%.0f MB)\n",
        title, name, count, count == 1 ? " " : "s", min_spent, wall,
        (unsigned long long)result.checked, (unsigned long long)result.n_transformations, levels,
        (double)usage.ru_maxrss / 1e3);
}

/* A tree whose level l has groups of width[0] x … x width[l - 1] neighbours, and a root. */
static tree *grouped_tree(arena *memory, uint32_t n_leaves, const uint32_t *width, uint32_t inner)
{
    uint32_t n_levels = inner + 2;
    tree *t = arena_zalloc(memory, 1, sizeof *t);
    uint32_t *start = arena_zalloc(memory, n_levels + 1, sizeof *start);
    uint32_t *up = arena_array(memory, (size_t)n_levels * n_leaves, sizeof *up);
    uint32_t span = 1, n_nodes = 0;
    for (uint32_t l = 0; l < n_levels; l++) {
        span = l + 1 == n_levels ? n_leaves : l == 0 ? 1 : span * width[l - 1];
        start[l] = n_nodes;
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            up[(size_t)l * n_leaves + leaf] = n_nodes + leaf / span;
        n_nodes += (n_leaves + span - 1) / span;
    }
    start[n_levels] = n_nodes;
    uint32_t *first = arena_array(memory, n_nodes, sizeof *first);
    uint32_t *end = arena_array(memory, n_nodes, sizeof *end);
    uint32_t *parent = arena_array(memory, n_nodes, sizeof *parent);
    uint8_t *level = arena_array(memory, n_nodes, 1);
    for (uint32_t l = 0; l < n_levels; l++)
        for (uint32_t leaf = n_leaves; leaf-- > 0;) {
            uint32_t node = up[(size_t)l * n_leaves + leaf];
            if (leaf + 1 == n_leaves || up[(size_t)l * n_leaves + leaf + 1] != node)
                end[node] = leaf + 1;
            first[node] = leaf;
            level[node] = (uint8_t)l;
            parent[node] = l + 1 < n_levels ? up[(size_t)(l + 1) * n_leaves + leaf] : node;
        }
    *t = (tree){n_leaves, n_nodes, n_levels, start, first, end, parent, level, up};
    return t;
}

/* Donors like those of the KDD Cup 98 table: zip codes, ages, gift counts, …; 63,000 records, a
 * lattice of 6 x 5 x 5 x 5 x 3 x 2 x 2 = 9,000 nodes. The secret is a gift's size. */
static problem *donors(arena *memory)
{
    static const struct {
        uint32_t n_leaves, inner, width[4], skew;
    } shape[] = {{20000, 4, {10, 10, 10, 5}, 1},
                 {100, 3, {5, 2, 2}, 0},
                 {64, 3, {4, 2, 2}, 2},
                 {28, 3, {2, 2, 2}, 0},
                 {53, 1, {10}, 0},
                 {3, 0, {0}, 1},
                 {16, 0, {0}, 2}};
    enum { R = sizeof shape / sizeof shape[0], N = 63000, N_SENSITIVE = 20 };
    rng r;
    rng_init(&r, 98, 0);
    attribute *list = arena_zalloc(memory, R, sizeof *list);
    for (uint32_t j = 0; j < R; j++) {
        tree *t = grouped_tree(memory, shape[j].n_leaves, shape[j].width, shape[j].inner);
        uint32_t *cells = arena_array(memory, N, sizeof *cells);
        uint64_t *count = arena_zalloc(memory, t->n_leaves, sizeof *count);
        for (uint32_t i = 0; i < N; i++) {
            cells[i] = rng_below(&r, t->n_leaves);
            for (uint32_t s = 0; s < shape[j].skew; s++)
                cells[i] = rng_below(&r, cells[i] + 1);
            count[cells[i]]++;
        }
        double *cost = arena_array(memory, t->n_nodes, sizeof *cost);
        measure_node_costs(cost, MEASURE_LM, t, count);
        list[j] = (attribute){.tree = t, .cells = cells, .cost = cost, .weight = 1};
    }
    /* A fifth of the donors repeats another: about 50,000 distinct ones remain. */
    for (uint32_t i = 0; i < N / 5; i++)
        for (uint32_t j = 0; j < R; j++)
            ((uint32_t *)list[j].cells)[i] = list[j].cells[N - 1 - i];
    uint32_t *values = arena_array(memory, N, sizeof *values);
    for (uint32_t i = 0; i < N; i++)
        values[i] = rng_below(&r, rng_below(&r, N_SENSITIVE) + 1);
    sensitive_attribute *s = arena_zalloc(memory, 1, sizeof *s);
    *s = (sensitive_attribute){.values = values, .count = N_SENSITIVE};
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    models[0] = (model_spec){.id = MODEL_K_ANONYMITY, .k = 5};
    models[1] = (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .c = 4, .l = 3};
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    *p = (problem){.n_records = N,
                   .may_suppress = N,
                   .measure = MEASURE_LM,
                   .n_attributes = R,
                   .attributes = list,
                   .n_sensitive = 1,
                   .sensitive = s,
                   .n_models = 1,
                   .models = models,
                   .k = 5};
    return p;
}

static void bench_adult(const char *directory)
{
    arena *memory = arena_new();
    problem *p = adult_arx(memory, directory, MEASURE_ENTROPY, 5);
    p->measure = MEASURE_ENTROPY;
    p->may_suppress = p->n_records * 3 / 100;
    static const char *const names[] = {"flash", "ola", "incognito", "breadth-first"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        measure_search("Adult, k=5", p, names[i], 1, 5);
    static const model_spec recursive[] = {
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .c = 4, .l = 3},
        {.id = MODEL_K_ANONYMITY, .k = 5}};
    p->models = recursive;
    p->n_models = 1;
    p->k = 1;
    measure_search("Adult, recursive-(4,3)", p, "flash", 1, 5);
    measure_search("Adult, recursive-(4,3)", p, "breadth-first", 1, 1);
    p->n_models = 2;
    p->k = 5;
    measure_search("Adult, recursive-(4,3), k=5", p, "flash", 1, 5);
    arena_free(memory);
}

static void bench_donors(void)
{
    arena *memory = arena_new();
    problem *p = donors(memory);
    measure_search("donors, k=5", p, "breadth-first", 1, 2);
    measure_search("donors, k=5", p, "breadth-first", 2, 2);
    p->n_models = 2;
    measure_search("donors, k=5, recursive-(4,3)", p, "breadth-first", 2, 2);
    arena_free(memory);
}

int main(void)
{
    const char *directory = getenv("ADULT");
    if (directory != NULL)
        bench_adult(directory);
    else
        puts("set ADULT to the directory with adult-arx/ for the first table");
    bench_donors();
    return 0;
}
