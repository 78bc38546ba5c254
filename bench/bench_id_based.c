/* The ID-based protocol between two parties in threads of this process, one core each:
 *   U        lists, k = 5 unless given; every party has U rows with quasi-identifiers of which a
 *            part occurs at both
 *   pairs    comparisons, in bins and as in the paper
 *   s        of the run; what all pairs would take follows from a smaller run with all pairs
 *   model    what `kith estimate` says, from the speed of this machine
 *
 * usage: bench_id_based [U [K]] */
/* needs: id-based */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/run/context.h"
#include "core/rng.h"
#include "crypto/digest.h"
#include "protocol/id_based/id_based.h"
#include "protocol/id_based/id_based_cost.h"
#include "wire/inproc.h"

enum { SMALL = 64 }; /* lists of the run with all pairs */

typedef struct bench {
    uint32_t lists, k;
    bool hashing;
    double seconds;
    uint64_t bytes;
    uint32_t n_suppressed;
    protocol_report report;
} bench;

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_id_based: %s\n", error->message);
    exit(1);
}

/* Half of the rows have quasi-identifiers that are frequent enough together, or at one party. */
static uint32_t draw(rng *r, uint32_t lists)
{
    const uint32_t common = lists / 8 + 1;
    return rng_below(r, 2) == 0 ? rng_below(r, common) : common + rng_below(r, 16 * lists);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    bench *b = user;
    const uint32_t self = party_self(p);
    const protocol_options options = {.lists = b->lists, .hashing = b->hashing};
    id_based_result result;
    context c;
    rng r;
    stop_on(context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), error), error);
    id_based_name *names = arena_zalloc(c.memory, b->lists, sizeof *names);
    rng_init(&r, 7, self);
    for (uint32_t i = 0; names != NULL && i < b->lists; i++) {
        const uint32_t value = draw(&r, b->lists);
        digest d;
        digest_init(&d, "bench", sizeof names->bytes);
        digest_part(&d, &value, sizeof value);
        digest_final(&d, names[i].bytes);
    }
    const id_based_task task = {.n_rows = names == NULL ? 0 : b->lists,
                                .names = names,
                                .k = b->k,
                                .options = &options,
                                .context = &c,
                                .seeded = true};
    const double begun = context_seconds();
    kith_status status = id_based_run(&result, p, &task, error);
    stop_on(status, error);
    if (self == 0) {
        b->seconds = context_seconds() - begun;
        b->report = result.report;
    }
    for (uint32_t i = 0; i < task.n_rows; i++)
        __atomic_fetch_add(&b->n_suppressed, (uint32_t)result.suppressed[i], __ATOMIC_RELAXED);
    context_wipe(&c);
    return KITH_OK;
}

static double fact(const bench *b, const char *name)
{
    for (uint32_t i = 0; i < b->report.n_facts; i++)
        if (strcmp(b->report.facts[i].name, name) == 0)
            return b->report.facts[i].value;
    return 0;
}

static void play(bench *b)
{
    kith_error errors[2] = {{.status = KITH_OK}};
    void *const users[2] = {b, b};
    stop_on(inproc_run(2, NULL, NULL, take_part, users, errors), &errors[0]);
}

int main(int argc, char **argv)
{
    const uint32_t lists = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
    const uint32_t k = argc > 2 ? (uint32_t)atoi(argv[2]) : 5;
    bench bins = {.lists = lists, .k = k, .hashing = true}, all = {.lists = SMALL, .k = k};
    id_based_speed speed;
    id_based_cost cost;
    kith_error error = {.status = KITH_OK};
    struct rusage usage;
    stop_on(id_based_cost_measure(&speed, 1, &error), &error);
    printf("one core: encrypt %.3f ms, parse %.3f, powers %.3f, gamma %.3f, decrypt %.3f\n",
           1e3 * speed.encrypt, 1e3 * speed.parse, 1e3 * speed.powers, 1e3 * speed.gamma,
           1e3 * speed.decrypt);
    play(&bins);
    id_based_cost_estimate(&cost, &(id_based_sizes){.lists = lists, .hashing = true, .k = k},
                           &speed, 1);
    getrusage(RUSAGE_SELF, &usage);
    printf("U = %u, k = %u: %.0f bins of %.0f, %.0f comparisons (%.1f per list), %.1f s, model "
           "%.1f s, %u rows suppressed, both parties %.0f MB\n",
           lists, k, fact(&bins, "bins"), fact(&bins, "capacity"), fact(&bins, "comparisons"),
           fact(&bins, "comparisons") / lists, bins.seconds, cost.seconds, bins.n_suppressed,
           (double)usage.ru_maxrss / 1e3);
    play(&all);
    const double per_pair = all.seconds / fact(&all, "comparisons");
    const double all_pairs = per_pair * ((double)lists * lists + 2.0 * lists);
    printf("all pairs, U = %d: %.0f comparisons, %.1f s; U = %u would take %.0f s, %.1f times as "
           "long as bins\n",
           SMALL, fact(&all, "comparisons"), all.seconds, lists, all_pairs,
           all_pairs / bins.seconds);
    return 0;
}
