/* The three answers against brute force: every record in all its completions. */
#include "query/query_local.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "query/query_answer.h"

enum { COLUMNS = 3, ROWS = 7, MAX_CODES = ROWS };

/* Domains small enough to go through all completions; the last column has missing values. */
static const char *const a_texts[] = {"1", "2", "3", "4", "5"};
static const double a_numbers[] = {1, 2, 3, 4, 5};
static const char *const b_texts[] = {"red", "blue", "green", "grey"};
static const char *const c_texts[] = {"-2", "7", "0", "3"};
static const double c_numbers[] = {-2, 7, 0, 3}; /* not in their order */

static const query_domain domains[COLUMNS] = {
    {"a", KITH_TYPE_INTEGER, NULL, 5, a_texts, a_numbers, NULL, 0},
    {"b", KITH_TYPE_STRING, NULL, 4, b_texts, NULL, NULL, 0},
    {"c", KITH_TYPE_INTEGER, NULL, 4, c_texts, c_numbers, NULL, 0},
};

typedef struct table {
    uint32_t codes[COLUMNS][ROWS];
    query_interval intervals[COLUMNS][MAX_CODES];
    const uint32_t *code_list[COLUMNS];
    const query_interval *interval_list[COLUMNS];
    uint32_t n_codes[COLUMNS];
    query_rows rows;
} table;

static void table_draw(table *t, rng *r)
{
    for (uint32_t j = 0; j < COLUMNS; j++) {
        const uint32_t n_positions = domains[j].n_values + (j == 2);
        t->n_codes[j] = 1 + rng_below(r, MAX_CODES);
        for (uint32_t i = 0; i < t->n_codes[j]; i++) {
            const uint32_t x = rng_below(r, n_positions), y = rng_below(r, n_positions);
            t->intervals[j][i] = (query_interval){x < y ? x : y, x < y ? y : x};
            if (rng_below(r, 3) == 0)
                t->intervals[j][i].last = t->intervals[j][i].first;
        }
        for (uint32_t i = 0; i < ROWS; i++)
            t->codes[j][i] = rng_below(r, t->n_codes[j]);
        t->code_list[j] = t->codes[j];
        t->interval_list[j] = t->intervals[j];
    }
    t->rows = (query_rows){ROWS, t->code_list, t->interval_list, t->n_codes};
}

/* --- the definition --- */

/* -1: unknown, 0: false, 1: true, for one completion. */
static int naive_atom(const query_atom *atom, const uint32_t *values)
{
    uint32_t j = 0;
    while (strcmp(domains[j].name, atom->column) != 0)
        j++;
    const query_domain *d = &domains[j];
    const bool missing = values[j] == d->n_values;
    if (atom->op == QUERY_IS_NULL)
        return missing;
    if (missing)
        return -1;
    int orders[8] = {0};
    for (uint32_t i = 0; i < atom->n_literals; i++) {
        double x = 0;
        if (d->numbers != NULL && sscanf(atom->literals[i].text, "%lf", &x) == 1)
            orders[i] = (d->numbers[values[j]] > x) - (d->numbers[values[j]] < x);
        else
            orders[i] = strcmp(d->texts[values[j]], atom->literals[i].text);
    }
    switch (atom->op) {
    case QUERY_EQUAL: return orders[0] == 0;
    case QUERY_UNEQUAL: return orders[0] != 0;
    case QUERY_LESS: return orders[0] < 0;
    case QUERY_LESS_EQUAL: return orders[0] <= 0;
    case QUERY_GREATER: return orders[0] > 0;
    case QUERY_GREATER_EQUAL: return orders[0] >= 0;
    case QUERY_BETWEEN: return orders[0] >= 0 && orders[1] <= 0;
    default:
        for (uint32_t i = 0; i < atom->n_literals; i++)
            if (orders[i] == 0)
                return 1;
        return 0;
    }
}

