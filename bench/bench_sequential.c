/* Sequential clustering, with both ways to finish, against the plain loop of the paper (which
 * merges), on both Adult tables.
 *
 * usage: bench_sequential [DIRECTORY] [K…]      (DIRECTORY or $ADULT holds adult-uci/ and
 * adult-arx/) KITH_BENCH_BASELINE=0 leaves the slow baseline out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adult.h"
#include "baseline_sequential.h"
#include "core/run/context.h"
#include "search/search.h"

typedef struct outcome {
    double loss, seconds;
    uint32_t n_passes;
} outcome;

/* Seconds of processor time of this thread: all that is compared here runs in one. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_sequential: %s\n", error->message);
    exit(1);
}

static outcome run_engine(const problem *p, search_finish finish)
{
    context c;
    kith_error error;
    search_result result;
    stop_on(context_init(
                &c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1),
                &error),
            &error);
    double start = now();
    stop_on(search_run(&result, search_find("sequential"), p, &(search_spec){.finish = finish}, &c,
                       &error),
            &error);
    outcome o = {.seconds = now() - start, .n_passes = result.n_passes};
    o.loss = partition_cost(&result.partition, p) / p->n_records / p->n_attributes;
    context_wipe(&c);
    return o;
}

static outcome run_baseline(const problem *p)
{
    kith_error error;
    baseline_result result;
    arena *memory = arena_new();
    double start = now();
    stop_on(baseline_sequential(&result, p, 1, memory, &error), &error);
    outcome o = {.seconds = now() - start, .n_passes = result.n_passes};
    o.loss = partition_cost(&result.partition, p) / p->n_records / p->n_attributes;
    arena_free(memory);
    return o;
}

static void compare(const char *name, problem *p, uint32_t k, arena *memory)
{
    const char *asked = getenv("KITH_BENCH_BASELINE");
    bool plain = asked == NULL || strcmp(asked, "0") != 0;
    adult_ask(p, k, 0, memory);
    outcome fast = run_engine(p, FINISH_MERGE), hybrid = run_engine(p, FINISH_HYBRID);
    printf("%-14s %4u %10.4f %8.3f %10.4f %8u %9.3f", name, k, hybrid.loss, hybrid.seconds,
           fast.loss, fast.n_passes, fast.seconds);
    fflush(stdout);
    if (plain) {
        outcome slow = run_baseline(p);
        printf(" %12.4f %8u %9.2f %8.1f %+7.2f%%", slow.loss, slow.n_passes, slow.seconds,
               slow.seconds / fast.seconds, 100 * (fast.loss / slow.loss - 1));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {5, 10, 50, 100};
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    if (directory == NULL) {
        puts("bench_sequential: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *tables[] = {adult_uci(memory, directory, MEASURE_LM, 5),
                         adult_arx(memory, directory, MEASURE_LM, 5)};
    printf("%-14s %4s %10s %8s %10s %8s %9s %12s %8s %9s %8s %8s\n", "table", "k", "hybrid lm", "s",
           "merge lm", "passes", "s", "plain lm", "passes", "s", "faster", "loss");
    for (int t = 0; t < 2; t++) {
        char name[32];
        snprintf(name, sizeof name, "%u x %u", tables[t]->n_records, tables[t]->n_attributes);
        for (int i = 0; i < (argc > 2 ? argc - 2 : 4); i++)
            compare(name, tables[t], argc > 2 ? (uint32_t)atoi(argv[i + 2]) : usual[i], memory);
    }
    arena_free(memory);
    return 0;
}
