/* Ids of texts. */
#include "unit/hierarchy/support.h"

#include "table/interner.h"

static void gives_ids_in_order_of_first_sight(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    arena *memory = arena_new();
    interner *in;
    assert_int_equal(interner_new(&in, memory, memory, NULL), KITH_OK);
    char text[16];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t id;
            int length = snprintf(text, sizeof text, "%u", i * 7);
            assert_int_equal(interner_find(in, text, (size_t)length),
                             pass == 0 ? INTERNER_NONE : i);
            assert_int_equal(interner_add(in, text, (size_t)length, &id, NULL), KITH_OK);
            assert_int_equal(id, i);
            assert_string_equal(interner_text(in, id), text);
            assert_int_equal(interner_length(in, id), length);
        }
    assert_int_equal(interner_count(in), COUNT);
    arena_free(memory);
}

static void tells_prefixes_and_empty_texts_apart(void **state)
{
    (void)state;
    arena *memory = arena_new();
    interner *in;
    uint32_t empty, a, ab;
    assert_int_equal(interner_new(&in, memory, memory, NULL), KITH_OK);
    assert_int_equal(interner_add(in, "", 0, &empty, NULL), KITH_OK);
    assert_int_equal(interner_add(in, "ab", 1, &a, NULL), KITH_OK);
    assert_int_equal(interner_add(in, "ab", 2, &ab, NULL), KITH_OK);
    assert_int_equal(empty, 0);
    assert_int_equal(a, 1);
    assert_int_equal(ab, 2);
    assert_string_equal(interner_text(in, a), "a");
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_ids_in_order_of_first_sight),
        cmocka_unit_test(tells_prefixes_and_empty_texts_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
