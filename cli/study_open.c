#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_problems(const kith_findings *findings, const kith_error *error)
{
    if (kith_findings_n_problems(findings) == 0)
        report_error(error);
    else
        report_problems(findings);
}

/* The study on standard input; relative paths in it start from here. */
static kith_status load_input(kith_study **study, kith_findings *findings, kith_error *error)
{
    enum { MAX_BYTES = (1 << 20) + 1 }; /* one byte more than a study may have */
    char *text = malloc(MAX_BYTES);
    if (text == NULL) {
        *error = (kith_error){.status = KITH_NOMEM, .message = "out of memory"};
        return KITH_NOMEM;
    }
    size_t length = fread(text, 1, MAX_BYTES, stdin);
    kith_status status = kith_study_parse(study, text, length, ".", findings, error);
    free(text);
    return status;
}

kith_study *study_open(const char *path, int *status)
{
    kith_study *study = NULL;
    kith_error error = {0};
    kith_findings *findings = kith_findings_new();
    kith_status loaded = strcmp(path, "-") == 0 ? load_input(&study, findings, &error)
                                                : kith_study_read(&study, path, findings, &error);
    *status = EXIT_DONE;
    if (loaded != KITH_OK) {
        print_problems(findings, &error);
        *status = loaded == KITH_IO || loaded == KITH_NOMEM ? EXIT_LOCAL : EXIT_BAD_INPUT;
    }
    kith_findings_free(findings);
    return loaded == KITH_OK ? study : NULL;
}
