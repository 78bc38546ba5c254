/* What suppression gains on both Adult tables: weave and sequential clustering without it, and with
 * a share of the records; flash beside them where there are hierarchies.
 *
 * usage: bench_suppression [DIRECTORY] [k=K] [algorithm=NAME]
 *
 * DIRECTORY or $ADULT holds adult-uci/ and adult-arx/. A suppressed record counts as fully lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adult.h"
#include "core/run/context.h"
#include "search/search.h"
#include "search/suppress.h"

static const uint32_t usual[] = {5, 10, 50, 100};
static const double shares[] = {0, 0.01, 0.05};

/* The loss of one run, how many records it suppressed, and its time. */
static void run_once(problem *p, const char *name, double share)
{
    context c;
    kith_error error;
    search_result result;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    p->may_suppress = (uint32_t)(share * p->n_records);
    if (context_init(&c, &run, &error) != KITH_OK)
        exit(1);
    double start = context_seconds();
    if (search_run(&result, search_find(name), p, &(search_spec){0}, &c, &error) != KITH_OK) {
        printf("   %.0f%% %s", 100 * share, error.message);
    } else {
        double seconds = context_seconds() - start;
        printf("   %.0f%% %.5f (%u) %.1f s", 100 * share,
               suppress_cost(&result.partition, p) / p->n_records / p->n_attributes,
               suppress_count(&result.partition, p->n_records), seconds);
    }
    fflush(stdout);
    context_wipe(&c);
    p->may_suppress = 0;
}

static void bench(problem *p, const char *name, const char *only, uint32_t k, arena *memory)
{
    if (only != NULL && strcmp(only, name) != 0)
        return;
    adult_ask(p, k, 0, memory);
    printf("%6u x %-3u k=%-4u %-10s", p->n_records, p->n_attributes, k, name);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        run_once(p, name, shares[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *directory = getenv("ADULT"), *only = NULL;
    uint32_t single = 0;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "k=", 2) == 0)
            single = (uint32_t)strtoul(argv[i] + 2, NULL, 10);
        else if (strncmp(argv[i], "algorithm=", 10) == 0)
            only = argv[i] + 10;
        else
            directory = argv[i];
    if (directory == NULL) {
        printf("skipped: name the directory with adult-uci/ and adult-arx/\n");
        return 0;
    }
    arena *memory = arena_new();
    problem *arx = adult_arx(memory, directory, MEASURE_LM, 5);
    problem *uci = adult_uci(memory, directory, MEASURE_LM, 5);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (single != 0 && single != usual[i])
            continue;
        bench(arx, "weave", only, usual[i], memory);
        bench(arx, "sequential", only, usual[i], memory);
        bench(arx, "flash", only, usual[i], memory);
        bench(uci, "weave", only, usual[i], memory);
        bench(uci, "sequential", only, usual[i], memory);
    }
    arena_free(memory);
    return 0;
}
