/* Any lines as values of a typed column: refused with a message, or anonymized, which includes the
 * verifier's look at the labels. The first byte chooses type and hierarchy, the rest of its line is
 * the format of the values. */
#include "support/fuzz_input.h"

#include <kith/kith.h>

#include "study/study.h"

enum { MAX_ROWS = 24, MAX_LENGTH = 1024 };

static const char *const columns[] = {
    "type: integer, hierarchy: {intervals: [5, 20]}",
    "type: decimal, hierarchy: {intervals: [0.5, 2]}",
    "type: date, hierarchy: {dates: [month, year]}",
    "type: date, hierarchy: {dates: [hour, day, week]}",
    "type: date, hierarchy: {dates: [quarter, decade]}",
    "type: date, hierarchy: {order: [2, 4]}",
    "type: decimal, hierarchy: {intervals: {widths: [1, 10], snap: true}}",
    "type: string, hierarchy: {mask: right}",
    "type: string, hierarchy: {mask: left}",
    "type: integer, domain: {range: [-5, 50]}, hierarchy: {intervals: [5, 10]}",
    "type: decimal",
    "type: date, decimal: comma",
};

/* A study whose format is written by somebody; NULL if it is refused. */
static kith_study *make_study(uint8_t choice, const char *format)
{
    char text[2048];
    kith_study *study = NULL;
    kith_error error = {0};
    const char *column = columns[choice % (sizeof columns / sizeof *columns)];
    const bool is_date = strstr(column, "date,") != NULL;
    FILE *out = fmemopen(text, sizeof text, "w");
    require(out != NULL);
    fprintf(out, "study: made\ncolumns: [{name: x, role: quasi-identifying, %s", column);
    if (format[0] != '\0')
        fputs(is_date ? ", format: '" : ", decimal: '", out);
    for (const char *at = format; *at != '\0'; at++)
        fputs(*at == '\'' ? "''" : (char[]){*at, '\0'}, out);
    fprintf(out, "%s}]\nprivacy: [{model: k-anonymity, k: 2}]\n", format[0] != '\0' ? "'" : "");
    require(fclose(out) == 0);
    const kith_status status =
        kith_study_parse(&study, text, strnlen(text, sizeof text), ".", NULL, &error);
    require(status == KITH_OK || (status == KITH_INVALID && error.message[0] != '\0'));
    return study;
}

static void anonymize(const kith_study *study, const char *const *cells, size_t n_cells)
{
    kith_table *table = NULL, *release = NULL;
    kith_error error = {0};
    const kith_table_options options = study_table_options(study);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    kith_status status = kith_table_from_cells(&table, cells, n_cells, &options, &error);
    if (status == KITH_OK)
        status = kith_anonymize_table(&release, NULL, study, table, &run, &error);
    require(status == KITH_OK || status == KITH_DATA || status == KITH_INFEASIBLE);
    require(status == KITH_OK || error.message[0] != '\0');
    kith_table_free(release);
    kith_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *cells[MAX_ROWS];
    size_t n_cells = 0;
    if (size == 0 || size > MAX_LENGTH)
        return 0;
    const uint8_t choice = *data++;
    size--;
    char *format = fuzz_line(&data, &size);
    kith_study *study = make_study(choice, format);
    while (size > 0 && n_cells < MAX_ROWS)
        cells[n_cells++] = fuzz_line(&data, &size);
    if (study != NULL && n_cells > 0)
        anonymize(study, (const char *const *)cells, n_cells);
    kith_study_free(study);
    free(format);
    while (n_cells > 0)
        free(cells[--n_cells]);
    return 0;
}
