/* The question of a growing tree (joint_tree_possible.h), with counts at the edges, against plain
 * arithmetic: could some of these records be a class, and would a split spare the set? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

#include "core/arena.h"
#include "core/rng.h"
#include "protocol/joint_rules/joint_tree_possible.h"
#include "support/session.h"

enum { SETS = 600, VALUES = 7, MAX_SIZE = 4000 };

typedef struct question {
    uint32_t count[PARTY_MAX][VALUES]; /* records of each value at each party */
    uint32_t kept[PARTY_MAX], lost[PARTY_MAX];
    joint_tree_loss_kind kind;
} question;

typedef struct job {
    uint32_t m, k;
    model_spec model;
    question *sets; /* [SETS] */
    uint64_t fit[PARTY_MAX][SETS / 64 + 1], spared[PARTY_MAX][SETS / 64 + 1];
} job;

static kith_status ask(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t self = party_self(p);
    arena *memory = arena_new();
    const sensitive_attribute values = {.count = VALUES};
    const problem mine = {
        .k = j->k, .n_models = 1, .models = &j->model, .n_sensitive = 1, .sensitive = &values};
    const protocol_options options = {0};
    const rows_task task = {.mine = &mine, .options = &options};
    uint32_t *tallies = arena_zalloc(memory, (size_t)SETS * (VALUES + 1), sizeof *tallies);
    joint_tree_loss *losses = arena_zalloc(memory, SETS, sizeof *losses);
    uint64_t *names = arena_zalloc(memory, SETS, sizeof *names);
    joint_tree_rules rules;
    kith_status status = joint_tree_rules_init(&rules, &task, p, memory, error);
    rules.max_size = MAX_SIZE;
    for (size_t i = 0; i < SETS; i++) {
        const question *q = &j->sets[i];
        for (uint32_t v = 0; v < VALUES; v++) {
            tallies[i * (VALUES + 1)] += q->count[self][v];
            tallies[i * (VALUES + 1) + 1 + v] = q->count[self][v];
        }
        losses[i] = (joint_tree_loss){q->kind, q->kept[self], q->lost[self]};
    }
    const joint_tree_questions all = {
        .count = SETS, .tallies = tallies, .names = names, .exact = true};
    if (status == KITH_OK)
        status =
            joint_tree_possible_ask(&rules, p, j->fit[self], j->spared[self], &all, losses, error);
    joint_tree_rules_wipe(&rules);
    arena_free(memory);
    return status;
}

/* Tries all bounds for the number of one value, as a person would. */
static bool could_be_a_class(const job *j, const uint32_t *count)
{
    const double l = j->model.l, whole = ceil(l);
    uint32_t n = 0, most = 0;
    double lean = 0;
    for (uint32_t v = 0; v < VALUES; v++)
        n += count[v];
    for (uint32_t bound = 1; bound <= n; bound++) {
        uint32_t sum = 0;
        for (uint32_t v = 0; v < VALUES; v++)
            sum += count[v] < bound ? count[v] : bound;
        most = sum >= l * bound ? sum : most;
    }
    for (uint32_t v = 0; v < VALUES; v++)
        lean += fmin(JOINT_TREE_LEAN_PART * whole * count[v], n);
    return most >= j->k && (l < JOINT_TREE_LEAN_FROM || lean >= whole * n);
}

static void check(const job *j, size_t i, unsigned *n_fit)
{
    const question *q = &j->sets[i];
    uint32_t count[VALUES] = {0}, kept = 0, lost = 0;
    for (uint32_t p = 0; p < j->m; p++) {
        kept += q->kept[p];
        lost += q->lost[p];
        for (uint32_t v = 0; v < VALUES; v++)
            count[v] += q->count[p][v];
    }
    const bool fits = could_be_a_class(j, count);
    const bool spares = lost < j->k || kept >= 4 * lost;
    *n_fit += fits;
    for (uint32_t p = 0; p < j->m; p++) {
        assert_int_equal(smc_bit(j->fit[p], i), fits && (q->kind != JOINT_TREE_LOSS_ALL || spares));
        assert_int_equal(smc_bit(j->spared[p], i),
                         q->kind == JOINT_TREE_LOSS_REST && !fits && spares);
    }
}

/* Few or many records, one value or all of them, at one party or at all; some sets have as many
 * records as there may be, others are at the edge of being lean. */
static void draw(question *q, uint32_t m, uint32_t number, rng *r)
{
    static const uint32_t sizes[] = {0, 1, 2, 5, 12, 40, 200, MAX_SIZE / VALUES};
    const uint32_t alone = rng_below(r, 3) == 0 ? rng_below(r, m) : m, most = sizes[number % 8];
    *q = (question){.kind = (joint_tree_loss_kind)(number % 3)};
    for (uint32_t v = 0; v < VALUES; v++) {
        const uint32_t size = rng_below(r, 3) == 0 ? most : rng_below(r, 1 + most / (1 + v % 3));
        for (uint32_t i = 0; i < size; i++)
            q->count[alone < m ? alone : rng_below(r, m)][v]++;
    }
    if (number % 5 == 0) { /* one large value, others at a fifth of what would be even */
        for (uint32_t p = 0; p < m; p++)
            for (uint32_t v = 0; v < VALUES; v++)
                q->count[p][v] = 0;
        q->count[rng_below(r, m)][0] = 100 + rng_below(r, 400);
        for (uint32_t v = 1; v < 4 + number % 4; v++)
            q->count[rng_below(r, m)][v] = 3 + rng_below(r, 12);
    }
    for (uint32_t p = 0; p < m; p++) {
        q->lost[p] = number % 7 == 0 ? 0 : rng_below(r, 30);
        q->kept[p] = rng_below(r, 7) * (p == 0 ? 40 : q->lost[p]);
    }
}

static void answers_like_arithmetic(void **state)
{
    (void)state;
    static const double ls[] = {2, 2.5, 3, 4, 4.25, 5, 7};
    static const uint32_t ks[] = {1, 5, 10, 16};
    rng r;
    rng_init(&r, 5, 5);
    for (unsigned i = 0; i < 14; i++) {
        job *j = calloc(1, sizeof *j);
        unsigned n_fit = 0;
        j->m = i == 3 ? 2 : 3 + i % 3;
        j->k = ks[i % 4];
        j->model =
            (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = ls[i % 7]};
        j->sets = calloc(SETS, sizeof *j->sets);
        for (uint32_t s = 0; s < SETS; s++)
            draw(&j->sets[s], j->m, s, &r);
        assert_int_equal(session_run(j->m, ask, j), KITH_OK);
        for (size_t s = 0; s < SETS; s++)
            check(j, s, &n_fit);
        assert_true(n_fit > 20 && n_fit < SETS - 20);
        free(j->sets);
        free(j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_like_arithmetic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
