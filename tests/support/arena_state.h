/* An arena as the state of a test, for cmocka_unit_test_setup_teardown and groups. */
#ifndef TEST_SUPPORT_ARENA_STATE_H
#define TEST_SUPPORT_ARENA_STATE_H

#include "core/arena.h"

static inline int arena_setup(void **state)
{
    *state = arena_new();
    return *state == NULL;
}

static inline int arena_teardown(void **state)
{
    arena_free(*state);
    return 0;
}

#endif