static int naive(const query *q, const query_condition *c, const uint32_t *values)
{
    if (c == NULL)
        return 1;
    if (c->connective == QUERY_ATOM)
        return naive_atom(&q->atoms[c->atom], values);
    const int left = naive(q, c->left, values);
    if (c->connective == QUERY_NOT)
        return left < 0 ? -1 : !left;
    const int right = naive(q, c->right, values);
    if (c->connective == QUERY_AND)
        return left == 0 || right == 0 ? 0 : left < 0 || right < 0 ? -1 : 1;
    return left == 1 || right == 1 ? 1 : left < 0 || right < 0 ? -1 : 0;
}

/* Numbers of one group and one aggregated column. */
typedef struct expectation {
    double count[3], sum[3], known[3];
    double min[2], max[2]; /* lowest and highest possible minimum; likewise the maximum */
} expectation;

/* `group` is a position of column `by` (UINT32_MAX: no groups); `of` the aggregated column. */
static expectation brute_force(const table *t, const query *q, uint32_t by, uint32_t group,
                               uint32_t of)
{
    expectation e = {.min = {HUGE_VAL, HUGE_VAL}, .max = {-HUGE_VAL, -HUGE_VAL}};
    for (uint32_t row = 0; row < ROWS; row++) {
        query_interval in[COLUMNS];
        uint32_t v[COLUMNS];
        double completions = 0, counted = 0, known = 0, sum = 0;
        double low = HUGE_VAL, high = -HUGE_VAL, lowest = HUGE_VAL, highest = -HUGE_VAL;
        for (uint32_t j = 0; j < COLUMNS; j++)
            in[j] = t->intervals[j][t->codes[j][row]];
        for (v[0] = in[0].first; v[0] <= in[0].last; v[0]++)
            for (v[1] = in[1].first; v[1] <= in[1].last; v[1]++)
                for (v[2] = in[2].first; v[2] <= in[2].last; v[2]++) {
                    const bool here =
                        naive(q, q->where, v) == 1 && (by == UINT32_MAX || v[by] == group);
                    const bool has = here && v[of] < domains[of].n_values;
                    const double x = has ? domains[of].numbers[v[of]] : 0;
                    completions++;
                    counted += here;
                    known += has;
                    sum += x;
                    lowest = x < lowest ? x : lowest; /* of what it adds to a sum */
                    highest = x > highest ? x : highest;
                    if (has) {
                        low = x < low ? x : low;
                        high = x > high ? x : high;
                    }
                }
        e.count[0] += counted == completions;
        e.count[1] += counted / completions;
        e.count[2] += counted > 0;
        e.known[0] += known == completions;
        e.known[1] += known / completions;
        e.known[2] += known > 0;
        e.sum[0] += lowest;
        e.sum[1] += sum / completions;
        e.sum[2] += highest;
        if (known > 0) {
            e.min[0] = low < e.min[0] ? low : e.min[0];
            e.max[1] = high > e.max[1] ? high : e.max[1];
        }
        if (known == completions) {
            e.min[1] = high < e.min[1] ? high : e.min[1];
            e.max[0] = low > e.max[0] ? low : e.max[0];
        }
    }
    return e;
}

/* --- random conditions --- */

static void draw_condition(char *out, size_t size, rng *r, int depth)
{
    static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
    char left[300], right[300];
    const uint32_t kind = rng_below(r, depth > 0 ? 9 : 6);
    const char *op = ops[rng_below(r, 6)];
    const int x = (int)rng_below(r, 9) - 2;
    if (kind >= 6) {
        draw_condition(left, sizeof left, r, depth - 1);
        draw_condition(right, sizeof right, r, depth - 1);
        if (kind == 8)
            snprintf(out, size, "not (%.140s)", left);
        else
            snprintf(out, size, "(%.140s) %s (%.140s)", left, kind == 6 ? "and" : "or", right);
    } else if (kind == 0)
        snprintf(out, size, "b %s '%s'", op, b_texts[rng_below(r, 4)]);
    else if (kind == 1)
        snprintf(out, size, "b%s in ('blue', 'black', '%s')", rng_below(r, 2) ? " not" : "",
                 b_texts[rng_below(r, 4)]);
    else if (kind == 2)
        snprintf(out, size, "c is%s null", rng_below(r, 2) ? " not" : "");
    else if (kind == 3)
        snprintf(out, size, "%s%s between %d and %d", rng_below(r, 2) ? "a" : "c",
                 rng_below(r, 2) ? " not" : "", x, x + (int)rng_below(r, 4));
    else
        snprintf(out, size, "%s %s %d", rng_below(r, 2) ? "a" : "c", op, x);
}

