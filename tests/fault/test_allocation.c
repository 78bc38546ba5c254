/* Fails the n-th allocation of a whole job, for many n: each call returns, says that memory ran
 * out, leaks nothing and leaves no file behind. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault/failing_files.h"
#include "fault/failing_job.h"

static const char study_text[] =
    "study: small\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]},\n"
    "     microaggregate: mean}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: day, role: quasi-identifying, type: date, hierarchy: {dates: [month, year]}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 2}\n"
    "  - {model: l-diversity, variant: frequency, l: 1.5, attribute: disease}\n";

enum { ROWS = 8 };
static const char *const cells[ROWS * 4] = {
    "34", "81667", "2024-01-03", "flu",  "36", "81675", "2024-01-09", "cold",
    "47", "81925", "2024-02-11", "flu",  "41", "81931", "2024-02-02", "gout",
    "53", "81925", "2024-02-28", "cold", "59", NULL,    "2024-03-01", "flu",
    "61", "81931", "2023-12-24", "cold", "68", "81675", "2023-12-31", NULL,
};

static kith_status parse(kith_study **study, kith_error *error)
{
    kith_findings *findings = kith_findings_new();
    kith_status status = findings == NULL ? KITH_NOMEM
                                          : kith_study_parse(study, study_text, strlen(study_text),
                                                             ".", findings, error);
    kith_findings_free(findings);
    return status;
}

/* A job in memory. */
static kith_status in_memory(kith_error *error)
{
    kith_study *study = NULL;
    kith_table *table = NULL, *release = NULL;
    kith_document *summary = NULL;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    kith_status status = parse(&study, error);
    if (status == KITH_OK) {
        kith_table_options options = KITH_INIT(kith_table_options);
        status = kith_study_table_options(&options, study, error);
        if (status == KITH_OK)
            status = kith_table_from_cells(&table, cells, ROWS, &options, error);
    }
    if (status == KITH_OK)
        status = kith_anonymize_table(&release, &summary, study, table, &run, error);
    if (status == KITH_OK) {
        char *json = kith_document_json(summary, true);
        if (json == NULL)
            status = KITH_NOMEM;
        kith_free(json);
    }
    kith_document_free(summary);
    kith_table_free(release);
    kith_table_free(table);
    kith_study_free(study);
    return status;
}

static char data_path[128], release_path[128], mapping_path[128];

/* A job from file to file; it is verified afterwards, sorted rows by their mapping, and in the
 * order of the data also measured. */
static kith_status with_files(bool keep_order, kith_error *error)
{
    kith_study *study = NULL;
    kith_document *summary = NULL, *verdict = NULL, *report = NULL;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    kith_anonymize_options options = KITH_OPTIONS(
        kith_anonymize_options, .input = KITH_INPUT_URI(data_path), .output = release_path,
        .keep_order = keep_order, .mapping = keep_order ? NULL : mapping_path);
    kith_status status = parse(&study, error);
    if (status == KITH_OK)
        status = kith_anonymize(&summary, study, &options, &run, error);
    bool there = access(release_path, F_OK) == 0;
    if (there != (status == KITH_OK))
        fail_msg("the release %s although the job returned %s", there ? "appeared" : "is missing",
                 kith_status_name(status));
    if (status == KITH_OK)
        status = kith_verify(&verdict, study,
                             &(kith_verify_options)KITH_OPTIONS(
                                 kith_verify_options, .release = KITH_INPUT_URI(release_path),
                                 .data = KITH_INPUT_URI(data_path),
                                 .mapping = KITH_INPUT_URI(options.mapping)),
                             &run, error);
    if (status == KITH_OK && keep_order)
        status = kith_measure(&report, study,
                              &(kith_measure_options)KITH_OPTIONS(
                                  kith_measure_options, .data = KITH_INPUT_URI(data_path),
                                  .release = KITH_INPUT_URI(release_path)),
                              &run, error);
    kith_document_free(summary);
    kith_document_free(verdict);
    kith_document_free(report);
    kith_study_free(study);
    return status;
}

static kith_status in_order(kith_error *error)
{
    return with_files(true, error);
}

static kith_status sorted(kith_error *error)
{
    return with_files(false, error);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    return walk->level == 0 ? 0 : remove(path);
}

/* Synthetic data of every profile, with studies and hierarchies, in a directory of its own: after
 * a failure it is as empty as before. */
