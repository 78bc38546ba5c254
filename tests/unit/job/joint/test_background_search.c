/* A search beside the channels: the same result, stopped by the user or by the end of the run. The
 * clock is the test's own (support/still_clock.h), so that a search can take long. */
/* needs: encrypted-view */
/* wrap: search_run */
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

kith_status __real_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error);
kith_status __wrap_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error);

/* Seconds for which every search takes its time before it begins, but it can be stopped. */
static int lasts;

kith_status __wrap_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error)
{
    for (int i = 0; i < 10 * lasts; i++) {
        usleep(100000);
        if (!context_progress(c, "search", i / (10.0 * lasts)))
            return error_set(error, KITH_CANCELLED, "stopped");
    }
    return __real_search_run(result, a, p, spec, c, error);
}

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
    if (party_self(p) == 1)
        return e->other_leaves ? KITH_IO : party_recv(p, 0, &done, &byte, 1, error);
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED,
                                .progress = hear, .user = e);
    context c;
    TRY(context_init(&c, &run, error));
    e->status = search_both_ways(e, p, &c, error);
    context_wipe(&c);
    return e->status != KITH_OK ? e->status : party_send(p, 1, &done, &byte, 1, error);
}

static kith_status go(errand *e, int seconds)
{
    people *p = make_people(6);
    kith_study *study = make_study("weave", models[0], "");
    kith_table *table = part_of(study, p, "horizontal", 1, UINT32_MAX);
    lasts = seconds;
    void *users[] = {e, e};
    e->study = study;
    e->table = table;
    kith_status status = inproc_run(2, NULL, NULL, take_part, users, NULL);
    kith_table_free(table);
    kith_study_free(study);
    free(p);
    return status;
}

static void gives_the_same_result(void **state)
{
    (void)state;
    errand e = {.compares = true};
    assert_int_equal(go(&e, 0), KITH_OK);
}

static void keeps_the_others_waiting(void **state)
{
    (void)state;
    errand e = {0};
    assert_int_equal(go(&e, 100), KITH_OK); /* more than three deadlines */
    assert_true(e.took >= 100);
    assert_true(e.heard > 0);
}

static void stops_when_the_user_wants(void **state)
{
    (void)state;
    errand e = {.user_stops = true};
    assert_int_equal(go(&e, 100), KITH_CANCELLED);
    assert_true(e.took < 1);
}

static void stops_when_the_run_is_over(void **state)
{
    (void)state;
    errand e = {.other_leaves = true};
    assert_int_equal(go(&e, 100), KITH_IO);
    assert_int_equal(e.status, KITH_PEER);
    assert_true(e.took < 1);
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
