/* Fails the n-th allocation of one rank in the commands that share their work: all ranks end alike,
 * with success or for lack of memory; nobody waits for ever, nothing leaks, and no file is left.
 * Many n, others for each rank. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <signal.h>
#include <sys/resource.h>

#include "fault/failing_files.h"
#include "support/failing_memory.h"
#include "support/thread_ranks.h"

enum { RANKS = 3, ROWS = 40 };

static char data_path[512], release_path[512], mapping_path[512];

typedef struct trial {
    kith_status (*job)(const kith_study *study, const kith_run *run, kith_error *error);
    const char *study_text;
    uint32_t failing_rank;
    kith_status status[RANKS];
    kith_error error[RANKS];
    bool spoke[RANKS];
} trial;

static kith_status anonymizing(const kith_study *study, const kith_run *run, kith_error *error)
{
    kith_document *summary = NULL;
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(data_path),
                     .output = release_path, .mapping = mapping_path);
    const kith_status status = kith_anonymize(&summary, study, &options, run, error);
    kith_document_free(summary);
    return status;
}

static kith_status verifying(const kith_study *study, const kith_run *run, kith_error *error)
{
    kith_document *verdict = NULL;
    const kith_verify_options options =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(data_path),
                     .data = KITH_INPUT_URI(data_path));
    const kith_status status = kith_verify(&verdict, study, &options, run, error);
    kith_document_free(verdict);
    return status;
}

static kith_status measuring(const kith_study *study, const kith_run *run, kith_error *error)
{
    kith_document *report = NULL;
    const kith_measure_options options =
        KITH_OPTIONS(kith_measure_options, .release = KITH_INPUT_URI(data_path),
                     .data = KITH_INPUT_URI(data_path), .n_queries = 3, .population = 0.5);
    const kith_status status = kith_measure(&report, study, &options, run, error);
    kith_document_free(report);
    return status;
}

static kith_status describing(const kith_study *study, const kith_run *run, kith_error *error)
{
    kith_document *description = NULL;
    const kith_describe_options options =
        KITH_OPTIONS(kith_describe_options, .data = KITH_INPUT_URI(data_path), .study = study);
    const kith_status status = kith_describe(&description, &options, run, error);
    kith_document_free(description);
    return status;
}

static void one_rank(kith_ranks *ranks, void *user)
{
    trial *t = user;
    const uint32_t rank = ranks_self(ranks);
    kith_study *study = NULL;
    const kith_run run =
        KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1, .ranks = ranks);
    kith_error *error = &t->error[rank];
    kith_status status =
        kith_study_parse(&study, t->study_text, strlen(t->study_text), ".", NULL, error);
    if (status != KITH_OK)
        abort(); /* before anything fails */
    failing_here = rank == t->failing_rank;
    t->status[rank] = t->job(study, &run, error);
    failing_here = false;
    t->spoke[rank] = kith_ranks_reports(ranks);
    kith_study_free(study);
}

/* Allocation n of one rank fails, and all behind it if `from_there_on`. */
static kith_status fail_at_rank(trial *t, size_t n, bool from_there_on)
{
    uint32_t n_spoke = 0;
    memset(t->error, 0, sizeof t->error);
    failing_begin(n, from_there_on);
    thread_ranks_run(RANKS, one_rank, t);
    const size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("rank %u, allocation %zu: %zu blocks leaked", t->failing_rank, n, leaked);
    for (uint32_t r = 0; r < RANKS; r++) {
        if (t->status[r] != t->status[0] || (t->status[r] != KITH_OK && t->status[r] != KITH_NOMEM))
            fail_msg("rank %u, allocation %zu: rank %u ends with %s, %s", t->failing_rank, n, r,
                     kith_status_name(t->status[r]), t->error[r].message);
        if (t->status[r] != KITH_OK)
            assert_string_equal(t->error[r].message, t->error[0].message);
        n_spoke += t->spoke[r];
    }
    assert_int_equal(n_spoke, 1);
    assert_true(t->status[0] == KITH_OK || t->spoke[t->failing_rank]);
    const bool made = t->job == anonymizing && t->status[0] == KITH_OK;
    assert_int_equal(access(release_path, F_OK) == 0, made);
    failing_files_clear();
    return t->status[0];
}

static void fail_each(kith_status (*job)(const kith_study *, const kith_run *, kith_error *),
                      const char *study_text)
{
    trial t = {.job = job, .study_text = study_text};
    const size_t stride = failing_stride(8 * RANKS);
    for (t.failing_rank = 0; t.failing_rank < RANKS; t.failing_rank++) {
        assert_int_equal(fail_at_rank(&t, 0, false), KITH_OK);
        const size_t all = failing_seen();
        size_t refused = 0;
        for (size_t n = 1; n <= all; n++)
            if (n % stride == t.failing_rank % stride)
                refused += fail_at_rank(&t, n, n / stride % 4 == 0) == KITH_NOMEM;
        assert_true(all > 100);
        assert_true(refused > all / stride / 2);
    }
}

static void while_weaving(void **state)
{
    (void)state;
    fail_each(anonymizing, FAILING_FILES_STUDY "piece: 12\neffort: quick\n");
}

static void while_searching_a_lattice(void **state)
{
    (void)state;
    fail_each(anonymizing, FAILING_FILES_STUDY "algorithm: flash\nutility: {suppression: 0.1}\n");
}

static void while_verifying(void **state)
{
    (void)state;
    fail_each(verifying, FAILING_FILES_STUDY);
}

static void while_measuring(void **state)
{
    (void)state;
    fail_each(measuring, FAILING_FILES_STUDY);
}

static void while_describing(void **state)
{
    (void)state;
    fail_each(describing, FAILING_FILES_STUDY);
}

/* Files may not grow, as on a full disk: the message has the name that the caller gave. */
static void a_full_disk_names_the_release(void **state)
{
    (void)state;
    struct rlimit usual;
    char expected[600];
    trial t = {.job = anonymizing, .study_text = FAILING_FILES_STUDY};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, usual.rlim_max}), 0);
    thread_ranks_run(RANKS, one_rank, &t);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    snprintf(expected, sizeof expected, "cannot write %s/part-00000.csv: ", release_path);
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal(t.status[r], KITH_IO);
        assert_memory_equal(t.error[r].message, expected, strlen(expected));
    }
    assert_int_not_equal(access(release_path, F_OK), 0);
    failing_files_clear();
}

static int begin(void **state)
{
    if (scratch_setup(state) != 0)
        return -1;
    failing_by_thread = true;
    failing_files_write_data(ROWS);
    snprintf(data_path, sizeof data_path, "%s", scratch_path("data.csv"));
    snprintf(release_path, sizeof release_path, "%s", scratch_path("release.csv"));
    snprintf(mapping_path, sizeof mapping_path, "%s", scratch_path("mapping.csv"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_weaving),    cmocka_unit_test(while_searching_a_lattice),
        cmocka_unit_test(while_verifying),  cmocka_unit_test(while_measuring),
        cmocka_unit_test(while_describing), cmocka_unit_test(a_full_disk_names_the_release),
    };
    return cmocka_run_group_tests(tests, begin, scratch_teardown);
}
