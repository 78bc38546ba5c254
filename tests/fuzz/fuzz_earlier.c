/* Any bytes as the mapping of an earlier release, for m-invariance: refused with a message, or a
 * release, which has been verified, or none that is possible. */
#include "support/fuzz_input.h"

#include <kith/kith.h>

#include "study/study.h"

static const char study_text[] =
    "study: series\n"
    "columns:\n"
    "  - {name: person, role: identifying}\n"
    "  - {name: age, role: quasi-identifying, type: integer,\n"
    "     hierarchy: {intervals: [10, 20, 40]}, domain: {range: [0, 79]}}\n"
    "  - {name: disease, role: sensitive}\n"
    "%s"
    "privacy: [{model: m-invariance, m: 2, attribute: disease, id: person, previous: ['%s']}]\n";

static const char *const cells[] = {"a", "20", "flu", "b", "21", "cold", "c", "41", "gout",
                                    "d", "42", "flu", "e", "60", "gout", "f", "61", "flu"};
enum { ROWS = sizeof cells / sizeof *cells / 3 };

static const char *const algorithms[] = {"algorithm: mondrian\n",
                                         "algorithm: flash\nutility: {suppression: 0.5}\n"};
enum { STUDIES = sizeof algorithms / sizeof *algorithms };

static void open_study(kith_study **study, kith_table **table, const char *algorithm)
{
    char text[2048];
    kith_error error;
    snprintf(text, sizeof text, study_text, algorithm, fuzz_path("mapping.csv"));
    require(kith_study_parse(study, text, strlen(text), ".", NULL, &error) == KITH_OK);
    const kith_table_options options = study_table_options(*study);
    require(kith_table_from_cells(table, cells, ROWS, &options, &error) == KITH_OK);
}

static void anonymize(const kith_study *study, const kith_table *table)
{
    kith_table *release = NULL;
    kith_error error = {0};
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    const kith_status status = kith_anonymize_table(&release, NULL, study, table, &run, &error);
    require(status == KITH_OK || status == KITH_DATA || status == KITH_INFEASIBLE);
    require(status == KITH_OK || error.message[0] != '\0');
    kith_table_free(release);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kith_study *studies[STUDIES];
    static kith_table *tables[STUDIES];
    fuzz_file("mapping.csv", data, size);
    for (size_t i = 0; i < STUDIES; i++) {
        if (studies[i] == NULL)
            open_study(&studies[i], &tables[i], algorithms[i]);
        anonymize(studies[i], tables[i]);
    }
    return 0;
}
