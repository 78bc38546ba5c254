#include "cli.h"

static void print_problems(const kith_findings *findings, const kith_error *error)
{
    if (report_explained(findings, 0, error))
        report_problems(findings);
    else
        report_error(error);
}

kith_study *study_open(const char *path, int *status)
{
    kith_study *study = NULL;
    kith_error error = {0};
    kith_findings *findings = or_die(kith_findings_new());
    kith_status loaded = kith_study_read(&study, path, findings, &error);
    *status = EXIT_DONE;
    if (loaded != KITH_OK) {
        print_problems(findings, &error);
        *status = loaded == KITH_IO || loaded == KITH_NOMEM ? EXIT_LOCAL : EXIT_BAD_INPUT;
    }
    kith_findings_free(findings);
    return loaded == KITH_OK ? study : NULL;
}
