/* Fails the n-th allocation of a simulation: it returns, says that memory ran out, leaks nothing
 * and leaves no file and no process behind. The parties are a script that writes what parties
 * would. */
/* wrap: allocations */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/failing_memory.h"
#include "support/scratch.h"

static const char study_text[] =
    "study: small\n"
    "partition: vertical\n"
    "protocol: clustering\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n";

static const char data_text[] = "age,zip,disease\n34,81667,flu\n36,81675,cold\n47,81925,flu\n"
                                "41,81931,gout\n53,81925,cold\n";

static const char program_text[] =
    "#!/bin/sh\n"
    "while [ $# -gt 0 ]; do case $1 in -o) out=$2;; esac; shift; done\n"
    "printf 'age,zip,disease\\n*,*,flu\\n*,*,cold\\n*,*,flu\\n*,*,gout\\n*,*,cold\\n'"
    " > \"$out/release.csv\"\n"
    "echo '{\"protocol\": {\"calls\": {\"sum\": 3}}}' > \"$out/summary.json\"\n";

static char data_path[128], run_path[128], program_path[128];

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static kith_status simulating(kith_error *error)
{
    kith_study *study = NULL;
    kith_document *summary = NULL;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    const kith_simulate_options options =
        KITH_OPTIONS(kith_simulate_options, .input = KITH_INPUT_URI(data_path), .n_sites = 2,
                     .directory = run_path, .executable = program_path, .baseline = true);
    kith_status status = kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, error);
    if (status == KITH_OK)
        status = kith_simulate(&summary, study, &options, &run, error);
    kith_document_free(summary);
    kith_study_free(study);
    return status;
}

static kith_status attempt(size_t n, bool from_there_on)
{
    kith_error error = {0};
    failing_begin(n, from_there_on);
    kith_status status = simulating(&error);
    size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("allocation %zu: %zu blocks leaked", n, leaked);
    if (status != KITH_OK && status != KITH_NOMEM)
        fail_msg("allocation %zu: %s, %s", n, kith_status_name(status), error.message);
    bool there = access(run_path, F_OK) == 0;
    if (there != (status == KITH_OK))
        fail_msg("allocation %zu: the results %s although it returned %s", n,
                 there ? "appeared" : "are missing", kith_status_name(status));
    nftw(run_path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(scratch_count(), 2); /* data and program */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return status;
}

/* Few allocations, others for each kind of failure. */
static void fail_some(bool from_there_on)
{
    const size_t every = failing_stride(27);
    assert_int_equal(attempt(0, false), KITH_OK);
    size_t all = failing_seen(), refused = 0, tried = 0;
    for (size_t n = from_there_on ? 1 : 3; n <= all; n += every) {
        refused += attempt(n, from_there_on) == KITH_NOMEM;
        tried++;
    }
    assert_true(all > 500);
    assert_true(refused > tried / 2);
}

static void one_failure(void **state)
{
    (void)state;
    fail_some(false);
}

static void no_more_memory(void **state)
{
    (void)state;
    fail_some(true);
}

static int setup(void **state)
{
    if (scratch_setup(state) != 0)
        return -1;
    snprintf(data_path, sizeof data_path, "%s", scratch_path("data.csv"));
    snprintf(run_path, sizeof run_path, "%s", scratch_path("run"));
    snprintf(program_path, sizeof program_path, "%s", scratch_path("program"));
    scratch_write(data_path, data_text);
    scratch_write(program_path, program_text);
    setenv("TMPDIR", scratch_directory, 1);
    return chmod(program_path, 0700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_failure),
                                       cmocka_unit_test(no_more_memory)};
    return cmocka_run_group_tests(tests, setup, scratch_teardown);
}
