/* Horizontal clustering among threads against the same algorithm on all records in one place;
 * tables that are hard to distribute; parties that go. What models add is in
 * test_rows_clustering_models.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/error.h"
#include "protocol/private_choices.h"
#include "protocol/rows/rows_clustering.h"
#include "support/distributed.h"
#include "support/session.h"

static const problem_shape plain = {.n_records = 500,
                                    .n_attributes = 4,
                                    .n_leaves = 24,
                                    .width = 3,
                                    .n_kinds = 300,
                                    .wildcards = 0.02,
                                    .skew = 2,
                                    .measure = MEASURE_LM,
                                    .k = 8};

static uint64_t put_off, later_passes;

/* One joint run and one central run with the same seed; both must agree. */
static void compare(const problem_shape *shape, uint32_t m, const search_spec *spec,
                    const protocol_options *options, const double *share, uint64_t seed)
{
    distributed j;
    distributed_init(&j, shape, m, seed, share);
    assert_int_equal(distributed_run(&j, rows_clustering, spec, options), KITH_OK);
    search_result central = distributed_equals_central(&j, spec);
    put_off += central.put_off;
    later_passes += central.n_passes - 1;
    distributed_wipe(&j);
}

static void the_same_as_in_one_place(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8}, block[] = {1, 7, 64, 256};
    put_off = later_passes = 0;
    for (uint32_t i = 0; i < 16; i++) {
        problem_shape shape = plain;
        uint32_t m = parties[i / 4];
        shape.n_records = i % 4 == 0 ? 160 : 400; /* block 1 takes a call per question */
        shape.measure = i % 3 == 0 ? MEASURE_EM : i % 3 == 1 ? MEASURE_LM : MEASURE_TREE;
        for (int f = 0; f < 2; f++) {
            search_spec spec = {.block = block[i % 4], .finish = f ? FINISH_HYBRID : FINISH_MERGE};
            compare(&shape, m, &spec, NULL, NULL, i);
        }
    }
    assert_true(put_off > 50 && later_passes > 40);
}

/* Of the joint release. */
static double loss_of(const distributed *j)
{
    const rows_result *r = &j->result[0];
    double sum = 0;
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t a = 0; a < j->all->n_attributes; a++)
            sum += r->size[c] *
                   j->all->attributes[a].cost[r->closure[(size_t)c * j->all->n_attributes + a]];
    return sum;
}

/* Every start goes on with the sites' choices; the best is kept, and often it is a later one. */
static void the_same_with_restarts(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5};
    uint32_t better = 0, worse = 0;
    for (uint32_t i = 0; i < 12; i++) {
        const protocol_options options = {.withhold = i % 4 == 0 ? 3 : 1, .hide_sizes = i % 4 == 1};
        double losses[2];
        for (uint32_t many = 0; many < 2; many++) {
            const search_spec spec = {.finish = i % 2 ? FINISH_HYBRID : FINISH_MERGE,
                                      .n_restarts = many ? 4 : 1};
            distributed j;
            distributed_init(&j, &plain, parties[i % 3], i, NULL);
            assert_int_equal(distributed_run(&j, rows_clustering, &spec, &options), KITH_OK);
            distributed_equals_central(&j, &spec);
            losses[many] = loss_of(&j);
            distributed_wipe(&j);
        }
        better += losses[1] < losses[0];
        worse += losses[1] > losses[0] + 0.01; /* searches round costs */
    }
    assert_true(better > 6 && worse == 0);
}

static void the_same_with_many_records(void **state)
{
    (void)state;
    problem_shape shape = plain;
    shape.n_records = 2500;
    shape.n_kinds = 2500;
    shape.k = 25;
    search_spec usual = {0};
    compare(&shape, 5, &usual, NULL, NULL, 77);
}

/* Sites that hide their numbers of records visit some of them, or some twice. */
static void the_same_with_hidden_sizes(void **state)
{
    (void)state;
    protocol_options hide = {.partition = PARTITION_HORIZONTAL, .hide_sizes = true};
    for (uint32_t i = 0; i < 4; i++) {
        search_spec spec = {.block = i % 2 ? 7 : 64};
        compare(&plain, 2 + i, &spec, &hide, NULL, i);
    }
}