static void near(double found, double expected, const char *text)
{
    if (!(fabs(found - expected) < 1e-4))
        fail_msg("%s: %g, not %g", text, found, expected);
}

/* As it would be after the sites' integers have been added up. */
static void answer_through_integers(query_answer *answer, const query_plan *p, const table *t,
                                    arena *memory)
{
    kith_error error;
    const size_t n = query_plan_length(p);
    uint64_t *vector = arena_array(memory, n, sizeof *vector);
    double *numbers = arena_array(memory, n, sizeof *numbers);
    assert_int_equal(query_local_vector(p, vector, &t->rows, memory, &error), KITH_OK);
    query_plan_decode(p, numbers, vector);
    assert_int_equal(query_answer_make(answer, p, numbers, memory, &error), KITH_OK);
}

static void near_value(query_value v, double expected, const char *text)
{
    if (isinf(expected))
        assert_int_equal(v.kind, QUERY_VALUE_NULL);
    else {
        assert_int_equal(v.kind, QUERY_VALUE_NUMBER);
        near(v.number, expected, text);
    }
}

static void check_row(const query_value *v, const expectation *e, const char *text)
{
    for (int i = 0; i < 3; i++)
        near_value(v[i], e->count[i], text);
    for (int i = 0; i < 3; i++)
        near_value(v[3 + i], e->known[2] > 0 ? e->sum[i] : HUGE_VAL, text);
    near_value(v[6], e->min[0], text);
    near_value(v[8], e->min[1], text);
    near_value(v[9], e->max[0], text);
    near_value(v[11], e->max[1], text);
    if (e->known[2] > 0) {
        near_value(v[13], e->sum[1] / e->known[1], text);
        assert_true(v[12].number <= v[13].number + 1e-4 && v[13].number <= v[14].number + 1e-4);
    }
}

static void check_query(const table *t, const char *where, const char *of, uint32_t by)
{
    char text[900];
    query q;
    query_plan p;
    query_answer answer;
    kith_error error;
    arena *memory = arena_new();
    const char *name = by == UINT32_MAX ? NULL : domains[by].name;
    snprintf(text, sizeof text,
             "select count(*), sum(%s), min(%s), max(%s), avg(%s)%s%s where %s%s%s", of, of, of, of,
             name == NULL ? "" : ", ", name == NULL ? "" : name, where,
             name == NULL ? "" : " group by ", name == NULL ? "" : name);
    if (query_parse(&q, text, memory, &error) != KITH_OK ||
        query_plan_make(&p, &q, domains, COLUMNS, ROWS, memory, &error) != KITH_OK)
        fail_msg("%s: %s", text, error.message);
    answer_through_integers(&answer, &p, t, memory);
    const uint32_t column = of[0] == 'a' ? 0 : 2;
    uint32_t row = 0;
    for (uint32_t g = 0; g < (name == NULL ? 1 : domains[by].n_values + 1); g++) {
        const expectation e = brute_force(t, &q, by, g, column);
        if (name != NULL && e.count[2] == 0)
            continue; /* no record can be there */
        assert_true(row < answer.n_rows);
        const query_value *v = answer.values + (size_t)row++ * answer.n_columns;
        check_row(v, &e, text);
        if (name != NULL)
            assert_int_equal(v[15].kind == QUERY_VALUE_NULL, g == domains[by].n_values);
    }
    assert_int_equal(row, answer.n_rows);
    arena_free(memory);
}

