/* Horizontal clustering on Adult, records distributed at random to m parties in threads, against
 * the same algorithm in one place and the calls that the paper's protocol would have made:
 *   calls     primitive calls of the joint run, and how many times more the paper needs (generously
 *             counted; strictly: search/paper_calls.h)
 *   rounds    per call
 *   cpu       of all parties together, against `sequential` on all records without sites, and
 *             against the same algorithm with sites in one place
 *   loss      against block 1 (the paper's order of visits) with the same finish
 *
 * usage: bench_clustering [DIRECTORY] [M] [SEEDS] [K…]   (DIRECTORY or $ADULT holds adult-uci/ and
 *                                                         adult-arx/; 5 parties, 3 seeds) */
/* needs: clustering */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adult.h"
#include "core/run/context.h"
#include "core/rng.h"
#include "protocol/rows/rows_clustering.h"
#include "reference/rows_plain.h"
#include "search/search.h"
#include "wire/inproc.h"

enum { MAX_SITES = 16 };

typedef struct bench {
    arena *memory;
    const problem *all;
    uint32_t m;
    uint32_t *site, *place; /* [n_records] */
    problem part[MAX_SITES];
    uint64_t seed;
    search_spec spec;
    context context[MAX_SITES];
    rows_result result[MAX_SITES];
    double cpu[MAX_SITES];
    uint64_t n_calls, bytes;
    uint32_t n_rounds;
} bench;

typedef struct outcome {
    double calls, paper, strict, rounds, bytes, cpu, plain_cpu, sites_cpu, loss, first_loss;
    double passes, questions, put_off;
} outcome;

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *message)
{
    fprintf(stderr, "bench_clustering: %s\n", message);
    exit(1);
}

static void *get(arena *memory, size_t count, size_t size)
{
    void *block = arena_zalloc(memory, count + 1, size);
    if (block == NULL)
        die("out of memory");
    return block;
}

static uint32_t *own_column(bench *b, uint32_t site, const uint32_t *from)
{
    uint32_t *to = get(b->memory, b->part[site].n_records, sizeof *to);
    for (uint32_t i = 0; i < b->all->n_records; i++)
        if (b->site[i] == site)
            to[b->place[i]] = from[i];
    return to;
}

static void distribute(bench *b)
{
    rng r;
    uint32_t count[MAX_SITES] = {0};
    rng_init(&r, b->seed, 99);
    for (uint32_t i = 0; i < b->all->n_records; i++) {
        b->site[i] = rng_below(&r, b->m);
        b->place[i] = count[b->site[i]]++;
    }
    for (uint32_t s = 0; s < b->m; s++) {
        problem *p = &b->part[s];
        *p = *b->all;
        p->n_records = count[s];
        attribute *a = get(b->memory, p->n_attributes, sizeof *a);
        sensitive_attribute *hidden = get(b->memory, p->n_sensitive, sizeof *hidden);
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            a[j] = b->all->attributes[j];
            a[j].cells = own_column(b, s, a[j].cells);
        }
        for (uint32_t j = 0; j < p->n_sensitive; j++) {
            hidden[j] = b->all->sensitive[j];
            hidden[j].values = own_column(b, s, hidden[j].values);
        }
        p->attributes = a;
        p->sensitive = hidden;
    }
}

static kith_status run_party(party *p, void *user, kith_error *error)
{
    bench *b = user;
    uint32_t self = party_self(p);
    protocol_options options = {.partition = PARTITION_HORIZONTAL};
    rows_task task = {.mine = &b->part[self],
                      .spec = &b->spec,
                      .options = &options,
                      .context = &b->context[self],
                      .seeded = true,
                      .seed = b->seed};
    double start = cpu_now();
    kith_status status = rows_clustering(&b->result[self], p, &task, error);
    b->cpu[self] = cpu_now() - start;
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

static double loss_of(const bench *b)
{
    const rows_result *r = &b->result[0];
    double sum = 0;
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t j = 0; j < b->all->n_attributes; j++)
            sum += (double)r->size[c] *
                   b->all->attributes[j].cost[r->closure[(size_t)c * b->all->n_attributes + j]];
    return sum / b->all->n_records / b->all->n_attributes;
}

