/* Ids of texts. */
#include "unit/hierarchy/support.h"

#include "support/aborts.h"
#include "table/intern.h"

static void gives_ids_in_order_of_first_sight(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    arena *memory = arena_new();
    intern in;
    assert_int_equal(intern_init(&in, memory, NULL, NULL), KITH_OK);
    char text[16];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t id;
            int length = snprintf(text, sizeof text, "%u", i * 7);
            assert_int_equal(intern_find(&in, text, (size_t)length), pass == 0 ? INTERN_NONE : i);
            assert_int_equal(intern_add(&in, text, (size_t)length, &id, NULL), KITH_OK);
            assert_int_equal(id, i);
            assert_string_equal(intern_text(&in, id), text);
            assert_int_equal(intern_length(&in, id), length);
        }
    assert_int_equal(in.count, COUNT);
    CHECK(intern_check(&in));
    arena_free(memory);
}

static void tells_prefixes_and_empty_texts_apart(void **state)
{
    (void)state;
    arena *memory = arena_new();
    intern in;
    uint32_t empty, a, ab;
    assert_int_equal(intern_init(&in, memory, NULL, NULL), KITH_OK);
    assert_int_equal(intern_add(&in, "", 0, &empty, NULL), KITH_OK);
    assert_int_equal(intern_add(&in, "ab", 1, &a, NULL), KITH_OK);
    assert_int_equal(intern_add(&in, "ab", 2, &ab, NULL), KITH_OK);
    assert_int_equal(empty, 0);
    assert_int_equal(a, 1);
    assert_int_equal(ab, 2);
    assert_string_equal(intern_text(&in, a), "a");
    CHECK(intern_check(&in));
    arena_free(memory);
}

/* Nine bytes and more are found by their hash, up to eight by themselves: both around the limit. */
static void finds_texts_of_every_length(void **state)
{
    (void)state;
    enum { LONGEST = 300 };
    arena *memory = arena_new();
    intern in;
    char text[LONGEST];
    memset(text, 'x', sizeof text);
    assert_int_equal(intern_init(&in, memory, NULL, NULL), KITH_OK);
    for (uint32_t length = 0; length < LONGEST; length++) {
        uint32_t id;
        assert_int_equal(intern_add(&in, text, length, &id, NULL), KITH_OK);
        assert_int_equal(id, length);
    }
    for (uint32_t length = 0; length < LONGEST; length++) {
        assert_int_equal(intern_find(&in, text, length), length);
        assert_int_equal(intern_length(&in, length), length);
    }
    text[LONGEST - 2] = 'y';
    assert_int_equal(intern_find(&in, text, LONGEST - 1), INTERN_NONE);
    CHECK(intern_check(&in));
    arena_free(memory);
}

#if KITH_DEBUG
static void add_a_text_twice(void)
{
    intern in;
    intern_key key;
    (void)!intern_init(&in, arena_new(), NULL, NULL);
    intern_prepare(&in, "a", 1, &key);
    (void)!intern_add_key(&in, "a", 1, &key, NULL);
    (void)!intern_add_key(&in, "a", 1, &key, NULL);
}

static void overwrite_a_text(void)
{
    intern in;
    uint32_t id;
    (void)!intern_init(&in, arena_new(), NULL, NULL);
    (void)!intern_add(&in, "a", 1, &id, NULL);
    in.bytes[0] = 'b';
    intern_check(&in);
}

static void debug_builds_notice_broken_tables(void **state)
{
    (void)state;
    assert_true(aborts(add_a_text_twice));
    assert_true(aborts(overwrite_a_text));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_ids_in_order_of_first_sight),
        cmocka_unit_test(tells_prefixes_and_empty_texts_apart),
        cmocka_unit_test(finds_texts_of_every_length),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_broken_tables),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
