/* Clustering over columns at several sites (protocol/clustering_vertical.h) on both Adult tables:
 * loss beside that of block 1, which is the paper, and calls of the secure sum beside the paper's
 * one per record and pass. The default block is run by parties in threads, columns distributed
 * evenly in order, at last with noise 0.01; block 1 in one place, which gives the same clusters.
 * Average of some seeds.
 *
 * usage: bench_vertical [DIRECTORY] [K] [SITES] [SEEDS]
 * (DIRECTORY or $ADULT holds adult-uci/ and adult-arx/; 100, 2 and 3 unless said otherwise) */
/* needs: clustering */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adult.h"
#include "core/run/context.h"
#include "core/error.h"
#include "protocol/columns/columns_clustering.h"
#include "protocol/columns/columns_sequential.h"
#include "support/ledger_calls.h"
#include "wire/inproc.h"

typedef struct outcome {
    double loss, passes, put_off, visits, calls, paper, megabytes, rounds, cpu, wall;
} outcome;

static double clock_now(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const kith_error *error)
{
    fprintf(stderr, "bench_vertical: %s\n", error->message);
    exit(1);
}

static double loss_of(const problem *p, uint32_t n_classes, uint32_t *class_of, arena *memory)
{
    partition all = {.n_classes = n_classes, .class_of = class_of};
    kith_error error;
    if (partition_close(&all, p, memory, &error) != KITH_OK)
        stop(&error);
    return partition_cost(&all, p) / p->n_records / p->n_attributes;
}

/* One place with all columns. */
static void run_alone(outcome *o, const problem *p, const search_spec *spec, uint64_t seed)
{
    context c;
    kith_error error;
    columns_sequential_result r;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = seed);
    double cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID), wall = clock_now(CLOCK_MONOTONIC);
    if (context_init(&c, &run, &error) != KITH_OK ||
        columns_sequential_run(&r, p, spec, &(columns_link){0}, seed, &c, &error) != KITH_OK)
        stop(&error);
    o->cpu += clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    o->wall += clock_now(CLOCK_MONOTONIC) - wall;
    o->loss += loss_of(p, r.partition.n_classes, r.partition.class_of, c.memory);
    o->passes += r.n_passes;
    o->put_off += (double)r.put_off;
    o->visits += (double)r.n_visits;
    o->calls += (double)r.n_paper_sums; /* one sum each: what the paper's protocol does */
    o->paper += (double)r.n_paper_sums;
    context_wipe(&c);
}

typedef struct joint {
    const problem *p;
    const search_spec *spec;
    uint64_t seed;
    uint32_t n_sites;
    double noise;
    outcome *o;
} joint;

static void note(joint *j, party *p, const columns_result *r, arena *memory)
{
    const ledger *l = party_ledger(p);
    outcome *o = j->o;
    o->loss += loss_of(j->p, r->n_classes, r->class_of, memory);
    o->passes += r->report.n_passes;
    for (uint32_t i = 0; i < r->report.n_facts; i++) {
        const char first = r->report.facts[i].name[0];
        o->visits += first == 'v' ? r->report.facts[i].value : 0;
        o->put_off +=
            first == 'p' && r->report.facts[i].name[1] == 'u' ? r->report.facts[i].value : 0;
    }
    o->calls += (double)ledger_calls(l, "sum");
    o->paper += (double)r->report.n_paper_sums;
    o->rounds += l->n_rounds;
    o->megabytes += (double)(l->sent.bytes + l->received.bytes) / 1e6; /* all pass the pivot */
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    joint *j = user;
    const uint32_t self = party_self(p), m = j->n_sites;
    problem mine = *j->p;
    uint32_t first = mine.n_attributes * self / m, end = mine.n_attributes * (self + 1) / m;
    mine.attributes += first;
    mine.n_attributes = end - first;
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    TRY(context_init(&c, &run, error));
    protocol_options options = {.partition = PARTITION_VERTICAL, .noise = j->noise};
    columns_task task = {.mine = &mine,
                         .spec = j->spec,
                         .options = &options,
                         .context = &c,
                         .seeded = true,
                         .seed = j->seed};
    columns_result r;
    kith_status status = columns_clustering(&r, p, &task, error);
    if (status == KITH_OK && self == 0)
        note(j, p, &r, c.memory);
    context_wipe(&c);
    return status;
}

