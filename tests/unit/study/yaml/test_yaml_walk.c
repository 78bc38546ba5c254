#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/findings.h"
#include "study/yaml/yaml_walk.h"

/* One text being walked. */
typedef struct fixture {
    arena *memory;
    kith_findings *findings;
    yaml_walk *walk;
    const yaml_node_t *root;
} fixture;

static fixture parse_bytes(const char *text, size_t length)
{
    fixture f = {.memory = arena_new(), .findings = kith_findings_new()};
    kith_error error;
    assert_int_equal(
        yaml_walk_parse(&f.walk, &f.root, f.memory, "f.yaml", text, length, f.findings, &error),
        KITH_OK);
    return f;
}

static fixture parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void done(fixture *f)
{
    kith_findings_free(f->findings);
    arena_free(f->memory);
}

/* The index-th finding is at this place and has this text. */
static void finding_is(const fixture *f, size_t index, size_t line, size_t column, const char *text)
{
    assert_true(index < kith_findings_n_listed(f->findings));
    kith_finding seen = *findings_item(f->findings, index);
    assert_string_equal(seen.text, text);
    assert_string_equal(seen.file, "f.yaml");
    assert_int_equal(seen.line, line);
    assert_int_equal(seen.column, column);
}

static void refused(const char *text, size_t line, size_t column, const char *message)
{
    fixture f = parse(text);
    assert_null(f.root);
    assert_int_equal(kith_findings_n_problems(f.findings), 1);
    finding_is(&f, 0, line, column, message);
    done(&f);
}

static void refuses_what_is_not_one_document(void **state)
{
    (void)state;
    refused("", 1, 1, "this is empty");
    refused("# nothing\n", 1, 1, "this is empty");
    refused("a: [1,\nb: 2", 3, 1,
            "not YAML: while parsing a flow sequence did not find expected ',' or ']'");
    refused("a: 1\n---\nb: 2\n", 3, 1, "a second document begins here; only one is allowed");
    refused("a: 1\nb: \xff\n", 2, 0, "not UTF-8");
}

static void refuses_what_no_study_needs(void **state)
{
    (void)state;
    refused("a: &x [1]\nb: *x\n", 1, 4, "anchors (&) are not supported");
    refused("a: *x\n", 1, 4, "aliases (*) are not supported: quote a text that begins with *");
    refused("a: !!int 3\n", 1, 4, "tags (!) are not supported");
    refused("%YAML 1.1\n---\na: 1\n", 1, 1, "directives (%) are not supported");
}

static void refuses_depth_and_length(void **state)
{
    (void)state;
    char *big = malloc(YAML_WALK_BYTES + 1);
    assert_non_null(big);
    memset(big, '[', YAML_WALK_BYTES + 1);
    fixture f = parse_bytes(big, YAML_WALK_BYTES + 1);
    assert_null(f.root);
    finding_is(&f, 0, 0, 0, "too large for a study (1 MiB): is it the data?");
    done(&f);
    f = parse_bytes(big, YAML_WALK_BYTES);
    assert_null(f.root);
    assert_int_equal(kith_findings_n_problems(f.findings), 1);
    finding_is(&f, 0, 1, YAML_WALK_DEPTH + 1, "this is nested too deep");
    done(&f);
    memset(big + YAML_WALK_DEPTH, ']', YAML_WALK_DEPTH); /* as deep as is allowed */
    f = parse_bytes(big, 2 * YAML_WALK_DEPTH);
    assert_non_null(f.root);
    assert_int_equal(kith_findings_n_listed(f.findings), 0);
    done(&f);
    free(big);
}

static const yaml_key keys[] = {{"name", true, NULL},
                                {"size", false, NULL},
                                {"later", false, "needs more"},
                                {NULL, false, NULL}};

static void map_finds_its_keys(void **state)
{
    (void)state;
    const yaml_node_t *values[3];
    fixture f = parse("size: 3\nname: x\n");
    yaml_walk_map(f.walk, f.root, "a thing", keys, values);
    assert_int_equal(kith_findings_n_listed(f.findings), 0);
    assert_int_equal(yaml_walk_line(values[0]), 2);
    assert_int_equal(yaml_walk_column(values[0]), 7);
    assert_non_null(values[1]);
    assert_null(values[2]);
    done(&f);
}

static void map_reports_every_wrong_key(void **state)
{
    (void)state;
    const yaml_node_t *values[3];
    fixture f = parse("siez: 3\nsize: 1\nsize: 2\nlater: 1\n? [1]\n: 2\n");
    yaml_walk_map(f.walk, f.root, "a thing", keys, values);
    assert_int_equal(kith_findings_n_problems(f.findings), 5);
    finding_is(&f, 0, 1, 1, "a thing has no key 'siez' (did you mean 'size'?)");
    finding_is(&f, 1, 3, 1, "key 'size' is given twice (first on line 2)");
    finding_is(&f, 2, 4, 1, "'later' needs more");
    finding_is(&f, 3, 5, 3, "a thing: expected a key, found a list");
    finding_is(&f, 4, 1, 1, "a thing lacks the key 'name'");
    assert_null(values[2]);
    done(&f);
    f = parse("[1]");
    yaml_walk_map(f.walk, f.root, "a thing", keys, values);
    assert_int_equal(kith_findings_n_problems(f.findings), 1);
    finding_is(&f, 0, 1, 1, "a thing: expected a mapping of keys to values, found a list");
    done(&f);
}

