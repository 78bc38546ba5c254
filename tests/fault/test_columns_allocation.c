/* Fails the n-th allocation of a run over columns, for many n: no party crashes, hangs or leaks,
 * and none gets a result if another has none. */
/* needs: weave clustering */
/* wrap: allocations still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "support/failing_memory.h"
#include "protocol/column_tree/column_tree.h"
#include "protocol/columns_align.h"
#include "protocol/columns/columns_clustering.h"
#include "support/problems.h"
#include "support/session.h"
#include "support/still_clock.h"

enum { SITES = 3, PEOPLE = 24, SOON = 3 }; /* seconds; long before any deadline */

typedef struct scene {
    const problem *whole;
    search_spec spec;
    bool grows; /* the joint tree instead of clustering */
    bool pools; /* of the tree */
    char id[PEOPLE][8];
    commute_key key[PEOPLE];
    kith_error errors[SITES];
} scene;

static kith_status cluster(const scene *s, party *p, context *c, kith_error *error)
{
    const uint32_t self = party_self(p);
    columns_align_result common;
    columns_align_task ids = {
        .n_rows = PEOPLE, .id = s->key, .drop_unmatched = true, .seeded = true};
    TRY(columns_align(&common, p, &ids, c->memory, error));
    problem mine = *s->whole;
    mine.attributes += self;
    mine.n_attributes = 1;
    protocol_options options = {.pools = s->pools};
    const uint32_t number = self;
    columns_task task = {.mine = &mine,
                         .spec = &s->spec,
                         .options = &options,
                         .context = c,
                         .numbers = &number,
                         .n_all = SITES,
                         .unit = 1,
                         .seeded = true,
                         .seed = 1};
    columns_result result;
    return s->grows ? column_tree_run(&result, p, &task, error)
                    : columns_clustering(&result, p, &task, error);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    TRY(context_init(&c, &run, error));
    kith_status status = cluster(user, p, &c, error);
    context_wipe(&c);
    return status;
}

static kith_status attempt(scene *s, size_t n, bool from_there_on)
{
    void *users[SITES] = {s, s, s};
    double start = still_clock_seconds();
    memset(s->errors, 0, sizeof s->errors);
    failing_begin(n, from_there_on);
    kith_status status = inproc_run(SITES, NULL, NULL, take_part, users, s->errors);
    size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("allocation %zu: %zu blocks leaked", n, leaked);
    if (still_clock_seconds() - start > SOON)
        fail_msg("allocation %zu: it took long", n);
    for (uint32_t i = 0; i < SITES; i++) {
        kith_status one = s->errors[i].status;
        if (one != KITH_OK && one != KITH_NOMEM && one != KITH_PEER)
            fail_msg("allocation %zu: %s, %s", n, kith_status_name(one), s->errors[i].message);
    }
    return status;
}

static void fails_each(search_finish finish, bool grows, bool pools)
{
    problem_shape shape = {.n_records = PEOPLE,
                           .n_attributes = SITES,
                           .n_leaves = 6,
                           .k = 4,
                           .n_sensitive = finish == FINISH_MERGE ? 4 : 0,
                           .l = finish == FINISH_MERGE ? 2 : 0};
    arena *memory = arena_new();
    scene s = {.spec = {.finish = finish, .block = 8}, .grows = grows, .pools = pools};
    s.whole = problems_random(memory, &shape, 1);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        snprintf(s.id[i], sizeof s.id[i], "p%u", i);
        s.key[i] = (commute_key){s.id[i], strlen(s.id[i])};
    }
    size_t refused = 0, tried = 0;
    assert_int_equal(attempt(&s, 0, false), KITH_OK);
    const size_t all = failing_seen(), stride = session_samples(0) > 0 ? 1 : all / 50 + 1;
    for (size_t n = 1; n <= all; n += stride, tried++) {
        refused += attempt(&s, n, false) != KITH_OK;
        assert_true(attempt(&s, n, true) != KITH_OK);
    }
    assert_true(refused > tried / 2);
    print_message("%zu allocations\n", all);
    arena_free(memory);
}

static void merging(void **state)
{
    (void)state;
    fails_each(FINISH_MERGE, false, false);
}

static void hybrid(void **state)
{
    (void)state;
    fails_each(FINISH_HYBRID, false, false);
}

static void trees(void **state)
{
    (void)state;
    fails_each(FINISH_HYBRID, true, false);
    fails_each(FINISH_HYBRID, true, true);
    fails_each(FINISH_MERGE, true, false); /* with a model on sensitive values */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(merging), cmocka_unit_test(hybrid),
                                       cmocka_unit_test(trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