static kith_status generating(kith_error *error)
{
    static const char *const profiles[] = {"hospital", "adult", "survey"};
    char place[96], path[128];
    snprintf(place, sizeof place, "%s/made", scratch_directory);
    snprintf(path, sizeof path, "%s/x.csv", place);
    mkdir(place, 0700);
    kith_status status = KITH_OK;
    for (size_t i = 0; i < 3 && status == KITH_OK; i++) {
        kith_document *summary = NULL;
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
        status = kith_generate(&summary,
                               &(kith_generate_options)KITH_OPTIONS(kith_generate_options,
                                                                    .profile = profiles[i],
                                                                    .n_rows = 5, .output = path),
                               &run, error);
        kith_document_free(summary);
        if (status == KITH_OK) /* nftw has allocations of its own, inside the C library */
            nftw(place, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    if (rmdir(place) != 0)
        fail_msg("something was left behind after %s", kith_status_name(status));
    return status;
}

/* A first study for the data, the data under a study, and what is in it. */
static kith_status studying(kith_error *error)
{
    kith_study *study = NULL;
    kith_document *description = NULL;
    kith_findings *findings = kith_findings_new();
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    char *text = NULL;
    kith_status status = findings == NULL ? KITH_NOMEM : parse(&study, error);
    if (status == KITH_OK)
        status = kith_study_check(study,
                                  &(kith_check_options)KITH_OPTIONS(
                                      kith_check_options, .data = KITH_INPUT_URI(data_path)),
                                  &run, findings, error);
    if (status == KITH_OK)
        status = kith_describe(&description,
                               &(kith_describe_options)KITH_OPTIONS(
                                   kith_describe_options, .data = KITH_INPUT_URI(data_path),
                                   .study = study, .known = KITH_INPUT_URI("")),
                               &run, error);
    if (status == KITH_OK)
        status = kith_study_draft(&text,
                                  &(kith_draft_options)KITH_OPTIONS(
                                      kith_draft_options, .data = KITH_INPUT_URI(data_path)),
                                  &run, error);
    kith_free(text);
    kith_document_free(description);
    kith_findings_free(findings);
    kith_study_free(study);
    return status;
}

static void write_data(void)
{
    snprintf(data_path, sizeof data_path, "%s", scratch_path("data.csv"));
    snprintf(release_path, sizeof release_path, "%s", scratch_path("release.csv"));
    snprintf(mapping_path, sizeof mapping_path, "%s", scratch_path("mapping.csv"));
    FILE *file = fopen(data_path, "w");
    assert_non_null(file);
    fputs("age,zip,day,disease\n", file);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        fprintf(file, "%s%c", cells[i] == NULL ? "" : cells[i], i % 4 == 3 ? '\n' : ',');
    fclose(file);
}

static void fail_each(kith_status (*job)(kith_error *), bool from_there_on)
{
    assert_int_equal(failing_job(job, 0, false), KITH_OK);
    const size_t all = failing_seen();
    size_t refused;
    failing_files_clear();
    const size_t tried = failing_job_often(job, all, from_there_on, &refused, failing_files_clear);
    assert_true(all > 200);
    assert_true(refused > tried / 2);
}

static void one_failure_in_memory(void **state)
{
    (void)state;
    fail_each(in_memory, false);
}

static void no_more_memory_in_memory(void **state)
{
    (void)state;
    fail_each(in_memory, true);
}

static void one_failure_with_files(void **state)
{
    (void)state;
    fail_each(in_order, false);
    fail_each(sorted, false);
}

static void no_more_memory_with_files(void **state)
{
    (void)state;
    fail_each(in_order, true);
    fail_each(sorted, true);
}

static void one_failure_generating(void **state)
{
    (void)state;
    fail_each(generating, false);
}

static void no_more_memory_generating(void **state)
{
    (void)state;
    fail_each(generating, true);
}

static void one_failure_studying(void **state)
{
    (void)state;
    fail_each(studying, false);
}

static void no_more_memory_studying(void **state)
{
    (void)state;
    fail_each(studying, true);
}

static int setup(void **state)
{
    if (scratch_setup(state) != 0)
        return -1;
    write_data();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failure_in_memory),  cmocka_unit_test(no_more_memory_in_memory),
        cmocka_unit_test(one_failure_with_files), cmocka_unit_test(no_more_memory_with_files),
        cmocka_unit_test(one_failure_generating), cmocka_unit_test(no_more_memory_generating),
        cmocka_unit_test(one_failure_studying),   cmocka_unit_test(no_more_memory_studying),
    };
    return cmocka_run_group_tests(tests, setup, scratch_teardown);
}
