/* Frames: the parser accepts what frame_seal writes, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/aborts.h"
#include "wire/frame.h"

static size_t example(unsigned char *bytes)
{
    frame f = {.kind = FRAME_DATA,
               .disclosure = 3,
               .run = "0123456789abcde",
               .sequence = 0x1122334455667788,
               .depth = 77,
               .message_bytes = 1ull << 40,
               .name = "sum.share",
               .name_length = 9,
               .payload_length = 5};
    memcpy(bytes + FRAME_HEADER + 9, "hello", 5);
    return frame_seal(bytes, &f);
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    unsigned char bytes[100];
    frame f;
    size_t length = example(bytes);
    assert_int_equal(length, FRAME_HEADER + 9 + 5);
    assert_int_equal(frame_size(bytes), length);
    assert_true(frame_parse(&f, bytes, length));
    assert_int_equal(f.kind, FRAME_DATA);
    assert_int_equal(f.disclosure, 3);
    assert_string_equal((const char *)f.run, "0123456789abcde");
    assert_true(f.sequence == 0x1122334455667788);
    assert_int_equal(f.depth, 77);
    assert_true(f.message_bytes == 1ull << 40);
    assert_int_equal(f.name_length, 9);
    assert_memory_equal(f.name, "sum.share", 9);
    assert_int_equal(f.payload_length, 5);
    assert_memory_equal(f.payload, "hello", 5);
}

static void notices_every_flipped_bit(void **state)
{
    (void)state;
    unsigned char bytes[100];
    frame f;
    size_t length = example(bytes);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
        assert_false(frame_parse(&f, bytes, length));
        bytes[bit / 8] ^= (unsigned char)(1 << (bit % 8));
    }
    assert_true(frame_parse(&f, bytes, length));
}

static void notices_every_wrong_length(void **state)
{
    (void)state;
    unsigned char bytes[100] = {0};
    frame f;
    size_t length = example(bytes);
    for (size_t other = 0; other < sizeof bytes; other++)
        assert_int_equal(frame_parse(&f, bytes, other), other == length);
}

/* frame_size looks at the header only, so that only the field itself is the reason. */
static void refuses_fields_out_of_range(void **state)
{
    (void)state;
    static const struct {
        int at;
        unsigned char value;
    } wrong[] = {{0, 'X'}, {1, 'X'}, {2, 2}, {3, FRAME_KINDS}, {4, 2}, {6, 64}, {7, 1}, {38, 5}};
    unsigned char bytes[100];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        example(bytes);
        bytes[wrong[i].at] = wrong[i].value;
        assert_int_equal(frame_size(bytes), 0);
    }
}

/* Only the kind of text that every terminal shows as it is. */
static void refuses_names_that_are_not_plain(void **state)
{
    (void)state;
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789._ -";
    unsigned char bytes[100];
    for (int c = 0; c < 256; c++) {
        char name[] = "a?b";
        frame f = {.kind = FRAME_DATA, .name = name, .name_length = 3};
        name[1] = (char)c;
        size_t length = frame_seal(bytes, &f);
        assert_int_equal(frame_parse(&f, bytes, length), c != 0 && strchr(allowed, c) != NULL);
    }
}

/* Only data needs room: nothing is allocated for the rest beyond a step's name. */
static void refuses_large_control_frames(void **state)
{
    (void)state;
    unsigned char bytes[100];
    example(bytes);
    bytes[37] = bytes[38] = bytes[39] = 0;
    for (unsigned char kind = FRAME_DATA; kind < FRAME_KINDS; kind++) {
        bytes[3] = kind;
        bytes[36] = FRAME_CONTROL;
        assert_true(frame_size(bytes) > FRAME_CONTROL);
        bytes[36] = FRAME_CONTROL + 1;
        assert_int_equal(frame_size(bytes) > 0, kind == FRAME_DATA);
    }
}

static void queues_in_order(void **state)
{
    (void)state;
    frame_queue q = {0};
    assert_null(frame_queue_pop(&q));
    for (size_t i = 1; i <= 3; i++)
        frame_queue_push(&q, frame_buffer_new(i));
    assert_int_equal(q.bytes, 6);
    frame_buffer *first = frame_queue_pop(&q);
    assert_int_equal(first->length, 1);
    assert_int_equal(q.bytes, 5);
    free(first);
    frame_queue_clear(&q);
    assert_int_equal(q.bytes, 0);
    assert_null(q.tail);
}

#if KITH_DEBUG
static void push_to_a_broken_queue(void)
{
    frame_queue q = {0};
    frame_queue_push(&q, frame_buffer_new(5));
    q.bytes = 4;
    frame_queue_push(&q, frame_buffer_new(5));
}

static void change_a_length_in_a_queue(void)
{
    frame_queue q = {0};
    for (int i = 0; i < 3; i++)
        frame_queue_push(&q, frame_buffer_new(5));
    q.head->next->length = 6;
    frame_queue_clear(&q);
}

static void seal_a_long_name(void)
{
    static unsigned char bytes[FRAME_MAX + 1];
    static const char name[FRAME_NAME + 2] = "x";
    frame f = {.name = name, .name_length = FRAME_NAME + 1};
    frame_seal(bytes, &f);
}

static void debug_builds_notice_broken_queues(void **state)
{
    (void)state;
    assert_true(aborts(push_to_a_broken_queue));
    assert_true(aborts(change_a_length_in_a_queue));
    assert_true(aborts(seal_a_long_name));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(notices_every_flipped_bit),
        cmocka_unit_test(notices_every_wrong_length),
        cmocka_unit_test(refuses_fields_out_of_range),
        cmocka_unit_test(refuses_names_that_are_not_plain),
        cmocka_unit_test(refuses_large_control_frames),
        cmocka_unit_test(queues_in_order),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_broken_queues),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
