/* Values of a study's text are changed, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/arena.h"
#include "study/edit/study_edit.h"

#define HEAD "study: p # a comment with 'k: 5'\n"

static arena *memory;

static int setup(void **state)
{
    (void)state;
    memory = arena_new();
    return memory == NULL;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(memory);
    return 0;
}

static void becomes(const char *text, const char *path, const char *value, const char *expected)
{
    study_edit edit;
    kith_error error = {0};
    if (study_edit_set(&edit, memory, text, path, value, &error) != KITH_OK)
        fail_msg("%s: %s", path, error.message);
    assert_string_equal(edit.text, expected);
}

static void refused(const char *text, const char *path, const char *message)
{
    study_edit edit;
    kith_error error = {0};
    assert_int_equal(study_edit_set(&edit, memory, text, path, "1", &error), KITH_INVALID);
    assert_string_equal(error.message, message);
}

static void replaces_a_value_in_place(void **state)
{
    (void)state;
    becomes(HEAD "algorithm:  flash  # fast\nk: 1\n", "algorithm", "weave",
            HEAD "algorithm:  weave  # fast\nk: 1\n");
    becomes("utility: {measure: lm, suppression: 0.05}\n", "utility.suppression", "0",
            "utility: {measure: lm, suppression: 0}\n");
    becomes("privacy:\n  - {model: a}\n  - model: b\n    k: \"5\" # x\n", "privacy.1.k", "7",
            "privacy:\n  - {model: a}\n  - model: b\n    k: 7 # x\n");
    becomes("columns: [{name: x, type: string}, {name: y, type: 'date'}]", "columns.y.type",
            "integer", "columns: [{name: x, type: string}, {name: y, type: integer}]");
}

static void counts_characters_not_bytes(void **state)
{
    (void)state;
    becomes("study: größe €\r\ncolumns:\r\n  - {name: straße, type: string} # ü\r\n",
            "columns.straße.type", "date",
            "study: größe €\r\ncolumns:\r\n  - {name: straße, type: date} # ü\r\n");
}

static void adds_keys_that_are_not_there(void **state)
{
    (void)state;
    becomes("# first\nstudy: p\n", "algorithm", "weave", "# first\nalgorithm: weave\nstudy: p\n");
    becomes("study: p\n", "utility.suppression", "0.1", "utility: {suppression: 0.1}\nstudy: p\n");
    becomes("utility:\n    measure: lm\n", "utility.suppression", "0.1",
            "utility:\n    suppression: 0.1\n    measure: lm\n");
    becomes("a:\n  - name: x\n    b: 1\n", "a.x.c", "2", "a:\n  - c: 2\n    name: x\n    b: 1\n");
    becomes("{study: p}", "k", "3", "{k: 3, study: p}");
    becomes("u: {}\n", "u.v.w", "3", "u: {v: {w: 3}}\n");
}

static void says_where_keys_were_added(void **state)
{
    (void)state;
    study_edit edit;
    kith_error error;
    assert_int_equal(study_edit_set(&edit, memory, "a: 1\nü: {b: {c: 2}}\n", "ü.d.e", "3", &error),
                     KITH_OK);
    assert_string_equal(edit.text, "a: 1\nü: {d: {e: 3}, b: {c: 2}}\n");
    assert_int_equal(edit.line, 2);
    assert_int_equal(edit.from, 5);
    assert_int_equal(edit.to, 12);
    assert_int_equal(study_edit_set(&edit, memory, "a: 1\n", "a", "3", &error), KITH_OK);
    assert_int_equal(edit.line, 0);
}

static void quotes_what_is_not_a_word_or_a_number(void **state)
{
    (void)state;
    becomes("a: 1\n", "a", "x: y # z", "a: \"x: y # z\"\n");
    becomes("a: 1\n", "a", "say \"\\\"", "a: \"say \\\"\\\\\\\"\"\n");
    becomes("a: 1\n", "a", "-0.5e-3", "a: -0.5e-3\n");
    becomes("a: 1\n", "a", "-x, {b", "a: \"-x, {b\"\n");
    becomes("a: 1\n", "a", "*", "a: \"*\"\n");
}

static void refuses_what_is_not_one_value(void **state)
{
    (void)state;
    refused("a: {b: 1}\n", "a", "'a' is a mapping, not a single value");
    refused("a: [1]\n", "a", "'a' is a list, not a single value");
    refused("a: 1\n", "a.b", "'a.b': 'a' is a single value without keys");
    refused("a: [{name: x}]\n", "a.1.b", "'a.1.b': there is 1 item, numbered from 0");
    refused("a: [{name: age}]\n", "a.agr.b",
            "'a.agr.b': no item is called 'agr' (did you mean 'age'?)");
    refused("a: [{model: m}, {model: m}]\n", "a.m.b",
            "'a.m.b': several items are called 'm'; use the number");
    refused("a: 1\n", ".a", "'.a' is not a key");
    refused("a: 1\n", "a.", "'a.' is not a key");
    refused("a: |\n  1\nb: 2\n", "a", "'a' cannot be set there");
    refused("? a\n: 1\n", "b", "'b' cannot be set there");
}

static void finds_parameters_of_models(void **state)
{
    (void)state;
    const char *path, *two = "privacy: [{model: a, k: 2, l: 1}, {model: b, k: 3}]\n";
    kith_error error = {0};
    assert_int_equal(study_edit_path(&path, memory, two, "l", &error), KITH_OK);
    assert_string_equal(path, "privacy.0.l");
    assert_int_equal(study_edit_path(&path, memory, two, "t", &error), KITH_OK);
    assert_string_equal(path, "t");
    assert_int_equal(study_edit_path(&path, memory, two, "privacy.1.k", &error), KITH_OK);
    assert_string_equal(path, "privacy.1.k");
    assert_int_equal(study_edit_path(&path, memory, two, "k", &error), KITH_INVALID);
    assert_string_equal(error.message, "'k' is a key of 2 privacy models");
    assert_string_equal(error.hint, "name one of them: privacy.0.k (a), privacy.1.k (b)");
    /* A key of the study itself comes first. */
    assert_int_equal(study_edit_path(&path, memory, "alpha: 1\nprivacy: [{model: a, alpha: 2}]\n",
                                     "alpha", &error),
                     KITH_OK);
    assert_string_equal(path, "alpha");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_a_value_in_place),
        cmocka_unit_test(counts_characters_not_bytes),
        cmocka_unit_test(adds_keys_that_are_not_there),
        cmocka_unit_test(says_where_keys_were_added),
        cmocka_unit_test(quotes_what_is_not_a_word_or_a_number),
        cmocka_unit_test(refuses_what_is_not_one_value),
        cmocka_unit_test(finds_parameters_of_models),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
