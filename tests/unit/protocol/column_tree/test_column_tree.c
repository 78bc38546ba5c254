/* The joint tree of columns: the same classes as in one place, what each party learns as the header
 * says, and no hang whoever leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol/column_tree/column_tree_naming.h"
#include "support/column_twin.h"
#include "wire/inproc.h"

static void equals_the_plain_form(column_job *j)
{
    const partition found = column_twin_equal(j);
    assert_true(problems_hold(j->whole, found.class_of, found.n_classes));
}

static const problem_shape tables[] = {
    {.n_records = 1500, .n_attributes = 6, .n_leaves = 16, .width = 4, .skew = 2, .k = 5},
    {.n_records = 900, .n_attributes = 5, .n_leaves = 24, .width = 0, .skew = 3, .k = 10},
    {.n_records = 900, .n_attributes = 9, .n_leaves = 9, .width = 3, .skew = 2, .k = 40},
    {.n_records = 1200,
     .n_attributes = 4,
     .n_leaves = 27,
     .width = 3,
     .skew = 2,
     .wildcards = .1,
     .k = 7},
    {.n_records = 800,
     .n_attributes = 5,
     .n_leaves = 16,
     .width = 2,
     .skew = 4,
     .measure = MEASURE_EM,
     .k = 6},
};

static void gives_the_classes_of_one_place(void **state)
{
    (void)state;
    uint32_t lent = 0, most = 0;
    for (unsigned s = 0; s < sizeof tables / sizeof *tables; s++)
        for (uint32_t m = 2; m <= 4; m++) {
            column_job j;
            column_job_open(&j, &tables[s], m, 10 * s + m);
            for (int name = NAMING_ALWAYS; name >= NAMING_NEVER; name--) {
                j.options.name = (naming)name;
                equals_the_plain_form(&j);
            }
            lent += j.result[0].report.facts[2].value > 0;
            most = j.result[0].n_classes > most ? j.result[0].n_classes : most;
            arena_free(j.memory);
        }
    assert_true(lent > 5 && most > 50);
}

static void takes_any_sites(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {
        {.n_records = 60, .n_attributes = 4, .n_leaves = 8, .width = 2, .k = 4},
        {.n_records = 60, .n_attributes = 4, .n_leaves = 8, .n_kinds = 1, .k = 4}, /* all alike */
        {.n_records = 5, .n_attributes = 4, .n_leaves = 8, .k = 5},                /* one class */
        {.n_records = 9, .n_attributes = 4, .n_leaves = 8, .k = 5},  /* too few to be split */
        {.n_records = 30, .n_attributes = 4, .n_leaves = 4, .k = 1}, /* nothing to hide */
        {.n_records = 60, .n_attributes = 1, .n_leaves = 8, .width = 2, .k = 4},
        {.n_records = 60, .n_attributes = 4, .n_leaves = 8, .k = 2, .n_sensitive = 3, .l = 2},
    };
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (uint32_t m = 2; m <= 5; m++) {
            column_job j;
            column_job_open(&j, &shapes[s], m, s);
            for (uint32_t a = 0; a < shapes[s].n_attributes; a++)
                j.holder[a] = m - 1; /* the others have none */
            equals_the_plain_form(&j);
            j.options.pools = j.whole->n_sensitive == 0;
            equals_the_plain_form(&j);
            arena_free(j.memory);
        }
}

/* Small rests leave for pools: the same classes whoever holds what. */
static void pools_give_the_classes_of_one_place(void **state)
{
    (void)state;
    double ejected = 0;
    for (unsigned s = 0; s < sizeof tables / sizeof *tables; s++)
        for (uint32_t m = 2; m <= 4; m++) {
            column_job j;
            column_job_open(&j, &tables[s], m, 10 * s + m);
            j.options.pools = true;
            j.options.name = NAMING_NEVER;
            equals_the_plain_form(&j);
            ejected += j.result[0].report.facts[3].value;
            arena_free(j.memory);
        }
    assert_true(ejected > 1000);
}

