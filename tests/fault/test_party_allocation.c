/* Fails the n-th allocation of a run among several parties, for every n: no party crashes, hangs or
 * leaks; one says that memory ran out, the others that it failed. All parties share the count. */
/* wrap: allocations still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/failing_memory.h"
#include "support/medley.h"
#include "support/session.h"
#include "support/short_runs.h"
#include "support/still_clock.h"
#include "wire/inproc.h"

enum { MAX_PARTIES = 3, SOON = 3 }; /* seconds; long before any deadline */

typedef struct job {
    const char *name;
    uint32_t m;
    kith_status (*fn)(party *p, void *user, kith_error *error);
    kith_error errors[MAX_PARTIES];
} job;

static kith_status attempt(job *j, size_t n, bool from_there_on)
{
    const inproc_options options = {.compress = true};
    double start = still_clock_seconds();
    memset(j->errors, 0, sizeof j->errors);
    failing_begin(n, from_there_on);
    kith_status status = inproc_run(j->m, NULL, &options, j->fn, NULL, j->errors);
    size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("%s, allocation %zu: %zu blocks leaked", j->name, n, leaked);
    if (still_clock_seconds() - start > SOON)
        fail_msg("%s, allocation %zu: it took long", j->name, n);
    for (uint32_t i = 0; i < j->m; i++) {
        kith_status one = j->errors[i].status;
        if (one != KITH_OK && one != KITH_NOMEM && one != KITH_PEER)
            fail_msg("%s, allocation %zu: %s, %s", j->name, n, kith_status_name(one),
                     j->errors[i].message);
    }
    return status;
}

/* About `max_failures` of all allocations, spread evenly; five times as many if everything is
 * wanted. */
static size_t fail_each(job *j, size_t max_failures)
{
    size_t refused = 0, tried = 0;
    assert_int_equal(attempt(j, 0, false), KITH_OK);
    const size_t all = failing_seen();
    const size_t stride = all / (session_samples(0) > 0 ? 5 * max_failures : max_failures) + 1;
    assert_true(all > 20);
    for (size_t n = 1; n <= all; n += stride, tried++) {
        kith_status status = attempt(j, n, false);
        refused += status != KITH_OK;
        /* If two threads run out, the run ends all the same. */
        assert_true(attempt(j, n, true) != KITH_OK);
    }
    if (refused <= tried / 2)
        fail_msg("%s: only %zu of %zu failures mattered", j->name, refused, tried);
    return all;
}

static void in_threads(uint32_t m)
{
    for (size_t i = 0; i < medley_items; i++) {
        job j = {.name = medley[i].name, .m = m, .fn = medley[i].fn};
        if (m < medley[i].least)
            continue;
        size_t all = fail_each(&j, m == 2 ? 12 : 60);
        print_message("%s, %u parties: %zu allocations\n", j.name, m, all);
    }
}

static void two_threads(void **state)
{
    (void)state;
    in_threads(2);
}

static void three_threads(void **state)
{
    (void)state;
    in_threads(3);
}

static void long_messages(void **state)
{
    job j = {.name = "long messages", .m = 2, .fn = short_runs_packed};
    (void)state;
    fail_each(&j, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads),
        cmocka_unit_test(three_threads),
        cmocka_unit_test(long_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
