/* Any bytes as a table that nobody knows: described and drafted or refused with a message, and the
 * draft is a study with which the table can be anonymized, or says why not. */
#include "support/fuzz_input.h"

#include <kith/kith.h>
#include <kith/tools.h>

enum { MAX_LENGTH = 2048 };

static void anonymize(const char *text, const char *path)
{
    kith_study *study = NULL;
    kith_table *table = NULL, *release = NULL;
    kith_error error = {0};
    kith_table_options options = KITH_INIT(kith_table_options);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    require(kith_study_parse(&study, text, strlen(text), ".", NULL, &error) == KITH_OK);
    require(kith_study_table_options(&options, study, &error) == KITH_OK);
    kith_status status = kith_table_read(&table, path, &options, &run, &error);
    require(status == KITH_OK);
    status = kith_anonymize_table(&release, NULL, study, table, &run, &error);
    require(status == KITH_OK || status == KITH_DATA || status == KITH_INFEASIBLE);
    kith_table_free(release);
    kith_table_free(table);
    kith_study_free(study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kith_document *d = NULL;
    char *text = NULL;
    kith_error error = {0};
    if (size > MAX_LENGTH)
        return 0;
    const char *path = fuzz_file("data.csv", data, size);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    const kith_describe_options describe =
        KITH_OPTIONS(kith_describe_options, .data = KITH_INPUT_URI(path));
    kith_status status = kith_describe(&d, &describe, &run, &error);
    require(status == KITH_OK || (status == KITH_DATA && error.message[0] != '\0'));
    kith_document_free(d);
    const kith_draft_options draft = KITH_OPTIONS(kith_draft_options, .data = KITH_INPUT_URI(path));
    status = kith_study_draft(&text, &draft, &run, &error);
    require(status == KITH_OK || (status == KITH_DATA && error.message[0] != '\0'));
    if (status == KITH_OK)
        anonymize(text, path);
    kith_free(text);
    return 0;
}
