/* The profiles as networks are well-formed, whatever is drawn from them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "generate/generate.h"

static void parents_come_first(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const profile *p = generate_profiles[i];
        assert_in_range(p->n_nodes, 1, NETWORK_NODES);
        for (uint32_t n = 0; n < p->n_nodes; n++) {
            assert_in_range(p->nodes[n].n_parents, 0, NETWORK_PARENTS);
            for (uint32_t j = 0; j < p->nodes[n].n_parents; j++)
                assert_true(p->nodes[n].parents[j] < n);
        }
        for (uint32_t c = 0; c < p->n_columns; c++)
            assert_true(p->columns[c] < p->n_nodes);
    }
}

static void texts_fit_and_need_no_quotes(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++)
        for (uint32_t n = 0; n < generate_profiles[i]->n_nodes; n++) {
            const node *v = &generate_profiles[i]->nodes[n];
            for (uint32_t code = 0; v->kind == NODE_VALUES && code < v->count; code++) {
                char text[NETWORK_TEXT + 1] = "";
                if (v->format != NULL)
                    v->format(code, text);
                const char *shown = v->format != NULL ? text : v->values[code].text;
                assert_in_range(strlen(shown), 1, NETWORK_TEXT);
                assert_null(strpbrk(shown, ",;\"\n\r\t"));
            }
        }
}

static void values_are_distinct(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++)
        for (uint32_t n = 0; n < generate_profiles[i]->n_nodes; n++) {
            const node *v = &generate_profiles[i]->nodes[n];
            char(*seen)[NETWORK_TEXT + 1] = calloc(v->count, sizeof *seen);
            for (uint32_t code = 0; v->kind == NODE_VALUES && code < v->count; code++) {
                if (v->format != NULL)
                    v->format(code, seen[code]);
                else
                    strcpy(seen[code], v->values[code].text);
                for (uint32_t j = 0; j < code; j++)
                    if (strcmp(seen[code], seen[j]) == 0)
                        fail_msg("%s: '%s' twice", v->name, seen[code]);
            }
            free(seen);
        }
}

/* All rows of a hierarchy file have the same width, and a group lies in one wider group only. */
static void groups_make_trees(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++)
        for (uint32_t h = 0; h < generate_profiles[i]->n_hierarchies; h++) {
            const node *v = &generate_profiles[i]->nodes[generate_profiles[i]->hierarchies[h].node];
            for (uint32_t a = 0; a < v->count; a++)
                for (uint32_t b = 0; b < a; b++)
                    for (int level = 0; level < NETWORK_LEVELS; level++) {
                        const char *x = v->values[a].up[level], *y = v->values[b].up[level];
                        assert_true((x == NULL) == (y == NULL));
                        if (x == NULL || level + 1 == NETWORK_LEVELS || strcmp(x, y) != 0)
                            continue;
                        const char *above = v->values[a].up[level + 1];
                        const char *beside = v->values[b].up[level + 1];
                        assert_true(above == NULL || strcmp(above, beside) == 0);
                    }
        }
}

/* Rows never take more than the buffer has, and the same draws give the same row. */
static void rows_fit(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const profile *p = generate_profiles[i];
        arena *memory = arena_new();
        network *net = NULL;
        kith_error error;
        assert_int_equal(network_new(&net, memory, p, &error), KITH_OK);
        size_t room = network_row_bytes(p);
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
        arena_free(memory);
    }
}

static uint32_t no_weight(uint32_t code, const uint32_t *parents)
{
    (void)code;
    (void)parents;
    return 0;
}

static void impossible_weights_are_a_bug(void **state)
{
    (void)state;
    static const value values[] = {{"x", 1, {0}}};
    const node nodes[] = {{.name = "n", .count = 1, .values = values, .weight = no_weight}};
    const uint8_t columns[] = {0};
    const profile broken = {
        .name = "broken", .nodes = nodes, .n_nodes = 1, .columns = columns, .n_columns = 1};
    arena *memory = arena_new();
    network *net = NULL;
    kith_error error;
    assert_int_equal(network_new(&net, memory, &broken, &error), KITH_BUG);
    assert_string_equal(error.message, "profile broken: weights of n");
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_come_first),
        cmocka_unit_test(texts_fit_and_need_no_quotes),
        cmocka_unit_test(values_are_distinct),
        cmocka_unit_test(groups_make_trees),
        cmocka_unit_test(rows_fit),
        cmocka_unit_test(impossible_weights_are_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
