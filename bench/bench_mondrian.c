/* Distributed Mondrian on Adult (30,162 x 8), records distributed at random to m parties in
 * threads:
 *   calls     of secure primitives, and those that Algorithm 1 of the paper would have made for the
 *             same splits, one at a time
 *   rounds    length of the longest chain of messages
 *   s, cpu    of the run, and of all parties together, against the same rule in one place
 * The age is cut between years, everything else along its hierarchy.
 *
 * usage: bench_mondrian [DIRECTORY] [M K L]   (DIRECTORY or $ADULT holds adult-arx/; L sites in
 *                                              every class, 1: no site diversity) */
/* needs: mondrian */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adult.h"
#include "core/run/context.h"
#include "core/rng.h"
#include "protocol/mondrian/mondrian_protocol.h"
#include "reference/mondrian_plain.h"
#include "wire/inproc.h"

enum { SEED = 1, AGE = 1 };

typedef struct bench {
    arena *memory;
    const problem *all;
    uint32_t m;
    const uint32_t *site; /* [n_records] */
    uint32_t *place;      /* [n_records] at its site */
    protocol_options options;
    search_spec spec;
    problem part[PARTY_MAX];
    context context[PARTY_MAX];
    rows_result result[PARTY_MAX];
    double cpu[PARTY_MAX];
    uint64_t n_calls, bytes;
    uint32_t n_rounds;
} bench;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_mondrian: %s\n", error->message);
    exit(1);
}

static void *get(arena *memory, size_t count, size_t size)
{
    void *block = arena_zalloc(memory, count + 1, size);
    if (block == NULL) {
        fputs("bench_mondrian: out of memory\n", stderr);
        exit(5);
    }
    return block;
}

static void distribute(bench *b)
{
    rng r;
    uint32_t count[PARTY_MAX] = {0};
    uint32_t *site = get(b->memory, b->all->n_records, sizeof *site);
    rng_init(&r, SEED, 99);
    b->place = get(b->memory, b->all->n_records, sizeof *b->place);
    for (uint32_t i = 0; i < b->all->n_records; i++) {
        site[i] = rng_below(&r, b->m);
        b->place[i] = count[site[i]]++;
    }
    b->site = site;
    for (uint32_t s = 0; s < b->m; s++) {
        problem *p = &b->part[s];
        attribute *a = get(b->memory, b->all->n_attributes, sizeof *a);
        *p = *b->all;
        p->n_records = count[s];
        p->n_sensitive = 0;
        p->attributes = a;
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            uint32_t *cells = get(b->memory, p->n_records, sizeof *cells);
            for (uint32_t i = 0; i < b->all->n_records; i++)
                if (site[i] == s)
                    cells[b->place[i]] = b->all->attributes[j].cells[i];
            a[j] = b->all->attributes[j];
            a[j].cells = cells;
        }
    }
}

static kith_status run_party(party *p, void *user, kith_error *error)
{
    bench *b = user;
    const uint32_t self = party_self(p);
    const rows_task task = {.mine = &b->part[self],
                            .spec = &b->spec,
                            .options = &b->options,
                            .context = &b->context[self],
                            .seeded = true,
                            .seed = SEED};
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    kith_status status = mondrian_protocol_run(&b->result[self], p, &task, error);
    b->cpu[self] = seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
    return status;
}

static void note(party *p, void *user)
{
    bench *b = user;
    const ledger *l = party_ledger(p);
    __atomic_add_fetch(&b->bytes, l->sent.bytes, __ATOMIC_RELAXED);
    if (party_self(p) == 0) {
        b->n_calls = l->n_calls;
        b->n_rounds = l->n_rounds;
    }
}

/* Runs the protocol; returns its seconds. */
static double run_joint(bench *b)
{
    const inproc_options how = {.done = note};
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED);
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < b->m; i++) {
        users[i] = b;
        stop_on(context_init(&b->context[i], &run, &errors[0]), &errors[0]);
    }
    const double start = seconds_of(CLOCK_MONOTONIC);
    stop_on(inproc_run(b->m, NULL, &how, run_party, users, errors), &errors[0]);
    return seconds_of(CLOCK_MONOTONIC) - start;
}

/* The same in one place; its processor seconds. */
static double run_plain(const bench *b, search_result *whole)
{
    kith_error error;
    const mondrian_plain_sites sites = {b->m, b->site, b->options.n_site_models,
                                        b->options.site_models};
    const mondrian_plain_options options = {.alpha = b->options.alpha, .seed = SEED};
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    stop_on(mondrian_plain(whole, b->all, &sites, &options, b->memory, &error), &error);
    return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

/* Every record must show what it shows in one place. */
static void compare(const bench *b, const partition *whole)
{
    const uint32_t n = b->all->n_attributes;
    for (uint32_t i = 0; i < b->all->n_records; i++) {
        const rows_result *r = &b->result[b->site[i]];
        const uint32_t *joint = r->closure + (size_t)r->class_of[b->place[i]] * n;
        if (r->n_classes != whole->n_classes ||
            memcmp(joint, whole->closure + (size_t)whole->class_of[i] * n, n * sizeof *joint) !=
                0) {
            fprintf(stderr, "bench_mondrian: record %u is in another class\n", i);
            exit(1);
        }
    }
}

static void measure(problem *all, uint32_t m, uint32_t k, double l, arena *memory)
{
    const model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = l};
    bench *b = get(memory, 1, sizeof *b);
    search_result whole;
    double cpu = 0;
    adult_ask(all, k, 0, memory);
    *b = (bench){.memory = memory,
                 .all = all,
                 .m = m,
                 .options = {.partition = PARTITION_HORIZONTAL,
                             .alpha = l > 1 ? 0.3 : 1,
                             .n_site_models = l > 1,
                             .site_models = &sites},
                 .spec = {.regions = true}};
    distribute(b);
    const double seconds = run_joint(b), plain = run_plain(b, &whole);
    compare(b, &whole.partition);
    for (uint32_t i = 0; i < m; i++)
        cpu += b->cpu[i];
    printf("%4u %4u %3.0f %7u %6llu %8llu %7u %7.1f %7.2f %7.2f %7.1f\n", m, k, l,
           whole.partition.n_classes, (unsigned long long)b->n_calls,
           (unsigned long long)b->result[0].report.n_paper_sums, b->n_rounds,
           (double)b->bytes / 1e6, seconds, cpu, cpu / plain);
    fflush(stdout);
    for (uint32_t i = 0; i < m; i++)
        context_wipe(&b->context[i]);
}

int main(int argc, char **argv)
{
    static const uint32_t usual[][3] = {
        {2, 10, 1}, {3, 10, 1}, {5, 10, 1}, {3, 50, 3}, {100, 200, 30}};
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    if (directory == NULL) {
        puts("bench_mondrian: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *all = adult_arx(memory, directory, MEASURE_LM, 10);
    attribute *attributes = (attribute *)all->attributes;
    attributes[AGE].ordered = true;
    attributes[AGE].step = 1;
    printf("%4s %4s %3s %7s %6s %8s %7s %7s %7s %7s %7s\n", "m", "k", "l", "classes", "calls",
           "paper", "rounds", "MB", "s", "cpu s", "x one");
    if (argc > 4)
        measure(all, (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]), atoi(argv[4]), memory);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0] && argc < 5; i++)
        measure(all, usual[i][0], usual[i][1], usual[i][2], memory);
    arena_free(memory);
    return 0;
}
