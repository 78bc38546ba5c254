/* Tables in memory: every command says of them what it says of files with the same cells. */
#include "unit/job/support.h"

static const char study_text[] =
    "study: people\n"
    "columns:\n"
    "  - {name: who, role: identifying}\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: born, role: quasi-identifying, type: date, format: \"%d.%m.%Y\",\n"
    "     hierarchy: {dates: [month, year]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n"
    "missing_values: [\"?\"]\n"
    "trim: true\n";

static const char data[] = "disease,who,zip,age,born,weight\n"
                           "flu,Ada,81667,21,03.01.2003,1.5\n"
                           " cold,Ben,81669,023,11.01.2001,2\n"
                           "gout,Cem,81661,?,24.12.2000,2\n"
                           "flu,Dee, 90402,41,02.02.1983,1\n"
                           "cold,Eva,90403,44,05.07.1980,3\n"
                           "flu,Fay,90408,47,?,1\n"
                           "?,Gus,90402,61,31.01.1963,1\n"
                           "cold,Hal,80403,64,30.01.1960,2.5\n";

static const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 7);

typedef struct scene {
    place place;
    kith_study *study;
    const char *data_path, *release_path, *meta_path;
    /* The data as texts, and with the study's types; the release. */
    kith_table *data, *typed, *release;
    kith_error error;
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    kith_table_options options = KITH_INIT(kith_table_options);
    place_make(&s->place);
    s->study = study_of(study_text);
    s->data_path = place_file(&s->place, "data.csv", data);
    s->release_path = place_file(&s->place, "release.csv", NULL);
    s->meta_path = place_file(&s->place, "release.csv.meta.json", NULL);
    assert_int_equal(
        kith_anonymize(NULL, s->study,
                       &(kith_anonymize_options)KITH_OPTIONS(
                           kith_anonymize_options, .input = KITH_INPUT_URI(s->data_path),
                           .output = s->release_path, .keep_order = true),
                       &run, &s->error),
        KITH_OK);
    assert_int_equal(kith_table_read(&s->data, s->data_path, NULL, NULL, NULL), KITH_OK);
    assert_int_equal(kith_study_table_options(&options, s->study, NULL), KITH_OK);
    assert_int_equal(kith_table_read(&s->typed, s->data_path, &options, NULL, NULL), KITH_OK);
    assert_int_equal(kith_table_read(&s->release, s->release_path, NULL, NULL, NULL), KITH_OK);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    kith_table_free(s->data);
    kith_table_free(s->typed);
    kith_table_free(s->release);
    place_wipe(&s->place);
    kith_study_free(s->study);
    free(s);
    return 0;
}

/* Both documents are the same, and are freed. */
static void same_documents(kith_document *expected, kith_document *found)
{
    char *a = kith_document_json(expected, true), *b = kith_document_json(found, true);
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    kith_free(a);
    kith_free(b);
    kith_document_free(expected);
    kith_document_free(found);
}