/* Closures of small clusters are not told; those clusters dissolve. */
static void the_same_with_withheld_closures(void **state)
{
    (void)state;
    static const uint32_t withhold[] = {1, 2, 3, 8};
    for (uint32_t i = 0; i < 16; i++) {
        protocol_options options = {
            .partition = PARTITION_HORIZONTAL, .hide_sizes = i == 7, .withhold = withhold[i % 4]};
        search_spec spec = {.block = i % 3 == 0   ? 7
                                     : i % 3 == 1 ? 256
                                                  : 1,
                            .finish = i % 2 ? FINISH_MERGE : FINISH_HYBRID};
        problem_shape shape = plain;
        shape.n_records = i / 4 == 3 ? 2 * shape.k : 300; /* few records: few clusters are known */
        shape.n_sensitive = i % 8 == 1 || i % 8 == 2 ? 4 : 0;
        shape.l = shape.n_sensitive > 0 ? 2 : 0;
        compare(&shape, 2 + i / 4, &spec, &options, NULL, i);
    }
}

/* A flat tree and one with a level that is too wide to ask about. */
static void the_same_with_wide_levels(void **state)
{
    (void)state;
    problem_shape flat = {.n_records = 300, .n_attributes = 3, .n_leaves = 6, .k = 5, .skew = 2};
    problem_shape wide = {
        .n_records = 300, .n_attributes = 2, .n_leaves = 1600, .width = 40, .k = 3, .n_kinds = 40};
    for (uint32_t m = 2; m < 4; m++) {
        search_spec usual = {0};
        compare(&flat, m, &usual, NULL, NULL, m);
        compare(&wide, m, &usual, NULL, NULL, m);
    }
}

static void skewed_sites(void **state)
{
    (void)state;
    static const double share[][4] = {{0.99, 0.005, 0.005, 0}, /* 99% at one, one with none */
                                      {0, 0, 1, 0},            /* all at one */
                                      {0.002, 0.5, 0.498, 0}}; /* about one record at one */
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t b = 0; b < 2; b++) {
            search_spec spec = {.block = b == 0 ? 7 : 256};
            compare(&plain, 4, &spec, NULL, share[i], i);
        }
}

static void identical_records(void **state)
{
    (void)state;
    problem_shape shape = plain;
    shape.n_kinds = 1;
    for (uint32_t m = 2; m < 4; m++) {
        search_spec usual = {0};
        compare(&shape, m, &usual, NULL, NULL, 5);
    }
}

/* All parties fail with the same status and this in the message. */
static void all_fail(distributed *j, const search_spec *spec, kith_status status,
                     const char *message)
{
    (void)distributed_run(j, rows_clustering, spec, NULL);
    for (uint32_t i = 0; i < j->m; i++) {
        assert_int_equal(j->error[i].status, status);
        assert_non_null(strstr(j->error[i].message, message));
    }
}

static void what_cannot_be(void **state)
{
    (void)state;
    search_spec usual = {0};
    problem_shape shape = plain;
    distributed j;
    for (uint32_t m = 2; m < 5; m++) {
        shape.n_records = 7;
        distributed_init(&j, &shape, m, 1, NULL);
        all_fail(&j, &usual, KITH_INFEASIBLE,
                 "of 8 records are asked for, but all sites together "
                 "have only 7");
        distributed_wipe(&j);
    }
    shape.k = 1;
    distributed_init(&j, &shape, 3, 1, NULL);
    all_fail(&j, &usual, KITH_INVALID, "k of at least 2");
    distributed_wipe(&j);
    model_spec close = {.id = MODEL_T_CLOSENESS};
    distributed_init(&j, &plain, 3, 1, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        j.part[i]->n_models = 1;
        j.part[i]->models = &close;
    }
    all_fail(&j, &usual, KITH_INVALID, "t-closeness");
    distributed_wipe(&j);
}

/* A party that runs another study than the others, which the agreement before a run rules out. */
static void parties_that_do_not_fit(void **state)
{
    (void)state;
    for (int what = 0; what < 2; what++) {
        distributed j;
        search_spec usual = {0};
        model_spec size = {.id = MODEL_K_ANONYMITY, .k = 4};
        distributed_init(&j, &plain, 3, 1, NULL);
        if (what == 0) {
            j.part[1]->k = 4;
            j.part[1]->models = &size;
        } else {
            j.part[1]->n_attributes--;
        }
        assert_int_equal(distributed_run(&j, rows_clustering, &usual, NULL), KITH_PEER);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(j.error[i].status, KITH_PEER);
        distributed_wipe(&j);
    }
}