static void random_queries(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 1, 0);
    for (int i = 0; i < 3000; i++) {
        table t;
        char where[400];
        table_draw(&t, &r);
        draw_condition(where, sizeof where, &r, 2);
        check_query(&t, where, rng_below(&r, 2) ? "a" : "c",
                    rng_below(&r, 2) ? UINT32_MAX : rng_below(&r, COLUMNS));
    }
}

/* Rows instead of numbers: the same truth, row by row. */
static void rows_that_match(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 2, 0);
    for (int i = 0; i < 500; i++) {
        table t;
        query q;
        query_plan p;
        query_match *matches;
        char where[400], text[500];
        uint32_t n;
        kith_error error;
        arena *memory = arena_new();
        table_draw(&t, &r);
        draw_condition(where, sizeof where, &r, 2);
        snprintf(text, sizeof text, "select a, b where %s", where);
        assert_int_equal(query_parse(&q, text, memory, &error), KITH_OK);
        assert_int_equal(query_plan_make(&p, &q, domains, COLUMNS, ROWS, memory, &error), KITH_OK);
        assert_int_equal(query_local_matches(&p, &matches, &n, &t.rows, memory, &error), KITH_OK);
        expectation e = brute_force(&t, &q, UINT32_MAX, 0, 0);
        double certain = 0, expected = 0;
        for (uint32_t k = 0; k < n; k++) {
            certain += matches[k].certain;
            expected += matches[k].expected;
        }
        near(certain, e.count[0], text);
        near(expected, e.count[1], text);
        near(n, e.count[2], text);
        arena_free(memory);
    }
}

/* The sum of the vectors of sites, row i being distributed to site site_of[i]. */
static void add_sites(uint64_t *sum, const query_plan *p, const table *t, const uint32_t *site_of,
                      arena *memory)
{
    kith_error error;
    const size_t n = query_plan_length(p);
    uint64_t *part = arena_array(memory, n, sizeof *part);
    memset(sum, 0, n * sizeof *sum);
    for (uint32_t site = 0; site < ROWS; site++) {
        uint32_t own[COLUMNS][ROWS], count = 0;
        const uint32_t *codes[COLUMNS];
        for (uint32_t row = 0; row < ROWS; row++) {
            for (uint32_t j = 0; j < COLUMNS && site_of[row] == site; j++)
                own[j][count] = t->codes[j][row];
            count += site_of[row] == site;
        }
        for (uint32_t j = 0; j < COLUMNS; j++)
            codes[j] = own[j];
        const query_rows mine = {count, codes, t->interval_list, t->n_codes};
        assert_int_equal(query_local_vector(p, part, &mine, memory, &error), KITH_OK);
        for (size_t k = 0; k < n; k++)
            sum[k] += part[k];
    }
}

/* The same rows, distributed to the sites in any way, give the same integers, to the last bit:
 * otherwise a querier could tell how they are distributed. */
static void distributions_make_no_difference(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "select count(*), sum(c), avg(a), min(a), max(c) where a > 2 or b = 'x'",
        "select b, count(*), sum(c), max(a), min(c) where a > 2 group by b",
        "select a, c, count(*), avg(c) where b <> 'x' group by a, c",
    };
    rng r;
    query q;
    query_plan p;
    kith_error error;
    rng_init(&r, 3, 0);
    for (size_t i = 0; i < 300; i++) {
        table t;
        uint32_t site_of[ROWS] = {0};
        arena *memory = arena_new();
        table_draw(&t, &r);
        assert_int_equal(query_parse(&q, texts[i % 3], memory, &error), KITH_OK);
        assert_int_equal(query_plan_make(&p, &q, domains, COLUMNS, ROWS, memory, &error), KITH_OK);
        const size_t n = query_plan_length(&p);
        uint64_t *one = arena_array(memory, n, sizeof *one),
                 *distributed = arena_array(memory, n, 8);
        add_sites(one, &p, &t, site_of, memory); /* all rows at one site */
        for (int distribution = 0; distribution < 5; distribution++) {
            for (uint32_t row = 0; row < ROWS; row++)
                site_of[row] = distribution == 0 ? row : rng_below(&r, 3);
            add_sites(distributed, &p, &t, site_of, memory);
            assert_memory_equal(one, distributed, n * sizeof *one);
        }
        arena_free(memory);
    }
}