static kith_document *verify(scene *s, kith_verify_options options)
{
    kith_document *d = NULL;
    options.size = sizeof options;
    if (kith_verify(&d, s->study, &options, &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    return d;
}

static void releases_are_verified(void **state)
{
    scene *s = *state;
    const kith_verify_options files = {.release = KITH_INPUT_URI(s->release_path),
                                       .data = KITH_INPUT_URI(s->data_path)};
    kith_document *d = verify(s, files);
    assert_true(kith_document_flag(d, "holds", false));
    assert_string_equal(kith_document_text(d, "cover.check", ""), "in order");
    kith_document_free(d);
    const kith_table *tables[] = {s->data, s->typed};
    for (size_t i = 0; i < 2; i++)
        same_documents(verify(s, files),
                       verify(s, (kith_verify_options){.release = KITH_INPUT_TABLE(s->release),
                                                       .data = KITH_INPUT_TABLE(tables[i])}));
    same_documents(verify(s, (kith_verify_options){.release = KITH_INPUT_URI(s->release_path)}),
                   verify(s, (kith_verify_options){.release = KITH_INPUT_TABLE(s->release)}));
    /* What is no release of this data is found out. */
    d = verify(s, (kith_verify_options){.release = KITH_INPUT_TABLE(s->data)});
    assert_false(kith_document_flag(d, "holds", true));
    kith_document_free(d);
}

static kith_table *anonymize(scene *s, const kith_table *table, size_t keep_order)
{
    kith_table *release = NULL;
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_TABLE(table),
                     .output_table = &release, .keep_order = keep_order);
    if (kith_anonymize(NULL, s->study, &options, &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    return release;
}

static void same_tables(const kith_table *a, const kith_table *b)
{
    assert_int_equal(kith_table_n_rows(a), kith_table_n_rows(b));
    assert_int_equal(kith_table_n_columns(a), kith_table_n_columns(b));
    for (size_t i = 0; i < kith_table_n_rows(a) * kith_table_n_columns(a); i++) {
        const size_t row = i / kith_table_n_columns(a), column = i % kith_table_n_columns(a);
        const char *x = kith_table_cell(a, row, column), *y = kith_table_cell(b, row, column);
        assert_string_equal(x == NULL ? "missing" : x, y == NULL ? "missing" : y);
    }
}

/* Rows in the order of the data are those of the file; otherwise they are those of
 * kith_anonymize_table. */
static void tables_are_anonymized(void **state)
{
    scene *s = *state;
    kith_table *sorted = NULL;
    assert_int_equal(kith_anonymize_table(&sorted, NULL, s->study, s->typed, &run, &s->error),
                     KITH_OK);
    const kith_table *tables[] = {s->data, s->typed};
    for (size_t i = 0; i < 2; i++) {
        kith_table *kept = anonymize(s, tables[i], 1), *other = anonymize(s, tables[i], 0);
        same_tables(kept, s->release);
        same_tables(other, sorted);
        kith_table_free(kept);
        kith_table_free(other);
    }
    kith_table_free(sorted);
}

static void a_table_becomes_a_table(void **state)
{
    scene *s = *state;
    kith_table *release = NULL;
    const kith_input both = KITH_OPTIONS(kith_input, .uri = s->data_path, .table = s->data);
    const kith_anonymize_options wrong[] = {
        {.input = KITH_INPUT_TABLE(s->data)},
        {.input = KITH_INPUT_TABLE(s->data), .output = "r.csv"},
        {.input = KITH_INPUT_TABLE(s->data), .output = "r.csv", .output_table = &release},
        {.input = KITH_INPUT_URI(s->data_path), .output_table = &release},
        {.input = &both, .output_table = &release},
        {.input = KITH_INPUT_URI(s->data_path), .output = "r.csv", .memory_bytes = 999999},
        {.input = KITH_INPUT_TABLE(s->data), .output_table = &release, .memory_bytes = 1000000000}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kith_anonymize_options options = wrong[i];
        options.size = sizeof options;
        assert_int_equal(kith_anonymize(NULL, s->study, &options, &run, &s->error), KITH_INVALID);
        assert_null(release);
    }
}

/* What was made of a table can be handed on as it is. */
static void the_release_of_a_table_is_verified(void **state)
{
    scene *s = *state;
    kith_table *release = anonymize(s, s->typed, 1);
    same_documents(verify(s, (kith_verify_options){.release = KITH_INPUT_URI(s->release_path),
                                                   .data = KITH_INPUT_URI(s->data_path)}),
                   verify(s, (kith_verify_options){.release = KITH_INPUT_TABLE(release),
                                                   .data = KITH_INPUT_TABLE(s->typed)}));
    kith_table_free(release);
}

static kith_document *measure(scene *s, kith_measure_options options)
{
    kith_document *d = NULL;
    options.size = sizeof options;
    options.n_queries = 50;
    options.classify = "disease";
    options.population = 100;
    options.special_uniques = 2;
    if (kith_measure(&d, s->study, &options, &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    return d;
}

static void releases_are_measured(void **state)
{
    scene *s = *state;
    const kith_table *tables[] = {s->data, s->typed};
    for (size_t i = 0; i < 2; i++)
        same_documents(
            measure(s, (kith_measure_options){.data = KITH_INPUT_URI(s->data_path),
                                              .release = KITH_INPUT_URI(s->release_path)}),
            measure(s, (kith_measure_options){.data = KITH_INPUT_TABLE(tables[i]),
                                              .release = KITH_INPUT_TABLE(s->release)}));
    /* Weights come from a column that the study does not name. */
    same_documents(measure(s, (kith_measure_options){.data = KITH_INPUT_URI(s->data_path),
                                                     .release = KITH_INPUT_URI(s->release_path),
                                                     .weights = "weight"}),
                   measure(s, (kith_measure_options){.data = KITH_INPUT_TABLE(s->data),
                                                     .release = KITH_INPUT_TABLE(s->release),
                                                     .weights = "weight"}));
}

static kith_document *describe(scene *s, kith_describe_options options)
{
    kith_document *d = NULL;
    options.size = sizeof options;
    if (kith_describe(&d, &options, &run, &s->error) != KITH_OK)
        fail_msg("%s", s->error.message);
    return d;
}

static void tables_are_described(void **state)
{
    scene *s = *state;
    same_documents(describe(s, (kith_describe_options){.data = KITH_INPUT_URI(s->data_path)}),
                   describe(s, (kith_describe_options){.data = KITH_INPUT_TABLE(s->data)}));
    same_documents(describe(s, (kith_describe_options){.data = KITH_INPUT_URI(s->data_path),
                                                       .study = s->study,
                                                       .known = KITH_INPUT_URI("")}),
                   describe(s, (kith_describe_options){.data = KITH_INPUT_TABLE(s->data),
                                                       .study = s->study,
                                                       .known = KITH_INPUT_URI("")}));
    same_documents(describe(s, (kith_describe_options){.data = KITH_INPUT_URI(s->data_path),
                                                       .study = s->study,
                                                       .known = KITH_INPUT_URI(s->data_path)}),
                   describe(s, (kith_describe_options){.data = KITH_INPUT_TABLE(s->data),
                                                       .study = s->study,
                                                       .known = KITH_INPUT_TABLE(s->data)}));
    same_documents(describe(s, (kith_describe_options){.data = KITH_INPUT_URI(s->data_path),
                                                       .known = KITH_INPUT_URI(s->data_path)}),
                   describe(s, (kith_describe_options){.data = KITH_INPUT_TABLE(s->data),
                                                       .known = KITH_INPUT_TABLE(s->data)}));
}

static kith_document *check(scene *s, const kith_study *study, kith_check_options options)
{
    kith_findings *findings = kith_findings_new();
    kith_document *d = NULL;
    options.size = sizeof options;
    kith_status status = kith_study_check(study, &options, &run, findings, &s->error);
    assert_true(status == KITH_OK || status == KITH_DATA);
    assert_int_equal(status == KITH_DATA, kith_findings_n_problems(findings) > 0);
    assert_int_equal(kith_findings_describe(&d, findings, &s->error), KITH_OK);
    kith_findings_free(findings);
    return d;
}

/* Problems of every kind, with the lines of the file that the table was read from. */
static const char wrong_text[] =
    "study: wrong\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer}\n"
    "  - {name: born, role: quasi-identifying, type: date}\n"
    "  - {name: sip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 20}]\n";

static void studies_are_checked(void **state)
{
    scene *s = *state;
    same_documents(check(s, s->study, (kith_check_options){.data = KITH_INPUT_URI(s->data_path)}),
                   check(s, s->study, (kith_check_options){.data = KITH_INPUT_TABLE(s->data)}));
    kith_study *wrong = study_of(wrong_text);
    kith_document *d = check(s, wrong, (kith_check_options){.data = KITH_INPUT_TABLE(s->data)});
    assert_int_equal(kith_document_number(d, "problems", 0), 7);
    same_documents(check(s, wrong, (kith_check_options){.data = KITH_INPUT_URI(s->data_path)}), d);
    kith_study_free(wrong);
}

/* A table that comes from no file has no lines. */
static void cells_without_a_file_are_named_by_row(void **state)
{
    scene *s = *state;
    static const char *const cells[] = {"34", "x"};
    const kith_column_spec age = {.name = "age"};
    kith_table *table = NULL;
    kith_document *d = NULL;
    assert_int_equal(kith_table_from_cells(&table, cells, 2,
                                           &(kith_table_options)KITH_OPTIONS(
                                               kith_table_options, .columns = &age, .n_columns = 1),
                                           &s->error),
                     KITH_OK);
    d = check(s, s->study, (kith_check_options){.data = KITH_INPUT_TABLE(table)});
    assert_string_equal(kith_document_text(d, "findings.0.text", ""),
                        "'x' is not an integer (column age)");
    assert_string_equal(kith_document_text(d, "findings.0.file", ""), "the table");
    assert_false(kith_document_has(d, "findings.0.line"));
    assert_string_equal(kith_document_text(d, "findings.1.text", ""),
                        "column 'born' is not in the table");
    kith_document_free(d);
    kith_table_free(table);
}

static void settings_are_tried(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,3", "missing=value,drop"};
    const kith_study *studies[] = {s->study};
    kith_document *d[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        kith_try_options options =
            KITH_OPTIONS(kith_try_options,
                         .input = i == 0 ? KITH_INPUT_URI(s->data_path) : KITH_INPUT_TABLE(s->data),
                         .sets = sets, .n_sets = 2);
        assert_int_equal(kith_try(&d[i], studies, 1, &options, &run, &s->error), KITH_OK);
    }
    assert_int_equal(kith_document_n_items(d[1], "rows"), 4);
    for (size_t row = 0; row < 4; row++) {
        char path[32];
        snprintf(path, sizeof path, "rows.%zu.lm", row);
        double lm = kith_document_number(d[0], path, -1);
        assert_true(lm >= 0);
        assert_true(kith_document_number(d[1], path, -2) == lm);
    }
    kith_document_free(d[0]);
    kith_document_free(d[1]);
}

/* Without a file there is no name for the study, and no place for hierarchies. */
static void studies_are_drafted(void **state)
{
    scene *s = *state;
    char *from_file = NULL, *from_table = NULL;
    assert_int_equal(kith_study_draft(&from_file,
                                      &(kith_draft_options)KITH_OPTIONS(
                                          kith_draft_options, .data = KITH_INPUT_URI(s->data_path)),
                                      &run, &s->error),
                     KITH_OK);
    assert_int_equal(kith_study_draft(&from_table,
                                      &(kith_draft_options)KITH_OPTIONS(
                                          kith_draft_options, .data = KITH_INPUT_TABLE(s->data)),
                                      &run, &s->error),
                     KITH_OK);
    char *name = strstr(from_file, "study: data\n");
    assert_non_null(name);
    char *first = strstr(from_table, "study: first\n");
    assert_non_null(first);
    assert_string_equal(name + strlen("study: data"), first + strlen("study: first"));
    kith_study_free(study_of(from_table));
    kith_free(from_file);
    kith_free(from_table);
}

static void either_a_name_or_a_table(void **state)
{
    scene *s = *state;
    kith_document *d = NULL;
    const kith_input two = KITH_OPTIONS(kith_input, .uri = "x.csv", .table = s->release);
    const kith_verify_options both = KITH_OPTIONS(kith_verify_options, .release = &two);
    assert_int_equal(kith_verify(&d, s->study, &both, NULL, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "options.release: a URI and a table exclude each other");
    kith_measure_options none =
        KITH_OPTIONS(kith_measure_options, .data = KITH_INPUT_TABLE(s->data));
    assert_int_equal(kith_measure(&d, s->study, &none, NULL, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "options.release is missing");
    kith_describe_options known =
        KITH_OPTIONS(kith_describe_options, .data = KITH_INPUT_TABLE(s->data), .known = &two);
    assert_int_equal(kith_describe(&d, &known, NULL, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "options.known: a URI and a table exclude each other");
    assert_null(d);
}

/* A table whose cells are not what the study says is refused as a file is. */
static void cells_of_another_type(void **state)
{
    scene *s = *state;
    kith_document *d = NULL;
    kith_error of_file;
    kith_verify_options file =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(s->release_path),
                     .data = KITH_INPUT_URI(s->release_path));
    kith_verify_options table =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_TABLE(s->release),
                     .data = KITH_INPUT_TABLE(s->release));
    assert_int_equal(kith_verify(&d, s->study, &file, NULL, &of_file), KITH_DATA);
    assert_int_equal(kith_verify(&d, s->study, &table, NULL, &s->error), KITH_DATA);
    assert_non_null(strstr(s->error.message, "is not an integer (column age)"));
    assert_string_equal(s->error.hint, of_file.hint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(releases_are_verified, setup, teardown),
        cmocka_unit_test_setup_teardown(the_release_of_a_table_is_verified, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_are_anonymized, setup, teardown),
        cmocka_unit_test_setup_teardown(a_table_becomes_a_table, setup, teardown),
        cmocka_unit_test_setup_teardown(releases_are_measured, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_are_described, setup, teardown),
        cmocka_unit_test_setup_teardown(studies_are_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(cells_without_a_file_are_named_by_row, setup, teardown),
        cmocka_unit_test_setup_teardown(settings_are_tried, setup, teardown),
        cmocka_unit_test_setup_teardown(studies_are_drafted, setup, teardown),
        cmocka_unit_test_setup_teardown(either_a_name_or_a_table, setup, teardown),
        cmocka_unit_test_setup_teardown(cells_of_another_type, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
