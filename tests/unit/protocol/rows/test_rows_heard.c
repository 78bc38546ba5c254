/* What a party hears about single records of others: counted right, and not told where closures of
 * small clusters are withheld. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/error.h"
#include "protocol/rows/rows_exchange.h"
#include "support/distributed.h"
#include "wire/ledger.h"

enum { PARTIES = 3, PARTS = 40 };

static const char one_foreign[] = "clusters with one foreign record";
static const char single[] = "single foreign records";

/* What the ledger has under a name, all steps together. */
static uint64_t learned(const ledger *l, const char *what)
{
    uint64_t count = 0;
    for (size_t i = 0; i < l->n_disclosures; i++)
        if (strcmp(l->disclosures[i].what, what) == 0)
            count += l->disclosures[i].count;
    return count;
}

/* --- one exchange of clusters that the test has made --- */

static distributed scene;
static uint64_t told_one[PARTIES], told_single[PARTIES];

static uint32_t part_of(uint32_t record)
{
    return record * 7 % PARTS;
}

static kith_status exchange(rows_result *result, party *p, const rows_task *task, kith_error *error)
{
    const uint32_t self = party_self(p);
    rows_state v = {.p = p,
                    .task = task,
                    .mine = task->mine,
                    .memory = task->context->memory,
                    .n = scene.all->n_records};
    uint32_t list[PARTS];
    (void)result;
    TRY(rows_state_accept_task(&v, error));
    TRY(rows_state_init(&v, error));
    TRY(rows_state_begin(&v, error));
    for (uint32_t i = 0; i < scene.all->n_records; i++)
        if (scene.site[i] == self)
            v.site_choices.part_of[scene.place[i]] = part_of(i);
    TRY(site_choices_create_clusters(&v.site_choices, PARTS, error));
    for (uint32_t i = 0; i < PARTS; i++)
        list[i] = i;
    TRY(rows_exchange_compute(&v, list, PARTS, NULL, error));
    told_one[self] = learned(party_ledger(p), one_foreign);
    told_single[self] = learned(party_ledger(p), single);
    return KITH_OK;
}

static void the_ledger_counts_single_records(void **state)
{
    (void)state;
    problem_shape shape = {
        .n_records = 80, .n_attributes = 3, .n_leaves = 12, .width = 3, .k = 4, .skew = 2};
    for (uint32_t withhold = 1; withhold < 3; withhold++) {
        protocol_options options = {.partition = PARTITION_HORIZONTAL, .withhold = withhold};
        search_spec usual = {0};
        shape.n_records = withhold == 1 ? 60 : 80; /* 60: some parts have one record, some two */
        distributed_init(&scene, &shape, PARTIES, 5, NULL);
        assert_int_equal(distributed_run(&scene, exchange, &usual, &options), KITH_OK);
        uint64_t all_one = 0, all_single = 0;
        for (uint32_t s = 0; s < PARTIES; s++) {
            uint64_t one = 0, alone = 0;
            for (uint32_t part = 0; part < PARTS; part++) {
                uint32_t size = 0, own = 0;
                for (uint32_t i = 0; i < scene.all->n_records; i++) {
                    size += part_of(i) == part;
                    own += part_of(i) == part && scene.site[i] == s;
                }
                if (size < withhold)
                    continue;
                one += size - own == 1;
                alone += size == 1 && own == 0;
            }
            assert_int_equal(told_one[s], one);
            assert_int_equal(told_single[s], alone);
            all_one += one;
            all_single += alone;
        }
        assert_true(all_one > 10);
        assert_true(withhold == 1 ? all_single > 10 : all_single == 0);
        distributed_wipe(&scene);
    }
}

/* --- whole runs --- */

typedef struct ear {
    const problem *mine;
    uint32_t self, smallest;
    uint64_t n_one, n_single;
    bool stranger; /* heard of a single record that no other site has */
} ear;

static ear ears[PARTIES];

static bool is_foreign_record(uint32_t self, const uint32_t *nodes)
{
    for (uint32_t i = 0; i < scene.all->n_records; i++) {
        bool same = scene.site[i] != self;
        for (uint32_t j = 0; j < scene.all->n_attributes && same; j++)
            same = scene.all->attributes[j].cells[i] == nodes[j];
        if (same)
            return true;
    }
    return false;
}

static void hear(void *user, rows_event event, uint32_t size, uint32_t own, const uint32_t *nodes)
{
    ear *e = user;
    (void)event;
    e->smallest = size > 0 && size < e->smallest ? size : e->smallest;
    e->n_one += size - own == 1;
    if (size != 1 || own != 0)
        return;
    e->n_single++;
    e->stranger = e->stranger || !is_foreign_record(e->self, nodes);
}

static kith_status run_with_ears(rows_result *result, party *p, const rows_task *task,
                                 kith_error *error)
{
    const uint32_t self = party_self(p);
    ears[self] = (ear){.mine = task->mine, .self = self, .smallest = UINT32_MAX};
    rows_recorder recorder = {hear, &ears[self]};
    TRY(rows_clustering_recorded(result, p, task, &recorder, error));
    told_one[self] = learned(party_ledger(p), one_foreign);
    told_single[self] = learned(party_ledger(p), single);
    return KITH_OK;
}

static void small_clusters_are_withheld(void **state)
{
    (void)state;
    static const problem_shape shape = {
        .n_records = 600, .n_attributes = 4, .n_leaves = 24, .width = 3, .k = 5, .skew = 2};
    for (uint32_t withhold = 1; withhold <= 5; withhold++) {
        protocol_options options = {.partition = PARTITION_HORIZONTAL, .withhold = withhold};
        search_spec spec = {.finish = withhold == 3 ? FINISH_MERGE : FINISH_HYBRID};
        distributed_init(&scene, &shape, PARTIES, 6, NULL);
        assert_int_equal(distributed_run(&scene, run_with_ears, &spec, &options), KITH_OK);
        for (uint32_t s = 0; s < PARTIES; s++) {
            const ear *e = &ears[s];
            assert_int_equal(told_one[s], e->n_one);
            assert_int_equal(told_single[s], e->n_single);
            assert_int_equal(e->smallest, withhold);
            assert_false(e->stranger);
            assert_true(withhold == 1 ? e->n_single > 50 : e->n_single == 0);
        }
        distributed_wipe(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ledger_counts_single_records),
        cmocka_unit_test(small_clusters_are_withheld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
