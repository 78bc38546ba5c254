/* kith hierarchy build: a hierarchy from the values of a column. */
#include "cmd_hierarchy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct build_options {
    common_options common;
    const char *builder;
    const char *input;
    const char *output;
    const char *name; /* of the column */
    const char *type;
    const char *date_format;
    const char *study;
} build_options;

static const help_page page = {
    .usage = "kith hierarchy build BUILDER -i DATA --column NAME [-o FILE]",
    .text =
        "Makes a hierarchy over the values of a column and writes it in ARX's format. BUILDER is\n"
        "\n"
        "  intervals:5,10,20     numbers in intervals of these widths, each dividing the next\n"
        "  mask:right            81667 > 8166* > 816** …; also mask:left, mask:right:X\n"
        "  dates:month,year      day, week, month, quarter, year, decade\n"
        "  order:4,16            groups of so many neighbours in sorted order\n"
        "  suppress              every value directly below the root\n"
        "\n"
        "or what a study has behind 'hierarchy:', such as '{intervals: [5, 10], origin: 18}'.\n"
        "Intervals read the column as integers, or else as decimals; dates read it as dates; the\n"
        "others as text, unless --type says otherwise (decimals on standard input need it). With\n"
        "--study the column is read as the study does.",
    .example = "  kith hierarchy build intervals:5,10,20 -i patients.csv --column age -o age.csv",
};

/* "intervals:5,10" to "{intervals: [5,10]}"; whatever else is taken for the text of a study. */
static char *fragment(const char *builder)
{
    char *text = NULL;
    const char *value = strchr(builder, ':');
    if (builder[0] == '{' || value == NULL)
        return strdup(builder);
    int name = (int)(value++ - builder);
    const char *more = strchr(value, ':');
    int made;
    if (strncmp(builder, "mask:", 5) != 0)
        made = asprintf(&text, "{%.*s: [%s]}", name, builder, value);
    else if (more == NULL)
        made = asprintf(&text, "{mask: %s}", value);
    else
        made = asprintf(&text, "{mask: %.*s, character: '%s'}", (int)(more - value), value,
                        strcmp(more, ":'") == 0 ? "''" : more + 1);
    return made < 0 ? NULL : text;
}

static kith_status read_column(build_options *o, kith_table_options *table_options,
                               kith_column_spec *spec, kith_table **table, kith_error *error)
{
    table_options->columns = spec;
    table_options->n_columns = 1;
    table_options->separator = o->common.separator;
    table_options->csv = csv_options(&o->common);
    progress_display *display = progress_begin(&o->common);
    kith_run run = progress_run(display, &o->common);
    kith_status status = kith_table_read(table, o->input, table_options, &run, error);
    progress_end(display);
    return status;
}

/* Reads the column with the type that the builder needs. */
static kith_status read_plain(build_options *o, kith_table **table, kith_error *error)
{
    kith_table_options reading = KITH_INIT(kith_table_options);
    kith_column_spec spec = {.name = o->name, .date_format = o->date_format};
    if (o->type != NULL && !hierarchy_parse_type(o->type, &spec.type)) {
        *error = (kith_error){.status = KITH_INVALID}; /* said already */
        return KITH_INVALID;
    }
    if (o->type == NULL && strstr(o->builder, "dates") != NULL)
        spec.type = KITH_TYPE_DATE;
    if (o->type != NULL || strstr(o->builder, "intervals") == NULL)
        return read_column(o, &reading, &spec, table, error);
    spec.type = KITH_TYPE_INTEGER;
    kith_status status = read_column(o, &reading, &spec, table, error);
    if (status != KITH_DATA || strcmp(o->input, "-") == 0)
        return status;
    spec.type = KITH_TYPE_DECIMAL;
    return read_column(o, &reading, &spec, table, error);
}

static kith_status read_studied(build_options *o, kith_table **table, kith_findings *findings,
                                kith_error *error)
{
    kith_table_options reading = KITH_INIT(kith_table_options);
    kith_column_spec spec;
    kith_study *study = NULL;
    kith_status status =
        hierarchy_study_column(&study, &reading, &spec, o->study, o->name, findings, error);
    if (status == KITH_OK)
        status = read_column(o, &reading, &spec, table, error);
    kith_study_free(study);
    return status;
}

static kith_status build(build_options *o, const char *text, kith_hierarchy **h,
                         kith_findings *findings, kith_error *error)
{
    kith_table *table = NULL;
    kith_status status =
        o->study == NULL ? read_plain(o, &table, error) : read_studied(o, &table, findings, error);
    if (status == KITH_OK)
        status = kith_hierarchy_build(h, text, table, 0, findings, error);
    if (status == KITH_IO && strpbrk(text, "./{") == NULL) /* a word that was taken for a file */
        snprintf(error->hint, sizeof error->hint,
                 "builders are intervals:…, mask:…, dates:…, order:… and suppress");
    const kith_write_options writing =
        KITH_OPTIONS(kith_write_options, .overwrite = o->common.force);
    if (status == KITH_OK)
        status = kith_hierarchy_write(*h, o->output, &writing, error);
    kith_table_free(table);
    return status;
}

static void print_json(const char *output, const kith_hierarchy *h)
{
    fputs("{\"output\": ", stdout);
    json_text(stdout, output);
    printf(", \"values\": %zu, \"levels\": %zu}\n", kith_hierarchy_n_leaves(h),
           kith_hierarchy_n_levels(h));
}

int hierarchy_build_command(int argc, char **argv)
{
    build_options o = {.output = "-"};
    const option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &o.input, "DATA", "table whose values become the leaves"},
        {"column", 0, OPTION_TEXT, &o.name, "NAME", "its column"},
        {"output", 'o', OPTION_TEXT, &o.output, "FILE",
         "where to write (default: standard output)"},
        {"type", 0, OPTION_TEXT, &o.type, "TYPE", "string, integer, decimal or date"},
        {"date-format", 0, OPTION_TEXT, &o.date_format, "F", "how dates are written (strptime)"},
        HIERARCHY_STUDY_ROW(&o.study),
        OPTION_CSV_ROWS(&o.common),
        OPTION_FORCE_ROW(&o.common),
        OPTION_QUIET_ROW(&o.common),
        OPTION_JSON_ROW(&o.common),
        OPTION_END,
    };
    int result;
    if (options_parse(&page, options, argc, argv, 1, 1, &result) < 0)
        return result;
    o.builder = argv[1];
    if (o.input == NULL || o.name == NULL)
        return report_usage("%s is missing; usage: %s",
                            o.input == NULL ? "-i DATA" : "--column NAME", page.usage);
    if (o.study != NULL && (o.type != NULL || o.date_format != NULL))
        return report_usage("--study says how the column is read: --type and --date-format do not "
                            "go with it");
    if (o.common.json && strcmp(o.output, "-") == 0)
        return report_usage("--json describes a file: say with -o FILE where the hierarchy goes");
    kith_findings *findings = or_die(kith_findings_new());
    kith_hierarchy *h = NULL;
    kith_error error = {.status = KITH_NOMEM, .message = "out of memory"};
    char *text = fragment(o.builder);
    if (text != NULL && build(&o, text, &h, findings, &error) == KITH_OK) {
        result = EXIT_DONE;
        if (o.common.json)
            print_json(o.output, h);
        else if (!o.common.quiet && strcmp(o.output, "-") != 0)
            hierarchy_print_size(o.output, h);
    } else {
        result = error.message[0] == '\0' ? EXIT_BAD_INPUT : hierarchy_report(findings, &error);
    }
    free(text);
    kith_findings_free(findings);
    kith_hierarchy_free(h);
    return result;
}
