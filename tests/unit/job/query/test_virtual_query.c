/* Queries among threads: answers like those of one table, refusals that name who is to blame, and
 * what is disclosed. */
#include "virtual_scene.h"

#include <math.h>

#include "job/query/virtual_labels.h"
#include "support/session.h"

static const char *const queries[] = {
    "SELECT count(*)",
    "SELECT count(*), sum(cost), avg(age) WHERE age < 7 AND sex = 'f'",
    "SELECT min(age), max(age), min(cost), max(cost) WHERE cost IS NOT NULL",
    "SELECT sex, count(*), sum(age) WHERE age BETWEEN 3 AND 12 OR cost = 5 GROUP BY sex",
    "SELECT cost, sex, count(*) GROUP BY cost, sex",
    "SELECT count(*) WHERE NOT age IN (1, 2, 3) AND cost IS NULL",
};
static const char rows_query[] = "SELECT age, cost WHERE age < 7 AND sex = 'f' ORDER BY age, cost";

/* The answer of one table with all rows. */
static void answer_plainly(query_answer *a, scene *s)
{
    static query q; /* the plan points to it */
    query_plan plan;
    kith_error error;
    const virtual_table *t = &s->tables[s->m];
    virtual_table *view;
    if (!s->querier_is_site) {
        assert_int_equal(virtual_labels_view(&view, t, s->study, s->memory, &error), KITH_OK);
        t = view;
    }
    assert_int_equal(query_parse(&q, s->query, s->memory, &error), KITH_OK);
    assert_int_equal(
        query_plan_make(&plan, &q, t->domains, t->n_columns, t->about.n_rows, s->memory, &error),
        KITH_OK);
    if (q.aggregate) {
        uint64_t *vector = scene_keep(s, query_plan_length(&plan), sizeof *vector);
        double *numbers = scene_keep(s, query_plan_length(&plan), sizeof *numbers);
        assert_int_equal(query_local_vector(&plan, vector, &t->rows, s->memory, &error), KITH_OK);
        query_plan_decode(&plan, numbers, vector);
        assert_int_equal(query_answer_make(a, &plan, numbers, s->memory, &error), KITH_OK);
        return;
    }
    query_match *matches;
    uint32_t n;
    assert_int_equal(query_local_matches(&plan, &matches, &n, &t->rows, s->memory, &error),
                     KITH_OK);
    query_found_row *found = scene_keep(s, n, sizeof *found);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *codes = scene_keep(s, q.n_items, sizeof *codes);
        for (uint32_t k = 0; k < q.n_items; k++)
            codes[k] = t->rows.codes[plan.measures[k].domain][matches[i].row];
        found[i] = (query_found_row){codes, matches[i].expected, matches[i].certain};
    }
    assert_int_equal(
        query_answer_rows(a, &plan, found, n, t->cells, t->rows.intervals, s->memory, &error),
        KITH_OK);
}

static uint32_t width; /* of the rows that are sorted */

static int compare_rows(const void *left, const void *right)
{
    const query_value *a = left, *b = right;
    for (uint32_t i = 0; i < width; i++) {
        if (a[i].kind != b[i].kind)
            return (int)a[i].kind - (int)b[i].kind;
        if (a[i].kind == QUERY_VALUE_NUMBER && a[i].number != b[i].number)
            return a[i].number < b[i].number ? -1 : 1;
    }
    return 0;
}

/* Rows that ORDER BY does not tell apart come in any order. */
static void sort_rows(const query_answer *a)
{
    width = a->n_columns;
    qsort(a->values, a->n_rows, width * sizeof *a->values, compare_rows);
}

/* Numbers only: the scene drops texts. They are the same to the last bit, but for the shares of
 * rows, which are rounded when they are sent. */
static void assert_same(const query_answer *one, const query_answer *other, double room)
{
    assert_int_equal(one->n_rows, other->n_rows);
    assert_int_equal(one->n_columns, other->n_columns);
    for (size_t i = 0; i < (size_t)one->n_rows * one->n_columns; i++) {
        assert_int_equal(one->values[i].kind, other->values[i].kind);
        if (one->values[i].kind == QUERY_VALUE_NUMBER)
            assert_true(fabs(one->values[i].number - other->values[i].number) <= room);
    }
}

static void check(uint32_t m, bool querier_is_site, const char *asked, uint64_t seed)
{
    query_answer plain;
    scene *s = scene_new(m, querier_is_site, seed);
    s->query = asked;
    assert_int_equal(session_run(scene_parties(s), scene_take_part, s), KITH_OK);
    answer_plainly(&plain, s);
    if (strcmp(asked, rows_query) == 0) {
        sort_rows(&s->answer);
        sort_rows(&plain);
    }
    assert_same(&s->answer, &plain, strcmp(asked, rows_query) == 0 ? 0x1p-30 : 0);
    assert_int_equal(s->left[0].rows, strcmp(asked, rows_query) == 0);
    scene_free(s);
}

static void answers_like_one_table(void **state)
{
    static const uint32_t sites[] = {2, 3, 5};
    (void)state;
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
        for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
            check(sites[i], false, queries[k], 10 * i + k);
            check(sites[i], true, queries[k], 100 + 10 * i + k);
        }
}

static void unites_rows(void **state)
{
    (void)state;
    check(2, true, rows_query, 1);
    check(2, false, rows_query, 2);
    check(3, false, rows_query, 3);
    check(5, true, rows_query, 4);
}

