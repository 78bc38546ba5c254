/* Sequential clustering under l-diversity by frequency, both ways to finish, beside weave: loss and
 * classes on Adult (45,222 x 14, suppression, the class as sensitive value; the table allows
 * l = 1.3295).
 *
 * usage: bench_diversity [DIRECTORY] [K] [L…]      (DIRECTORY or $ADULT holds adult-uci/) */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adult.h"
#include "core/run/context.h"
#include "search/search.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const problem *p, const char *name, search_finish finish)
{
    context c;
    kith_error error;
    search_result result;
    search_spec spec = {.finish = finish};
    double start = now();
    if (context_init(&c,
                     &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1),
                     &error) != KITH_OK ||
        search_run(&result, search_find(name), p, &spec, &c, &error) != KITH_OK) {
        fprintf(stderr, "bench_diversity: %s\n", error.message);
        exit(1);
    }
    double loss = partition_cost(&result.partition, p) / p->n_records / p->n_attributes;
    printf(" %8.4f %8u %7.2f", loss, result.partition.n_classes, now() - start);
    fflush(stdout);
    context_wipe(&c);
}

int main(int argc, char **argv)
{
    static const double usual[] = {0, 1.1, 1.2, 1.3};
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    if (directory == NULL) {
        puts("bench_diversity: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *p = adult_uci(memory, directory, MEASURE_LM, 5);
    uint32_t k = argc > 2 ? (uint32_t)atoi(argv[2]) : 50;
    printf("%4s %5s %8s %8s %7s %8s %8s %7s %8s %8s %7s\n", "k", "l", "merge lm", "classes", "s",
           "hybrid", "classes", "s", "weave", "classes", "s");
    for (int i = 0; i < (argc > 3 ? argc - 3 : 4); i++) {
        double l = argc > 3 ? atof(argv[i + 3]) : usual[i];
        adult_ask(p, k, l, memory);
        printf("%4u %5.3f", k, l);
        run(p, "sequential", FINISH_MERGE);
        run(p, "sequential", FINISH_HYBRID);
        run(p, "weave", FINISH_DEFAULT);
        printf("\n");
    }
    arena_free(memory);
    return 0;
}