/* Without `name` three sites or more name records, while that costs less than 20 MB. */
static void names_where_it_is_cheap(void **state)
{
    (void)state;
    assert_false(column_tree_naming(NAMING_IF_CHEAP, 1000, 2));
    assert_true(column_tree_naming(NAMING_IF_CHEAP, 1000, 3));
    assert_true(column_tree_naming(NAMING_IF_CHEAP, 1600000, 4));
    assert_false(column_tree_naming(NAMING_IF_CHEAP, 1700000, 4));
    assert_true(column_tree_naming(NAMING_IF_CHEAP, 1700000, 3));
    assert_true(column_tree_naming(NAMING_ALWAYS, 100000000, 2));
    assert_false(column_tree_naming(NAMING_NEVER, 1000, 4));
}

/* Private coins: other records are lent, but all parties agree and the models hold. */
static void keeps_the_models_with_private_coins(void **state)
{
    (void)state;
    const problem_shape shape = {
        .n_records = 2000, .n_attributes = 5, .n_leaves = 27, .width = 3, .skew = 3, .k = 20};
    column_job j;
    column_job_open(&j, &shape, 3, 4);
    assert_int_equal(session_run(3, column_job_sit, &j), KITH_OK);
    uint32_t *seeded = arena_array(j.memory, shape.n_records, sizeof *seeded);
    memcpy(seeded, j.result[0].class_of, shape.n_records * sizeof *seeded);
    j.unseeded = true;
    assert_int_equal(session_run(3, column_job_sit, &j), KITH_OK);
    const partition found = column_job_join(&j);
    assert_true(problems_hold(j.whole, found.class_of, found.n_classes));
    assert_memory_not_equal(seeded, found.class_of, shape.n_records * sizeof *seeded);
    arena_free(j.memory);
}

/* All parties end with the same status, which is not a peer's. */
static void all_fail(column_job *j, kith_status status, const char *text)
{
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX] = {NULL};
    bool said = false; /* who comes late hears only that another one left */
    for (uint32_t i = 0; i < j->m; i++)
        users[i] = j;
    assert_int_equal(inproc_run(j->m, NULL, NULL, column_job_sit, users, errors), status);
    for (uint32_t i = 0; i < j->m; i++) {
        assert_int_equal(errors[i].status, status);
        said |= strstr(errors[i].message, text) != NULL;
    }
    assert_true(said);
    arena_free(j->memory);
}

static void fails_everywhere_alike(void **state)
{
    (void)state;
    column_job j;
    problem_shape shape = {.n_records = 10, .n_attributes = 4, .n_leaves = 4, .k = 11};
    column_job_open(&j, &shape, 3, 1);
    all_fail(&j, KITH_INFEASIBLE, "only 10 records");
    shape.n_records = 0;
    column_job_open(&j, &shape, 2, 1);
    all_fail(&j, KITH_INFEASIBLE, "no records");
    shape = (problem_shape){
        .n_records = 40, .n_attributes = 4, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 4};
    column_job_open(&j, &shape, 3, 1);
    all_fail(&j, KITH_INFEASIBLE, "cannot be met");
    shape.l = 0;
    column_job_open(&j, &shape, 2, 1);
    j.change = 1;
    all_fail(&j, KITH_PEER, "common records, site");
}

static void learns_what_its_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m <= 4; m++) {
        const problem_shape shape = {
            .n_records = 400, .n_attributes = 4, .n_leaves = 12, .width = 3, .skew = 3, .k = 5};
        column_job j;
        column_job_open(&j, &shape, m, 7);
        j.options.name = NAMING_ALWAYS;
        assert_int_equal(session_audit(m, column_job_sit, &j, &facts), KITH_OK);
        j.options.name = NAMING_NEVER;
        j.options.pools = true;
        assert_int_equal(session_audit(m, column_job_sit, &j, &facts), KITH_OK);
        j.options.pools = false;
        assert_int_equal(session_audit(m, column_job_sit, &j, &facts), KITH_OK);
        /* a circuit of at most 7 layers, and the parts; the first transfers */
        assert_true(facts.n_rounds <= 12 * j.result[0].report.facts[0].value + 6);
        arena_free(j.memory);
    }
    for (uint32_t m = 2; m <= 3; m++) {
        problem_shape shape = {.n_records = 400,
                               .n_attributes = 4,
                               .n_leaves = 12,
                               .width = 3,
                               .skew = 3,
                               .n_sensitive = 4,
                               .l = 2.5,
                               .k = 5};
        column_job j;
        column_job_open(&j, &shape, m, 7);
        assert_int_equal(session_audit(m, column_job_sit, &j, &facts), KITH_OK);
        arena_free(j.memory);
        shape.l = 5;
        column_job_open(&j, &shape, m, 7);
        assert_int_equal(session_audit(m, column_job_sit, &j, &facts), KITH_INFEASIBLE);
        arena_free(j.memory);
    }
    session_agrees(&facts, "../protocol/column_tree/column_tree.h");
}

