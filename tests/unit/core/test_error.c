#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

static void every_status_has_a_name(void **state)
{
    (void)state;
    for (int s = KITH_OK; s <= KITH_BUG; s++) {
        assert_string_not_equal(kith_status_name((kith_status)s), "unknown status");
        for (int t = KITH_OK; t < s; t++)
            assert_string_not_equal(kith_status_name((kith_status)s),
                                    kith_status_name((kith_status)t));
    }
    assert_string_equal(kith_status_name((kith_status)99), "unknown status");
}

static void messages_and_hints(void **state)
{
    (void)state;
    kith_error e;
    assert_int_equal(error_set(&e, KITH_DATA, "%d of %s", 3, "x"), KITH_DATA);
    assert_int_equal(e.status, KITH_DATA);
    assert_string_equal(e.message, "3 of x");
    assert_string_equal(e.hint, "");
    assert_int_equal(error_hint(&e, KITH_DATA, "try %s", "y"), KITH_DATA);
    assert_string_equal(e.hint, "try y");
    error_set(&e, KITH_IO, "z");
    assert_string_equal(e.hint, ""); /* an old hint does not stay */
    assert_int_equal(error_set(NULL, KITH_IO, "z"), KITH_IO);
    assert_int_equal(error_at(NULL, KITH_IO, "f", 1, 1, "z"), KITH_IO);
    assert_int_equal(error_hint(NULL, KITH_IO, "z"), KITH_IO);
    assert_int_equal(error_nomem(NULL), KITH_NOMEM);
}

static void places(void **state)
{
    (void)state;
    kith_error e;
    error_at(&e, KITH_DATA, "a.csv", 17, 3, "'%s' is wrong", "x");
    assert_string_equal(e.message, "a.csv:17:3: 'x' is wrong");
    error_at(&e, KITH_DATA, "a.csv", 17, 0, "x");
    assert_string_equal(e.message, "a.csv:17: x");
    error_at(&e, KITH_DATA, "a.csv", 0, 3, "x");
    assert_string_equal(e.message, "a.csv: x");
}

static void long_paths_keep_their_end_and_line(void **state)
{
    (void)state;
    char path[4096];
    for (size_t i = 0; i + 2 < sizeof path; i += 2)
        memcpy(path + i, "\xc3\xa4", 3);
    strcpy(path + 4080, "end.csv");
    kith_error e;
    error_at(&e, KITH_DATA, path, 12, 34, "what");
    assert_non_null(strstr(e.message, "end.csv:12:34: what"));
    assert_int_equal(text_utf8_error(e.message, strlen(e.message)), strlen(e.message));
}

static void a_message_may_quote_itself(void **state)
{
    (void)state;
    kith_error e;
    error_set(&e, KITH_DATA, "inner");
    error_hint(&e, KITH_DATA, "hint");
    error_set(&e, KITH_DATA, "outer: %s (%s)", e.message, e.hint);
    assert_string_equal(e.message, "outer: inner (hint)");
    error_at(&e, KITH_DATA, "f", 1, 2, "%s", e.message);
    assert_string_equal(e.message, "f:1:2: outer: inner (hint)");
}

static void cut_at_a_character(void **state)
{
    (void)state;
    kith_error e;
    for (size_t shift = 0; shift < 4; shift++) {
        char text[3000] = "xxxx";
        for (size_t i = shift; i + 4 < sizeof text; i += 4)
            memcpy(text + i, "\xf0\x9f\x98\x80", 5);
        error_set(&e, KITH_DATA, "%s", text);
        size_t length = strlen(e.message);
        assert_in_range(length, sizeof e.message - 4, sizeof e.message - 1);
        assert_int_equal(text_utf8_error(e.message, length), length);
    }
    char garbage[3000];
    memset(garbage, 0x80, sizeof garbage - 1);
    garbage[sizeof garbage - 1] = '\0';
    error_set(&e, KITH_DATA, "%s", garbage); /* not UTF-8: cut anywhere */
    assert_in_range(strlen(e.message), sizeof e.message - 4, sizeof e.message - 1);
}

static void errno_values(void **state)
{
    (void)state;
    kith_error e;
    assert_int_equal(error_errno(&e, ENOENT, "read", "x.csv"), KITH_IO);
    assert_string_equal(e.message, "cannot read x.csv: No such file or directory");
    assert_int_equal(error_errno(&e, ENOMEM, "read", "x.csv"), KITH_NOMEM);
    error_errno(&e, 99999, "read", "x.csv");
    assert_string_equal(e.message, "cannot read x.csv: unknown error");
}

static kith_status leave_early(kith_status status, int *reached)
{
    TRY(status);
    ++*reached;
    return KITH_OK;
}

static kith_status need(const void *pointer, kith_error *e)
{
    TRY_ALLOC(pointer, e);
    return KITH_OK;
}

static void try_leaves_early(void **state)
{
    (void)state;
    int reached = 0;
    kith_error e;
    assert_int_equal(leave_early(KITH_PEER, &reached), KITH_PEER);
    assert_int_equal(reached, 0);
    assert_int_equal(leave_early(KITH_OK, &reached), KITH_OK);
    assert_int_equal(reached, 1);
    assert_int_equal(need(NULL, &e), KITH_NOMEM);
    assert_string_equal(e.message, "out of memory");
    assert_int_equal(need(&e, &e), KITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(messages_and_hints),
        cmocka_unit_test(places),
        cmocka_unit_test(long_paths_keep_their_end_and_line),
        cmocka_unit_test(a_message_may_quote_itself),
        cmocka_unit_test(cut_at_a_character),
        cmocka_unit_test(errno_values),
        cmocka_unit_test(try_leaves_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
