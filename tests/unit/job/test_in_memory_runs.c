/* Simulations, comparisons and reports of tables in memory: they say what those of files with the
 * same cells do. */
#include "unit/job/support.h"

#include "support/scratch.h"

static const char study_text[] =
    "study: people\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n"
    "partition: horizontal\n"
    "missing_values: [\"?\"]\n";

static const char data[] = "age,who,disease\n21,Ada,flu\n23,Ben,cold\n?,Cem,flu\n41,Dee,gout\n"
                           "44,Eva,flu\n47,Fay,cold\n45,Gus,?\n22,Hal,flu\n";

static const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 7);

typedef struct scene {
    kith_study *study;
    char data_path[128], release_path[128];
    kith_table *data;
    kith_error error;
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    if (s == NULL || scratch_setup(state) != 0)
        return -1;
    setenv("TMPDIR", scratch_directory, 1);
    snprintf(s->data_path, sizeof s->data_path, "%s", scratch_path("data.csv"));
    snprintf(s->release_path, sizeof s->release_path, "%s", scratch_path("release.csv"));
    scratch_write(s->data_path, data);
    s->study = study_of(study_text);
    assert_int_equal(kith_table_read(&s->data, s->data_path, NULL, NULL, NULL), KITH_OK);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    kith_table_free(s->data);
    kith_study_free(s->study);
    free(s);
    return scratch_teardown(state);
}

static void same_number(const kith_document *a, const kith_document *b, const char *path)
{
    assert_true(kith_document_has(a, path));
    assert_true(kith_document_number(a, path, -1) == kith_document_number(b, path, -2));
}

static void tables_are_distributed_to_sites(void **state)
{
    scene *s = *state;
    kith_document *d[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        kith_simulate_options options =
            KITH_OPTIONS(kith_simulate_options,
                         .input = i == 0 ? KITH_INPUT_URI(s->data_path) : KITH_INPUT_TABLE(s->data),
                         .n_sites = 2, .directory = scratch_path(i == 0 ? "of-file" : "of-table"),
                         .baseline = true);
        if (kith_simulate(&d[i], s->study, &options, &run, &s->error) != KITH_OK)
            fail_msg("%s", s->error.message);
    }
    assert_int_equal(kith_document_number(d[1], "records", 0), 8);
    same_number(d[0], d[1], "loss.lm");
    same_number(d[0], d[1], "classes");
    kith_document_free(d[0]);
    kith_document_free(d[1]);
}

static void tables_are_compared(void **state)
{
    scene *s = *state;
    kith_document *d[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        kith_simulate_options options =
            KITH_OPTIONS(kith_simulate_options,
                         .input = i == 0 ? KITH_INPUT_URI(s->data_path) : KITH_INPUT_TABLE(s->data),
                         .n_sites = 2);
        if (kith_compare(&d[i], s->study, &options, &run, &s->error) != KITH_OK)
            fail_msg("%s", s->error.message);
    }
    assert_string_equal(kith_document_text(d[1], "ways.0.way", ""), "one place");
    same_number(d[0], d[1], "ways.0.lm");
    same_number(d[0], d[1], "ways.1.lm");
    kith_document_free(d[0]);
    kith_document_free(d[1]);
}

static void a_simulation_has_one_input(void **state)
{
    scene *s = *state;
    kith_simulate_options none = KITH_OPTIONS(kith_simulate_options, .n_sites = 2);
    assert_int_equal(kith_simulate(NULL, s->study, &none, &run, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "options.input is missing");
    const kith_input two = KITH_OPTIONS(kith_input, .uri = s->data_path, .table = s->data);
    kith_simulate_options both = KITH_OPTIONS(kith_simulate_options, .n_sites = 2, .input = &two);
    assert_int_equal(kith_simulate(NULL, s->study, &both, &run, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "options.input: a URI and a table exclude each other");
}

/* The report's page, to be freed. */
static char *report(scene *s, const char *name, kith_report_options options)
{
    options.size = sizeof options;
    options.study = s->study;
    options.output = scratch_path(name);
    if (kith_report(&options, &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    return scratch_read(scratch_path(name), NULL);
}

static void releases_are_reported(void **state)
{
    scene *s = *state;
    kith_document *summary = NULL;
    kith_table *release = NULL;
    kith_anonymize_options options = KITH_OPTIONS(
        kith_anonymize_options, .input = KITH_INPUT_URI(s->data_path), .output = s->release_path);
    assert_int_equal(kith_anonymize(&summary, s->study, &options, &run, &s->error), KITH_OK);
    assert_int_equal(kith_table_read(&release, s->release_path, NULL, NULL, NULL), KITH_OK);
    char *pages[] = {
        report(
            s, "1",
            (kith_report_options){.summary = summary, .release = KITH_INPUT_URI(s->release_path)}),
        report(s, "2",
               (kith_report_options){.summary = summary, .release = KITH_INPUT_TABLE(release)}),
        report(s, "3",
               (kith_report_options){.summary = summary,
                                     .release = KITH_INPUT_URI(s->release_path),
                                     .internal = true,
                                     .data = KITH_INPUT_URI(s->data_path)}),
        report(s, "4",
               (kith_report_options){.summary = summary,
                                     .release = KITH_INPUT_TABLE(release),
                                     .internal = true,
                                     .data = KITH_INPUT_TABLE(s->data)}),
    };
    assert_string_equal(pages[0], pages[1]);
    assert_string_equal(pages[2], pages[3]);
    assert_string_not_equal(pages[1], pages[3]);
    for (size_t i = 0; i < 4; i++)
        free(pages[i]);
    kith_report_options told = KITH_OPTIONS(
        kith_report_options, .summary = summary, .release = KITH_INPUT_TABLE(release),
        .study = s->study, .data = KITH_INPUT_TABLE(s->data), .output = scratch_path("5"));
    assert_int_equal(kith_report(&told, &run, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message,
                        "a public report says nothing about the data, so it takes none");
    const kith_input two = KITH_OPTIONS(kith_input, .uri = s->release_path, .table = release);
    told.release = &two;
    told.internal = true;
    assert_int_equal(kith_report(&told, &run, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "options.release: a URI and a table exclude each other");
    kith_table_free(release);
    kith_document_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_are_distributed_to_sites, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_are_compared, setup, teardown),
        cmocka_unit_test_setup_teardown(a_simulation_has_one_input, setup, teardown),
        cmocka_unit_test_setup_teardown(releases_are_reported, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