/* --- refusals --- */

static kith_status run(scene *s, payload_hook hook, kith_error *errors)
{
    void *users[SCENE_SITES + 1];
    const inproc_options options = {.payload = hook};
    for (uint32_t i = 0; i < scene_parties(s); i++)
        users[i] = s;
    return inproc_run(scene_parties(s), NULL, &options, scene_take_part, users, errors);
}

static bool somebody_says(const kith_error *errors, uint32_t m, const char *what)
{
    bool said = false;
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(errors[i].status, KITH_PEER);
        said = said || strstr(errors[i].message, what) != NULL;
    }
    return said;
}

static void names_a_site_with_another_release(void **state)
{
    kith_error errors[SCENE_SITES + 1] = {0};
    scene *s = scene_new(3, false, 7);
    (void)state;
    s->query = queries[0];
    s->tables[1].about.run = "bb";
    assert_int_equal(run(s, (payload_hook){0}, errors), KITH_PEER);
    assert_true(somebody_says(errors, 4, "site2 answers on another release than site1"));
    scene_free(s);
    s = scene_new(3, true, 7); /* the number of rows counts, too */
    s->query = queries[0];
    s->tables[1].about.n_rows++;
    assert_int_equal(run(s, (payload_hook){0}, errors), KITH_PEER);
    assert_true(somebody_says(errors, 3, "site2 answers on another release than site1"));
    scene_free(s);
}

static void names_a_querier_that_asks_too_much(void **state)
{
    kith_error errors[SCENE_SITES + 1] = {0};
    scene *s = scene_new(3, false, 8);
    (void)state;
    s->query = rows_query;
    for (uint32_t i = 0; i < 3; i++)
        s->rows_allowed[i] = false;
    assert_int_equal(run(s, (payload_hook){0}, errors), KITH_PEER);
    assert_true(somebody_says(errors, 4, "site4 asked something that is refused"));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(s->left[i].count, 0);
    scene_free(s);
}

typedef struct lie {
    const char *type;
    uint32_t from;
    size_t at; /* the byte that is changed, in messages that are long enough */
} lie;

static void tell_lie(void *user, uint32_t from, uint32_t to, const char *type,
                     payload_copy *payload)
{
    const lie *l = user;
    (void)to;
    if (from == l->from && strcmp(type, l->type) == 0 && payload->length > l->at)
        payload->bytes[l->at] ^= 1;
}

/* The sites read of a column that no release has. */
static void names_a_querier_of_unknown_columns(void **state)
{
    static const char asked[] = "SELECT sum(cost)";
    kith_error errors[SCENE_SITES + 1] = {0};
    lie l = {"query.text", 3, sizeof "SELECT sum(" - 1};
    scene *s = scene_new(3, false, 11);
    (void)state;
    s->query = asked;
    assert_int_equal(run(s, (payload_hook){tell_lie, &l}, errors), KITH_PEER);
    assert_true(somebody_says(errors, 4, "site4 asked something that is refused"));
    scene_free(s);
}

/* Whatever byte of the domains is another one, the querier blames the site that sent them. */
static void names_a_site_that_sends_wrong_domains(void **state)
{
    (void)state;
    for (size_t at = 9; at < 600; at += 13) {
        kith_error errors[SCENE_SITES + 1] = {0};
        lie l = {"query.domains", 0, at};
        scene *s = scene_new(3, false, 9);
        s->query = queries[1];
        kith_status status = run(s, (payload_hook){tell_lie, &l}, errors);
        if (status == KITH_OK) { /* the message is shorter */
            assert_true(at > 400);
        } else {
            assert_true(somebody_says(errors, 4, "site1 sent domains that are not"));
        }
        scene_free(s);
    }
}

static void rows_that_are_changed_are_refused(void **state)
{
    kith_error errors[SCENE_SITES + 1] = {0};
    lie l = {"query.key", 2, 3}; /* the querier's key arrives damaged: nothing can be opened */
    scene *s = scene_new(3, true, 10);
    (void)state;
    s->query = rows_query;
    assert_int_equal(run(s, (payload_hook){tell_lie, &l}, errors), KITH_PEER);
    assert_true(somebody_says(errors, 3, "one of the rows is invalid"));
    scene_free(s);
}

/* --- disclosures, faults --- */

static void ledger_is_header(void **state)
{
    session_facts facts = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        scene *s = scene_new(3, i == 1, 20);
        s->query = i == 2 ? rows_query : queries[1];
        assert_int_equal(session_audit(scene_parties(s), scene_take_part, s, &facts), KITH_OK);
        scene_free(s);
    }
    session_agrees(&facts, "../job/query/virtual_query.h");
}

/* A frame is cut at every step of a query: all name somebody. */
static void every_fault_is_noticed(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene *s = scene_new(2, false, 30);
        s->query = i == 1 ? rows_query : queries[3];
        assert_true(session_faults(3, scene_take_part, s, FAULT_TRUNCATE, 40) > 5);
        scene_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_like_one_table),
        cmocka_unit_test(unites_rows),
        cmocka_unit_test(names_a_site_with_another_release),
        cmocka_unit_test(names_a_querier_that_asks_too_much),
        cmocka_unit_test(names_a_querier_of_unknown_columns),
        cmocka_unit_test(names_a_site_that_sends_wrong_domains),
        cmocka_unit_test(rows_that_are_changed_are_refused),
        cmocka_unit_test(ledger_is_header),
        cmocka_unit_test(every_fault_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
