/* Every order sorts numbers of both ends of its type, alone and as the beginning of a struct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/sort.h"

#define SORTS(type, order, ...)                                                     \
    do {                                                                            \
        const type ascending[] = {__VA_ARGS__};                                     \
        enum { COUNT = sizeof ascending / sizeof *ascending };                      \
        type plain[COUNT];                                                          \
        struct {                                                                    \
            type first;                                                             \
            char more[3];                                                           \
        } wide[COUNT];                                                              \
        for (int i = 0; i < COUNT; i++)                                             \
            plain[i] = wide[i].first = ascending[COUNT - 1 - i];                    \
        qsort(plain, COUNT, sizeof *plain, order);                                  \
        qsort(wide, COUNT, sizeof *wide, order);                                    \
        for (int i = 0; i < COUNT; i++)                                             \
            assert_true(plain[i] == ascending[i] && wide[i].first == ascending[i]); \
        assert_int_equal(order(&plain[0], &wide[0]), 0);                            \
    } while (0)

static void numbers_ascend(void **state)
{
    (void)state;
    SORTS(uint32_t, sort_uint32, 0, 1, 255, 256, INT32_MAX, UINT32_MAX);
    SORTS(uint64_t, sort_uint64, 0, 1, UINT32_MAX, INT64_MAX, UINT64_MAX);
    SORTS(int64_t, sort_int64, INT64_MIN, -1, 0, 1, INT64_MAX);
    SORTS(double, sort_double, -1e300, -1, -1e-300, 0, 1e-300, 1, 1e300);
}

/* By the first member, and by the second one where the first ones agree. */
#define SORTS_TWO(type, order, low, high)                                                         \
    do {                                                                                          \
        struct {                                                                                  \
            type first;                                                                           \
            uint32_t second;                                                                      \
        } all[] = {{high, 0}, {low, UINT32_MAX}, {high, UINT32_MAX}, {low, 1}, {low, 0}};         \
        qsort(all, 5, sizeof *all, order);                                                        \
        const uint32_t seconds[] = {0, 1, UINT32_MAX, 0, UINT32_MAX};                             \
        for (int i = 0; i < 5; i++)                                                               \
            assert_true(all[i].first == (i < 3 ? (low) : (high)) && all[i].second == seconds[i]); \
    } while (0)

static void ties_are_decided_by_the_second_member(void **state)
{
    (void)state;
    SORTS_TWO(uint32_t, sort_uint32_uint32, 3, UINT32_MAX);
    SORTS_TWO(uint64_t, sort_uint64_uint32, 3, UINT64_MAX);
    SORTS_TWO(int64_t, sort_int64_uint32, -3, 3);
    SORTS_TWO(double, sort_double_uint32, -0.5, 0.25);
}

static void the_largest_come_first(void **state)
{
    (void)state;
    struct {
        double first;
        uint32_t second;
    } all[] = {{-1, 0}, {2, 3}, {0.5, 1}, {2, UINT32_MAX}, {2, 1}};
    struct {
        uint64_t first;
        uint32_t second;
    } wide[] = {{1, 0}, {UINT64_MAX, 3}, {2, 1}, {UINT64_MAX, UINT32_MAX}, {UINT64_MAX, 1}};
    struct {
        uint32_t first, second;
    } even[] = {{1, 0}, {UINT32_MAX, 3}, {2, 1}, {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, 1}};
    static const uint32_t seconds[] = {1, 3, UINT32_MAX, 1, 0};
    qsort(all, 5, sizeof *all, sort_double_down_uint32);
    qsort(wide, 5, sizeof *wide, sort_uint64_down_uint32);
    qsort(even, 5, sizeof *even, sort_uint32_down_uint32);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(all[i].second, seconds[i]);
        assert_int_equal(wide[i].second, seconds[i]);
        assert_int_equal(even[i].second, seconds[i]);
    }
    assert_true(all[4].first == -1 && wide[4].first == 1 && even[4].first == 1);
}

static void texts_are_sorted_by_bytes(void **state)
{
    (void)state;
    const char *texts[] = {"\xc3\xb6", "b", "", "ab", "a"};
    static const char *const sorted[] = {"", "a", "ab", "b", "\xc3\xb6"};
    qsort(texts, 5, sizeof *texts, sort_text);
    for (int i = 0; i < 5; i++)
        assert_string_equal(texts[i], sorted[i]);
}

static void all_32_bytes_count_and_no_more(void **state)
{
    (void)state;
    unsigned char a[33] = {0}, b[33] = {0};
    b[32] = 1;
    assert_int_equal(sort_32_bytes(a, b), 0);
    b[31] = 0x80;
    assert_true(sort_32_bytes(a, b) < 0 && sort_32_bytes(b, a) > 0);
    a[0] = 1;
    assert_true(sort_32_bytes(a, b) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_ascend),
        cmocka_unit_test(ties_are_decided_by_the_second_member),
        cmocka_unit_test(the_largest_come_first),
        cmocka_unit_test(texts_are_sorted_by_bytes),
        cmocka_unit_test(all_32_bytes_count_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
