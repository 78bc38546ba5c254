/* Hierarchies that a program has made: every job takes them as it takes files of the same
 * contents. */
#include "unit/job/support.h"

#include "support/scratch.h"

#define HEAD          \
    "study: people\n" \
    "columns:\n"      \
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
#define TAIL                                                                                \
    "privacy: [{model: k-anonymity, k: 2}, {model: t-closeness, t: 0.6, attribute: job}]\n" \
    "utility: {suppression: 0.2}\n"

static const char with_files[] =
    HEAD "  - {name: zip, role: quasi-identifying, hierarchy: zip.csv, domain: data}\n"
         "  - {name: job, role: sensitive, hierarchy: job.csv}\n" TAIL;
static const char without[] = HEAD "  - {name: zip, role: quasi-identifying, domain: data}\n"
                                   "  - {name: job, role: sensitive}\n" TAIL;

static const char zips[] = "81667;8166*;*\n90402;9040*;*\n81669;8166*;*\n90408;9040*;*\n"
                           "11111;1111*;*\n";
static const char *const jobs[] = {"cook",  "service", "*", "waiter", "service", "*",
                                   "smith", "craft",   "*", "baker",  "craft",   "*"};

static const char data[] = "zip,age,job\n81667,21,cook\n81669,23,smith\n90402,41,waiter\n"
                           "90402,44,baker\n90408,47,cook\n81667,28,baker\n90408,,smith\n"
                           "81669,27,waiter\n";

static const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 3);

typedef struct scene {
    kith_study *filed, *made;
    kith_table *data;
    kith_error error;
} scene;

