/* Secure primitives among threads: processor seconds of all parties together, as multiples of
 * adding the same vectors in the clear; streams of masks; and homes of persons.
 *
 * usage: bench_smc [N [COMPARED]]     (N values or bits, default 1,000,000; COMPARED values, N /
 *                                      10; N / 10 persons at each of two parties) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "core/arena.h"
#include "core/error.h"
#include "crypto/prg.h"
#include "smc/compare/compare.h"
#include "smc/sets/homes.h"
#include "smc/compare/logic.h"
#include "smc/sums/sum.h"
#include "wire/inproc.h"

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What all parties work on; outputs go to places of their own. */
typedef struct work {
    size_t n, compared;
    uint64_t *in[PARTY_MAX];
    uint64_t *out[PARTY_MAX];
    int64_t *least;
} work;

static kith_status masked_sum(party *p, void *user, kith_error *error)
{
    work *w = user;
    const uint32_t i = party_self(p);
    return sum_masked(p, w->out[i], w->in[i], w->n, 0, 0, error);
}

static kith_status and_of_bits(party *p, void *user, kith_error *error)
{
    work *w = user;
    const uint32_t i = party_self(p);
    return logic_and(p, w->out[i], w->in[i], w->n, 0, error);
}

static kith_status threshold_of_bits(party *p, void *user, kith_error *error)
{
    work *w = user;
    const uint32_t i = party_self(p);
    return logic_threshold(p, w->out[i], w->in[i], w->n, 2, 0, error);
}

static kith_status comparison(party *p, void *user, kith_error *error)
{
    work *w = user;
    const uint32_t i = party_self(p);
    const compare_sums sums = {.values = (const int64_t *)w->in[i],
                               .thresholds = w->least,
                               .n_groups = w->compared,
                               .bound = 1 << 20};
    return compare_thresholds(p, w->out[i], &sums, (smc_output){0, "compare"}, error);
}

/* A fifth of the persons are at the next party, too. */
static kith_status homes(party *p, void *user, kith_error *error)
{
    const work *w = user;
    const uint32_t i = party_self(p);
    const size_t n = w->n / 10;
    commute_key *keys = calloc(n, sizeof *keys);
    bool *here = calloc(n, sizeof *here), any;
    threads *pool = threads_new(0);
    uint64_t *id = w->out[i];
    if (keys == NULL || here == NULL || pool == NULL)
        exit(1);
    for (size_t k = 0; k < n; k++) {
        id[k] = k + i * (n - n / 5);
        keys[k] = (commute_key){&id[k], sizeof *id};
    }
    const homes_task task = {.keys = keys, .n = n, .pool = pool};
    const kith_status status = homes_choose(p, here, &any, &task, error);
    threads_free(pool);
    free(here);
    free(keys);
    return status;
}

static double plain_seconds;

static void measure_plain(const work *w)
{
    double cpu = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (size_t k = 0; k < w->n; k++)
        w->out[0][k] = w->in[0][k] + w->in[1][k] + w->in[2][k] + w->in[3][k] + w->in[4][k];
    plain_seconds = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    printf("plain sum of 5 vectors: %.4f s (checksum %llu)\n", plain_seconds,
           (unsigned long long)w->out[0][w->n / 2]);
}

static void measure(const char *name, uint32_t m, work *w, size_t n,
                    kith_status (*fn)(party *, void *, kith_error *))
{
    double best_cpu = 1e9, best_wall = 1e9;
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < m; i++)
        users[i] = w;
    for (int round = 0; round < 3; round++) {
        double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = clock_seconds(CLOCK_MONOTONIC);
        if (inproc_run(m, NULL, NULL, fn, users, NULL) != KITH_OK) {
            fprintf(stderr, "%s failed\n", name);
            exit(1);
        }
        cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        wall = clock_seconds(CLOCK_MONOTONIC) - wall;
        best_cpu = cpu < best_cpu ? cpu : best_cpu;
        best_wall = wall < best_wall ? wall : best_wall;
    }
    printf("%-28s m=%-2u n=%-8zu %7.3f core-seconds (%4.0f x plain) %7.3f s\n", name, m, n,
           best_cpu, best_cpu / plain_seconds, best_wall);
}

