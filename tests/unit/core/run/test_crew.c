#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>

#include "core/run/crew.h"
#include "core/error.h"
#include "support/crew_trials.h"
#include "support/thread_crew.h"

typedef struct attempt {
    const crew_trial *trial;
    uint32_t variant;
    const char *problems[8]; /* of each rank */
} attempt;

static void try_once(crew *c, void *user)
{
    attempt *a = user;
    a->problems[crew_rank(c)] = a->trial->run(c, a->variant);
}

static void trials_with_any_number_of_ranks(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    (void)state;
    for (const crew_trial *t = crew_trials; t->name != NULL; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (uint32_t v = 0; v < t->n_variants; v++) {
                attempt a = {.trial = t, .variant = v};
                thread_crew_run(sizes[s], try_once, &a);
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
    const crew_bytes out = {text, sizeof text};
    crew_bytes in;
    assert_int_equal(crew_rank(NULL), 0);
    assert_int_equal(crew_size(NULL), 1);
    assert_int_equal(crew_sum(NULL, values, 2, &error), KITH_OK);
    assert_true(values[0] == 3 && values[1] == 4);
    assert_int_equal(crew_gather(NULL, text, sizeof text, &in, NULL, &error), KITH_OK);
    assert_true(in.bytes == text && in.n_bytes == sizeof text);
    in = (crew_bytes){NULL, 0};
    assert_int_equal(crew_exchange(NULL, &out, &in, NULL, &error), KITH_OK);
    assert_true(in.bytes == text && in.n_bytes == sizeof text);
    assert_int_equal(crew_barrier(NULL, &error), KITH_OK);
    assert_int_equal(crew_leave(NULL, KITH_OK, &error), KITH_OK);
    error_set(&error, KITH_IO, "no disk");
    assert_int_equal(crew_leave(NULL, KITH_IO, &error), KITH_IO);
    assert_string_equal(error.message, "no disk");
    assert_true(crew_speaks(NULL));
    assert_int_equal(crew_n_sent_bytes(NULL), 0);
    crew_free(NULL);
}

/* Every rank adds one, then all see the same number: nobody passes a barrier before all came. */
typedef struct meeting {
    atomic_uint n_came;
    atomic_uint n_early;
} meeting;

static void meet(crew *c, void *user)
{
    meeting *m = user;
    for (uint32_t round = 1; round <= 50; round++) {
        atomic_fetch_add(&m->n_came, 1);
        crew_barrier(c, NULL);
        if (m->n_came < round * crew_size(c))
            atomic_fetch_add(&m->n_early, 1);
        crew_barrier(c, NULL);
    }
    crew_leave(c, KITH_OK, NULL);
}

static void nobody_passes_a_barrier_early(void **state)
{
    (void)state;
    meeting m = {0};
    thread_crew_run(4, meet, &m);
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
            return CREW_TRANSPORT_STOPPED;
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

static kith_status use_all(crew *c, kith_error *error)
{
    arena *memory = arena_new();
    uint64_t value = 5;
    crew_bytes parts[2], out[2] = {{&value, sizeof value}, {&value, sizeof value}};
    kith_status status = crew_sum(c, &value, 1, error);
    if (status == KITH_OK)
        status = crew_gather(c, &value, sizeof value, parts, memory, error);
    if (status == KITH_OK)
        status = crew_exchange(c, out, parts, memory, error);
    if (status == KITH_OK)
        status = crew_leave(c, KITH_OK, error);
    arena_free(memory);
    return status;
}

static crew *crew_on(cable *cut)
{
    const crew_transport transport = {.rank = 0,
                                      .size = 2,
                                      .user = cut,
                                      .watch = cut_watch,
                                      .share = cut_share,
                                      .sum = cut_sum,
                                      .broadcast = cut_broadcast,
                                      .exchange = cut_exchange,
                                      .close = cut_close};
    crew *c = crew_new(&transport);
    assert_non_null(c);
    return c;
}

static void a_lost_connection_is_an_error(void **state)
{
    (void)state;
    for (int uses = 0;; uses++) {
        kith_error error;
        cable cut = {.uses_left = uses};
        crew *c = crew_on(&cut);
        const kith_status status = use_all(c, &error);
        if (status != KITH_OK) {
            assert_int_equal(status, KITH_PEER);
            assert_string_equal(error.message, "rank 0 of 2 lost the others: the cable is cut");
            assert_true(crew_speaks(c));
            const int uses_left = cut.uses_left;
            assert_int_equal(crew_leave(c, KITH_OK, &error), KITH_PEER);
            assert_int_equal(cut.uses_left, uses_left); /* nobody is asked any more */
        }
        crew_free(c);
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
    crew *c = crew_on(&cut);
    crew_watch(c, asked_to_stop, &stop);
    assert_int_equal(crew_barrier(c, &error), KITH_OK);
    stop = cut.hangs = true;
    assert_int_equal(crew_barrier(c, &error), KITH_CANCELLED);
    assert_int_equal(crew_leave(c, KITH_CANCELLED, &error), KITH_CANCELLED);
    assert_true(crew_speaks(c));
    crew_free(c);
    assert_true(cut.broken); /* the others wait for this rank */
}

/* If the others come in time they are told at the next step, and nobody is ended by force. */
static void a_stop_is_told_at_the_next_step(void **state)
{
    (void)state;
    kith_error error;
    bool stop = true;
    cable cut = {.uses_left = 100};
    crew *c = crew_on(&cut);
    crew_watch(c, asked_to_stop, &stop);
    assert_int_equal(crew_barrier(c, &error), KITH_OK);
    assert_int_equal(crew_barrier(c, &error), KITH_CANCELLED);
    assert_int_equal(crew_leave(c, KITH_CANCELLED, &error), KITH_CANCELLED);
    crew_free(c);
    assert_false(cut.broken);
}

static void a_stopped_rank_waits_for_the_end(void **state)
{
    (void)state;
    kith_error error;
    bool stop = true;
    cable cut = {.uses_left = 100};
    crew *c = crew_on(&cut);
    crew_watch(c, asked_to_stop, &stop);
    error_set(&error, KITH_CANCELLED, "stopped");
    assert_int_equal(crew_leave(c, KITH_CANCELLED, &error), KITH_CANCELLED);
    crew_free(c);
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
