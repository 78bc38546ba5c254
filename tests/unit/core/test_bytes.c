/* Numbers and texts come back from their bytes; what is cut short or not well-formed is not taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/bytes.h"

static arena *memory;

static int begin(void **state)
{
    (void)state;
    memory = arena_new();
    return memory == NULL ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(memory);
    return 0;
}

static void the_fewest_bytes_are_taken(void **state)
{
    (void)state;
    assert_int_equal(bytes_width(0), 1);
    for (uint32_t width = 1; width < 8; width++) {
        assert_int_equal(bytes_width((UINT64_C(1) << (8 * width)) - 1), width);
        assert_int_equal(bytes_width(UINT64_C(1) << (8 * width)), width + 1);
    }
    assert_int_equal(bytes_width(UINT64_MAX), 8);
}

static void numbers_are_little_endian(void **state)
{
    (void)state;
    const uint64_t number = UINT64_C(0x0807060504030201);
    for (uint32_t width = 1; width <= 8; width++) {
        uint8_t bytes[9];
        memset(bytes, 0xee, sizeof bytes);
        assert_ptr_equal(bytes_put(bytes, number, width), bytes + width);
        for (uint32_t i = 0; i < width; i++)
            assert_int_equal(bytes[i], i + 1);
        assert_int_equal(bytes[width], 0xee);
        assert_int_equal(bytes_get(bytes, width),
                         width == 8 ? number : number & ((UINT64_C(1) << (8 * width)) - 1));
    }
}

/* Numbers of all widths, a text and nothing, many times, so that the room has to grow. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    static const char text[] = "wört";
    bytes_writer w = {.memory = memory};
    for (uint32_t i = 0; i < 1000; i++) {
        bytes_write_number(&w, UINT64_MAX - i, 1 + i % 8);
        bytes_write(&w, text, sizeof text - 1);
        bytes_write(&w, NULL, 0);
    }
    assert_int_equal(bytes_written(&w, NULL), KITH_OK);
    assert_int_equal(w.length, 1000 / 8 * 36 + 1000 * (sizeof text - 1));
    bytes_reader r = {.at = w.bytes, .left = w.length};
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t width = 1 + i % 8;
        assert_false(bytes_read_all(&r));
        assert_int_equal(bytes_read(&r, width),
                         (UINT64_MAX - i) & (UINT64_MAX >> (64 - 8 * width)));
        assert_memory_equal(bytes_read_text(&r, sizeof text - 1), text, sizeof text - 1);
    }
    assert_true(bytes_read_all(&r));
}

/* A failure stays: later bytes do not make up for it. */
static void what_is_not_there_is_not_read(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3};
    for (uint32_t width = 4; width <= 8; width++) {
        bytes_reader r = {.at = bytes, .left = sizeof bytes};
        assert_int_equal(bytes_read(&r, width), 0);
        assert_true(r.failed);
        assert_int_equal(bytes_read(&r, 1), 0);
        assert_null(bytes_read_text(&r, 0));
        assert_false(bytes_read_all(&r));
    }
    bytes_reader r = {.at = bytes, .left = sizeof bytes};
    assert_null(bytes_read_text(&r, UINT64_MAX));
    assert_true(r.failed);
}

/* Also where the number that is refused is itself not there. */
static void what_is_refused_stays_refused(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {7};
    bytes_reader r = {.at = bytes, .left = sizeof bytes};
    bytes_refuse(&r, bytes_read(&r, 1) != 7);
    assert_true(bytes_read_all(&r));
    bytes_refuse(&r, bytes_read(&r, 1) != 0);
    assert_true(r.failed);
    bytes_refuse(&r, false);
    assert_true(r.failed);
}

static void counts_are_bounded_by_what_is_left(void **state)
{
    (void)state;
    uint8_t bytes[4 + 6];
    for (uint32_t count = 0; count < 6; count++) {
        bytes_reader r = {.at = bytes, .left = sizeof bytes};
        bytes_put(bytes, count, 4);
        assert_int_equal(bytes_read_count(&r, 4, 2), count <= 3 ? count : 0);
        assert_int_equal(r.failed, count > 3);
    }
    bytes_reader r = {.at = bytes, .left = sizeof bytes};
    bytes_put(bytes, UINT32_MAX, 4);
    assert_int_equal(bytes_read_count(&r, 4, SIZE_MAX), 0);
    assert_true(r.failed);
}

static void texts_are_well_formed(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        bool good;
    } cases[] = {{"", 0, true},         {"abc", 3, true},   {"w\xc3\xb6rt", 5, true},
                 {"a\0b", 3, false},    {"\xff", 1, false}, {"w\xc3", 2, false},
                 {"\xc0\x80", 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes_reader r = {.at = (const uint8_t *)cases[i].bytes, .left = cases[i].length};
        const char *text = bytes_read_text(&r, cases[i].length);
        assert_ptr_equal(text, cases[i].good ? cases[i].bytes : NULL);
        assert_int_equal(bytes_read_all(&r), cases[i].good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fewest_bytes_are_taken),
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test_setup_teardown(what_is_written_is_read, begin, end),
        cmocka_unit_test(what_is_not_there_is_not_read),
        cmocka_unit_test(what_is_refused_stays_refused),
        cmocka_unit_test(counts_are_bounded_by_what_is_left),
        cmocka_unit_test(texts_are_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
