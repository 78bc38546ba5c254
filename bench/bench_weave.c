/* Weave on both Adult tables and on generated records: loss and processor time.
 *
 * usage: bench_weave [DIRECTORY] [adult] [simd] [large] [baseline] [k=K] [records=N]
 *
 * DIRECTORY or $ADULT holds adult-uci/ and adult-arx/. Without words: adult, simd and large.
 * `baseline` runs the plain loop of the paper too and prints how many times faster weave is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "adult.h"
#include "baseline_sequential.h"
#include "core/run/context.h"
#include "search/search.h"

typedef struct outcome {
    double loss, seconds, processor;
} outcome;

static const char *const efforts[] = {"quick", "normal", "best"};
static const search_effort effort_of[] = {EFFORT_QUICK, EFFORT_NORMAL, EFFORT_BEST};
static const uint32_t usual[] = {5, 10, 50, 100};

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_weave: %s\n", error->message);
    exit(1);
}

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static outcome run_spec(const problem *p, search_spec spec, unsigned team)
{
    context c;
    kith_error error;
    search_result result;
    stop_on(context_init(
                &c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = team, .seeded = true, .seed = 1),
                &error),
            &error);
    double start = context_seconds(), processor = processor_seconds();
    stop_on(search_run(&result, search_find("weave"), p, &spec, &c, &error), &error);
    outcome o = {.seconds = context_seconds() - start,
                 .processor = processor_seconds() - processor};
    o.loss = partition_cost(&result.partition, p) / p->n_records / p->n_attributes;
    uint32_t model, class;
    if (!partition_holds(&result.partition, p, c.memory, &model, &class)) {
        fprintf(stderr, "bench_weave: class %u violates model %u\n", class, model);
        exit(1);
    }
    context_wipe(&c);
    return o;
}

static outcome run_once(const problem *p, search_effort effort, unsigned team)
{
    return run_spec(p, (search_spec){.effort = effort}, team);
}

/* The fastest of several runs: the machine may be busy with something else. */
static outcome run_best(const problem *p, search_effort effort, int runs)
{
    outcome best = run_once(p, effort, 1);
    for (int i = 1; i < runs; i++) {
        outcome o = run_once(p, effort, 1);
        best.processor = o.processor < best.processor ? o.processor : best.processor;
    }
    return best;
}

static double run_baseline(const problem *p)
{
    kith_error error;
    baseline_result result;
    arena *memory = arena_new();
    double start = processor_seconds();
    stop_on(baseline_sequential(&result, p, 1, memory, &error), &error);
    double seconds = processor_seconds() - start;
    printf("   plain loop %8.4f %7.2f s",
           partition_cost(&result.partition, p) / p->n_records / p->n_attributes, seconds);
    arena_free(memory);
    return seconds;
}

static void bench_adult(problem *p, uint32_t k, bool baseline, arena *memory)
{
    double seconds[3];
    adult_ask(p, k, 0, memory);
    printf("%6u x %-3u k=%-4u", p->n_records, p->n_attributes, k);
    for (int e = 0; e < 3; e++) {
        outcome o = run_best(p, effort_of[e], e < 2 ? 3 : 1);
        seconds[e] = o.processor;
        printf("   %s %.5f %6.3f s", efforts[e], o.loss, o.processor);
        fflush(stdout);
    }
    if (baseline) {
        double plain = run_baseline(p);
        printf(", %.0f / %.0f / %.0f times", plain / seconds[0], plain / seconds[1],
               plain / seconds[2]);
    }
    printf("\n");
}

static void bench_simd(problem *p, uint32_t k, arena *memory)
{
    static const char *const sets[] = {"portable", "avx2", "avx512"};
    adult_ask(p, k, 0, memory);
    printf("%6u x %-3u k=%-4u", p->n_records, p->n_attributes, k);
    for (int i = 0; i < 3; i++) {
        setenv("KITH_SIMD", sets[i], 1);
        outcome o = run_best(p, EFFORT_NORMAL, 3);
        printf("   %s %.6f %6.3f s", sets[i], o.loss, o.processor);
    }
    unsetenv("KITH_SIMD");
    printf("\n");
}

/* Pieces of several sizes beside the table as a whole. */
static void bench_pieces(const problem *p)
{
    static const uint32_t limits[] = {500000, 250000, 100000, 50000, 20000, 10000};
    const outcome whole = run_spec(p, (search_spec){.piece = p->n_records}, 1);
    printf("    whole          %.5f %6.2f s\n", whole.loss, whole.processor);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i] >= p->n_records)
            continue;
        const outcome o = run_spec(p, (search_spec){.piece = limits[i]}, 1);
        printf("    pieces %-7u %.5f %6.2f s   loss x %.3f   processor time x %.2f\n", limits[i],
               o.loss, o.processor, o.loss / whole.loss, o.processor / whole.processor);
    }
}

static void bench_large(problem *p, uint32_t n_records, uint32_t k, arena *memory)
{
    adult_ask(p, k, 0, memory);
    const problem *large = adult_enlarge(p, n_records, memory);
    printf("%7u x %-3u k=%-4u", large->n_records, large->n_attributes, k);
    for (unsigned team = 1; team <= 2; team++) {
        outcome o = run_once(large, EFFORT_NORMAL, team);
        printf("   %u thread%s %.5f %6.2f s (processor %6.2f s)", team, team == 1 ? "" : "s",
               o.loss, o.seconds, o.processor);
        fflush(stdout);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("   peak %.0f MB\n", (double)usage.ru_maxrss / 1024);
    bench_pieces(large);
}

typedef struct wishes {
    bool adult, simd, large, baseline;
    uint32_t k, n_records;
    const char *directory;
} wishes;

static wishes read_wishes(int argc, char **argv)
{
    wishes w = {.directory = getenv("ADULT")};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "adult") == 0)
            w.adult = true;
        else if (strcmp(argv[i], "simd") == 0)
            w.simd = true;
        else if (strcmp(argv[i], "large") == 0)
            w.large = true;
        else if (strcmp(argv[i], "baseline") == 0)
            w.baseline = true;
        else if (strncmp(argv[i], "k=", 2) == 0)
            w.k = (uint32_t)atoi(argv[i] + 2);
        else if (strncmp(argv[i], "records=", 8) == 0)
            w.n_records = (uint32_t)atoi(argv[i] + 8);
        else
            w.directory = argv[i];
    }
    if (!w.adult && !w.simd && !w.large)
        w.adult = w.simd = w.large = true;
    return w;
}

int main(int argc, char **argv)
{
    wishes w = read_wishes(argc, argv);
    if (w.directory == NULL) {
        puts("bench_weave: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *tables[] = {adult_arx(memory, w.directory, MEASURE_LM, 5),
                         adult_uci(memory, w.directory, MEASURE_LM, 5)};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 4; i++) {
            uint32_t k = usual[i];
            if (w.k != 0 && w.k != k)
                continue;
            if (w.adult)
                bench_adult(tables[t], k, w.baseline, memory);
            if (w.simd && t == 0)
                bench_simd(tables[t], k, memory);
        }
    if (w.large) {
        uint32_t k = w.k == 0 ? 10 : w.k;
        bench_large(tables[0], w.n_records == 0 ? 100000 : w.n_records, k, memory);
        if (w.n_records == 0)
            bench_large(tables[0], 1000000, k, memory);
    }
    arena_free(memory);
    return 0;
}