static kith_study *parse(const char *text)
{
    kith_study *study = NULL;
    kith_error error = {0};
    if (kith_study_parse(&study, text, strlen(text), scratch_directory, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return study;
}

static void give_hierarchies(scene *s)
{
    kith_hierarchy *zip = NULL, *job = NULL;
    kith_study *plain = parse(without);
    assert_int_equal(kith_hierarchy_parse(&zip, zips, strlen(zips), NULL, NULL, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_from_labels(&job, jobs, 4, 3, NULL, NULL), KITH_OK);
    const kith_column_hierarchy both[] = {{"job", job}, {"zip", zip}};
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .hierarchies = both, .n_hierarchies = 2);
    if (kith_study_change(&s->made, plain, &options, NULL, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    kith_hierarchy_free(zip);
    kith_hierarchy_free(job);
    kith_study_free(plain);
}

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    kith_hierarchy *job = NULL;
    if (scratch_setup(state) != 0)
        return -1;
    scratch_write(scratch_path("zip.csv"), zips);
    scratch_write(scratch_path("data.csv"), data);
    assert_int_equal(kith_hierarchy_from_labels(&job, jobs, 4, 3, NULL, NULL), KITH_OK);
    assert_int_equal(kith_hierarchy_write(job, scratch_path("job.csv"), NULL, NULL), KITH_OK);
    kith_hierarchy_free(job);
    s->filed = parse(with_files);
    give_hierarchies(s);
    assert_int_equal(kith_table_read(&s->data, scratch_path("data.csv"), NULL, NULL, NULL),
                     KITH_OK);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    kith_study_free(s->filed);
    kith_study_free(s->made);
    kith_table_free(s->data);
    free(s);
    return scratch_teardown(state);
}

/* JSON of a document, which is freed. */
static char *json_of(kith_document *d)
{
    char *text = kith_document_json(d, true);
    assert_non_null(text);
    kith_document_free(d);
    return text;
}

static void same_texts(char *a, char *b)
{
    assert_string_equal(a, b);
    kith_free(a);
    kith_free(b);
}

/* The release, then its verdict and its report. */
static kith_table *release(scene *s, const kith_study *study, char **verdict, char **report)
{
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_table *typed = NULL, *made = NULL;
    kith_document *v = NULL, *r = NULL;
    assert_int_equal(kith_study_table_options(&options, study, NULL), KITH_OK);
    assert_int_equal(kith_table_read(&typed, scratch_path("data.csv"), &options, NULL, NULL),
                     KITH_OK);
    if (kith_anonymize_table(&made, NULL, study, typed, &run, &s->error) != KITH_OK ||
        kith_verify(&v, study,
                    &(kith_verify_options)KITH_OPTIONS(kith_verify_options,
                                                       .release = KITH_INPUT_TABLE(made),
                                                       .data = KITH_INPUT_TABLE(s->data)),
                    &run, &s->error) != KITH_OK ||
        kith_measure(&r, study,
                     &(kith_measure_options)KITH_OPTIONS(
                         kith_measure_options, .release = KITH_INPUT_TABLE(made),
                         .data = KITH_INPUT_TABLE(s->data), .n_queries = 20),
                     &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    kith_table_free(typed);
    *verdict = json_of(v);
    *report = json_of(r);
    return made;
}

static void releases_are_the_same(void **state)
{
    scene *s = *state;
    char *verdicts[2], *reports[2];
    kith_table *a = release(s, s->filed, &verdicts[0], &reports[0]);
    kith_table *b = release(s, s->made, &verdicts[1], &reports[1]);
    assert_int_equal(kith_table_n_rows(a), 8);
    for (size_t row = 0; row < 8; row++)
        for (size_t i = 0; i < kith_table_n_columns(a); i++)
            assert_string_equal(cell_of(a, row, i), cell_of(b, row, i));
    assert_non_null(strstr(verdicts[0], "\"holds\":\ttrue"));
    same_texts(verdicts[0], verdicts[1]);
    same_texts(reports[0], reports[1]);
    kith_table_free(a);
    kith_table_free(b);
}

/* A value that the hierarchy lacks is found, with the line of the data and the path of the key. */
static void lacking_values_are_found(void **state)
{
    scene *s = *state;
    kith_findings *findings = kith_findings_new();
    kith_finding f = KITH_INIT(kith_finding);
    kith_table *other = NULL;
    scratch_write(scratch_path("other.csv"), "zip,age,job\n81667,1,cook\n12345,2,cook\n");
    assert_int_equal(kith_table_read(&other, scratch_path("other.csv"), NULL, NULL, NULL), KITH_OK);
    assert_int_equal(kith_study_check(s->made,
                                      &(kith_check_options)KITH_OPTIONS(
                                          kith_check_options, .data = KITH_INPUT_TABLE(other)),
                                      NULL, findings, &s->error),
                     KITH_DATA);
    assert_true(kith_findings_at(&f, findings, 0));
    assert_string_equal(f.text, "'12345' is not in the hierarchy (column zip)");
    assert_int_equal(f.line, 3);
    kith_table_free(other);
    kith_findings_free(findings);
}

static void rows_are_tried_with_them(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,3"};
    const kith_study *studies[] = {s->filed, s->made};
    const kith_try_options options = KITH_OPTIONS(
        kith_try_options, .input = KITH_INPUT_TABLE(s->data), .sets = sets, .n_sets = 1);
    kith_document *d = NULL;
    char *text = NULL;
    assert_int_equal(kith_try(&d, studies, 2, &options, &run, &s->error), KITH_OK);
    for (size_t row = 0; row < 2; row++) {
        char a[32], b[32];
        snprintf(a, sizeof a, "rows.%zu.lm", row);
        snprintf(b, sizeof b, "rows.%zu.lm", row + 2);
        assert_true(kith_document_number(d, a, -1) >= 0);
        assert_true(kith_document_number(d, a, -1) == kith_document_number(d, b, -2));
    }
    kith_document_free(d);
    /* A text cannot say what they are. */
    assert_int_equal(
        kith_try_study(&text, studies + 1, 1, 2, scratch_directory, &options, &s->error),
        KITH_INVALID);
    assert_non_null(strstr(s->error.message, "is in this program's memory, and not in the text"));
    assert_int_equal(kith_try_study(&text, studies + 1, 1, 2, NULL, &options, &s->error), KITH_OK);
    assert_non_null(strstr(text, "k: 3"));
    kith_free(text);
}

/* Sites that are threads have them, too; processes cannot. */
static void sites_have_them(void **state)
{
    scene *s = *state;
    static const char joint[] = HEAD "  - {name: zip, role: quasi-identifying}\n"
                                     "  - {name: job, role: sensitive}\n"
                                     "privacy: [{model: k-anonymity, k: 30}]\n"
                                     "partition: horizontal\n";
    kith_study *plain = parse(joint), *study = NULL;
    kith_hierarchy *zip = NULL;
    kith_table *released = NULL;
    char directory[600], file[700];
    static const char *const places[] = {"81667", "81669", "90402", "90408"};
    /* No zip has 30 records, but their groups have 40. */
    FILE *whole = fopen(scratch_path("whole.csv"), "w");
    assert_non_null(whole);
    fputs("zip,age,job\n", whole);
    for (int i = 0; i < 80; i++)
        fprintf(whole, "%s,20,a\n", places[i % 4]);
    fclose(whole);
    assert_int_equal(kith_hierarchy_parse(&zip, zips, strlen(zips), NULL, NULL, NULL), KITH_OK);
    const kith_column_hierarchy one[] = {{"zip", zip}};
    assert_int_equal(kith_study_change(&study, plain,
                                       &(kith_change_options)KITH_OPTIONS(kith_change_options,
                                                                          .hierarchies = one,
                                                                          .n_hierarchies = 1),
                                       NULL, &s->error),
                     KITH_OK);
    snprintf(directory, sizeof directory, "%s", scratch_path("run"));
    kith_simulate_options options =
        KITH_OPTIONS(kith_simulate_options, .input = KITH_INPUT_URI(scratch_path("whole.csv")),
                     .n_sites = 2, .directory = directory, .executable = "/bin/true");
    assert_int_equal(kith_simulate(NULL, study, &options, &run, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message,
                        "the hierarchy of column zip is in this program's memory, where other "
                        "processes cannot read it");
    options.executable = NULL;
    if (kith_simulate(NULL, study, &options, &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    snprintf(file, sizeof file, "%s/release.csv", directory);
    assert_int_equal(kith_table_read(&released, file, NULL, NULL, NULL), KITH_OK);
    assert_string_equal(kith_table_column_name(released, 1), "zip");
    for (size_t row = 0; row < 80; row++)
        assert_non_null(strchr(cell_of(released, row, 1), '*'));
    assert_string_equal(kith_table_value(released, 1, 0), "8166*");
    kith_table_free(released);
    kith_hierarchy_free(zip);
    kith_study_free(study);
    kith_study_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(releases_are_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(lacking_values_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_are_tried_with_them, setup, teardown),
        cmocka_unit_test_setup_teardown(sites_have_them, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