static void run_joint(bench *b, outcome *o, double share)
{
    inproc_options how = {.done = note};
    kith_error errors[MAX_SITES];
    void *user[MAX_SITES];
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = b->seed);
    b->bytes = 0;
    for (uint32_t i = 0; i < b->m; i++) {
        user[i] = b;
        if (context_init(&b->context[i], &run, &errors[0]) != KITH_OK)
            die(errors[0].message);
    }
    if (inproc_run(b->m, NULL, &how, run_party, user, errors) != KITH_OK)
        die(errors[0].message);
    const protocol_report *r = &b->result[0].report;
    for (uint32_t i = 0; i < b->m; i++)
        o->cpu += b->cpu[i] * share;
    o->calls += (double)b->n_calls * share;
    o->bytes += (double)b->bytes * share;
    o->rounds += b->n_rounds * share;
    o->paper += (double)(r->n_paper_sums + r->n_paper_ands) * share;
    o->strict += (double)(r->n_paper_sums + r->n_paper_ands_strict) * share;
    o->passes += r->n_passes * share;
    o->questions += r->facts[1].value * share;
    o->put_off += r->facts[2].value / r->facts[0].value * share;
    o->loss += loss_of(b) * share;
    for (uint32_t i = 0; i < b->m; i++)
        context_wipe(&b->context[i]);
}

/* The CPU time of a run in one place, with the sites or as if all records were of one; its loss in
 * *loss. */
static double run_central(const bench *b, search_spec spec, bool with_sites, double *loss)
{
    context c;
    kith_error error;
    search_result result;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = b->seed);
    const rows_plain_sites sites = {.site = b->site};
    double start = cpu_now();
    if (context_init(&c, &run, &error) != KITH_OK)
        die(error.message);
    kith_status status =
        with_sites ? rows_plain(&result, b->all, &spec, &sites, &c, &error)
                   : search_run(&result, search_find("sequential"), b->all, &spec, &c, &error);
    if (status != KITH_OK)
        die(error.message);
    double seconds = cpu_now() - start;
    *loss = partition_cost(&result.partition, b->all) / b->all->n_records / b->all->n_attributes;
    context_wipe(&c);
    return seconds;
}

static void compare(const char *name, const problem *p, uint32_t m, uint32_t seeds, uint32_t k,
                    search_finish finish)
{
    outcome o = {0};
    double share = 1.0 / seeds, loss;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        bench b = {.memory = arena_new(), .all = p, .m = m, .seed = seed};
        b.site = get(b.memory, p->n_records, sizeof *b.site);
        b.place = get(b.memory, p->n_records, sizeof *b.place);
        distribute(&b);
        b.spec = (search_spec){.finish = finish};
        run_joint(&b, &o, share);
        search_spec spec = {.finish = finish};
        o.plain_cpu += run_central(&b, spec, false, &loss) * share;
        spec.block = 256;
        o.sites_cpu += run_central(&b, spec, true, &loss) * share;
        spec.block = 1;
        (void)run_central(&b, spec, true, &loss);
        o.first_loss += loss * share;
        arena_free(b.memory);
    }
    printf("%-12s %4u %2u %-6s %6.0f %7.0f %8.0f %6.0f %6.0f %6.2f %8.1f %6.2f %6.2f %6.2f %8.4f "
           "%+6.2f%% %5.1f %7.0f %5.2f%%\n",
           name, k, m, finish == FINISH_MERGE ? "merge" : "hybrid", o.calls, o.paper, o.strict,
           o.paper / o.calls, o.strict / o.calls, o.rounds / o.calls, o.bytes / 1e6, o.cpu,
           o.cpu / o.plain_cpu, o.cpu / o.sites_cpu, o.loss, 100 * (o.loss / o.first_loss - 1),
           o.passes, o.questions, 100 * o.put_off);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {10, 50, 100};
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    if (directory == NULL) {
        puts("bench_clustering: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    uint32_t m = argc > 2 ? (uint32_t)atoi(argv[2]) : 5;
    uint32_t seeds = argc > 3 ? (uint32_t)atoi(argv[3]) : 3;
    int count = argc > 4 ? argc - 4 : 3;
    if (m < 2 || m > MAX_SITES || seeds == 0)
        die("2 to 16 parties, at least one seed");
    arena *memory = arena_new();
    problem *tables[] = {adult_arx(memory, directory, MEASURE_LM, 5),
                         adult_uci(memory, directory, MEASURE_LM, 5)};
    printf("%-12s %4s %2s %-6s %6s %7s %8s %6s %6s %6s %8s %6s %6s %6s %8s %7s %5s %7s %6s\n",
           "table", "k", "m", "finish", "calls", "paper", "strict", "ratio", "strict", "rounds",
           "MB", "cpu s", "x one", "x same", "lm", "loss", "pass", "asked", "off");
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < count; i++) {
            char name[32];
            uint32_t k = argc > 4 ? (uint32_t)atoi(argv[i + 4]) : usual[i];
            snprintf(name, sizeof name, "%u x %u", tables[t]->n_records, tables[t]->n_attributes);
            adult_ask(tables[t], k, 0, memory);
            compare(name, tables[t], m, seeds, k, FINISH_MERGE);
            compare(name, tables[t], m, seeds, k, FINISH_HYBRID);
        }
    arena_free(memory);
    return 0;
}
