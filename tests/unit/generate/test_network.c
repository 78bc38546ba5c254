/* The profiles as networks are well-formed, whatever is drawn from them; others are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "generate/generate.h"

/* The networks of all profiles, in the order of generate_profiles. */
typedef struct networks {
    arena *memory;
    network *of[8];
} networks;

static int set_up(void **state)
{
    static networks all;
    all.memory = arena_new();
    kith_error error;
    for (size_t i = 0; generate_profiles[i] != NULL; i++)
        if (network_new(&all.of[i], all.memory, generate_profiles[i], &error) != KITH_OK) {
            print_error("%s\n", error.message);
            return 1;
        }
    *state = &all;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((networks *)*state)->memory);
    return 0;
}

static void columns_are_named_once(void **state)
{
    const networks *all = *state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const network *net = all->of[i];
        assert_in_range(network_n_columns(net), 1, NETWORK_NODES);
        for (uint32_t a = 0; a < network_n_columns(net); a++)
            for (uint32_t b = 0; b < a; b++)
                assert_string_not_equal(network_column(net, a), network_column(net, b));
    }
}

static void texts_fit_are_distinct_and_need_no_quotes(void **state)
{
    const networks *all = *state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++)
        for (const node *n = generate_profiles[i]->nodes; n->name != NULL; n++) {
            uint32_t count;
            const value *values = network_values(all->of[i], n->name, &count);
            for (uint32_t code = 0; code < count; code++) {
                assert_int_equal(values[code].code, code);
                assert_in_range(strlen(values[code].text), 1, NETWORK_TEXT);
                assert_null(strpbrk(values[code].text, ",;\"\n\r\t"));
                for (uint32_t j = 0; j < code; j++)
                    if (strcmp(values[code].text, values[j].text) == 0)
                        fail_msg("%s: '%s' twice", n->name, values[code].text);
            }
        }
}

static void check_tree(const value *values, uint32_t count)
{
    assert_in_range(count, 2, UINT32_MAX);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++)
            for (int level = 0; level < NETWORK_LEVELS; level++) {
                const char *x = values[a].up[level], *y = values[b].up[level];
                assert_true((x == NULL) == (y == NULL));
                if (x == NULL || level + 1 == NETWORK_LEVELS || strcmp(x, y) != 0)
                    continue;
                const char *above = values[a].up[level + 1];
                const char *beside = values[b].up[level + 1];
                assert_true(above == NULL || strcmp(above, beside) == 0);
            }
}

/* All rows of a hierarchy file have the same width, and a group lies in one wider group only. */
static void groups_make_trees(void **state)
{
    const networks *all = *state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        char *names = strdup(generate_profiles[i]->hierarchies), *next = names, *name;
        while ((name = strsep(&next, " ")) != NULL) {
            uint32_t count;
            const value *values = network_values(all->of[i], name, &count);
            check_tree(values, count);
        }
        free(names);
    }
}

/* Rows never take more than the buffer has, and the same draws give the same row. */
static void rows_fit(void **state)
{
    const networks *all = *state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const network *net = all->of[i];
        size_t room = network_row_bytes(net);
        char *a = malloc(room), *b = malloc(room); /* exact: a sanitizer sees one byte more */
        rng r, s;
        rng_init(&r, 9, i);
        rng_init(&s, 9, i);
        for (uint64_t row = 0; row < 3000; row++) {
            uint64_t number = row % 2 == 0 ? row : 999999999999 - row;
            char *end = network_row(net, &r, number, a);
            assert_true((size_t)(end - a) < room);
            assert_int_equal(end[-1], '\n');
            assert_ptr_equal(network_row(net, &s, number, b) - b, end - a);
            assert_memory_equal(a, b, (size_t)(end - a));
        }
        free(a);
        free(b);
    }
}

static uint32_t no_weight(const value *v, const value *const *parents)
{
    (void)v;
    (void)parents;
    return 0;
}

static void check_malformed(profile p, const char *message)
{
    arena *memory = arena_new();
    network *net = NULL;
    kith_error error;
    p.name = "broken";
    assert_int_equal(network_new(&net, memory, &p, &error), KITH_BUG);
    assert_string_equal(error.message, message);
    arena_free(memory);
}

static void malformed_profiles_are_a_bug(void **state)
{
    (void)state;
    check_malformed((profile){.nodes = {{"n", .values = "x=1", .weight = no_weight}}},
                    "profile broken: weights of n");
    check_malformed((profile){.nodes = {{"n", .values = "x=1, y=0", .given = "m"}, {.name = "m"}}},
                    "profile broken: variable 'm'");
    check_malformed((profile){.columns = "n name", .nodes = {{"n", .values = "x=1"}}},
                    "profile broken: variable 'name'");
    check_malformed((profile){.nodes = {{"n", .values = "x=1, y"}}}, "values of n: 'y'");
    check_malformed((profile){.nodes = {{"n", .values = "x=1 y"}}}, "values of n: 'x'");
    check_malformed((profile){.nodes = {{"n", .values = "9..3=1"}}}, "values of n: '9..3'");
    check_malformed((profile){.nodes = {{"n", .kind = NODE_SPREAD, .values = "9=1"}}},
                    "values of n: '9'");
}

/* As the header says: groups, ranges, numbers behind the weight, and a factor for each parent. */
static void values_are_read_as_the_header_says(void **state)
{
    (void)state;
    const profile p = {
        .name = "small",
        .columns = "b",
        .nodes = {
            {"a", .values = "no=1, yes=1"},
            {"b", .given = "a", .values = "odd/all: one=2 1 0, 5..6=1 0 3\nodd one out: <=7=1 1"}}};
    arena *memory = arena_new();
    network *net = NULL;
    kith_error error;
    assert_int_equal(network_new(&net, memory, &p, &error), KITH_OK);
    uint32_t count;
    const value *b = network_values(net, "b", &count);
    assert_int_equal(count, 4);
    assert_string_equal(b[0].text, "one");
    assert_string_equal(b[2].text, "6");
    assert_string_equal(b[2].up[0], "odd");
    assert_string_equal(b[2].up[1], "all");
    assert_int_equal(b[2].numbers[1], 3);
    assert_string_equal(b[3].text, "<=7");
    assert_null(b[3].up[1]);
    assert_null(network_values(net, "c", &count));
    size_t seen[2] = {0}; /* rows with a number below 7, of which a is yes; others */
    rng r;
    rng_init(&r, 3, 1);
    char *row = malloc(network_row_bytes(net));
    for (uint64_t i = 0; i < 1000; i++) {
        network_row(net, &r, i, row);
        seen[row[0] != '5' && row[0] != '6']++;
    }
    free(row);
    assert_in_range(seen[0], 440, 560);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_named_once),
        cmocka_unit_test(texts_fit_are_distinct_and_need_no_quotes),
        cmocka_unit_test(groups_make_trees),
        cmocka_unit_test(rows_fit),
        cmocka_unit_test(malformed_profiles_are_a_bug),
        cmocka_unit_test(values_are_read_as_the_header_says),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
