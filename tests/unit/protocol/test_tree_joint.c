/* The joint tree: equal to the tree of the union, whoever holds what. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "protocol/tree_joint.h"
#include "support/joint.h"
#include "support/random_problem.h"

static const protocol_options plain = {.protocol = PROTOCOL_WEAVE};

/* Runs both and compares them class by class. */
static uint32_t check_equal(const problem *p, const uint32_t *site, uint32_t m,
                            const protocol_options *options, arena *memory)
{
    joint_job j = {.problem = p,
                   .site = site,
                   .options = options,
                   .protocol = tree_joint,
                   .seeded = true,
                   .seed = 7,
                   .memory = memory};
    weave_bits_sites sites = {m, site, options->site_models, options->site_model};
    partition whole;
    kith_error error;
    kith_status wanted = weave_bits(&whole, p, &sites, 7, memory, &error);
    void *users[PARTY_MOST];
    kith_error errors[PARTY_MOST] = {0};
    for (uint32_t i = 0; i < m; i++)
        users[i] = &j;
    kith_status status = inproc_run(m, NULL, NULL, joint_fn, users, errors);
    if (status != wanted)
        for (uint32_t i = 0; i < m; i++)
            print_message("%u: %s\n", i, errors[i].message);
    assert_int_equal(status, wanted);
    if (wanted != KITH_OK) {
        joint_free(&j);
        return 0;
    }
    joint_join(&j);
    const size_t cells = (size_t)whole.classes * p->attributes;
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(j.result[i].classes, whole.classes);
        assert_memory_equal(j.result[i].closure, whole.closure, cells * sizeof *whole.closure);
    }
    assert_memory_equal(j.joined.class_of, whole.class_of, p->records * sizeof *whole.class_of);
    uint64_t *size = calloc(whole.classes, sizeof *size);
    for (uint32_t i = 0; i < p->records; i++)
        size[whole.class_of[i]]++;
    for (uint32_t i = 0; i < m; i++)
        assert_memory_equal(j.size[i], size, whole.classes * sizeof *size);
    free(size);
    joint_free(&j);
    return whole.classes;
}

static void equals_the_tree_of_the_union(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const uint32_t ks[] = {2, 5, 10, 33};
    uint64_t seed = 1;
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 4; b++) {
            arena *memory = arena_new();
            random_shape shape = {.records = 2500,
                                  .attributes = 4,
                                  .max_leaves = 40,
                                  .max_levels = 4,
                                  .k = ks[b],
                                  .skewed = true,
                                  .wildcards = b % 2 * .03,
                                  .inner = b % 3 * .05};
            const problem *p = random_problem(&shape, seed++, memory);
            const uint32_t *site =
                joint_sites(memory, p->records, parties[a], (joint_split)((a + b) % 4), seed);
            assert_true(check_equal(p, site, parties[a], &plain, memory) > 10);
            arena_free(memory);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_tree_of_the_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
