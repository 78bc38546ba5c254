/* kith hierarchy: make, draw and validate hierarchies. */
#include "cmd_hierarchy.h"

#include <stdio.h>
#include <string.h>

static void print_help(FILE *out)
{
    fputs("Usage: kith hierarchy build BUILDER -i DATA --column NAME [-o FILE]\n"
          "       kith hierarchy show FILE\n"
          "       kith hierarchy check FILE [DATA --column NAME]\n"
          "\n"
          "Makes, draws and validates generalization hierarchies. Their files are those\n"
          "of ARX: one row per value, the value first, increasingly wide groups after it,\n"
          "the root last.\n"
          "\n"
          "  build   make a hierarchy from the values of a column\n"
          "  show    draw a hierarchy as a tree\n"
          "  check   report everything that is wrong with a hierarchy, all at once\n"
          "\n"
          "'kith hierarchy COMMAND --help' tells more.\n"
          "\n"
          "Example:\n"
          "  kith hierarchy build intervals:5,10 -i patients.csv --column age -o age.csv\n"
          "  kith hierarchy show age.csv\n"
          "  kith hierarchy check age.csv patients.csv --column age\n",
          out);
}

void hierarchy_print_size(const char *name, const kith_hierarchy *hierarchy)
{
    size_t n_leaves = kith_hierarchy_n_leaves(hierarchy);
    printf("%s: %s value%s, %zu levels\n", strcmp(name, "-") == 0 ? "standard input" : name,
           human_count((double)n_leaves), n_leaves == 1 ? "" : "s",
           kith_hierarchy_n_levels(hierarchy));
}

int hierarchy_report(const kith_findings *findings, const kith_error *error)
{
    if (!report_explained(findings, 0, error))
        return report_error(error);
    report_findings(findings);
    return EXIT_BAD_INPUT;
}

bool hierarchy_parse_type(const char *name, kith_type *type)
{
    static const char *const names[] = {
        [KITH_TYPE_STRING] = "string",
        [KITH_TYPE_INTEGER] = "integer",
        [KITH_TYPE_DECIMAL] = "decimal",
        [KITH_TYPE_DATE] = "date",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *type = (kith_type)i;
            return true;
        }
    report_usage("--type takes string, integer, decimal or date, not '%s'", name);
    return false;
}

kith_status hierarchy_study_column(kith_study **study, kith_table_options *options,
                                   kith_column_spec *spec, const char *path, const char *column,
                                   kith_findings *findings, kith_error *error)
{
    kith_table_options all = KITH_INIT(kith_table_options);
    kith_status status = kith_study_read(study, path, findings, error);
    if (status == KITH_OK)
        status = kith_study_table_options(&all, *study, error);
    for (size_t i = 0; status == KITH_OK && i < all.n_columns; i++)
        if (strcmp(all.columns[i].name, column) == 0) {
            *spec = all.columns[i];
            options->trim = all.trim;
            options->missing_values = all.missing_values;
            options->n_missing_values = all.n_missing_values;
            return KITH_OK;
        }
    if (status != KITH_OK)
        return status;
    *error = (kith_error){.status = KITH_INVALID};
    snprintf(error->message, sizeof error->message, "%.300s: the study reads no column '%.300s'",
             path, column);
    return KITH_INVALID;
}

int cmd_hierarchy(int argc, char **argv)
{
    static verb verbs[] = {
        {"build", "hierarchy build", hierarchy_build_command},
        {"show", "hierarchy show", hierarchy_show_command},
        {"check", "hierarchy check", hierarchy_check_command},
    };
    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    int status = EXIT_DONE;
    if (verb_run(&status, verbs, sizeof verbs / sizeof *verbs, argc, argv))
        return status;
    return report_usage("there is no 'kith hierarchy %s': expected build, show or check", argv[1]);
}
