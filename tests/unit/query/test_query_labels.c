/* Labels as values of a domain: the same answers as from the values that they stand for. */
#include "query/query_local.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "query/query_answer.h"

enum { VALUES = 20, LABELS = 6, ROWS = 12 };

/* The same rows twice: of all integers of a range, and of labels. */
typedef struct both {
    char texts[VALUES + LABELS][16];
    const char *values[VALUES], *labels[LABELS];
    double numbers[VALUES], middles[LABELS];
    query_label meanings[LABELS];
    query_interval cells[LABELS], own[LABELS];
    query_domain of_values, of_labels;
    uint32_t codes[ROWS];
} both;

static void draw(both *b, rng *r)
{
    for (uint32_t v = 0; v < VALUES; v++) {
        snprintf(b->texts[v], sizeof b->texts[v], "%u", v);
        b->values[v] = b->texts[v];
        b->numbers[v] = v;
    }
    for (uint32_t i = 0; i < LABELS; i++) {
        const uint32_t low = (uint32_t)rng_below(r, VALUES);
        const uint32_t high = low + (uint32_t)rng_below(r, VALUES - low);
        snprintf(b->texts[VALUES + i], sizeof b->texts[0], "%u..%u", low, high);
        b->labels[i] = b->texts[VALUES + i];
        b->middles[i] = (low + high) / 2.0;
        b->meanings[i] = (query_label){.kind = QUERY_LABEL_RANGE, .low = low, .high = high};
        b->cells[i] = (query_interval){low, high};
        b->own[i] = (query_interval){i, i};
    }
    for (uint32_t row = 0; row < ROWS; row++)
        b->codes[row] = (uint32_t)rng_below(r, LABELS);
    b->of_values = (query_domain){.name = "a",
                                  .type = KITH_TYPE_INTEGER,
                                  .n_values = VALUES,
                                  .texts = b->values,
                                  .numbers = b->numbers};
    b->of_labels = (query_domain){.name = "a",
                                  .type = KITH_TYPE_INTEGER,
                                  .n_values = LABELS,
                                  .texts = b->labels,
                                  .numbers = b->middles,
                                  .labels = b->meanings,
                                  .step = 1};
}

static void answer(query_answer *a, const query_domain *d, const query_interval *cells,
                   const uint32_t *codes, uint32_t n_rows, const char *text, arena *memory)
{
    query *q = arena_alloc(memory, sizeof *q);
    query_plan *p = arena_alloc(memory, sizeof *p);
    kith_error error;
    const uint32_t n_codes = LABELS;
    const query_rows rows = {n_rows, &codes, &cells, &n_codes};
    if (query_parse(q, text, memory, &error) != KITH_OK ||
        query_plan_make(p, q, d, 1, n_rows, memory, &error) != KITH_OK)
        fail_msg("%s: %s", text, error.message);
    uint64_t *vector = arena_array(memory, query_plan_length(p), sizeof *vector);
    double *numbers = arena_array(memory, query_plan_length(p), sizeof *numbers);
    assert_int_equal(query_local_vector(p, vector, &rows, memory, &error), KITH_OK);
    query_plan_decode(p, numbers, vector);
    assert_int_equal(query_answer_make(a, p, numbers, memory, &error), KITH_OK);
}

/* The number that a label, or a value, begins with (or ends with, after the dots). */
static double end_of(query_value v, bool low)
{
    if (v.kind == QUERY_VALUE_NUMBER)
        return v.number;
    const char *dots = strstr(v.text, "..");
    return atof(low || dots == NULL ? v.text : dots + 2);
}

static void draw_where(char out[80], rng *r)
{
    const unsigned x = (unsigned)rng_below(r, 24), y = (unsigned)rng_below(r, 24);
    switch (rng_below(r, 6)) {
    case 0: snprintf(out, 80, "a < %u or a = %u", x, y); break;
    case 1: snprintf(out, 80, "a >= %u and a <> %u", x, y); break;
    case 2: snprintf(out, 80, "a between %u and %u", x, y); break;
    case 3: snprintf(out, 80, "a in (%u, %u)", x, y); break;
    case 4: snprintf(out, 80, "not (a > %u) and a < %u", x, y); break;
    default: snprintf(out, 80, "a = %u.5 or a <= %u", x, y);
    }
}