/* Exactly k records: one class. */
static void as_many_as_one_class_needs(void **state)
{
    (void)state;
    problem_shape shape = plain;
    shape.n_records = shape.k;
    search_spec usual = {0};
    compare(&shape, 3, &usual, NULL, NULL, 1);
}

/* Without a seed choices come from the parties' keys, and results with them: the same keys give the
 * same result, and one other key another one. */
static void keys_decide_private_choices(void **state)
{
    (void)state;
    unsigned char keys[4][PRIVATE_CHOICES_BYTES];
    search_spec usual = {0};
    uint32_t first[512];
    distributed j;
    for (int i = 0; i < 4; i++)
        memset(keys[i], i + 1, sizeof keys[i]);
    distributed_init(&j, &plain, 3, 1, NULL);
    assert_true(j.part[0]->n_records <= 512);
    j.unseeded = true;
    for (int run = 0; run < 4; run++) {
        for (uint32_t i = 0; i < 3; i++)
            j.choices[i] = keys[run == 3 && i == 2 ? 3 : i]; /* one party has another in the end */
        j.seed = (uint64_t)run;                              /* of no account */
        assert_int_equal(distributed_run(&j, rows_clustering, &usual, NULL), KITH_OK);
        const size_t bytes = j.part[0]->n_records * sizeof *first;
        if (run == 0)
            memcpy(first, j.result[0].class_of, bytes);
        else
            assert_int_equal(memcmp(first, j.result[0].class_of, bytes) != 0, run == 3);
    }
    distributed_wipe(&j);
}

/* Without keys choices differ from run to run, and results with them. */
static void private_choices(void **state)
{
    (void)state;
    distributed j;
    search_spec usual = {0};
    uint64_t classes[3];
    double visits[3];
    distributed_init(&j, &plain, 3, 1, NULL);
    j.unseeded = true;
    for (int run = 0; run < 3; run++) {
        assert_int_equal(distributed_run(&j, rows_clustering, &usual, NULL), KITH_OK);
        distributed_is_sound(&j);
        classes[run] = j.result[0].n_classes;
        visits[run] = j.result[0].report.facts[1].value; /* questions */
    }
    assert_false(classes[0] == classes[1] && classes[1] == classes[2] && visits[0] == visits[1] &&
                 visits[1] == visits[2]);
    distributed_wipe(&j);
}

static void calls_and_rounds_are_few(void **state)
{
    (void)state;
    problem_shape shape = plain;
    search_spec spec = {.finish = FINISH_MERGE};
    distributed j;
    shape.n_records = 3000;
    shape.k = 30;
    shape.n_kinds = 0;
    distributed_init(&j, &shape, 5, 3, NULL);
    assert_int_equal(distributed_run(&j, rows_clustering, &spec, NULL), KITH_OK);
    const protocol_report *r = &j.result[0].report;
    assert_true(j.n_rounds <= 4 * j.n_calls);
    assert_true(j.n_calls * 20 < r->n_paper_ands);
    assert_true(r->n_paper_ands_strict > r->n_paper_ands);
    assert_string_equal(r->facts[0].name, "visits");
    assert_true(r->facts[0].value == (double)r->n_passes * shape.n_records);
    distributed_wipe(&j);
}

/* --- ledgers and faults --- */

static kith_status sit(party *p, void *user, kith_error *error)
{
    return distributed_take_part(p, user, error);
}

/* Two records each. */
static void belong_to_persons(distributed *j)
{
    for (uint32_t site = 0; site < j->m; site++) {
        problem *p = j->part[site];
        uint32_t *unit = arena_array(j->memory, p->n_records + (size_t)1, sizeof *unit);
        for (uint32_t i = 0; i < p->n_records; i++)
            unit[i] = i / 2;
        p->unit = unit;
        p->n_units = (p->n_records + 1) / 2;
    }
}

