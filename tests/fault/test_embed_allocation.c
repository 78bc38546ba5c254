/* Fails the n-th allocation of what a program does with tables, studies and hierarchies of its own,
 * for many n: each call returns, says that memory ran out, and leaks nothing. */
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

#include "fault/failing_job.h"

static const char study_text[] =
    "study: small\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: day, role: quasi-identifying, type: date, format: \"%d.%m.%Y\",\n"
    "     hierarchy: {dates: [month, year]}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 2}\n"
    "missing_values: [\"\", \"?\"]\n"
    "trim: true\n";

enum { ROWS = 8 };
static const char *const ages[] = {"34", "36", "47", "41", "53", "59", "61", "68"};
static const char *const zips[] = {"81667", "81675", "81925", "81931", NULL};
static const uint32_t zip_codes[] = {0, 1, 2, 3, 2, KITH_CODE_MISSING, 3, 1};
static const char *const days[] = {"03.01.2024", "09.01.2024", "11.02.2024", "02.02.2024",
                                   "28.02.2024", "01.03.2024", "24.12.2023", "?"};
static const char *const diseases[] = {"flu", "cold ", "gout", "cold"};
static const uint32_t disease_codes[] = {0, 1, 0, 2, 3, 0, 1, KITH_CODE_MISSING};

static const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);

/* What the jobs below begin with and free at the end. */
typedef struct scene {
    kith_study *study;
    kith_table *table;
    kith_table *release;
    kith_document *documents[4];
    kith_findings *findings;
} scene;

static void wipe(scene *s)
{
    for (size_t i = 0; i < sizeof s->documents / sizeof *s->documents; i++)
        kith_document_free(s->documents[i]);
    kith_findings_free(s->findings);
    kith_table_free(s->release);
    kith_table_free(s->table);
    kith_study_free(s->study);
}

/* Four columns, of texts and of codes, with the types of the study or without. */
static kith_status fill(kith_table **table, kith_table_builder *b, kith_error *error)
{
    kith_status status = kith_table_builder_add_texts(b, 0, ages, NULL, 5, error);
    if (status == KITH_OK)
        status = kith_table_builder_add_texts(b, 0, ages + 5, NULL, ROWS - 5, error);
    if (status == KITH_OK)
        status = kith_table_builder_add_codes(b, 1, zip_codes, ROWS, zips, NULL, 5, error);
    if (status == KITH_OK)
        status = kith_table_builder_add_texts(b, 2, days, NULL, ROWS, error);
    if (status == KITH_OK)
        status = kith_table_builder_add_codes(b, 3, disease_codes, ROWS, diseases, NULL, 4, error);
    return status == KITH_OK ? kith_table_builder_finish(table, b, error) : status;
}

static kith_status begin(scene *s, bool typed, kith_error *error)
{
    static const kith_column_spec texts[] = {{"age", KITH_TYPE_STRING, NULL},
                                             {"zip", KITH_TYPE_STRING, NULL},
                                             {"day", KITH_TYPE_STRING, NULL},
                                             {"disease", KITH_TYPE_STRING, NULL}};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = texts, .n_columns = 4);
    kith_table_builder *b = NULL;
    s->findings = kith_findings_new();
    kith_status status =
        s->findings == NULL
            ? KITH_NOMEM
            : kith_study_parse(&s->study, study_text, strlen(study_text), ".", s->findings, error);
    if (status == KITH_OK && typed)
        status = kith_study_table_options(&options, s->study, error);
    if (status == KITH_OK)
        status = kith_table_builder_new(&b, &options, error);
    if (status == KITH_OK)
        status = fill(&s->table, b, error);
    kith_table_builder_free(b);
    return status;
}

/* Anonymizes a table of columns, and verifies and measures what came out. */
static kith_status releasing(kith_error *error)
{
    scene s = {0};
    kith_status status = begin(&s, true, error);
    if (status == KITH_OK)
        status = kith_anonymize_table(&s.release, &s.documents[0], s.study, s.table, &run, error);
    if (status == KITH_OK)
        status = kith_verify(&s.documents[1], s.study,
                             &(kith_verify_options)KITH_OPTIONS(
                                 kith_verify_options, .release = KITH_INPUT_TABLE(s.release),
                                 .data = KITH_INPUT_TABLE(s.table)),
                             &run, error);
    if (status == KITH_OK)
        status = kith_measure(&s.documents[2], s.study,
                              &(kith_measure_options)KITH_OPTIONS(
                                  kith_measure_options, .data = KITH_INPUT_TABLE(s.table),
                                  .release = KITH_INPUT_TABLE(s.release), .weights = "age"),
                              &run, error);
    wipe(&s);
    return status;
}

