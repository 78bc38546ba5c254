/* Every primitive among few and among as many parties as there may be, in one process: nothing
 * waits for itself, and what a party needs grows with the number of parties, not with its square.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>

#include "support/medley.h"
#include "support/session.h"

static void runs_among_any_number(void **state)
{
    static const uint32_t parties[] = {2, 3, 4, 5, 8, 13, 64};
    (void)state;
    for (size_t i = 0; i < sizeof parties / sizeof *parties; i++)
        assert_int_equal(session_run(parties[i], medley_all, NULL), KITH_OK);
}

/* The most that all parties hold together at a moment when one of them has done its part. */
typedef struct gauge {
    const medley_item *item;
    atomic_size_t most;
} gauge;

static kith_status weigh(party *p, void *user, kith_error *error)
{
    gauge *g = user;
    kith_status status = g->item->fn(p, NULL, error);
    size_t now = mallinfo2().uordblks + mallinfo2().hblkhd, before = atomic_load(&g->most);
    while (now > before && !atomic_compare_exchange_weak(&g->most, &before, now)) {
    }
    return status;
}

/* A party holds keys, streams and queues for each of the others, and what they send. */
static void needs_memory_in_proportion(void **state)
{
    (void)state;
    for (size_t i = 0; i < medley_items; i++) {
        double per_party[2];
        static const uint32_t parties[2] = {16, 64};
        for (int k = 0; k < 2; k++) {
            gauge g = {&medley[i], 0};
            size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
            assert_int_equal(session_run(parties[k], weigh, &g), KITH_OK);
            size_t most = atomic_load(&g.most);
            per_party[k] = most > before ? (double)(most - before) / parties[k] : 0;
        }
        print_message("%-18s KB per party: %6.0f of 16, %6.0f of 64\n", medley[i].name,
                      per_party[0] / 1e3, per_party[1] / 1e3);
        if (per_party[1] > 6 * per_party[0] + 300e3)
            fail_msg("%s: %.0f bytes per party of 16, %.0f of 64", medley[i].name, per_party[0],
                     per_party[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_among_any_number),
        cmocka_unit_test(needs_memory_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
