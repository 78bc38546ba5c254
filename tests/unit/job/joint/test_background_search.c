/* A search beside the channels: the same result, stopped by the user or by the end of the run. */
#include "unit/job/view_people.h"

#include "core/error.h"
#include "job/joint/background_search.h"

typedef struct errand {
    const kith_study *study;
    const kith_table *table;
    bool user_stops, other_leaves, compares;
    uint32_t heard; /* calls of progress */
    double took;
    kith_status status;
} errand;

static bool hear(void *user, const char *phase, double done)
{
    errand *e = user;
    (void)done;
    assert_non_null(phase);
    e->heard++;
    return !e->user_stops;
}

static kith_status search_both_ways(errand *e, party *p, context *c, kith_error *error)
{
    prepared plain;
    search_result aside, here;
    const algorithm *a = search_find(e->study->algorithm);
    TRY(prepare_table(&plain, e->study, e->table, c, error));
    double begun = context_seconds();
    kith_status status =
        background_search(&aside, a, &plain.problem, &e->study->search, c, p, error);
    e->took = context_seconds() - begun;
    TRY(status);
    if (!e->compares)
        return KITH_OK;
    TRY(search_run(&here, a, &plain.problem, &e->study->search, c, error));
    assert_int_equal(aside.partition.n_classes, here.partition.n_classes);
    assert_memory_equal(aside.partition.class_of, here.partition.class_of,
                        plain.problem.n_records * sizeof(uint32_t));
    return KITH_OK;
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    static const message_type done = {"test.done", DISCLOSE_CONTROL};
    errand *e = user;
    unsigned char byte = 0;
    if (party_self(p) == 1) {
        party_allow_slow_peers(p, true);
        return e->other_leaves ? KITH_IO : party_recv(p, 0, &done, &byte, 1, error);
    }
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED,
                                .progress = hear, .user = e);
    context c;
    TRY(context_init(&c, &run, error));
    e->status = search_both_ways(e, p, &c, error);
    context_wipe(&c);
    return e->status != KITH_OK ? e->status : party_send(p, 1, &done, &byte, 1, error);
}

static kith_status go(errand *e, const char *rest)
{
    people *p = make_people(6);
    kith_study *study = make_study("weave", models[0], rest);
    kith_table *table = part_of(study, p, "horizontal", 1, UINT32_MAX);
    inproc_options options = {.deadline_ms = 1000};
    void *users[] = {e, e};
    e->study = study;
    e->table = table;
    kith_status status = inproc_run(2, NULL, &options, take_part, users, NULL);
    kith_table_free(table);
    kith_study_free(study);
    free(p);
    return status;
}

static void gives_the_same_result(void **state)
{
    (void)state;
    errand e = {.compares = true};
    assert_int_equal(go(&e, ""), KITH_OK);
}

static void keeps_the_others_waiting(void **state)
{
    (void)state;
    errand e = {0};
    assert_int_equal(go(&e, "effort: 2\n"), KITH_OK);
    assert_true(e.took >= 2);
    assert_true(e.heard > 0);
}

static void stops_when_the_user_wants(void **state)
{
    (void)state;
    errand e = {.user_stops = true};
    assert_true(go(&e, "effort: 250\n") != KITH_PEER); /* its best so far, or cancelled */
    assert_true(e.took < 200);
}

static void stops_when_the_run_is_over(void **state)
{
    (void)state;
    errand e = {.other_leaves = true};
    assert_int_equal(go(&e, "effort: 250\n"), KITH_IO);
    assert_int_equal(e.status, KITH_PEER);
    assert_true(e.took < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_same_result),
        cmocka_unit_test(keeps_the_others_waiting),
        cmocka_unit_test(stops_when_the_user_wants),
        cmocka_unit_test(stops_when_the_run_is_over),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
