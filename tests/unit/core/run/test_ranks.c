#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "support/ranks_trials.h"
#include "support/thread_ranks.h"

typedef struct attempt {
    const ranks_trial *trial;
    uint32_t variant;
    const char *problems[8]; /* of each rank */
} attempt;

static void try_once(kith_ranks *ranks, void *user)
{
    attempt *a = user;
    a->problems[ranks_self(ranks)] = a->trial->run(ranks, a->variant);
}

static void trials_with_any_number_of_ranks(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    (void)state;
    for (const ranks_trial *t = ranks_trials; t->name != NULL; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (uint32_t v = 0; v < t->n_variants; v++) {
                attempt a = {.trial = t, .variant = v};
                thread_ranks_run(sizes[s], try_once, &a);
                for (uint32_t r = 0; r < sizes[s]; r++)
                    if (a.problems[r] != NULL)
                        fail_msg("%s, variant %u, rank %u of %u: %s", t->name, v, r, sizes[s],
                                 a.problems[r]);
            }
}

static void alone(void **state)
{
    (void)state;
    kith_error error;
    uint64_t values[] = {3, 4};
    char text[] = "own";
    const ranks_bytes out = {text, sizeof text};
    ranks_bytes in;
    assert_int_equal(ranks_self(NULL), 0);
    assert_int_equal(ranks_count(NULL), 1);
    assert_int_equal(ranks_sum(NULL, values, 2, &error), KITH_OK);
    assert_true(values[0] == 3 && values[1] == 4);
    assert_int_equal(ranks_gather(NULL, text, sizeof text, &in, NULL, &error), KITH_OK);
    assert_true(in.bytes == text && in.n_bytes == sizeof text);
    in = (ranks_bytes){NULL, 0};
    assert_int_equal(ranks_exchange(NULL, &out, &in, NULL, &error), KITH_OK);
    assert_true(in.bytes == text && in.n_bytes == sizeof text);
    assert_int_equal(ranks_barrier(NULL, &error), KITH_OK);
    assert_int_equal(ranks_leave(NULL, KITH_OK, &error), KITH_OK);
    error_set(&error, KITH_IO, "no disk");
    assert_int_equal(ranks_leave(NULL, KITH_IO, &error), KITH_IO);
    assert_string_equal(error.message, "no disk");
    assert_true(ranks_reports(NULL));
    assert_int_equal(ranks_n_sent_bytes(NULL), 0);
    ranks_free(NULL);
}

/* Every rank adds one, then all see the same number: nobody passes a barrier before all came. */
typedef struct meeting {
    atomic_uint n_came;
    atomic_uint n_early;
} meeting;

static void meet(kith_ranks *ranks, void *user)
{
    meeting *m = user;
    for (uint32_t round = 1; round <= 50; round++) {
        atomic_fetch_add(&m->n_came, 1);
        ranks_barrier(ranks, NULL);
        if (m->n_came < round * ranks_count(ranks))
            atomic_fetch_add(&m->n_early, 1);
        ranks_barrier(ranks, NULL);
    }
    ranks_leave(ranks, KITH_OK, NULL);
}

static void nobody_passes_a_barrier_early(void **state)
{
    (void)state;
    meeting m = {0};
    thread_ranks_run(4, meet, &m);
    assert_int_equal(m.n_came, 200);
    assert_int_equal(m.n_early, 0);
}

/* A transport that fails at its n-th use. */
typedef struct cable {
    int uses_left;
    bool closed;
    bool broken;
    bool (*stop)(void *object);
    void *object;
    bool hangs; /* the other rank never comes */
} cable;

static const char *use(cable *cut)
{
    do
        if (cut->stop != NULL && cut->stop(cut->object))
            return RANKS_TRANSPORT_STOPPED;
    while (cut->hangs);
    return cut->uses_left-- > 0 ? NULL : "the cable is cut";
}

static void cut_watch(void *user, bool (*stop)(void *object), void *object)
{
    cable *cut = user;
    cut->stop = stop;
    cut->object = object;
}

static const char *cut_share(void *user, const void *own, size_t n_bytes, void *all)
{
    memcpy(all, own, n_bytes);
    memcpy((char *)all + n_bytes, own, n_bytes);
    return use(user);
}

static const char *cut_sum(void *user, uint64_t *values, size_t n)
{
    (void)values;
    (void)n;
    return use(user);
}

static const char *cut_broadcast(void *user, uint32_t from, void *bytes, size_t n_bytes)
{
    (void)from;
    (void)bytes;
    (void)n_bytes;
    return use(user);
}

static const char *cut_exchange(void *user, const void *const *out, const size_t *n_out,
                                void *const *in, const size_t *n_in)
{
    (void)n_out;
    memcpy(in[1], out[1], n_in[1]);
    return use(user);
}

static void cut_close(void *user, bool broken)
{
    cable *cut = user;
    cut->closed = true;
    cut->broken = broken;
}

static kith_status use_all(kith_ranks *ranks, kith_error *error)
{
    arena *memory = arena_new();
    uint64_t value = 5;
    ranks_bytes parts[2], out[2] = {{&value, sizeof value}, {&value, sizeof value}};
    kith_status status = ranks_sum(ranks, &value, 1, error);
    if (status == KITH_OK)
        status = ranks_gather(ranks, &value, sizeof value, parts, memory, error);
    if (status == KITH_OK)
        status = ranks_exchange(ranks, out, parts, memory, error);
    if (status == KITH_OK)
        status = ranks_leave(ranks, KITH_OK, error);
    arena_free(memory);
    return status;
}

static kith_ranks *ranks_on(cable *cut)
{
    const ranks_transport transport = {.rank = 0,
                                       .size = 2,
                                       .user = cut,
                                       .watch = cut_watch,
                                       .share = cut_share,
                                       .sum = cut_sum,
                                       .broadcast = cut_broadcast,
                                       .exchange = cut_exchange,
                                       .close = cut_close};
    kith_ranks *ranks = ranks_new(&transport);
    assert_non_null(ranks);
    return ranks;
}

static void a_lost_connection_is_an_error(void **state)
{
    (void)state;
    for (int uses = 0;; uses++) {
        kith_error error;
        cable cut = {.uses_left = uses};
        kith_ranks *ranks = ranks_on(&cut);
        const kith_status status = use_all(ranks, &error);
        if (status != KITH_OK) {
            assert_int_equal(status, KITH_PEER);
            assert_string_equal(error.message, "rank 0 of 2 lost the others: the cable is cut");
            assert_true(ranks_reports(ranks));
            const int uses_left = cut.uses_left;
            assert_int_equal(ranks_leave(ranks, KITH_OK, &error), KITH_PEER);
            assert_int_equal(cut.uses_left, uses_left); /* nobody is asked any more */
        }
        ranks_free(ranks);
        assert_true(cut.closed);
        assert_int_equal(cut.broken, status != KITH_OK);
        if (status == KITH_OK) {
            assert_int_equal(uses, 11);
            return;
        }
    }
}

static bool asked_to_stop(void *object)
{
    return *(const bool *)object;
}

static void a_wait_can_be_stopped(void **state)
{
    (void)state;
    kith_error error;
    bool stop = false;
    cable cut = {.uses_left = 100};
    kith_ranks *ranks = ranks_on(&cut);
    ranks_watch(ranks, asked_to_stop, &stop);
    assert_int_equal(ranks_barrier(ranks, &error), KITH_OK);
    stop = cut.hangs = true;
    assert_int_equal(ranks_barrier(ranks, &error), KITH_CANCELLED);
    assert_int_equal(ranks_leave(ranks, KITH_CANCELLED, &error), KITH_CANCELLED);
    assert_true(ranks_reports(ranks));
    ranks_free(ranks);
    assert_true(cut.broken); /* the others wait for this rank */
}

/* If the others come in time they are told at the next step, and nobody is ended by force. */
static void a_stop_is_told_at_the_next_step(void **state)
{
    (void)state;
    kith_error error;
    bool stop = true;
    cable cut = {.uses_left = 100};
    kith_ranks *ranks = ranks_on(&cut);
    ranks_watch(ranks, asked_to_stop, &stop);
    assert_int_equal(ranks_barrier(ranks, &error), KITH_OK);
    assert_int_equal(ranks_barrier(ranks, &error), KITH_CANCELLED);
    assert_int_equal(ranks_leave(ranks, KITH_CANCELLED, &error), KITH_CANCELLED);
    ranks_free(ranks);
    assert_false(cut.broken);
}

static void a_stopped_rank_waits_for_the_end(void **state)
{
    (void)state;
    kith_error error;
    bool stop = true;
    cable cut = {.uses_left = 100};
    kith_ranks *ranks = ranks_on(&cut);
    ranks_watch(ranks, asked_to_stop, &stop);
    error_set(&error, KITH_CANCELLED, "stopped");
    assert_int_equal(ranks_leave(ranks, KITH_CANCELLED, &error), KITH_CANCELLED);
    ranks_free(ranks);
    assert_false(cut.broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trials_with_any_number_of_ranks),
        cmocka_unit_test(alone),
        cmocka_unit_test(nobody_passes_a_barrier_early),
        cmocka_unit_test(a_lost_connection_is_an_error),
        cmocka_unit_test(a_wait_can_be_stopped),
        cmocka_unit_test(a_stop_is_told_at_the_next_step),
        cmocka_unit_test(a_stopped_rank_waits_for_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
