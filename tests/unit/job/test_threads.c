/* What kith.h says about threads: progress comes from the thread that made the call, and objects
 * that do not change may be shared. */
/* needs: weave clustering encrypted-view mondrian */
#include "unit/job/support.h"

#include <pthread.h>

#include "support/scratch.h"

enum { ROWS = 1500, COLUMNS = 3, SHARERS = 4 };

static const char study_format[] =
    "study: threads\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer,\n"
    "     hierarchy: {intervals: [5, 10, 20, 40, 80]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 4}\n"
    "%s\n";

/* Who made the call, and how often it was asked. */
typedef struct caller {
    pthread_t thread;
    unsigned asked, elsewhere;
} caller;

static bool on_progress(void *user, const char *phase, double done)
{
    caller *c = user;
    (void)phase;
    (void)done;
    c->asked++;
    if (!pthread_equal(c->thread, pthread_self()))
        c->elsewhere++;
    return true;
}

static kith_run run_of(caller *c)
{
    *c = (caller){.thread = pthread_self()};
    return (kith_run)KITH_OPTIONS(kith_run, .n_threads = 4, .seeded = true, .seed = 1,
                                  .progress = on_progress, .user = c);
}

static void assert_heard(const caller *c)
{
    assert_true(c->asked > 0);
    assert_int_equal(c->elsewhere, 0);
}

static kith_study *study_with(const char *line)
{
    char text[1024];
    snprintf(text, sizeof text, study_format, line);
    return study_of(text);
}

static const char *cell(size_t i)
{
    static char text[ROWS * COLUMNS][8];
    static const char *const diseases[] = {"flu", "cold", "gout", "asthma"};
    uint32_t mixed = (uint32_t)(i / COLUMNS * 2654435761u) >> 7;
    switch (i % COLUMNS) {
    case 0: snprintf(text[i], sizeof text[i], "%u", 18 + mixed % 70); break;
    case 1: snprintf(text[i], sizeof text[i], "%05u", 81000 + mixed / 70 % 900); break;
    default: return diseases[mixed / 63000 % 4];
    }
    return text[i];
}

static const char **cells(void)
{
    static const char *all[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        all[i] = cell(i);
    return all;
}

static void every_search_asks_in_the_callers_thread(void **state)
{
    static const char *const algorithms[] = {
        "weave", "sequential", "agglomerative", "k-member", "mondrian",      "hilbert",    "flash",
        "ola",   "incognito",  "datafly",       "top-down", "breadth-first", "depth-first"};
    (void)state;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        char line[64];
        snprintf(line, sizeof line, "algorithm: %s", algorithms[i]);
        kith_study *study = study_with(line);
        kith_table *table = table_of(study, cells(), ROWS), *release = NULL;
        kith_error error;
        caller c;
        kith_run run = run_of(&c);
        if (kith_anonymize_table(&release, NULL, study, table, &run, &error) != KITH_OK)
            fail_msg("%s: %s", algorithms[i], error.message);
        assert_heard(&c);
        kith_table_free(release);
        kith_table_free(table);
        kith_study_free(study);
    }
}

static const char *write_data(const kith_study *study)
{
    const char *path = scratch_path("data.csv");
    kith_table *table = table_of(study, cells(), ROWS);
    assert_int_equal(kith_table_write(table, path, NULL, NULL), KITH_OK);
    kith_table_free(table);
    return path;
}

/* Here every site is a thread of its own. */
static void simulations_ask_in_the_callers_thread(void **state)
{
    static const char *const joint[] = {"partition: horizontal\nprotocol: weave",
                                        "partition: horizontal\nprotocol: clustering",
                                        "partition: vertical\nprotocol: clustering",
                                        "partition: horizontal\nprotocol: encrypted-view"};
    (void)state;
    for (size_t i = 0; i < sizeof joint / sizeof *joint; i++) {
        kith_study *study = study_with(joint[i]);
        const kith_simulate_options options =
            KITH_OPTIONS(kith_simulate_options, .input = KITH_INPUT_URI(write_data(study)),
                         .n_sites = 2 + i / 3, .directory = scratch_path("run"));
        kith_error error;
        caller c;
        kith_run run = run_of(&c);
        if (kith_simulate(NULL, study, &options, &run, &error) != KITH_OK)
            fail_msg("%s: %s", joint[i], error.message);
        assert_heard(&c);
        kith_study_free(study);
        assert_int_equal(scratch_teardown(state), 0);
        assert_int_equal(scratch_setup(state), 0);
        setenv("TMPDIR", scratch_directory, 1);
    }
}

static void other_calls_ask_in_the_callers_thread(void **state)
{
    (void)state;
    caller c;
    kith_document *d = NULL;
    kith_study *study = study_with("partition: horizontal\nprotocol: weave");
    const char *data = write_data(study);
    kith_run run = run_of(&c);
    assert_int_equal(kith_describe(&d,
                                   &(kith_describe_options)KITH_OPTIONS(
                                       kith_describe_options, .data = KITH_INPUT_URI(data)),
                                   &run, NULL),
                     KITH_OK);
    assert_heard(&c);
    kith_document_free(d);
    run = run_of(&c);
    assert_int_equal(
        kith_estimate(&d, study,
                      &(kith_estimate_options)KITH_OPTIONS(
                          kith_estimate_options, .input = KITH_INPUT_URI(data), .n_sites = 3),
                      &run, NULL),
        KITH_OK);
    assert_heard(&c);
    kith_document_free(d);
    kith_study_free(study);
}

/* What several threads have in common, and what each makes of it. */
typedef struct sharer {
    const kith_study *study;
    const kith_table *table;
    kith_status status;
    kith_table *release;
    kith_document *summary;
    char digest[65];
} sharer;

static void *anonymize(void *user)
{
    sharer *s = user;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 2, .seeded = true, .seed = 1);
    s->status = kith_anonymize_table(&s->release, &s->summary, s->study, s->table, &run, NULL);
    kith_study_digest(s->digest, s->study);
    return NULL;
}

static void threads_share_a_study_and_a_table(void **state)
{
    (void)state;
    kith_study *study = study_with("");
    kith_table *table = table_of(study, cells(), ROWS);
    sharer s[SHARERS];
    pthread_t thread[SHARERS];
    for (size_t i = 0; i < SHARERS; i++) {
        s[i] = (sharer){.study = study, .table = table};
        assert_int_equal(pthread_create(&thread[i], NULL, anonymize, &s[i]), 0);
    }
    for (size_t i = 0; i < SHARERS; i++)
        pthread_join(thread[i], NULL);
    for (size_t i = 0; i < SHARERS; i++) {
        assert_int_equal(s[i].status, KITH_OK);
        assert_string_equal(s[i].digest, s[0].digest);
        for (size_t row = 0; row < ROWS; row++)
            for (size_t column = 0; column < COLUMNS; column++)
                assert_string_equal(kith_table_cell(s[i].release, row, column),
                                    kith_table_cell(s[0].release, row, column));
    }
    for (size_t i = 0; i < SHARERS; i++) {
        kith_table_free(s[i].release);
        kith_document_free(s[i].summary);
    }
    kith_table_free(table);
    kith_study_free(study);
}

static int setup(void **state)
{
    int status = scratch_setup(state);
    setenv("TMPDIR", scratch_directory, 1);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_search_asks_in_the_callers_thread),
        cmocka_unit_test_setup_teardown(simulations_ask_in_the_callers_thread, setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(other_calls_ask_in_the_callers_thread, setup,
                                        scratch_teardown),
        cmocka_unit_test(threads_share_a_study_and_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
