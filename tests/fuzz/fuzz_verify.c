/* Any bytes as a release: `kith verify` and `kith measure` read its labels or refuse it with a
 * message, and no release holds that has a class of one row. The first byte chooses the study. */
#include "support/fuzz_input.h"

#include <kith/kith.h>

enum { MAX_LENGTH = 2048, STUDIES = 4, COLUMNS = 4 };

static const char data_text[] = "age,born,zip,ill\n"
                                "23,1999-01-31,81001,flu\n24,1999-02-01,81002,flu\n"
                                "31,1987-12-31,81103,cold\n32,1988-01-01,81104,\n"
                                "47,1971-06-15,90210,gout\n,1971-06-16,90211,cold\n";

#define COLUMNS_TEXT(age, born, zip)                                                  \
    "study: made\ncolumns:\n"                                                         \
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {" age "}}\n" \
    "  - {name: born, role: quasi-identifying, type: date, hierarchy: {" born "}}\n"  \
    "  - {name: zip, role: quasi-identifying, hierarchy: {" zip "}}\n"                \
    "  - {name: ill, role: sensitive}\n"

static const char *const texts[STUDIES] = {
    COLUMNS_TEXT("intervals: [10, 20]", "dates: [month, year]",
                 "mask: right") "privacy: [{model: k-anonymity, k: 2}]\n",
    COLUMNS_TEXT(
        "order: [2, 4]", "dates: [day, week]",
        "mask: left") "algorithm: mondrian\nranges: true\nprivacy: [{model: k-anonymity, k: 2}]\n",
    COLUMNS_TEXT(
        "intervals: [5, 10]", "order: [2, 6]",
        "order: [3, 6]") "privacy: [{model: k-anonymity, k: 2},\n"
                         "  {model: t-closeness, variant: equal, t: 0.5, attribute: ill},\n"
                         "  {model: l-diversity, variant: entropy, l: 1.5, attribute: ill}]\n",
    COLUMNS_TEXT("intervals: [10]", "dates: [quarter, decade]",
                 "mask: right") "privacy: [{model: k-anonymity, k: 2}, {model: l-diversity, "
                                "variant: recursive, l: 2, c: 3,\n"
                                "  attribute: ill}]\nutility: {suppression: 0.5}\n",
};

/* Rows that agree in the first columns, with each other or the row itself. */
static size_t class_size(const kith_table *t, const size_t place[COLUMNS], size_t row)
{
    size_t count = 0;
    for (size_t other = 0; other < kith_table_n_rows(t); other++) {
        bool same = true;
        for (size_t j = 0; j < COLUMNS - 1 && same; j++) {
            const char *a = kith_table_cell(t, row, place[j]);
            const char *b = kith_table_cell(t, other, place[j]);
            same = (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
        }
        count += same;
    }
    return count;
}

static void check_classes(const char *path)
{
    static const char *const names[COLUMNS] = {"age", "born", "zip", "ill"};
    size_t place[COLUMNS] = {0};
    kith_table *t = NULL;
    kith_error error;
    require(kith_table_read(&t, path, NULL, NULL, &error) == KITH_OK);
    for (size_t j = 0; j < COLUMNS; j++)
        while (strcmp(kith_table_column_name(t, place[j]), names[j]) != 0)
            place[j]++;
    for (size_t row = 0; row < kith_table_n_rows(t); row++)
        require(class_size(t, place, row) >= 2);
    kith_table_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kith_study *studies[STUDIES];
    static char original[512];
    kith_document *d = NULL;
    kith_error error = {0};
    if (size == 0 || size > MAX_LENGTH)
        return 0;
    if (original[0] == '\0')
        snprintf(original, sizeof original, "%s",
                 fuzz_file("data.csv", data_text, strlen(data_text)));
    const size_t at = data[0] % STUDIES;
    if (studies[at] == NULL)
        require(kith_study_parse(&studies[at], texts[at], strlen(texts[at]), ".", NULL, &error) ==
                KITH_OK);
    const char *path = fuzz_file("release.csv", data + 1, size - 1);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    kith_verify_options verify = KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(path),
                                              .data = KITH_INPUT_URI(original));
    kith_status status = kith_verify(&d, studies[at], &verify, &run, &error);
    require(status == KITH_OK || (status == KITH_DATA && error.message[0] != '\0'));
    if (status == KITH_OK && kith_document_flag(d, "holds", false) && at + 1 < STUDIES)
        check_classes(path);
    kith_document_free(d);
    d = NULL;
    const kith_measure_options measure =
        KITH_OPTIONS(kith_measure_options, .data = KITH_INPUT_URI(original),
                     .release = KITH_INPUT_URI(path), .n_queries = 5, .classify = "ill");
    status = kith_measure(&d, studies[at], &measure, &run, &error);
    require(status == KITH_OK || (status == KITH_DATA && error.message[0] != '\0'));
    kith_document_free(d);
    return 0;
}
