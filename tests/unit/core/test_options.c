#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/options.h"

/* A struct as it was first published, as the library has it, and as a later header has it. */
typedef struct first {
    size_t size;
    const char *name;
    uint32_t count;
    char separator;
} first;

typedef struct present {
    size_t size;
    const char *name;
    uint32_t count;
    char separator;
    uint64_t limit;
} present;

typedef struct later {
    size_t size;
    const char *name;
    uint32_t count;
    char separator;
    uint64_t limit;
    const char *colour;
} later;

#define TAKE(mine, theirs, error) OPTIONS_TAKE(present, separator, mine, theirs, error)

static void nothing_means_zero(void **state)
{
    (void)state;
    present mine;
    memset(&mine, 0xff, sizeof mine);
    assert_int_equal(TAKE(&mine, NULL, NULL), KITH_OK);
    const present zero = KITH_INIT(present);
    assert_memory_equal(&mine, &zero, sizeof mine);
}

static void the_same_struct_is_copied(void **state)
{
    (void)state;
    present mine, theirs = KITH_OPTIONS(present, .name = "a", .count = 7, .limit = 9);
    assert_int_equal(TAKE(&mine, &theirs, NULL), KITH_OK);
    assert_string_equal(mine.name, "a");
    assert_int_equal(mine.count, 7);
    assert_int_equal(mine.limit, 9);
    assert_int_equal(mine.size, sizeof mine);
}

static void an_older_struct_has_zero_for_the_rest(void **state)
{
    (void)state;
    present mine;
    memset(&mine, 0xff, sizeof mine);
    struct {
        first given;
        uint64_t next; /* what the library must not read */
    } memory = {KITH_OPTIONS(first, .name = "a", .separator = ';'), UINT64_MAX};
    assert_int_equal(TAKE(&mine, &memory.given, NULL), KITH_OK);
    assert_string_equal(mine.name, "a");
    assert_int_equal(mine.separator, ';');
    assert_int_equal(mine.limit, 0);
    assert_int_equal(mine.size, sizeof mine); /* so that it can be handed on */
}

static void a_later_struct_may_leave_its_members_zero(void **state)
{
    (void)state;
    present mine;
    kith_error error;
    later theirs = KITH_OPTIONS(later, .name = "a", .limit = 3);
    assert_int_equal(TAKE(&mine, &theirs, &error), KITH_OK);
    assert_int_equal(mine.limit, 3);
    theirs.colour = "red";
    assert_int_equal(TAKE(&mine, &theirs, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "options that this library does not know"));
    assert_non_null(strstr(error.message, "present"));
}

/* Every byte beyond the present struct counts. */
static void every_byte_beyond_must_be_zero(void **state)
{
    (void)state;
    unsigned char memory[sizeof(present) + 24] = {0};
    present mine;
    size_t size = sizeof memory;
    memcpy(memory, &size, sizeof size);
    assert_int_equal(TAKE(&mine, memory, NULL), KITH_OK);
    for (size_t i = sizeof(present); i < sizeof memory; i++) {
        memory[i] = 1;
        assert_int_equal(TAKE(&mine, memory, NULL), KITH_INVALID);
        memory[i] = 0;
    }
}

static void a_struct_without_its_size_is_refused(void **state)
{
    (void)state;
    present mine, theirs = {.name = "a"};
    kith_error error;
    const size_t least = OPTIONS_FIRST_SIZE(present, separator);
    for (theirs.size = 0; theirs.size < least; theirs.size++)
        assert_int_equal(TAKE(&mine, &theirs, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "present.size"));
    assert_non_null(strstr(error.hint, "KITH_INIT(present)"));
    assert_int_equal(TAKE(&mine, &theirs, &error), KITH_OK); /* theirs.size == least */
}

static void a_struct_is_given_in_the_callers_size(void **state)
{
    (void)state;
    const present mine = KITH_OPTIONS(present, .name = "a", .count = 7, .limit = 9);
    const size_t least = OPTIONS_FIRST_SIZE(present, separator);
    struct {
        first given;
        uint64_t next; /* what the library must not write */
    } memory = {KITH_INIT(first), 42};
    assert_int_equal(options_give(&memory.given, least, &mine, sizeof mine, "present", NULL),
                     KITH_OK);
    assert_string_equal(memory.given.name, "a");
    assert_int_equal(memory.given.size, sizeof memory.given);
    assert_int_equal(memory.next, 42);

    later theirs = KITH_OPTIONS(later, .colour = "red");
    assert_int_equal(options_give(&theirs, least, &mine, sizeof mine, "present", NULL), KITH_OK);
    assert_int_equal(theirs.limit, 9);
    assert_null(theirs.colour);
    assert_int_equal(theirs.size, sizeof theirs);

    theirs.size = 0;
    assert_int_equal(options_give(&theirs, least, &mine, sizeof mine, "present", NULL),
                     KITH_INVALID);
}

static void a_needed_text_is_asked_for(void **state)
{
    (void)state;
    kith_error error;
    assert_int_equal(options_need("a", "input", &error), KITH_OK);
    assert_int_equal(options_need(NULL, "input", &error), KITH_INVALID);
    assert_string_equal(error.message, "options.input is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_means_zero),
        cmocka_unit_test(the_same_struct_is_copied),
        cmocka_unit_test(an_older_struct_has_zero_for_the_rest),
        cmocka_unit_test(a_later_struct_may_leave_its_members_zero),
        cmocka_unit_test(every_byte_beyond_must_be_zero),
        cmocka_unit_test(a_struct_without_its_size_is_refused),
        cmocka_unit_test(a_struct_is_given_in_the_callers_size),
        cmocka_unit_test(a_needed_text_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
