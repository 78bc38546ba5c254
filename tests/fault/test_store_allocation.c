/* Fails the n-th allocation of a job whose rows are on the disk, for many n: it returns, says that
 * memory ran out, leaks nothing and leaves no file behind. */
/* wrap: allocations spill_file_open */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>

#include "core/system/spill_file.h"
#include "fault/failing_files.h"
#include "fault/failing_job.h"
#include "study/study.h"

kith_status __real_spill_file_open(spill_file **file, arena *memory, const char *beside,
                                   kith_error *error);
kith_status __wrap_spill_file_open(spill_file **file, arena *memory, const char *beside,
                                   kith_error *error);

enum { ROWS = 40 };
static const char weaving[] = FAILING_FILES_STUDY "piece: 12\neffort: quick\n";
static const char searching_a_lattice[] =
    FAILING_FILES_STUDY "algorithm: flash\nutility: {suppression: 0.1}\n";
static const char comparing_records[] = FAILING_FILES_STUDY "algorithm: mondrian\n";
static const char *study_text;
static const char *data_path, *release_path, *mapping_path;
static uint32_t n_spill_files;

kith_status __wrap_spill_file_open(spill_file **file, arena *memory, const char *beside,
                                   kith_error *error)
{
    n_spill_files++;
    return __real_spill_file_open(file, memory, beside, error);
}

static kith_status from_disk_to_disk(kith_error *error)
{
    kith_study *study = NULL;
    kith_document *summary = NULL;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(data_path),
                     .output = release_path, .mapping = mapping_path, .explain = true);
    kith_status status = kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, error);
    if (status == KITH_OK) {
        study->memory_bytes = 1; /* less than a study may say: no file fits */
        status = kith_anonymize(&summary, study, &options, &run, error);
        bool there = access(release_path, F_OK) == 0;
        if (there != (status == KITH_OK))
            fail_msg("the release %s although the job returned %s",
                     there ? "appeared" : "is missing", kith_status_name(status));
        if (there != (access(mapping_path, F_OK) == 0))
            fail_msg("release or mapping is alone");
    }
    kith_document_free(summary);
    kith_study_free(study);
    return status;
}

static void fail_each(const char *text, bool from_there_on)
{
    study_text = text;
    n_spill_files = 0;
    assert_int_equal(failing_job(from_disk_to_disk, 0, false), KITH_OK);
    assert_true(n_spill_files >= 3); /* rows, the release, both by classes */
    const size_t all = failing_seen();
    size_t refused;
    failing_files_clear();
    const size_t tried =
        failing_job_often(from_disk_to_disk, all, from_there_on, &refused, failing_files_clear);
    assert_true(all > 200);
    assert_true(refused > tried / 2);
}

static void one_failure(void **state)
{
    (void)state;
    fail_each(weaving, false);
    fail_each(searching_a_lattice, false);
    fail_each(comparing_records, false);
}

static void no_more_memory(void **state)
{
    (void)state;
    fail_each(weaving, true);
    fail_each(searching_a_lattice, true);
    fail_each(comparing_records, true);
}

static int begin(void **state)
{
    unsetenv("TMPDIR");
    if (scratch_setup(state) != 0)
        return -1;
    failing_files_write_data(ROWS);
    data_path = strdup(scratch_path("data.csv"));
    release_path = strdup(scratch_path("release.csv"));
    mapping_path = strdup(scratch_path("mapping.csv"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failure),
        cmocka_unit_test(no_more_memory),
    };
    return cmocka_run_group_tests(tests, begin, scratch_teardown);
}
