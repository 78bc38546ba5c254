/* The encrypted view: encryptions per second and core as a share of a bare loop of libsodium's
 * multiplication on the same points in the same run, and with threads.
 *
 * usage: bench_view [N]     (N points, default 20,000)
 *
 * Whole runs are measured by bench/experiments/view.sh. */
/* needs: encrypted-view */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "core/error.h"
#include "core/run/threads.h"
#include "protocol/view/view_cost.h"
#include "protocol/view/view_crypt.h"
#include "wire/inproc.h"

enum { ROUNDS = 7 };

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef struct work {
    size_t n;
    point *start, *at;
    double bare, ours, hashed; /* processor seconds, the best of all rounds */
    double wall[3];            /* with 1, 2 and 4 threads */
} work;

static void keep_min(double *best, double seconds)
{
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

static void bare_loop(work *w, const scalar *s)
{
    double begun = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < w->n; i++)
        if (crypto_scalarmult_ristretto255(w->at[i].bytes, s->bytes, w->start[i].bytes) != 0)
            exit(1);
    keep_min(&w->bare, clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begun);
}

static kith_status one_core(work *w, party *p, const scalar *s, kith_error *error)
{
    memcpy(w->at, w->start, w->n * sizeof *w->at);
    double begun = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    TRY(view_crypt_multiply(w->at, w->n, s, NULL, p, 1, error));
    keep_min(&w->ours, clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begun);
    return KITH_OK;
}

static kith_status hashes(work *w, party *p, view_label *label, kith_error *error)
{
    double begun = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    TRY(view_crypt_hash_all(w->start, p, 0, 0, label, w->n, NULL, error));
    keep_min(&w->hashed, clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begun);
    return KITH_OK;
}

static kith_status with_threads(work *w, party *p, const scalar *s, kith_error *error)
{
    for (unsigned k = 0; k < 3; k++) {
        threads *pool = threads_new(1u << k);
        memcpy(w->at, w->start, w->n * sizeof *w->at);
        double begun = clock_seconds(CLOCK_MONOTONIC);
        TRY(view_crypt_multiply(w->at, w->n, s, pool, p, 1, error));
        keep_min(&w->wall[k], clock_seconds(CLOCK_MONOTONIC) - begun);
        threads_free(pool);
    }
    return KITH_OK;
}

static kith_status measure(work *w, party *p, kith_error *error)
{
    scalar s;
    view_label *label = calloc(w->n, sizeof *label);
    char(*text)[16] = calloc(w->n, sizeof *text);
    if (label == NULL || text == NULL)
        return error_nomem(error);
    for (size_t i = 0; i < w->n; i++) {
        int length = snprintf(text[i], sizeof text[i], "value %zu", i);
        label[i] = (view_label){text[i], (size_t)length};
    }
    ristretto_random_scalar(&s);
    for (int round = 0; round < ROUNDS; round++) {
        TRY(hashes(w, p, label, error));
        bare_loop(w, &s);
        TRY(one_core(w, p, &s, error));
        TRY(with_threads(w, p, &s, error));
    }
    free(label);
    free(text);
    return KITH_OK;
}

/* The work polls channels, so it needs some; the second party only waits. */
static kith_status take_part(party *p, void *user, kith_error *error)
{
    static const message_type done = {"bench.done", DISCLOSE_CONTROL};
    unsigned char end = 0;
    if (party_self(p) == 1)
        return party_recv(p, 0, &done, &end, 1, error);
    TRY(measure(user, p, error));
    return party_send(p, 1, &done, &end, 1, error);
}

int main(int argc, char **argv)
{
    work w = {.n = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000};
    inproc_options options = {.deadline_ms = 600000};
    void *users[] = {&w, &w};
    w.start = calloc(w.n, sizeof *w.start);
    w.at = calloc(w.n, sizeof *w.at);
    if (sodium_init() < 0 || w.start == NULL || w.at == NULL || w.n == 0 ||
        inproc_run(2, NULL, &options, take_part, users, NULL) != KITH_OK) {
        fprintf(stderr, "bench_view failed\n");
        return 1;
    }
    const double n = (double)w.n;
    printf("%zu points, best of %d rounds\n", w.n, ROUNDS);
    printf("bare loop of libsodium    %8.1f per second and core\n", n / w.bare);
    printf("encryption                %8.1f per second and core, %.3f of the bare loop\n",
           n / w.ours, w.bare / w.ours);
    printf("hash to group             %8.1f per second and core\n", n / w.hashed);
    for (unsigned k = 0; k < 3; k++)
        printf("encryption, %u thread%s     %8.1f per second of wall time\n", 1u << k,
               k == 0 ? " " : "s", n / w.wall[k]);
    free(w.start);
    free(w.at);
    return 0;
}