/* Counts, sums and means of ranges are those of their integers; bounds of min and max are in the
 * labels that are shown. */
static void ranges_count_like_their_integers(void **state)
{
    rng r;
    (void)state;
    rng_init(&r, 1, 0);
    for (int i = 0; i < 2000; i++) {
        both b;
        query_answer one, other;
        char where[80], text[200];
        arena *memory = arena_new();
        draw(&b, &r);
        draw_where(where, &r);
        snprintf(text, sizeof text, "select count(*), sum(a), avg(a), min(a), max(a) where %s",
                 where);
        answer(&one, &b.of_values, b.cells, b.codes, ROWS, text, memory);
        answer(&other, &b.of_labels, b.own, b.codes, ROWS, text, memory);
        for (uint32_t k = 0; k < 6; k++) {
            assert_int_equal(one.values[k].kind, other.values[k].kind);
            if (one.values[k].kind == QUERY_VALUE_NUMBER &&
                fabs(one.values[k].number - other.values[k].number) > 1e-6)
                fail_msg("%s, number %u: %g for %g", text, k, other.values[k].number,
                         one.values[k].number);
        }
        for (uint32_t k = 9; k < 15; k += k == 9 || k == 12 ? 2 : 1) {
            assert_int_equal(one.values[k].kind == QUERY_VALUE_NULL,
                             other.values[k].kind == QUERY_VALUE_NULL);
            if (one.values[k].kind != QUERY_VALUE_NULL) {
                const bool lower = k == 9 || k == 12;
                const double sharp = one.values[k].number, found = end_of(other.values[k], lower);
                assert_true(lower ? found <= sharp : found >= sharp);
            }
        }
        arena_free(memory);
    }
}

/* GROUP BY has a group for every label that is shown, and all of its records in it. */
static void groups_are_labels(void **state)
{
    rng r;
    (void)state;
    rng_init(&r, 2, 0);
    for (int i = 0; i < 100; i++) {
        both b;
        query_answer a;
        arena *memory = arena_new();
        draw(&b, &r);
        answer(&a, &b.of_labels, b.own, b.codes, ROWS, "select a, count(*) group by a", memory);
        double total = 0;
        for (uint32_t row = 0; row < a.n_rows; row++) {
            const query_value *v = a.values + (size_t)row * a.n_columns;
            assert_true(v[1].number == v[2].number && v[2].number == v[3].number);
            total += v[1].number;
        }
        assert_true(total == ROWS);
        arena_free(memory);
    }
}

/* --- texts --- */

static double counted(const query_label *l, const char *where, int which)
{
    static const char *const texts[LABELS] = {"x", "y", "z"};
    const query_label labels[3] = {*l, *l, *l};
    const query_interval cells[LABELS] = {{0, 0}};
    const uint32_t codes[1] = {0};
    const query_domain d = {
        .name = "a", .type = KITH_TYPE_STRING, .n_values = 3, .texts = texts, .labels = labels};
    char text[200];
    query_answer a;
    arena *memory = arena_new();
    snprintf(text, sizeof text, "select count(*) where %s", where);
    answer(&a, &d, cells, codes, 1, text, memory);
    const double found = a.values[which].number;
    arena_free(memory);
    return found;
}

static void counts(const query_label *l, const char *where, double certain, double expected,
                   double possible)
{
    const double all[3] = {certain, expected, possible};
    for (int i = 0; i < 3; i++)
        if (fabs(counted(l, where, i) - all[i]) > 1e-6)
            fail_msg("%s: number %d is %g, not %g", where, i, counted(l, where, i), all[i]);
}

