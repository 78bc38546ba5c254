/* Anonymizes a small table in memory: what a program that links libkith does.
 *
 *   cc embed.c $(pkg-config --cflags --libs kith) -o embed && ./embed */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

/* What may be released, how privately, and how well: the same text as in a study file. */
static const char study_text[] =
    "study: example\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer,\n"
    "     hierarchy: {intervals: [10, 20, 40]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 2}\n";

/* Row by row, in the order of the study's columns; NULL would be a missing value. */
static const char *const people[] = {
    "34", "81667", "flu",  "36", "81675", "cold", "47", "81925", "flu",
    "41", "81931", "gout", "53", "81925", "cold", "59", "81931", "flu",
};

static void print_table(const kith_table *table)
{
    size_t n_columns = kith_table_n_columns(table);
    for (size_t row = 0; row < kith_table_n_rows(table); row++)
        for (size_t c = 0; c < n_columns; c++) {
            const char *cell = kith_table_cell(table, row, c);
            printf("%s%s", cell == NULL ? "" : cell, c + 1 < n_columns ? ", " : "\n");
        }
}

int main(void)
{
    kith_study *study = NULL;
    kith_table *table = NULL, *release = NULL;
    kith_document *summary = NULL;
    kith_error error;

    /* Every call returns a status; `error` says what went wrong. */
    kith_status status =
        kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, &error);
    if (status == KITH_OK) {
        kith_table_options options = KITH_INIT(kith_table_options);
        status = kith_study_table_options(&options, study, &error);
        if (status == KITH_OK)
            status = kith_table_from_cells(&table, people, 6, &options, &error);
    }
    if (status == KITH_OK) {
        /* KITH_INIT(kith_run), or NULL in the call, would draw a fresh seed. */
        kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 1);
        status = kith_anonymize_table(&release, &summary, study, table, &run, &error);
    }
    if (status == KITH_OK) {
        print_table(release);
        printf("%.0f classes, loss %.2f\n", kith_document_number(summary, KITH_KEY_CLASSES, 0),
               kith_document_number(summary, KITH_KEY_LOSS "." KITH_KEY_LM, 0));
    } else {
        fprintf(stderr, "%s: %s\n", kith_status_name(status), error.message);
    }

    /* All of these take NULL. */
    kith_document_free(summary);
    kith_table_free(release);
    kith_table_free(table);
    kith_study_free(study);
    return status == KITH_OK ? 0 : 1;
}
