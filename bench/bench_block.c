/* What deciding records in blocks costs in loss, and how many questions a joint run would ask: the
 * block rule of sequential clustering (search/turns.h) on both Adult tables, finish merge, records
 * distributed to the sites at random. Average of ten seeds.
 *
 * usage: bench_block [DIRECTORY] [K…]      (DIRECTORY or $ADULT holds adult-uci/ and adult-arx/) */
/* needs: clustering */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adult.h"
#include "core/run/context.h"
#include "core/rng.h"
#include "reference/rows_plain.h"

enum { SEEDS = 10 };

typedef struct outcome {
    double loss, seconds, passes, questions, put_off;
} outcome;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_run(outcome *o, const problem *p, const search_spec *spec,
                    const rows_plain_sites *sites, uint64_t seed)
{
    context c;
    kith_error error;
    search_result result;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = seed);
    double start = now();
    if (context_init(&c, &run, &error) != KITH_OK ||
        rows_plain(&result, p, spec, sites, &c, &error) != KITH_OK) {
        fprintf(stderr, "bench_block: %s\n", error.message);
        exit(1);
    }
    o->seconds += (now() - start) / SEEDS;
    o->loss += partition_cost(&result.partition, p) / p->n_records / p->n_attributes / SEEDS;
    o->passes += (double)result.n_passes / SEEDS;
    o->questions += (double)result.n_questions / SEEDS;
    o->put_off += (double)result.put_off / SEEDS;
    context_wipe(&c);
}

static void compare(const char *name, problem *p, uint32_t k, arena *memory)
{
    static const uint32_t blocks[] = {1, 64, 256}, sites[] = {1, 3};
    uint32_t *site = arena_array(memory, (size_t)p->n_records + 1, sizeof *site);
    if (site == NULL)
        exit(1);
    adult_ask(p, k, 0, memory);
    for (int m = 0; m < 2; m++) {
        double paper = 0;
        rng r;
        rng_init(&r, 1, 1);
        for (uint32_t i = 0; i < p->n_records; i++)
            site[i] = rng_below(&r, sites[m]);
        for (int b = 0; b < 3; b++) {
            outcome o = {0};
            search_spec spec = {.finish = FINISH_MERGE, .block = blocks[b]};
            const rows_plain_sites held = {.site = site};
            for (uint64_t seed = 1; seed <= SEEDS; seed++)
                add_run(&o, p, &spec, &held, seed);
            paper = b == 0 ? o.loss : paper;
            double visits = o.passes * p->n_records;
            printf("%-12s %4u %5u %5u %8.4f %+6.2f%% %6.1f %7.3f %8.1f%% %8.2f%%\n", name, k,
                   sites[m], blocks[b], o.loss, 100 * (o.loss / paper - 1), o.passes, o.seconds,
                   100 * o.questions / visits, 100 * o.put_off / visits);
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {10, 50};
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    if (directory == NULL) {
        puts("bench_block: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *tables[] = {adult_uci(memory, directory, MEASURE_LM, 5),
                         adult_arx(memory, directory, MEASURE_LM, 5)};
    printf("%-12s %4s %5s %5s %8s %7s %6s %7s %9s %9s\n", "table", "k", "sites", "block", "lm",
           "loss", "passes", "s", "questions", "put off");
    for (int t = 0; t < 2; t++) {
        char name[32];
        snprintf(name, sizeof name, "%u x %u", tables[t]->n_records, tables[t]->n_attributes);
        for (int i = 0; i < (argc > 2 ? argc - 2 : 2); i++)
            compare(name, tables[t], argc > 2 ? (uint32_t)atoi(argv[i + 2]) : usual[i], memory);
    }
    arena_free(memory);
    return 0;
}