static void masks_hide_characters(void **state)
{
    (void)state;
    const query_label right = {.kind = QUERY_LABEL_MASK, .from = "201", .least = 3, .most = 5};
    const query_label left = {
        .kind = QUERY_LABEL_MASK, .from = "77", .least = 2, .most = 5, .at_end = true};
    counts(&right, "a = '20177'", 0, 0.01, 1);
    counts(&right, "a = '20178'", 0, 0.01, 1);
    counts(&right, "a in ('20177', '20178', '30000')", 0, 0.02, 1);
    counts(&right, "a = '201'", 0, 0.01, 1); /* a mask fills shorter values up */
    counts(&right, "a = '201777'", 0, 0, 0);
    counts(&right, "a = '30177'", 0, 0, 0);
    counts(&right, "a <> '30177'", 1, 1, 1);
    counts(&right, "a < '202'", 1, 1, 1);
    counts(&right, "a > '202'", 0, 0, 0);
    counts(&right, "a >= '201'", 1, 1, 1);
    counts(&right, "a is null", 0, 0, 0);
    counts(&right, "a < '20130'", 0, 0.3, 1);
    counts(&right, "a between '20130' and '20139'", 0, 0.1, 1);
    counts(&right, "a <= '20130' or a > '2018'", 0, 0.5, 1);
    counts(&right, "a < '201'", 0, 0, 0);
    counts(&left, "a = '20177'", 0, 0.001, 1);
    counts(&left, "a = '20178'", 0, 0, 0);
}

static void nothing_is_known_of_the_root(void **state)
{
    (void)state;
    const query_label any = {.kind = QUERY_LABEL_ANY, .missing = true};
    counts(&any, "a = 'rome'", 0, 1 / 3.0, 1); /* as many values as labels */
    counts(&any, "a is null", 0, 0, 1);
    counts(&any, "a is not null", 0, 1, 1);
}

/* Only * is shown: a condition may be true, and nothing can be added up. */
static void nothing_is_known_of_numbers(void **state)
{
    static const char *const texts[LABELS] = {"*"};
    static const double middle[LABELS] = {0};
    const query_label any = {.kind = QUERY_LABEL_ANY, .unknown = true};
    const query_interval cells[LABELS] = {{0, 0}};
    const uint32_t codes[2] = {0, 0};
    const query_domain d = {.name = "a",
                            .type = KITH_TYPE_INTEGER,
                            .n_values = 1,
                            .texts = texts,
                            .numbers = middle,
                            .labels = &any,
                            .step = 1};
    query_answer a;
    arena *memory = arena_new();
    (void)state;
    answer(&a, &d, cells, codes, 2, "select count(*), sum(a), min(a) where a > 5", memory);
    assert_true(a.values[0].number == 0 && a.values[1].number == 1 && a.values[2].number == 2);
    for (int i = 3; i < 9; i++)
        assert_int_equal(a.values[i].kind, QUERY_VALUE_NULL);
    arena_free(memory);
}

static void lists_are_their_values(void **state)
{
    (void)state;
    static const char *const values[] = {"bonn", "rome", "oslo", "wien"};
    const query_label list = {.kind = QUERY_LABEL_LIST, .count = 4, .texts = values};
    const query_label range = {.kind = QUERY_LABEL_RANGE, .from = "bonn", .to = "oslo"};
    counts(&list, "a in ('rome', 'bonn')", 0, 0.5, 1);
    counts(&list, "a = 'paris'", 0, 0, 0);
    counts(&list, "a < 'x'", 1, 1, 1);
    counts(&range, "a = 'lima'", 0, 1 / 3.0, 1);
    counts(&range, "a = 'rome'", 0, 0, 0);
    counts(&range, "a < 'p'", 1, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_count_like_their_integers),
        cmocka_unit_test(groups_are_labels),
        cmocka_unit_test(masks_hide_characters),
        cmocka_unit_test(nothing_is_known_of_the_root),
        cmocka_unit_test(nothing_is_known_of_numbers),
        cmocka_unit_test(lists_are_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
