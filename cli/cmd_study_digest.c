/* kith study digest: the fingerprint of a study, to be compared with that of others. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "cmd_study.h"

static const help_page page = {
    .usage = "kith study digest STUDY [--expect DIGEST]",
    .text = "Prints a fingerprint (BLAKE2b-256) of what the study says. Order of keys, comments,\n"
            "written-out defaults and places of hierarchy files do not change it; the contents of\n"
            "the hierarchies do.\n\n"
            "Off a terminal it is one line of 64 digits. On a terminal, or with --read-out, the\n"
            "same follows in groups of four digits and in words, for the telephone. --expect\n"
            "compares it with what someone else read out, in any of these forms: exit status 1 if\n"
            "it is another study.",
    .example = "  kith study digest patients.study.yaml\n"
               "  kith study digest patients.study.yaml --expect 'ac3b c83d …'",
};

typedef struct arguments {
    common_options common;
    const char *expected;
    bool read_out;
} arguments;

static void print(const kith_document *d, const arguments *a)
{
    puts(kith_document_text(d, "hex", ""));
    if (!a->read_out && !isatty(STDOUT_FILENO))
        return;
    fputs("read out        ", stdout);
    fingerprint_print(d, true);
}

/* Where two digests differ, in groups of four digits: a slip of the tongue is one group. */
static int compare(const kith_document *mine, const arguments *a)
{
    kith_error error;
    kith_document *theirs = NULL;
    unsigned n_groups = 0, first = 0;
    if (kith_fingerprint_describe(&theirs, a->expected, &error) != KITH_OK)
        return report_error(&error);
    const char *x = kith_document_text(mine, "hex", ""), *y = kith_document_text(theirs, "hex", "");
    for (unsigned i = 0; i < 16; i++)
        if (strncmp(x + (size_t)i * 4, y + (size_t)i * 4, 4) != 0) {
            first = n_groups == 0 ? i + 1 : first;
            n_groups++;
        }
    kith_document_free(theirs);
    if (n_groups == 0) {
        if (!a->common.quiet && !a->common.json)
            puts("yes: it is the same study");
        return EXIT_DONE;
    }
    if (!a->common.quiet && !a->common.json)
        printf("no: %u of 16 groups differ, the first is group %u\n", n_groups, first);
    return EXIT_NO;
}

int cmd_study_digest(int argc, char **argv)
{
    arguments a = {.expected = NULL};
    const option_spec options[] = {
        {"expect", 0, OPTION_TEXT, &a.expected, "DIGEST", "compare with this one"},
        {"read-out", 0, OPTION_FLAG, &a.read_out, NULL, "also in groups and in words"},
        OPTION_QUIET_ROW(&a.common),
        OPTION_JSON_ROW(&a.common),
        OPTION_END};
    int status = EXIT_DONE;
    kith_error error;
    kith_document *d = NULL;
    char text[65];
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    kith_study *study = study_open(argv[1], &status);
    if (study == NULL)
        return status;
    kith_study_digest(text, study);
    kith_study_free(study);
    if (kith_fingerprint_describe(&d, text, &error) != KITH_OK)
        return report_error(&error);
    if (a.common.json)
        document_print(d);
    else if (!a.common.quiet && a.expected == NULL)
        print(d, &a);
    status = a.expected == NULL ? EXIT_DONE : compare(d, &a);
    kith_document_free(d);
    return status;
}