static void run_joint(outcome *o, const problem *p, const search_spec *spec, uint64_t seed,
                      uint32_t n_sites, double noise)
{
    joint j = {.p = p, .spec = spec, .seed = seed, .n_sites = n_sites, .noise = noise, .o = o};
    void *users[PARTY_MAX];
    kith_error errors[PARTY_MAX];
    for (uint32_t i = 0; i < n_sites; i++)
        users[i] = &j;
    double cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID), wall = clock_now(CLOCK_MONOTONIC);
    if (inproc_run(n_sites, NULL, NULL, take_part, users, errors) != KITH_OK)
        stop(&errors[0]);
    o->cpu += clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    o->wall += clock_now(CLOCK_MONOTONIC) - wall;
}

static void print(const char *name, const problem *p, const char *finish, const char *block,
                  const outcome *o, double paper_loss, uint32_t seeds)
{
    printf("%-12s %4u %-6s %-7s %8.5f %+6.2f%% %6.1f %9.0f %7.2f%% %8.0f %8.0f %7.0f %7.0f %6.0f "
           "%7.1f %7.1f\n",
           name, p->k, finish, block, o->loss / seeds, 100 * (o->loss / paper_loss - 1),
           o->passes / seeds, o->visits / seeds, 100 * o->put_off / o->visits, o->calls / seeds,
           o->paper / seeds, o->paper / o->calls, o->megabytes / seeds, o->rounds / seeds,
           o->cpu / seeds, o->wall / seeds);
    fflush(stdout);
}

static void compare(problem *p, uint32_t k, uint32_t n_sites, uint32_t seeds, arena *memory)
{
    static const char *const finishes[] = {"merge", "hybrid"};
    char name[32];
    snprintf(name, sizeof name, "%u x %u", p->n_records, p->n_attributes);
    adult_ask(p, k, 0, memory);
    for (int f = 0; f < 2; f++) {
        search_spec one = {.finish = f == 0 ? FINISH_MERGE : FINISH_HYBRID, .block = 1};
        search_spec usual = {.finish = one.finish};
        outcome paper = {0}, kith = {0}, noisy = {0};
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            run_alone(&paper, p, &one, seed);
            run_joint(&kith, p, &usual, seed, n_sites, 0);
            if (f == 1)
                run_joint(&noisy, p, &usual, seed, n_sites, 0.01);
        }
        print(name, p, finishes[f], "1", &paper, paper.loss, seeds);
        print(name, p, finishes[f], "default", &kith, paper.loss, seeds);
        if (f == 1)
            print(name, p, finishes[f], "noise", &noisy, paper.loss, seeds);
    }
}

int main(int argc, char **argv)
{
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    const uint32_t k = argc > 2 ? (uint32_t)atoi(argv[2]) : 100;
    const uint32_t n_sites = argc > 3 ? (uint32_t)atoi(argv[3]) : 2;
    const uint32_t seeds = argc > 4 ? (uint32_t)atoi(argv[4]) : 3;
    if (directory == NULL) {
        puts("bench_vertical: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *tables[] = {adult_arx(memory, directory, MEASURE_LM, k),
                         adult_uci(memory, directory, MEASURE_LM, k)};
    printf("%u sites, %u seeds\n%-12s %4s %-6s %-7s %8s %7s %6s %9s %8s %8s %8s %7s %7s %6s %7s "
           "%7s\n",
           n_sites, seeds, "table", "k", "finish", "block", "lm", "loss", "passes", "visits",
           "put off", "calls", "paper", "ratio", "MB", "rounds", "CPU s", "s");
    for (int t = 0; t < 2; t++)
        compare(tables[t], k, n_sites, seeds, memory);
    arena_free(memory);
    return 0;
}