/* Offers look uniform, whatever the data. */
static void hides_offers(void **state)
{
    (void)state;
    const problem_shape shape = {

        .n_records = 8000, .n_attributes = 4, .n_leaves = 27, .width = 3, .k = 3};
    static const char *const types[] = {"circuit.share", "gmw.and"};
    for (int t = 0; t < 2; t++) {
        session_view view = {.type = types[t]};
        column_job j;
        column_job_open(&j, &shape, 3, 7);
        for (uint32_t a = 0; a < 4; a++)
            j.holder[a] = a % 3;
        assert_int_equal(session_watch(3, column_job_sit, &j, &view), KITH_OK);
        assert_true(view.bytes > 1280); /* five in every bin */
        assert_true(session_uniform_p(view.bin, 0, 255) > 1e-9);
        arena_free(j.memory);
    }
}

static void survives_broken_frames(void **state)
{
    (void)state;
    static const frame_fault faults[] = {FAULT_TRUNCATE, FAULT_CORRUPT};
    static const struct {
        uint32_t m;
        problem_shape shape;
        bool pools;
    } runs[] = {
        {2, {.n_records = 10, .n_attributes = 2, .n_leaves = 2, .k = 4}, false},
        {3, {.n_records = 36, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 4}, false},
        {3,
         {.n_records = 24, .n_attributes = 2, .n_leaves = 4, .n_sensitive = 3, .l = 2, .k = 3},
         false},
        {3, {.n_records = 36, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 4}, true},
    };
    for (unsigned f = 0; f < 2; f++)
        for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
            column_job j;
            column_job_open(&j, &runs[i].shape, runs[i].m, 3);
            j.options.pools = runs[i].pools;
            const size_t count = session_faults(runs[i].m, column_job_sit, &j, faults[f], 10000);
            assert_true(count > 10 && count < 10000);
            arena_free(j.memory);
        }
}

/* A site that is stopped in any step stops the others. */
static void stops_with_any_site(void **state)
{
    (void)state;
    uint32_t n_left = 0;
    for (uint32_t turn = 0; turn < 30; turn++) {
        const problem_shape shape = {
            .n_records = 300, .n_attributes = 4, .n_leaves = 8, .width = 2, .k = 4};
        kith_error errors[PARTY_MAX] = {0};
        void *users[3] = {NULL};
        column_job j;
        column_job_open(&j, &shape, 3, 3);
        j.options.pools = turn % 2 == 1;
        j.leaver = turn % 3;
        j.leaves_at = 1 + turn / 3;
        for (uint32_t i = 0; i < 3; i++)
            users[i] = &j;
        const kith_status status = inproc_run(3, NULL, NULL, column_job_sit, users, errors);
        assert_int_equal(status, j.left ? KITH_CANCELLED : KITH_OK);
        for (uint32_t i = 0; i < 3 && j.left; i++)
            assert_int_equal(errors[i].status, i == j.leaver ? KITH_CANCELLED : KITH_PEER);
        n_left += j.left;
        arena_free(j.memory);
    }
    assert_true(n_left >= 12 && n_left < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_classes_of_one_place),
        cmocka_unit_test(pools_give_the_classes_of_one_place),
        cmocka_unit_test(takes_any_sites),
        cmocka_unit_test(names_where_it_is_cheap),
        cmocka_unit_test(keeps_the_models_with_private_coins),
        cmocka_unit_test(fails_everywhere_alike),
        cmocka_unit_test(learns_what_its_header_says),
        cmocka_unit_test(hides_offers),
        cmocka_unit_test(survives_broken_frames),
        cmocka_unit_test(stops_with_any_site),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
