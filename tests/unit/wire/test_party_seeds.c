/* The seeds from which the masks of a run follow are never written to disk by the system. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/mappings.h"
#include "wire/inproc.h"
#include "wire/party_internal.h"

enum { SITES = 3 };

static kith_status look(party *p, void *user, kith_error *error)
{
    bool *secret = user;
    (void)error;
    for (uint32_t i = 0; i < party_count(p); i++)
        secret[i] = mapping_is_secret(p->peers[i].seed);
    return KITH_OK;
}

static void keeps_seeds_in_locked_memory(void **state)
{
    (void)state;
    bool secret[SITES][SITES] = {{false}};
    void *users[SITES] = {secret[0], secret[1], secret[2]};
    assert_int_equal(inproc_run(SITES, NULL, NULL, look, users, NULL), KITH_OK);
    for (int i = 0; i < SITES * SITES; i++)
        assert_true(secret[i / SITES][i % SITES]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_seeds_in_locked_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
