#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/group_by_part.h"

static void parts_keep_the_order_of_their_members(void **state)
{
    (void)state;
    const uint32_t parts[] = {2, 0, 2, 3, 0, 2}, members[] = {70, 10, 50, 40, 30, 20};
    const uint32_t starts[] = {0, 2, 2, 5, 6}, grouped[] = {10, 30, 70, 50, 20, 40};
    const uint32_t indices[] = {1, 4, 0, 2, 5, 3};
    uint32_t order[6], start[6];
    group_by_part(order, start, parts, 4, members, 6);
    assert_memory_equal(order, grouped, sizeof grouped);
    assert_memory_equal(start, starts, sizeof starts);
    group_by_part(order, start, parts, 4, NULL, 6);
    assert_memory_equal(order, indices, sizeof indices);
}

static void nothing_makes_empty_parts(void **state)
{
    (void)state;
    const uint32_t starts[] = {0, 0, 0};
    uint32_t order[1] = {0}, start[4];
    group_by_part(order, start, order, 2, NULL, 0);
    assert_memory_equal(start, starts, sizeof starts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_keep_the_order_of_their_members),
        cmocka_unit_test(nothing_makes_empty_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
