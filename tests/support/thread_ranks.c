#include "support/thread_ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What a rank shows the others between two barriers. */
typedef struct shown {
    const void *own;
    const void *const *out;
} shown;

typedef struct board {
    uint32_t n_ranks;
    pthread_barrier_t barrier;
    shown *shown; /* [n_ranks] */
    void (*fn)(kith_ranks *ranks, void *user);
    void *user;
} board;

typedef struct thread_rank {
    board *board;
    uint32_t rank;
    pthread_t thread;
} thread_rank;

static void *need(void *block)
{
    if (block == NULL)
        abort();
    return block;
}

static void show(thread_rank *s, shown what)
{
    s->board->shown[s->rank] = what;
    pthread_barrier_wait(&s->board->barrier);
}

/* Nobody changes what it has shown while others may still look at it. */
static void have_looked(thread_rank *s)
{
    pthread_barrier_wait(&s->board->barrier);
}

static void watch(void *user, bool (*stop)(void *object), void *object)
{
    (void)user; /* threads of a test are not stopped */
    (void)stop;
    (void)object;
}

static const char *share(void *user, const void *own, size_t n_bytes, void *all)
{
    thread_rank *s = user;
    show(s, (shown){.own = own});
    for (uint32_t r = 0; r < s->board->n_ranks; r++)
        memcpy((char *)all + r * n_bytes, s->board->shown[r].own, n_bytes);
    have_looked(s);
    return NULL;
}

/* Allocates nothing, so that tests may let memory run out in a rank. */
static const char *sum(void *user, uint64_t *values, size_t n)
{
    enum { AT_A_TIME = 512 };
    thread_rank *s = user;
    uint64_t total[AT_A_TIME];
    show(s, (shown){.own = values});
    for (size_t first = 0; first < n; first += AT_A_TIME) {
        const size_t count = n - first < AT_A_TIME ? n - first : AT_A_TIME;
        memset(total, 0, sizeof total);
        for (uint32_t r = 0; r < s->board->n_ranks; r++)
            for (size_t i = 0; i < count; i++)
                total[i] += ((const uint64_t *)s->board->shown[r].own)[first + i];
        have_looked(s);
        memcpy(values + first, total, count * sizeof *total);
    }
    return NULL;
}

static const char *broadcast(void *user, uint32_t from, void *bytes, size_t n_bytes)
{
    thread_rank *s = user;
    show(s, (shown){.own = bytes});
    if (from != s->rank)
        memcpy(bytes, s->board->shown[from].own, n_bytes);
    have_looked(s);
    return NULL;
}

static const char *exchange(void *user, const void *const *out, const size_t *n_out,
                            void *const *in, const size_t *n_in)
{
    thread_rank *s = user;
    (void)n_out;
    show(s, (shown){.out = out});
    for (uint32_t r = 0; r < s->board->n_ranks; r++)
        if (r != s->rank && n_in[r] > 0)
            memcpy(in[r], s->board->shown[r].out[s->rank], n_in[r]);
    have_looked(s);
    return NULL;
}

static void close_rank(void *user, bool broken)
{
    (void)user;
    (void)broken;
}

static void *take_part(void *user)
{
    thread_rank *s = user;
    const ranks_transport transport = {.rank = s->rank,
                                       .size = s->board->n_ranks,
                                       .user = s,
                                       .watch = watch,
                                       .share = share,
                                       .sum = sum,
                                       .broadcast = broadcast,
                                       .exchange = exchange,
                                       .close = close_rank};
    kith_ranks *ranks = need(ranks_new(&transport));
    s->board->fn(ranks, s->board->user);
    ranks_free(ranks);
    return NULL;
}

void thread_ranks_run(uint32_t n_ranks, void (*fn)(kith_ranks *ranks, void *user), void *user)
{
    board b = {.n_ranks = n_ranks, .fn = fn, .user = user};
    thread_rank *threads = need(calloc(n_ranks, sizeof *threads));
    b.shown = need(calloc(n_ranks, sizeof *b.shown));
    if (pthread_barrier_init(&b.barrier, NULL, n_ranks) != 0)
        abort();
    for (uint32_t r = 0; r < n_ranks; r++) {
        threads[r] = (thread_rank){.board = &b, .rank = r};
        if (pthread_create(&threads[r].thread, NULL, take_part, &threads[r]) != 0)
            abort();
    }
    for (uint32_t r = 0; r < n_ranks; r++)
        pthread_join(threads[r].thread, NULL);
    pthread_barrier_destroy(&b.barrier);
    free(b.shown);
    free(threads);
}
