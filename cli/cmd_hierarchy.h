/* The parts of `kith hierarchy`. */
#ifndef CMD_HIERARCHY_H
#define CMD_HIERARCHY_H

#include "cli.h"

int hierarchy_build_command(int argc, char **argv);
int hierarchy_check_command(int argc, char **argv);
int hierarchy_show_command(int argc, char **argv);

/* "age.csv: 100 values, 5 levels" on standard output. */
void hierarchy_print_size(const char *name, const kith_hierarchy *hierarchy);

/* What keeps a call from succeeding: all findings if there are problems, else the error. */
int hierarchy_report(const kith_findings *findings, const kith_error *error);

/* string, integer, decimal or date; reports others and returns false. */
bool hierarchy_parse_type(const char *name, kith_type *type);

/* The row of --study in a table of options. */
#define HIERARCHY_STUDY_ROW(study)                                                           \
    {                                                                                        \
        "study", 0, OPTION_TEXT, study, "FILE",                                              \
            "read the column as this study does: type, format, decimal mark, missing values" \
    }

/* How the study reads a column: its specification goes to *spec, to which the options point. The
 * study, which they need, is to be freed afterwards, also after an error. */
kith_status hierarchy_study_column(kith_study **study, kith_table_options *options,
                                   kith_column_spec *spec, const char *path, const char *column,
                                   kith_findings *findings, kith_error *error);

#endif
