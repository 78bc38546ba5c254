/* What distributed Mondrian opens: it depends on the union alone, the ledger says what the header
 * says, and a run that breaks anywhere ends everywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "protocol/mondrian/mondrian_protocol.h"
#include "support/joint.h"
#include "support/random_problem.h"

static search_spec spec_of_run;

static kith_status with_spec(rows_result *result, party *p, const rows_task *task,
                             kith_error *error)
{
    rows_task changed = *task;
    changed.spec = &spec_of_run;
    return mondrian_protocol_run(result, p, &changed, error);
}

typedef struct scene {
    uint32_t m, k, n_records;
    double l; /* by frequency */
    double alpha;
    bool sites;
    bool seeded;
    bool relaxed;
    kith_status status;
} scene;

static const model_spec two_sites = {
    .id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};

/* Every second attribute is ordered. */
static problem *draw_problem(const scene *s, arena *memory)
{
    const random_shape shape = {.n_records = s->n_records,
                                .n_attributes = 4,
                                .max_leaves = 12,
                                .max_levels = 3,
                                .k = s->k,
                                .skewed = true,
                                .n_sensitive = s->l > 0 ? 6 : 0,
                                .l = s->l};
    problem *p = random_problem(&shape, 3, memory);
    attribute *attributes = (attribute *)p->attributes;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j].ordered = j % 2;
        attributes[j].step = 1;
    }
    return p;
}

static joint_job job_of(const scene *s, protocol_options *options, joint_split split, uint64_t seed,
                        arena *memory)
{
    *options =
        (protocol_options){.alpha = s->alpha, .n_site_models = s->sites, .site_models = &two_sites};
    spec_of_run = (search_spec){.regions = true, .relaxed = s->relaxed};
    return (joint_job){.problem = draw_problem(s, memory),
                       .site = joint_sites(memory, s->n_records, s->m, split, seed),
                       .options = options,
                       .protocol = with_spec,
                       .seeded = s->seeded,
                       .seed = 7,
                       .memory = memory};
}

/* --- what is opened --- */

/* All answers of comparisons that the last party received, in their order. */
static uint64_t opened(const scene *s, joint_split split, uint64_t seed, uint64_t *bytes)
{
    arena *memory = arena_new();
    protocol_options options;
    joint_job j = job_of(s, &options, split, seed, memory);
    session_view view = {.type = "compare.result"};
    assert_int_equal(session_watch(s->m, joint_fn, &j, &view), s->status);
    *bytes = view.bytes;
    joint_free(&j);
    arena_free(memory);
    return view.fingerprint[s->m - 1];
}

/* Rows move between sites: the same questions, the same answers, in every bit. */
static void answers_depend_on_the_union_alone(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= 12; k += 9) {
        const scene s = {.m = 3, .k = k, .n_records = 400, .alpha = 1, .seeded = true};
        uint64_t bytes, others;
        const uint64_t first = opened(&s, SPLIT_RANDOM, 1, &bytes);
        assert_true(bytes > 200);
        for (unsigned split = 0; split < JOINT_SPLITS; split++) {
            assert_true(opened(&s, (joint_split)split, 2, &others) == first);
            assert_int_equal(others, bytes);
        }
    }
}

/* The test above would notice another table. */
static void other_tables_give_other_answers(void **state)
{
    (void)state;
    const scene s = {.m = 3, .k = 3, .n_records = 400, .alpha = 1, .seeded = true};
    scene other = s;
    other.n_records = 399;
    uint64_t bytes;
    assert_true(opened(&s, SPLIT_RANDOM, 1, &bytes) != opened(&other, SPLIT_RANDOM, 1, &bytes));
}

/* --- ledger --- */

static void play(const scene *s, session_facts *facts)
{
    arena *memory = arena_new();
    protocol_options options;
    joint_job j = job_of(s, &options, SPLIT_RANDOM, 5, memory);
    assert_int_equal(session_audit(s->m, joint_fn, &j, facts), s->status);
    joint_free(&j);
    arena_free(memory);
}

static void costs_and_leaks_what_the_header_says(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {.m = 3, .k = 5, .n_records = 300, .alpha = 1},
        {.m = 2, .k = 3, .n_records = 60, .alpha = 1, .seeded = true},
        {.m = 3, .k = 3, .n_records = 300, .l = 1.5, .alpha = 1, .relaxed = true},
        {.m = 5, .k = 4, .n_records = 200, .alpha = 0.3, .sites = true, .seeded = true},
        {.m = 3, .k = 9, .n_records = 8, .alpha = 1, .status = KITH_INFEASIBLE},
    };
    session_facts facts = {0};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        play(&scenes[i], &facts);
        for (uint32_t p = 1; p < scenes[i].m; p++)
            assert_int_equal(facts.learned[p], facts.learned[0]);
    }
    session_agrees(&facts, "../protocol/mondrian/mondrian_protocol.h");
}

/* Too few records: the parties learn one bit and nothing else. */
static void learns_one_bit_if_there_are_too_few(void **state)
{
    (void)state;
    session_facts facts = {0};
    play(&(scene){.m = 3, .k = 9, .n_records = 8, .alpha = 1, .status = KITH_INFEASIBLE}, &facts);
    for (uint32_t p = 0; p < 3; p++)
        assert_int_equal(facts.learned[p], 1);
}

/* Rounds follow the depth of the tree and not the number of parts: four times the records make two
 * more levels. */
static void rounds_do_not_grow_with_the_number_of_parts(void **state)
{
    (void)state;
    session_facts facts = {0};
    scene s = {.m = 3, .k = 3, .n_records = 300, .alpha = 1, .seeded = true};
    play(&s, &facts);
    const uint32_t few = facts.n_rounds;
    s.n_records = 1200;
    play(&s, &facts);
    assert_true(facts.n_rounds < 2 * few);
}

/* --- faults --- */

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 4; m++) {
        arena *memory = arena_new();
        protocol_options options;
        const scene s = {.m = m, .k = 3, .n_records = 14, .alpha = 1, .seeded = true};
        joint_job j = job_of(&s, &options, SPLIT_ROUND, 5, memory);
        static const frame_fault faults[] = {FAULT_TRUNCATE, FAULT_DUPLICATE, FAULT_CORRUPT};
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
            assert_true(session_faults(m, joint_fn, &j, faults[i], 12) > 0);
            joint_free(&j);
        }
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_depend_on_the_union_alone),
        cmocka_unit_test(other_tables_give_other_answers),
        cmocka_unit_test(costs_and_leaks_what_the_header_says),
        cmocka_unit_test(learns_one_bit_if_there_are_too_few),
        cmocka_unit_test(rounds_do_not_grow_with_the_number_of_parts),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
