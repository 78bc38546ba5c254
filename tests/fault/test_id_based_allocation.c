/* Fails the n-th allocation of a run of the ID-based protocol, for many n: no party crashes, hangs
 * or leaks, and each says that memory ran out or that another party failed. */
/* needs: id-based */
/* wrap: allocations still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/failing_memory.h"
#include "support/id_based_job.h"

static kith_status attempt(id_based_job *j, size_t n, bool from_there_on)
{
    void *users[] = {j, j};
    kith_error errors[2] = {0};
    failing_begin(n, from_there_on);
    kith_status status = inproc_run(2, NULL, NULL, id_based_job_fn, users, errors);
    const size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("allocation %zu: %zu blocks leaked", n, leaked);
    for (uint32_t i = 0; i < 2; i++) {
        const kith_status one = errors[i].status;
        if (one != KITH_OK && one != KITH_NOMEM && one != KITH_PEER)
            fail_msg("allocation %zu: %s, %s", n, kith_status_name(one), errors[i].message);
    }
    return status;
}

/* With what allocates most: the parties' own lists and keys, and both phases. */
static void fails_each(void **state)
{
    (void)state;
    size_t refused = 0, tried = 0;
    id_based_job *j = id_based_job_new(2, 0);
    id_based_job_put(j, 0, 2, 1);
    id_based_job_put(j, 1, 1, 1);
    id_based_job_put(j, 2, 1, 0);
    assert_int_equal(attempt(j, 0, false), KITH_OK);
    assert_false(j->already[0]);
    const size_t all = failing_seen(), stride = session_samples(0) > 0 ? 1 : all / 40 + 1;
    for (size_t n = 1; n <= all; n += stride, tried++) {
        refused += attempt(j, n, false) != KITH_OK;
        assert_true(attempt(j, n, true) != KITH_OK);
    }
    assert_true(refused > tried / 2);
    print_message("%zu allocations\n", all);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fails_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
