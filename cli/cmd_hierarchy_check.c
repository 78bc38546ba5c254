/* kith hierarchy check: everything that is wrong with a hierarchy, all at once. */
#include "cmd_hierarchy.h"

#include <stdio.h>
#include <string.h>

typedef struct check_options {
    common_options common;
    const char *file;
    const char *data;
    const char *name; /* of the column */
    const char *type;
    const char *date_format;
    const char *study;
} check_options;

static const help_page page = {
    .usage = "kith hierarchy check FILE [DATA --column NAME]",
    .text =
        "Reads a hierarchy and reports, each with its line: rows of different width, a value that\n"
        "occurs twice with different groups, a group that is inside two others, one label for\n"
        "different sets of values, a missing root, broken quotes and bytes that are not UTF-8. "
        "With\n"
        "DATA also the values of a column that the hierarchy lacks. Repeated rows are warnings.\n"
        "\n"
        "The exit status is 0 if there is no problem, 1 if there is one.",
    .example = "  kith hierarchy check hierarchies/job.csv patients.csv --column job",
};

static kith_status check_data(check_options *o, const kith_hierarchy *h, kith_findings *findings,
                              kith_error *error)
{
    kith_column_spec spec = {.name = o->name, .date_format = o->date_format};
    kith_study *study = NULL;
    if (o->type != NULL && !hierarchy_parse_type(o->type, &spec.type))
        return error->status = KITH_INVALID;
    kith_table_options table_options =
        KITH_OPTIONS(kith_table_options, .separator = o->common.separator, .columns = &spec,
                     .n_columns = 1, .csv = csv_options(&o->common));
    kith_status status = o->study == NULL
                             ? KITH_OK
                             : hierarchy_study_column(&study, &table_options, &spec, o->study,
                                                      o->name, findings, error);
    progress_display *display = progress_begin(&o->common);
    kith_run run = progress_run(display, &o->common);
    kith_table *table = NULL;
    if (status == KITH_OK)
        status = kith_table_read(&table, o->data, &table_options, &run, error);
    progress_end(display);
    if (status == KITH_OK)
        status = kith_hierarchy_check_values(h, table, 0, findings, error);
    kith_table_free(table);
    kith_study_free(study);
    return status;
}

static int answer(const check_options *o, const kith_hierarchy *h, const kith_findings *findings)
{
    bool good = kith_findings_n_problems(findings) == 0;
    if (o->common.json) {
        int status = findings_print(findings);
        return status == EXIT_DONE && !good ? EXIT_NO : status;
    }
    if (!o->common.quiet || !good)
        report_findings(findings);
    if (good && !o->common.quiet) {
        hierarchy_print_size(o->file, h);
        printf("no problems%s%s\n", o->data == NULL ? "" : "; it has every value of column ",
               o->data == NULL ? "" : o->name);
    }
    return good ? EXIT_DONE : EXIT_NO;
}

static int check(check_options *o, kith_findings *findings)
{
    kith_hierarchy *h = NULL;
    kith_error error = {.status = KITH_OK};
    const kith_hierarchy_options reading = KITH_OPTIONS(
        kith_hierarchy_options, .separator = o->data == NULL ? o->common.separator : '\0',
        .encoding = o->common.encoding);
    kith_status status = kith_hierarchy_read(&h, o->file, &reading, findings, &error);
    if (status == KITH_OK && o->data != NULL)
        status = check_data(o, h, findings, &error);
    bool told = status == KITH_OK || report_explained(findings, 0, &error);
    int result;
    if (told)
        result = answer(o, h, findings);
    else if (error.message[0] == '\0') /* said already */
        result = EXIT_BAD_INPUT;
    else
        result = report_error(&error);
    kith_hierarchy_free(h);
    return result;
}

int hierarchy_check_command(int argc, char **argv)
{
    check_options o = {.file = NULL};
    const option_spec options[] = {
        {"column", 0, OPTION_TEXT, &o.name, "NAME", "column of DATA that the hierarchy is for"},
        {"type", 0, OPTION_TEXT, &o.type, "TYPE", "string (default), integer, decimal or date"},
        {"date-format", 0, OPTION_TEXT, &o.date_format, "F", "how dates are written (strptime)"},
        HIERARCHY_STUDY_ROW(&o.study),
        OPTION_CSV_ROWS(&o.common),
        OPTION_QUIET_ROW(&o.common),
        OPTION_JSON_ROW(&o.common),
        OPTION_END,
    };
    int status;
    int count = options_parse(&page, options, argc, argv, 1, 2, &status);
    if (count < 0)
        return status;
    o.file = argv[1];
    o.data = count == 2 ? argv[2] : NULL;
    if (o.data != NULL && o.name == NULL)
        return report_usage("--column NAME says which column of %s", o.data);
    if (o.study != NULL && (o.name == NULL || o.type != NULL || o.date_format != NULL))
        return report_usage("--study says how the column of DATA is read: --type and --date-format "
                            "do not go with it");
    if (o.data == NULL && o.name != NULL)
        return report_usage("--column needs DATA; usage: %s", page.usage);
    if (o.data != NULL && strcmp(o.file, "-") == 0 && strcmp(o.data, "-") == 0)
        return report_usage("the hierarchy and the data cannot both come from standard input");
    kith_findings *findings = or_die(kith_findings_new());
    int result = check(&o, findings);
    kith_findings_free(findings);
    return result;
}