static void ledgers_say_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t i = 0; i < 10; i++) {
        problem_shape shape = plain;
        uint32_t m = 2 + i % 2;
        shape.n_records = 200;
        shape.n_sensitive = i / 2 % 3 == 0 ? 0 : 4;
        shape.l = i / 2 % 3 == 0 ? 0 : i < 6 ? 2 : 1.1;
        protocol_options options = {.partition = PARTITION_HORIZONTAL,
                                    .private_diversity = i / 2 == 2};
        model_spec at_sites[] = {{.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2},
                                 {.id = MODEL_M_PRIVACY, .k = 3}};
        options.n_site_models = i / 2 == 2 ? 2 : 0;
        options.site_models = at_sites;
        search_spec spec = {.finish = i % 5 == 0 || i == 2 ? FINISH_MERGE : FINISH_HYBRID};
        distributed j;
        distributed_init(&j, &shape, m, i, NULL);
        if (i >= 6)
            belong_to_persons(&j);
        distributed_prepare(&j, rows_clustering, &spec, &options);
        assert_int_equal(session_audit(m, sit, &j, &facts), KITH_OK);
        distributed_wipe(&j);
    }
    problem_shape few = plain;
    few.n_records = 7;
    search_spec usual = {0};
    distributed j;
    distributed_init(&j, &few, 3, 1, NULL);
    distributed_prepare(&j, rows_clustering, &usual, NULL);
    assert_int_equal(session_audit(3, sit, &j, &facts), KITH_INFEASIBLE);
    distributed_wipe(&j);
    session_agrees(&facts, "../protocol/rows/rows_clustering.h");
}

static void broken_frames(void **state)
{
    (void)state;
    static const frame_fault faults[] = {FAULT_TRUNCATE, FAULT_CORRUPT};
    for (int f = 0; f < 2; f++) {
        problem_shape shape = {
            .n_records = 36, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 4};
        search_spec spec = {.max_passes = 2, .finish = f ? FINISH_MERGE : FINISH_HYBRID};
        shape.n_sensitive = f ? 3 : 0;
        shape.l = f ? 1.5 : 0;
        distributed j;
        distributed_init(&j, &shape, 3, 1, NULL);
        distributed_prepare(&j, rows_clustering, &spec, NULL);
        size_t runs = session_faults(3, sit, &j, faults[f], 10000);
        assert_true(runs > 30 && runs < 10000);
        distributed_wipe(&j);
    }
}

/* A party whose caller asks to stop in the middle of something. */
typedef struct quitter {
    uint32_t after;
} quitter;

static bool until(void *user, const char *phase, double done)
{
    quitter *q = user;
    (void)phase;
    (void)done;
    return q->after-- > 0;
}

static void a_party_that_leaves_stops_all(void **state)
{
    (void)state;
    uint32_t completed = 0;
    for (uint32_t after = 0; after < 40 && completed == 0; after++) {
        distributed j;
        search_spec usual = {.block = 7};
        quitter q = {after};
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .progress = until, .user = &q);
        distributed_init(&j, &plain, 3, 1, NULL);
        j.run[1] = run;
        kith_status status = distributed_run(&j, rows_clustering, &usual, NULL);
        if (status == KITH_OK) {
            completed++;
        } else {
            assert_int_equal(status, KITH_CANCELLED);
            assert_int_equal(j.error[0].status, KITH_PEER);
            assert_int_equal(j.error[1].status, KITH_CANCELLED);
            assert_int_equal(j.error[2].status, KITH_PEER);
        }
        distributed_wipe(&j);
    }
    assert_int_equal(completed, 1); /* all phases were reached */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_in_one_place),
        cmocka_unit_test(the_same_with_restarts),
        cmocka_unit_test(the_same_with_many_records),
        cmocka_unit_test(the_same_with_hidden_sizes),
        cmocka_unit_test(the_same_with_withheld_closures),
        cmocka_unit_test(the_same_with_wide_levels),
        cmocka_unit_test(skewed_sites),
        cmocka_unit_test(identical_records),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(parties_that_do_not_fit),
        cmocka_unit_test(as_many_as_one_class_needs),
        cmocka_unit_test(keys_decide_private_choices),
        cmocka_unit_test(private_choices),
        cmocka_unit_test(calls_and_rounds_are_few),
        cmocka_unit_test(ledgers_say_what_the_header_says),
        cmocka_unit_test(broken_frames),
        cmocka_unit_test(a_party_that_leaves_stops_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