/* Looks at a table of texts in every way that there is. */
static kith_status looking(kith_error *error)
{
    scene s = {0};
    char *text = NULL;
    kith_status status = begin(&s, false, error);
    if (status == KITH_OK)
        status = kith_study_check(s.study,
                                  &(kith_check_options)KITH_OPTIONS(
                                      kith_check_options, .data = KITH_INPUT_TABLE(s.table)),
                                  &run, s.findings, error);
    if (status == KITH_OK)
        status = kith_describe(&s.documents[0],
                               &(kith_describe_options)KITH_OPTIONS(
                                   kith_describe_options, .data = KITH_INPUT_TABLE(s.table),
                                   .study = s.study, .known = KITH_INPUT_TABLE(s.table)),
                               &run, error);
    if (status == KITH_OK)
        status = kith_study_draft(&text,
                                  &(kith_draft_options)KITH_OPTIONS(
                                      kith_draft_options, .data = KITH_INPUT_TABLE(s.table)),
                                  &run, error);
    kith_free(text);
    wipe(&s);
    return status;
}

/* Tries settings on a table; the last row is refused. A row that cannot be made for lack of memory
 * ends the call. */
static kith_status trying(kith_error *error)
{
    scene s = {0};
    static const char *const sets[] = {"k=2,3", "utility.suppression=0.1,2"};
    char *text = NULL;
    kith_status status = begin(&s, false, error);
    const kith_study *studies[] = {s.study};
    const kith_try_options options = KITH_OPTIONS(
        kith_try_options, .input = KITH_INPUT_TABLE(s.table), .sets = sets, .n_sets = 2);
    if (status == KITH_OK)
        status = kith_try(&s.documents[0], studies, 1, &options, &run, error);
    if (status == KITH_OK)
        status = kith_try_study(&text, studies, 1, 3, ".", &options, error);
    kith_free(text);
    wipe(&s);
    return status;
}

/* Changes a study twice, with a hierarchy of its own; then uses it. */
static kith_status change(kith_study **study, kith_findings *findings, kith_error *error)
{
    static const char zip_text[] = "81667;81*;*\n81675;81*;*\n81925;81*;*\n81931;81*;*\n";
    static const char *const labels[] = {"flu", "lungs", "*",    "cold", "lungs",
                                         "*",   "gout",  "foot", "*"};
    static const kith_setting settings[] = {{"k", "3"}, {"utility.suppression", "0.5"}};
    kith_hierarchy *zip = NULL, *disease = NULL;
    kith_study *first = NULL, *second = NULL;
    kith_status status =
        kith_hierarchy_parse(&zip, zip_text, strlen(zip_text), NULL, findings, error);
    if (status == KITH_OK)
        status = kith_hierarchy_from_labels(&disease, labels, 3, 3, findings, error);
    const kith_column_hierarchy one[] = {{"zip", zip}}, two[] = {{"disease", disease}};
    if (status == KITH_OK)
        status = kith_study_change(&first, *study,
                                   &(kith_change_options)KITH_OPTIONS(
                                       kith_change_options, .settings = settings, .n_settings = 2,
                                       .hierarchies = one, .n_hierarchies = 1),
                                   findings, error);
    if (status == KITH_OK)
        status = kith_study_change(&second, first,
                                   &(kith_change_options)KITH_OPTIONS(
                                       kith_change_options, .hierarchies = two, .n_hierarchies = 1),
                                   findings, error);
    kith_hierarchy_free(zip);
    kith_hierarchy_free(disease);
    kith_study_free(first);
    if (status == KITH_OK) {
        kith_study_free(*study);
        *study = second;
    }
    return status;
}

static kith_status changing(kith_error *error)
{
    scene s = {0};
    static const kith_setting wrong[] = {{"k", "none"}, {"algoritm", "flash"}};
    kith_study *refused = NULL;
    kith_status status = begin(&s, true, error);
    if (status == KITH_OK)
        status = change(&s.study, s.findings, error);
    if (status == KITH_OK) {
        status = kith_study_change(&refused, s.study,
                                   &(kith_change_options)KITH_OPTIONS(
                                       kith_change_options, .settings = wrong, .n_settings = 2),
                                   s.findings, error);
        status = status == KITH_INVALID ? KITH_OK : status; /* as it should be */
    }
    if (status == KITH_OK)
        status = kith_anonymize_table(&s.release, &s.documents[0], s.study, s.table, &run, error);
    wipe(&s);
    return status;
}

static void fail_each(kith_status (*job)(kith_error *))
{
    for (int from_there_on = 0; from_there_on < 2; from_there_on++) {
        assert_int_equal(failing_job(job, 0, false), KITH_OK);
        const size_t all = failing_seen();
        size_t refused;
        const size_t tried = failing_job_often(job, all, from_there_on, &refused, NULL);
        assert_true(all > 200);
        assert_true(refused > tried / 2);
    }
}

static void while_releasing(void **state)
{
    (void)state;
    fail_each(releasing);
}

static void while_looking(void **state)
{
    (void)state;
    fail_each(looking);
}

static void while_trying(void **state)
{
    (void)state;
    fail_each(trying);
}

static void while_changing(void **state)
{
    (void)state;
    fail_each(changing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_releasing),
        cmocka_unit_test(while_looking),
        cmocka_unit_test(while_trying),
        cmocka_unit_test(while_changing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
