/* The scalars of the encrypted view are never written to disk by the system. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/view/view_crypt.h"
#include "support/mappings.h"

static void keeps_scalars_in_locked_memory(void **state)
{
    (void)state;
    arena *memory = arena_new();
    view_keys *keys;
    kith_error error = {0};
    assert_int_equal(view_crypt_keys_new(&keys, memory, 5, &error), KITH_OK);
    assert_false(mapping_is_secret(keys)); /* the rest of the memory is not */
    assert_true(mapping_is_secret(keys->forth));
    assert_true(mapping_is_secret(&keys->forth[5]));
    assert_true(mapping_is_secret(keys->back));
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_scalars_in_locked_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
