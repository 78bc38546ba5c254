/* What a program does that holds its data in columns: it hands over columns and a hierarchy, sets
 * what the study says, looks for mistakes, and checks and measures the release. No file is read.
 *
 *   cc columns.c $(pkg-config --cflags --libs kith) -o columns && ./columns */
#include <kith/kith.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 8 };

/* One column as texts, two as codes of a dictionary, in any order. */
static const char *const ages[ROWS] = {"34", "36", "47", "41", "53", "59", "38", "45"};
static const char *const jobs[] = {"waiter", "cook", "smith", "baker"};
static const uint32_t job_codes[ROWS] = {0, 1, 2, 3, 2, 3, 0, 1};
static const char *const diseases[] = {"flu", "cold", "gout"};
static const uint32_t disease_codes[ROWS] = {0, 1, 0, 2, 1, 0, KITH_CODE_MISSING, 1};

/* For every leaf its labels up to the root. */
static const char *const job_labels[] = {
    "waiter", "service", "*", "cook", "service", "*", "smith", "craft", "*", "baker", "craft", "*",
};

/* A study to start from: kith_study_draft writes one for any table. */
static const char study_text[] = "study: example\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer,\n"
                                 "     hierarchy: {intervals: [10, 20, 40]}}\n"
                                 "  - {name: job, role: quasi-identifying}\n"
                                 "  - {name: disease, role: sensitive}\n"
                                 "privacy:\n"
                                 "  - {model: k-anonymity, k: 5}\n";

/* All that is made on the way; the _free of every type takes NULL. */
typedef struct work {
    kith_study *draft, *study;
    kith_hierarchy *hierarchy;
    kith_table_builder *builder;
    kith_table *table, *release;
    kith_document *verdict, *report;
    kith_findings *findings;
} work;

static void wipe(work *w)
{
    kith_findings_free(w->findings);
    kith_document_free(w->report);
    kith_document_free(w->verdict);
    kith_table_free(w->release);
    kith_table_free(w->table);
    kith_table_builder_free(w->builder);
    kith_hierarchy_free(w->hierarchy);
    kith_study_free(w->study);
    kith_study_free(w->draft);
}

#define TRY(call)                    \
    do {                             \
        kith_status status = (call); \
        if (status != KITH_OK)       \
            return status;           \
    } while (0)

/* The study with a smaller k, some suppression and a hierarchy of our own. */
static kith_status make_study(work *w, kith_error *error)
{
    const kith_setting settings[] = {{"k", "2"}, {"utility.suppression", "0.1"}};
    TRY(kith_study_parse(&w->draft, study_text, strlen(study_text), ".", w->findings, error));
    TRY(kith_hierarchy_from_labels(&w->hierarchy, job_labels, 4, 3, w->findings, error));
    const kith_column_hierarchy hierarchies[] = {{"job", w->hierarchy}};
    kith_change_options options =
        KITH_OPTIONS(kith_change_options, .settings = settings, .n_settings = 2,
                     .hierarchies = hierarchies, .n_hierarchies = 1);
    return kith_study_change(&w->study, w->draft, &options, w->findings, error);
}

/* Columns come in the order of the study; pieces of any length would do as well. */
static kith_status make_table(work *w, kith_error *error)
{
    kith_table_options options = KITH_INIT(kith_table_options);
    TRY(kith_study_table_options(&options, w->study, error));
    TRY(kith_table_builder_new(&w->builder, &options, error));
    TRY(kith_table_builder_add_texts(w->builder, 0, ages, NULL, ROWS, error));
    TRY(kith_table_builder_add_codes(w->builder, 1, job_codes, ROWS, jobs, NULL, 4, error));
    TRY(kith_table_builder_add_codes(w->builder, 2, disease_codes, ROWS, diseases, NULL, 3, error));
    return kith_table_builder_finish(&w->table, w->builder, error);
}

static kith_status anonymize(work *w, kith_error *error)
{
    kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 1);
    kith_check_options check = KITH_OPTIONS(kith_check_options, .data = KITH_INPUT_TABLE(w->table));
    TRY(kith_study_check(w->study, &check, &run, w->findings, error));
    TRY(kith_anonymize_table(&w->release, NULL, w->study, w->table, &run, error));
    kith_verify_options verify =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_TABLE(w->release),
                     .data = KITH_INPUT_TABLE(w->table));
    TRY(kith_verify(&w->verdict, w->study, &verify, &run, error));
    kith_measure_options measure =
        KITH_OPTIONS(kith_measure_options, .data = KITH_INPUT_TABLE(w->table),
                     .release = KITH_INPUT_TABLE(w->release));
    return kith_measure(&w->report, w->study, &measure, &run, error);
}

/* Columns of the release are read as they were written: codes and distinct texts. */
static void print_column(const kith_table *table, size_t column)
{
    const uint32_t *codes = kith_table_codes(table, column);
    printf("%s:", kith_table_column_name(table, column));
    for (size_t row = 0; row < kith_table_n_rows(table); row++)
        printf(" %s",
               codes[row] == KITH_CODE_MISSING ? "-" : kith_table_value(table, column, codes[row]));
    putchar('\n');
}

/* Everything that the calls found, not only the first. */
static void print_findings(const kith_findings *findings)
{
    kith_finding f = KITH_INIT(kith_finding);
    for (size_t i = 0; kith_findings_at(&f, findings, i); i++)
        fprintf(stderr, "%s: %s\n",
                f.path != NULL   ? f.path
                : f.file != NULL ? f.file
                                 : "study",
                f.text);
}

int main(void)
{
    work w = {.findings = kith_findings_new()};
    kith_error error;
    kith_status status = make_study(&w, &error);
    if (status == KITH_OK)
        status = make_table(&w, &error);
    if (status == KITH_OK)
        status = anonymize(&w, &error);
    if (status == KITH_OK) {
        for (size_t i = 0; i < kith_table_n_columns(w.release); i++)
            print_column(w.release, i);
        printf("%s, loss %.2f\n",
               kith_document_flag(w.verdict, KITH_KEY_HOLDS, false) ? "holds" : "fails",
               kith_document_number(w.report, KITH_KEY_LOSS "." KITH_KEY_LM, 0));
    } else {
        print_findings(w.findings);
        fprintf(stderr, "%s: %s\n", kith_status_name(status), error.message);
    }
    wipe(&w);
    return status == KITH_OK ? 0 : 1;
}