/* A million records, each with a third of a value: nothing overflows, and the
 * answer is as exact as query_plan.h says. */
static void many_records(void **state)
{
    (void)state;
    static const char *const texts[] = {"0", "1", "1000"};
    static const double numbers[] = {0, 1, 1000};
    static const query_interval any = {0, 2};
    enum { N = 1000000 };
    const query_domain domain = {
        .name = "x", .type = KITH_TYPE_INTEGER, .n_values = 3, .texts = texts, .numbers = numbers};
    query q;
    query_plan p;
    query_answer a;
    kith_error error;
    arena *memory = arena_new();
    uint32_t *codes = arena_zalloc(memory, N, sizeof *codes), n_codes = 1;
    const uint32_t *code_list[] = {codes};
    const query_interval *interval_list[] = {&any};
    const query_rows rows = {N, code_list, interval_list, &n_codes};
    assert_int_equal(query_parse(&q, "select count(*), sum(x) where x = 1", memory, &error), 0);
    assert_int_equal(query_plan_make(&p, &q, &domain, 1, N, memory, &error), KITH_OK);
    uint64_t *vector = arena_array(memory, query_plan_length(&p), sizeof *vector);
    double *found = arena_array(memory, query_plan_length(&p), sizeof *found);
    assert_int_equal(query_local_vector(&p, vector, &rows, memory, &error), KITH_OK);
    query_plan_decode(&p, found, vector);
    assert_int_equal(query_answer_make(&a, &p, found, memory, &error), KITH_OK);
    assert_true(fabs(a.values[1].number - N / 3.0) < N * 0x1p-41);
    assert_true(fabs(a.values[4].number - N / 3.0) < 0x1p-9); /* n^2 x 2^-60 */
    assert_true(a.values[2].number == N && a.values[5].number == N);
    /* As many records as a release can have: the vector still fits. */
    const uint64_t most = (uint64_t)UINT32_MAX * 128;
    assert_int_equal(query_plan_make(&p, &q, &domain, 1, most, memory, &error), KITH_OK);
    assert_true(p.scale >= 1 && (double)most * p.scale < 0x1p62);
    assert_true(p.measures[1].scale >= 1 && (double)most * 1000 * p.measures[1].scale < 0x1p62);
    arena_free(memory);
}

static void refused(const char *text, const char *message)
{
    query q;
    query_plan p;
    kith_error error;
    arena *memory = arena_new();
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_OK);
    assert_int_equal(query_plan_make(&p, &q, domains, COLUMNS, ROWS, memory, &error), KITH_INVALID);
    assert_string_equal(error.message, message);
    arena_free(memory);
}

static void names_and_types_are_checked(void **state)
{
    (void)state;
    refused("select d", "query:1:8: no released column 'd'; did you mean a?");
    refused("select count(*) where disease = 'x'", "query:1:23: no released column 'disease'");
    refused("select count(*) where a = '5'",
            "query:1:27: column a has numbers: expected a number, found the text '5'");
    refused("select count(*) where b = 5", "query:1:27: column b has texts: write '5' in quotes");
    refused("select sum(b)", "query:1:8: sum needs a column of numbers; b has texts");
    refused("select min(b)", "query:1:8: min needs a column of numbers or dates; b has texts");
    refused("select a, count(*) group by a, e",
            "query:1:32: no released column 'e'; did you mean a?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_queries),
        cmocka_unit_test(rows_that_match),
        cmocka_unit_test(distributions_make_no_difference),
        cmocka_unit_test(many_records),
        cmocka_unit_test(names_and_types_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
