/* Fails the n-th allocation of a run between two parties over TLS, for many n: neither crashes,
 * hangs or leaks; one says that memory ran out, the other that it failed. Both share the count. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/failing_memory.h"
#include "support/loopback.h"
#include "support/session.h"
#include "support/short_runs.h"

enum { SITES = 2 };

/* A party that cannot even connect is not waited for, except in a run that must succeed. */
static kith_status attempt(loopback *b, size_t n, bool from_there_on)
{
    kith_status status = KITH_OK;
    for (uint32_t i = 0; i < SITES; i++) {
        b->site[i].options.wait_ms = n == 0 ? 600000 : 150;
        b->site[i].options.deadline_ms = n == 0 ? 600000 : 4000;
    }
    failing_begin(n, from_there_on);
    loopback_run(b);
    size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("allocation %zu: %zu blocks leaked", n, leaked);
    for (uint32_t i = 0; i < SITES; i++) {
        kith_status one = b->site[i].status;
        if (one != KITH_OK && one != KITH_NOMEM && one != KITH_PEER)
            fail_msg("allocation %zu: %s, %s", n, kith_status_name(one), b->site[i].error.message);
        if (status == KITH_OK || status == KITH_PEER)
            status = one != KITH_OK ? one : status;
    }
    return status;
}

/* Spread evenly; five times as many if everything is wanted. */
static void over_tls(void **state)
{
    loopback b;
    (void)state;
    loopback_init(&b, SITES, short_runs_packed);
    for (uint32_t i = 0; i < SITES; i++)
        b.site[i].options.compress = true;
    assert_int_equal(attempt(&b, 0, false), KITH_OK);
    const size_t all = failing_seen(), stride = all / (session_samples(0) > 0 ? 150 : 30) + 1;
    size_t refused = 0, tried = 0;
    assert_true(all > 20);
    for (size_t n = 1; n <= all; n += stride, tried++) {
        refused += attempt(&b, n, false) != KITH_OK;
        assert_true(attempt(&b, n, true) !=
                    KITH_OK); /* if both run out, the run ends all the same */
    }
    print_message("%zu allocations, %zu of %zu failures mattered\n", all, refused, tried);
    assert_true(refused > tried / 2);
    loopback_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(over_tls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