static void measure_streams(void)
{
    enum { LENGTH = 1 << 16, TIMES = 2000 };
    static unsigned char buffer[LENGTH];
    unsigned char key[32] = {1}, nonce[8] = {0};
    arena *memory = arena_new();
    prg *g;
    if (memory == NULL || prg_new(&g, memory, key, 0, 0, NULL) != KITH_OK)
        exit(1);
    double aes = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < TIMES; i++)
        if (prg_bytes(g, buffer, LENGTH, NULL) != KITH_OK)
            exit(1);
    aes = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - aes;
    double chacha = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < TIMES; i++)
        crypto_stream_chacha20(buffer, LENGTH, nonce, key);
    chacha = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - chacha;
    printf("streams: AES-256-CTR (OpenSSL) %.2f GB/s, ChaCha20 (libsodium) %.2f GB/s, ratio %.2f\n",
           1e-9 * LENGTH * TIMES / aes, 1e-9 * LENGTH * TIMES / chacha, chacha / aes);
    arena_free(memory);
}

/* --- slow networks --- */

enum { DELAY_MS = 10, FEW = 1000 };

typedef struct slow_sum {
    uint32_t receiver;
    uint64_t value[FEW], out[PARTY_MAX][FEW];
    double seconds[PARTY_MAX];
    unsigned rounds[PARTY_MAX];
} slow_sum;

static kith_status sum_slowly(party *p, void *user, kith_error *error)
{
    slow_sum *s = user;
    const uint32_t i = party_self(p);
    double start = clock_seconds(CLOCK_MONOTONIC);
    TRY(sum_masked(p, s->out[i], s->value, FEW, 0, s->receiver, error));
    s->seconds[i] = clock_seconds(CLOCK_MONOTONIC) - start;
    s->rounds[i] = party_ledger(p)->n_rounds;
    return KITH_OK;
}

/* Rounds and seconds until the last party is done, if every frame is held back by 10 ms. */
static void measure_latency(const char *name, slow_sum *s, uint32_t m)
{
    const inproc_options options = {.delay_ms = DELAY_MS};
    void *users[PARTY_MAX] = {NULL};
    double seconds = 0;
    unsigned n_rounds = 0;
    for (uint32_t i = 0; i < m; i++)
        users[i] = s;
    if (inproc_run(m, NULL, &options, sum_slowly, users, NULL) != KITH_OK)
        exit(1);
    for (uint32_t i = 0; i < m; i++) {
        seconds = s->seconds[i] > seconds ? s->seconds[i] : seconds;
        n_rounds = s->rounds[i] > n_rounds ? s->rounds[i] : n_rounds;
    }
    printf("%-28s m=%-2u n=%-8d delay %d ms %3u rounds %7.3f s (%.1f delays)\n", name, m, FEW,
           DELAY_MS, n_rounds, seconds, 1e3 * seconds / DELAY_MS);
}

static void measure_latencies(void)
{
    static slow_sum s;
    const uint32_t parties[] = {3, 5, 10};
    for (int i = 0; i < 3; i++) {
        s.receiver = 0;
        measure_latency("masked sum, to one", &s, parties[i]);
        s.receiver = SMC_ALL;
        measure_latency("masked sum, to all", &s, parties[i]);
    }
}

int main(int argc, char **argv)
{
    work w = {.n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000};
    w.compared = argc > 2 ? strtoul(argv[2], NULL, 10) : w.n / 10;
    if (sodium_init() < 0 || w.n < 10 || w.compared > w.n)
        return 1;
    w.least = calloc(w.n, sizeof *w.least);
    for (uint32_t i = 0; i < 5; i++) {
        w.in[i] = malloc(w.n * sizeof **w.in);
        w.out[i] = calloc(w.n, sizeof **w.out);
        if (w.in[i] == NULL || w.out[i] == NULL || w.least == NULL)
            return 1;
        for (size_t k = 0; k < w.n; k++) /* small enough for the comparison */
            w.in[i][k] = (k * 2654435761u + i * 40503u) % 200000;
    }
    measure_streams();
    measure_plain(&w);
    measure_plain(&w); /* again, with all pages touched */
    measure("masked sum", 5, &w, w.n, masked_sum);
    measure("and", 5, &w, w.n, and_of_bits);
    measure("at least 2", 5, &w, w.n, threshold_of_bits);
    measure("and, base transfers included", 2, &w, w.n, and_of_bits);
    measure("compare, bound 2^20", 5, &w, w.compared, comparison);
    measure("homes", 2, &w, w.n / 10, homes);
    measure("compare, bound 2^20", 2, &w, w.compared, comparison);
    measure_latencies();
    for (uint32_t i = 0; i < 5; i++) {
        free(w.in[i]);
        free(w.out[i]);
    }
    free(w.least);
    return 0;
}
