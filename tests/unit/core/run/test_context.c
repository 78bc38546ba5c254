#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "core/run/context.h"

static void defaults(void **state)
{
    (void)state;
    context a, b;
    kith_error e;
    assert_int_equal(context_init(&a, NULL, &e), KITH_OK);
    assert_int_equal(context_init(&b, NULL, &e), KITH_OK);
    assert_non_null(a.run);
    assert_true(a.seed != b.seed); /* drawn afresh */
    assert_true(context_progress(&a, "x", 0.5));
    context_wipe(&a);
    context_wipe(&b);
    assert_null(a.memory);
    assert_null(a.pool);
    context_wipe(&a); /* harmless */
}

static void the_callers_wishes(void **state)
{
    (void)state;
    context c;
    kith_error e;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 3, .seeded = true, .seed = 42);
    assert_int_equal(context_init(&c, &run, &e), KITH_OK);
    assert_true(c.seed == 42);
    assert_int_equal(threads_count(c.pool), 3);
    context_wipe(&c);
}

typedef struct watcher {
    int n_calls, stop_at;
    char phase[16];
    double done;
} watcher;

static bool watch(void *user, const char *phase, double done)
{
    watcher *w = user;
    strcpy(w->phase, phase);
    w->done = done;
    return ++w->n_calls < w->stop_at;
}

static void a_cancelled_run_stays_cancelled(void **state)
{
    (void)state;
    context c;
    kith_error e;
    watcher w = {.stop_at = 2};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .progress = watch, .user = &w);
    assert_int_equal(context_init(&c, &run, &e), KITH_OK);
    assert_true(context_progress(&c, "load", 0.25));
    assert_string_equal(w.phase, "load");
    assert_true(w.done == 0.25);
    assert_false(context_progress(&c, "load", 0.5));
    assert_false(context_progress(&c, "search", 0));
    assert_int_equal(w.n_calls, 2); /* not asked again */
    context_wipe(&c);
}

/* Whoever writes the result of a run is told to stop once, and not at all if the search was. */
static void what_was_found_is_written(void **state)
{
    (void)state;
    for (int before = 0; before < 2; before++) {
        context c;
        kith_error e;
        watcher w = {.stop_at = 2};
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .progress = watch, .user = &w);
        assert_int_equal(context_init(&c, &run, &e), KITH_OK);
        const kith_run *writing = context_run_to_the_end(&c);
        assert_non_null(writing);
        assert_true(writing->progress(writing->user, "write", 0));
        if (before == 1)
            assert_false(context_progress(&c, "search", 0));
        else
            assert_false(writing->progress(writing->user, "write", 0));
        assert_true(c.cancelled);
        assert_true(writing->progress(writing->user, "write", 1));
        assert_int_equal(w.n_calls, 2);
        context_wipe(&c);
    }
}

static void the_clock_goes_forward(void **state)
{
    (void)state;
    double a = context_seconds(), b = context_seconds();
    assert_true(a > 0 && b >= a);
}

/* What sleeps does not work: both clocks agree on the order, however long the machine takes. */
static void work_is_less_than_time(void **state)
{
    (void)state;
    double work = context_work_seconds(), time = context_seconds();
    usleep(20000);
    assert_true(context_seconds() - time >= 0.02);
    double worked = context_work_seconds() - work;
    assert_true(worked >= 0 && worked < context_seconds() - time);
    while (context_work_seconds() - work < 0.005) {
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(the_callers_wishes),
        cmocka_unit_test(a_cancelled_run_stays_cancelled),
        cmocka_unit_test(what_was_found_is_written),
        cmocka_unit_test(the_clock_goes_forward),
        cmocka_unit_test(work_is_less_than_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
