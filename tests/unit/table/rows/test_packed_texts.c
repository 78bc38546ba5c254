/* Lists of cells for the wire: what is put comes back, and no broken list is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "table/rows/packed_texts.h"

/* Cell i of a list with so many different texts; every seventh is missing. */
static const char *text_of(char room[32], uint32_t i, uint32_t n_texts)
{
    snprintf(room, 32, i % n_texts == 0 ? "" : "wört %u", i % n_texts);
    return i % 7 == 3 ? NULL : room;
}

static void pack(arena *memory, uint32_t count, uint32_t n_texts, unsigned char **bytes,
                 size_t *length)
{
    packed_texts l;
    char room[32];
    assert_int_equal(packed_texts_begin(&l, memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = text_of(room, i, n_texts);
        assert_int_equal(packed_texts_put(&l, text, text == NULL ? 0 : strlen(text), NULL),
                         KITH_OK);
    }
    assert_int_equal(packed_texts_pack(&l, bytes, length, NULL), KITH_OK);
}

static bool take(arena *memory, packed_texts_cell *cells, uint32_t count,
                 const unsigned char *bytes, size_t length)
{
    bool well = true;
    assert_int_equal(packed_texts_take(cells, count, bytes, length, &well, memory, NULL), KITH_OK);
    return well;
}

static void cells_come_back(void **state)
{
    (void)state;
    static const uint32_t counts[][2] = {{0, 1},      {1, 1},      {300, 5},       {300, 300},
                                         {3000, 255}, {3000, 256}, {70000, 65535}, {80000, 66000}};
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint32_t count = counts[c][0], n_texts = counts[c][1];
        arena *memory = arena_new();
        packed_texts_cell *cells = arena_array(memory, count + 1, sizeof *cells);
        unsigned char *bytes;
        size_t length;
        pack(memory, count, n_texts, &bytes, &length);
        assert_true(take(memory, cells, count, bytes, length));
        for (uint32_t i = 0; i < count; i++) {
            char room[32];
            const char *text = text_of(room, i, n_texts);
            assert_true((text == NULL) == (cells[i].text == NULL));
            assert_int_equal(cells[i].length, text == NULL ? 0 : strlen(text));
            if (text != NULL)
                assert_memory_equal(cells[i].text, text, cells[i].length);
        }
        assert_false(take(memory, cells, count + 1, bytes, length));
        assert_false(count > 0 && take(memory, cells, count - 1, bytes, length));
        arena_free(memory);
    }
}

/* A text that occurs a thousand times is sent once. */
static void texts_are_sent_once(void **state)
{
    (void)state;
    arena *memory = arena_new();
    unsigned char *bytes;
    size_t length;
    pack(memory, 7000, 5, &bytes, &length);
    assert_true(length < 7000 + 100);
    arena_free(memory);
}

/* No list that was cut or changed reads beyond its end; cut ones are never taken. */
static void broken_lists_are_refused(void **state)
{
    (void)state;
    arena *memory = arena_new();
    packed_texts_cell cells[40];
    unsigned char *bytes;
    size_t length;
    uint32_t n_refused = 0;
    pack(memory, 40, 9, &bytes, &length);
    for (size_t cut = 0; cut < length; cut++) {
        unsigned char *part = arena_array(memory, cut + 1, 1);
        memcpy(part, bytes, cut);
        assert_false(take(memory, cells, 40, part, cut));
    }
    for (size_t at = 0; at < length; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1U << bit);
            n_refused += !take(memory, cells, 40, bytes, length);
            bytes[at] ^= (unsigned char)(1U << bit);
        }
    assert_true(n_refused > 200);
    assert_true(take(memory, cells, 40, bytes, length));
    arena_free(memory);
}

static void long_cells_are_refused(void **state)
{
    (void)state;
    arena *memory = arena_new();
    char *text = arena_array(memory, 70000, 1);
    packed_texts l;
    memset(text, 'x', 70000);
    assert_int_equal(packed_texts_begin(&l, memory, NULL), KITH_OK);
    assert_int_equal(packed_texts_put(&l, text, 65534, NULL), KITH_OK);
    assert_int_equal(packed_texts_put(&l, text, 65535, NULL), KITH_DATA);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_come_back),
        cmocka_unit_test(texts_are_sent_once),
        cmocka_unit_test(broken_lists_are_refused),
        cmocka_unit_test(long_cells_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
