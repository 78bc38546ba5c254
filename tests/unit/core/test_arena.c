#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/arena.h"
#include "core/check.h"
#include "support/aborts.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#endif

#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

static void blocks_are_aligned_and_apart(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 32767, 32768, 32769, 65472, 100000};
    enum { SIZES = sizeof sizes / sizeof *sizes, ROUNDS = 20 };
    unsigned char *block[ROUNDS][SIZES];
    arena *memory = arena_new();
    assert_non_null(memory);
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < SIZES; i++) {
            block[r][i] = arena_alloc(memory, sizes[i]);
            assert_non_null(block[r][i]);
            assert_int_equal((uintptr_t)block[r][i] % 16, 0);
            memset(block[r][i], r * SIZES + i, sizes[i]);
        }
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < SIZES; i++)
            for (size_t b = 0; b < sizes[i]; b++)
                if (block[r][i][b] != (unsigned char)(r * SIZES + i))
                    fail_msg("block %d of %zu bytes was overwritten", r, sizes[i]);
    arena_free(memory);
    arena_free(NULL);
}

static void cleared_blocks_are_cleared(void **state)
{
    (void)state;
    arena *memory = arena_new();
    for (size_t size = 1; size < 200000; size = 3 * size + 1) {
        arena_release(memory, memset(arena_alloc(memory, size), 0xff, size), size);
        unsigned char *block = arena_zalloc(memory, size, 1);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
    }
    arena_free(memory);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    arena *memory = arena_new();
    assert_null(arena_array(memory, SIZE_MAX / 2, 3));
    assert_null(arena_zalloc(memory, SIZE_MAX / 2, 3));
    assert_null(arena_alloc(memory, SIZE_MAX));
    assert_null(arena_alloc(memory, SIZE_MAX - 8));
    assert_null(arena_zalloc(memory, 1, SIZE_MAX - 8));
    assert_null(arena_strndup(memory, "x", SIZE_MAX));
    void *block = arena_alloc(memory, 40000);
    assert_null(arena_resize(memory, block, 40000, SIZE_MAX - 3));
    memset(block, 1, 40000); /* is still there */
    arena_free(memory);
}

static void resizing_keeps_contents(void **state)
{
    (void)state;
    static const size_t sizes[] = {10, 5, 100, 32767, 32768, 200000, 70000, 32768, 100, 40000, 1};
    arena *memory = arena_new();
    unsigned char *block = arena_resize(memory, NULL, 0, 3);
    memcpy(block, "abc", 3);
    size_t old = 3;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        arena_alloc(memory, 40000); /* neighbours in the ring */
        block = arena_resize(memory, block, old, sizes[i]);
        assert_memory_equal(block, "abc", sizes[i] < 3 ? sizes[i] : 3);
        old = sizes[i];
    }
    arena_release(memory, NULL, 50000);
    arena_free(memory);
}

static void released_blocks_leave_the_ring(void **state)
{
    (void)state;
    arena *memory = arena_new();
    void *a = arena_alloc(memory, 50000), *b = arena_alloc(memory, 50000);
    void *c = arena_alloc(memory, 50000);
    arena_release(memory, b, 50000);
    arena_release(memory, c, 50000);
    arena_release(memory, a, 50000);
    assert_non_null(arena_alloc(memory, 50000));
    arena_free(memory);
}

static void texts(void **state)
{
    (void)state;
    arena *memory = arena_new();
    assert_string_equal(arena_strdup(memory, ""), "");
    assert_string_equal(arena_strndup(memory, "abcdef", 3), "abc");
    assert_string_equal(arena_printf(memory, "%s-%d", "x", 7), "x-7");
    char *wide = arena_printf(memory, "%*s", 100000, "x");
    assert_int_equal(strlen(wide), 100000);
    arena_free(memory);
}

static char order[8];
static void note(void *object)
{
    strcat(order, object);
}

static void cleanups_run_in_reverse(void **state)
{
    (void)state;
    arena *memory = arena_new();
    order[0] = '\0';
    char a[] = "a", b[] = "b", c[] = "c";
    assert_true(arena_defer(memory, note, a));
    assert_true(arena_defer(memory, note, b));
    assert_true(arena_defer(memory, note, c));
    assert_string_equal(order, "");
    arena_free(memory);
    assert_string_equal(order, "cba");
}

#ifdef ADDRESS_SANITIZER
static void expect_fenced(const char *block, size_t size)
{
    if (size > 0)
        assert_false(__asan_address_is_poisoned(block + size - 1));
    if (!__asan_address_is_poisoned(block + size))
        fail_msg("a block of %zu bytes can be overrun unseen", size);
}

static void the_sanitizer_sees_where_blocks_end(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 15, 16, 1000, 32768, 100000};
    arena *memory = arena_new();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        expect_fenced(arena_alloc(memory, sizes[i]), sizes[i]);
        expect_fenced(arena_zalloc(memory, sizes[i], 1), sizes[i]);
        char *block = arena_resize(memory, arena_alloc(memory, 10), 10, sizes[i]);
        expect_fenced(block, sizes[i]);
        arena_release(memory, block, sizes[i]);
        assert_true(__asan_address_is_poisoned(block));
    }
    arena_free(memory);
}
#endif

#if KITH_DEBUG
static void release_too_much(void)
{
    arena *memory = arena_new();
    arena_release(memory, arena_alloc(memory, 40000), 50000);
}

static void debug_builds_notice_wrong_sizes(void **state)
{
    (void)state;
    assert_true(aborts(release_too_much));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_apart),
        cmocka_unit_test(cleared_blocks_are_cleared),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(resizing_keeps_contents),
        cmocka_unit_test(released_blocks_leave_the_ring),
        cmocka_unit_test(texts),
        cmocka_unit_test(cleanups_run_in_reverse),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_wrong_sizes),
#endif
#ifdef ADDRESS_SANITIZER
        cmocka_unit_test(the_sanitizer_sees_where_blocks_end),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
