/* kith study join: the parties of a joint run, gathered from their files. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "cmd_study.h"

static const help_page page = {
    .usage = "kith study join STUDY PARTY… -o FILE",
    .text =
        "Adds parties to STUDY, which has none, and writes the result to FILE (- is standard\n"
        "output). Each PARTY is a file that the option --party of 'kith cert init' or 'kith\n"
        "cert show' wrote at a site: its name, address and key. Where columns are split, add\n"
        "'columns: […]' to it. The order of the files is that of the parties; a master without\n"
        "data comes last. The text of STUDY stays as it is. The result is checked as a whole;\n"
        "compare its digest with the others before the run.",
    .example = "  kith study join base.study.yaml north.party south.party east.party \\\n"
               "    -o cardio.study.yaml",
};

static int print_result(const char *text, const char *output, const common_options *common)
{
    kith_error error;
    kith_study *study = NULL;
    kith_document *forms = NULL;
    char digest[65];
    if (output == NULL) {
        fputs(text, stdout);
        return EXIT_DONE;
    }
    if (common->quiet)
        return EXIT_DONE;
    if (kith_study_read(&study, output, NULL, &error) != KITH_OK)
        return report_error(&error);
    kith_study_digest(digest, study);
    kith_study_free(study);
    if (kith_fingerprint_describe(&forms, digest, &error) != KITH_OK)
        return report_error(&error);
    if (common->json) {
        document_print(forms);
    } else {
        printf("wrote %s. Every party holds the same file; compare its digest:\n"
               "digest          ",
               output);
        fingerprint_print(forms, true);
    }
    kith_document_free(forms);
    return EXIT_DONE;
}

int cmd_study_join(int argc, char **argv)
{
    common_options common = {0};
    const char *output = NULL;
    const option_spec options[] = {{"output", 'o', OPTION_TEXT, &output, "FILE", "study to write"},
                                   OPTION_FORCE_ROW(&common),
                                   OPTION_QUIET_ROW(&common),
                                   OPTION_JSON_ROW(&common),
                                   OPTION_END};
    int status = EXIT_DONE;
    kith_error error;
    char *text = NULL;
    const int count = options_parse(&page, options, argc, argv, 3, 129, &status);
    if (count < 0)
        return status;
    if (output == NULL)
        return report_missing("-o FILE", &page);
    if (strcmp(output, "-") == 0)
        output = NULL;
    const kith_join_options job =
        KITH_OPTIONS(kith_join_options, .base = argv[1], .parties = (const char *const *)(argv + 2),
                     .n_parties = (size_t)count - 1, .output = output, .overwrite = common.force);
    kith_findings *findings = or_die(kith_findings_new());
    const kith_status joined = kith_study_join(&text, &job, findings, &error);
    if (joined != KITH_OK) {
        const bool explained = report_explained(findings, 0, &error);
        if (explained)
            report_problems(findings);
        kith_findings_free(findings);
        return explained ? EXIT_BAD_INPUT : report_error(&error);
    }
    kith_findings_free(findings);
    status = print_result(text, output, &common);
    kith_free(text);
    return status;
}
