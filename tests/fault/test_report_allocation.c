/* Fails the n-th allocation of a report, for many n: the call says that memory ran out, leaks
 * nothing, and there is no report, not even an incomplete one. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/failing_memory.h"

static const char study_text[] =
    "study: small\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n";

static const char data_text[] = "age,zip,disease\n34,81,flu\n36,81,cold\n47,92,flu\n41,93,gout\n"
                                "35,81,flu\n38,82,cold\n44,92,flu\n49,93,gout\n";

static char directory[64], data_path[128], release_path[128], run_path[128], page_path[160];
static kith_study *study;

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* A run directory as a simulation leaves it: summary, release, ledgers. */
static int setup(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "%s/kith-fault-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(directory));
    snprintf(data_path, sizeof data_path, "%s/data.csv", directory);
    snprintf(run_path, sizeof run_path, "%s/run", directory);
    snprintf(release_path, sizeof release_path, "%s/run/release.csv", directory);
    snprintf(page_path, sizeof page_path, "%s/report.html", directory);
    write_file(data_path, data_text);
    kith_error error;
    kith_document *summary = NULL;
    if (kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, &error) != KITH_OK ||
        kith_simulate(&summary, study,
                      &(kith_simulate_options)KITH_OPTIONS(kith_simulate_options,
                                                           .input = KITH_INPUT_URI(data_path),
                                                           .directory = run_path, .n_sites = 2),
                      NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    kith_document_free(summary);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[160];
    kith_study_free(study);
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return system(command); /* NOLINT(cert-env33-c): a path of our own */
}

static void check_directory(kith_status status)
{
    if ((access(page_path, F_OK) == 0) != (status == KITH_OK))
        fail_msg("%s, but the report %s", kith_status_name(status),
                 status == KITH_OK ? "is missing" : "appeared");
    unlink(page_path);
    DIR *in = opendir(directory);
    size_t n_left = 0;
    for (const struct dirent *entry; (entry = readdir(in)) != NULL;)
        n_left += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(in);
    assert_int_equal(n_left, 2); /* data.csv, run */
}

static void fail_each(bool internal, bool from_there_on)
{
    const size_t stride = failing_stride(6);
    for (size_t n = from_there_on ? 1 : 1 + stride / 2;; n += stride) {
        kith_error error = {0};
        const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
        failing_begin(n, from_there_on);
        const kith_status status = kith_report(
            &(kith_report_options)KITH_OPTIONS(
                kith_report_options, .run = run_path, .internal = internal,
                .study = internal ? study : NULL,
                .data = KITH_INPUT_URI(internal ? data_path : NULL), .output = page_path),
            &run, &error);
        const size_t leaked = failing_end();
        if (leaked > 0)
            fail_msg("%zu blocks were not released after failure %zu", leaked, n);
        check_directory(status);
        if (failing_seen() < n) {
            assert_int_equal(status, KITH_OK);
            return;
        }
        if (status != KITH_NOMEM && status != KITH_OK)
            fail_msg("failure %zu: %s: %s", n, kith_status_name(status), error.message);
    }
}

static void a_public_report(void **state)
{
    (void)state;
    fail_each(false, false);
    fail_each(false, true);
}

static void an_internal_report(void **state)
{
    (void)state;
    fail_each(true, false);
    fail_each(true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_public_report),
        cmocka_unit_test(an_internal_report),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