static const yaml_node_t *item(fixture *f, size_t index)
{
    return yaml_walk_item(f->walk, f->root, index);
}

static void reads_scalars(void **state)
{
    (void)state;
    fixture f = parse("[text, 2.5e1, 7, true, '', NULL, \"7\"]");
    const char *text;
    double number;
    uint32_t whole;
    bool flag;
    assert_int_equal(yaml_walk_count(f.walk, f.root, "list"), 7);
    assert_true(yaml_walk_text(f.walk, item(&f, 0), "t", &text));
    assert_string_equal(text, "text");
    assert_true(yaml_walk_number(f.walk, item(&f, 1), "n", &number));
    assert_true(number == 25);
    assert_true(yaml_walk_whole(f.walk, item(&f, 2), "w", 7, &whole));
    assert_int_equal(whole, 7);
    assert_true(yaml_walk_flag(f.walk, item(&f, 3), "f", &flag));
    assert_true(flag);
    assert_true(yaml_walk_raw(f.walk, item(&f, 4), "r", &text));
    assert_string_equal(text, "");
    assert_true(yaml_walk_raw(f.walk, item(&f, 5), "r", &text));
    assert_string_equal(text, "NULL");
    assert_true(yaml_walk_text(f.walk, item(&f, 6), "t", &text));
    assert_int_equal(kith_findings_n_listed(f.findings), 0);
    done(&f);
}

static void reports_wrong_scalars(void **state)
{
    (void)state;
    fixture f = parse("[[], {}, ~, '', \"7\", yes, 1.5, 3000000000, \"a\\0b\", .inf]");
    const char *text;
    double number;
    uint32_t whole;
    bool flag;
    assert_false(yaml_walk_text(f.walk, item(&f, 0), "t", &text));
    assert_false(yaml_walk_text(f.walk, item(&f, 1), "t", &text));
    assert_false(yaml_walk_text(f.walk, item(&f, 2), "t", &text));
    assert_false(yaml_walk_text(f.walk, item(&f, 3), "t", &text));
    assert_false(yaml_walk_number(f.walk, item(&f, 4), "n", &number));
    assert_false(yaml_walk_flag(f.walk, item(&f, 5), "f", &flag));
    assert_false(yaml_walk_whole(f.walk, item(&f, 6), "w", 2, &whole));
    assert_false(yaml_walk_whole(f.walk, item(&f, 7), "w", 2, &whole));
    assert_false(yaml_walk_raw(f.walk, item(&f, 8), "r", &text));
    assert_false(yaml_walk_number(f.walk, item(&f, 9), "n", &number));
    finding_is(&f, 0, 1, 2, "t: expected a text, found a list");
    finding_is(&f, 1, 1, 6, "t: expected a text, found a mapping");
    finding_is(&f, 2, 1, 10, "t: expected a text, found nothing");
    finding_is(&f, 3, 1, 13, "t: expected a text that is not empty, found the text ''");
    finding_is(&f, 4, 1, 17, "n: expected a number, found the text '7'");
    finding_is(&f, 5, 1, 22, "f: expected true or false, found 'yes'");
    finding_is(&f, 6, 1, 27, "w: expected a whole number of at least 2, found '1.5'");
    finding_is(&f, 7, 1, 32,
               "w: expected a whole number of at most 2147483647, found '3000000000'");
    finding_is(&f, 9, 1, 52, "n: expected a number, found '.inf'");
    assert_int_equal(kith_findings_n_listed(f.findings), 10);
    done(&f);
}

static void chooses_words(void **state)
{
    (void)state;
    static const char *const words[] = {"red", "green", "blue", NULL};
    fixture f = parse("[green, gren, [], 7]");
    size_t index = 9;
    assert_true(yaml_walk_choice(f.walk, item(&f, 0), "colour", words, &index));
    assert_int_equal(index, 1);
    for (size_t i = 1; i < 4; i++)
        assert_false(yaml_walk_choice(f.walk, item(&f, i), "colour", words, &index));
    finding_is(&f, 0, 1, 9,
               "colour: expected red, green or blue, found 'gren' (did you mean 'green'?)");
    finding_is(&f, 1, 1, 15, "colour: expected red, green or blue, found a list");
    finding_is(&f, 2, 1, 19, "colour: expected red, green or blue, found '7'");
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_not_one_document),
        cmocka_unit_test(refuses_what_no_study_needs),
        cmocka_unit_test(refuses_depth_and_length),
        cmocka_unit_test(map_finds_its_keys),
        cmocka_unit_test(map_reports_every_wrong_key),
        cmocka_unit_test(reads_scalars),
        cmocka_unit_test(reports_wrong_scalars),
        cmocka_unit_test(chooses_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
