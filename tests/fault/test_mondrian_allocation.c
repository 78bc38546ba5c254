/* Fails the n-th allocation of a run of distributed Mondrian, for many n: no party crashes, hangs
 * or leaks, and each says that memory ran out or that another party failed. */
/* needs: mondrian */
/* wrap: allocations still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/error.h"
#include "support/failing_memory.h"
#include "protocol/mondrian/mondrian_protocol.h"
#include "support/joint.h"
#include "support/problems.h"

enum { SITES = 3, PEOPLE = 90 };

typedef struct scene {
    problem *part[SITES];
    search_spec spec;
    protocol_options options;
    kith_error errors[SITES];
    uint32_t n_classes;
} scene;

static kith_status split(scene *s, party *p, context *c, kith_error *error)
{
    const uint32_t self = party_self(p);
    const rows_task task = {.mine = s->part[self],
                            .spec = &s->spec,
                            .options = &s->options,
                            .context = c,
                            .seeded = true,
                            .seed = 1};
    rows_result result;
    TRY(mondrian_protocol_run(&result, p, &task, error));
    if (self == 0)
        s->n_classes = result.n_classes;
    return KITH_OK;
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    context c;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    TRY(context_init(&c, &run, error));
    kith_status status = split(user, p, &c, error);
    context_wipe(&c);
    return status;
}

static kith_status attempt(scene *s, size_t n, bool from_there_on)
{
    void *users[SITES] = {s, s, s};
    memset(s->errors, 0, sizeof s->errors);
    failing_begin(n, from_there_on);
    kith_status status = inproc_run(SITES, NULL, NULL, take_part, users, s->errors);
    size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("allocation %zu: %zu blocks leaked", n, leaked);
    for (uint32_t i = 0; i < SITES; i++) {
        const kith_status one = s->errors[i].status;
        if (one != KITH_OK && one != KITH_NOMEM && one != KITH_PEER)
            fail_msg("allocation %zu: %s, %s", n, kith_status_name(one), s->errors[i].message);
    }
    return status;
}

/* With everything that allocates: ordered columns and trees, diversity, ranges; with sites also
 * sizes and scores. */
static void fails_each(bool with_sites)
{
    static const model_spec site_model = {
        .id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
    const problem_shape shape = {
        .n_records = PEOPLE, .n_attributes = 3, .n_leaves = 6, .k = 4, .n_sensitive = 4, .l = 1.5};
    arena *memory = arena_new();
    problem *whole = problems_random(memory, &shape, 1);
    ((attribute *)whole->attributes)[0].ordered = true;
    ((attribute *)whole->attributes)[0].step = 1;
    scene s = {.spec = {.regions = true, .relaxed = with_sites, .ranges = true},
               .options = {.alpha = with_sites ? 0.3 : 1,
                           .n_site_models = with_sites,
                           .site_models = &site_model}};
    const uint32_t *site = joint_sites(memory, PEOPLE, SITES, SPLIT_RANDOM, 1);
    for (uint32_t i = 0; i < SITES; i++) {
        uint32_t *from;
        s.part[i] = joint_part(memory, whole, site, NULL, i, &from);
    }
    size_t refused = 0, tried = 0;
    assert_int_equal(attempt(&s, 0, false), KITH_OK);
    assert_true(s.n_classes > 1);
    const size_t all = failing_seen(), stride = session_samples(0) > 0 ? 1 : all / 50 + 1;
    for (size_t n = 1; n <= all; n += stride, tried++) {
        refused += attempt(&s, n, false) != KITH_OK;
        assert_true(attempt(&s, n, true) != KITH_OK);
    }
    assert_true(refused > tried / 2);
    print_message("%zu allocations\n", all);
    arena_free(memory);
}

static void by_range(void **state)
{
    (void)state;
    fails_each(false);
}

static void by_sites(void **state)
{
    (void)state;
    fails_each(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_range), cmocka_unit_test(by_sites)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
