/* kith party: take part in a joint run as one site. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith party STUDY --as NAME --key FILE --dry-run [OPTION]…",
    .text = "Connects to all other parties of STUDY, checks that all hold the same one, says what\n"
            "this party would disclose, and stops. The others do the same at the same time; they\n"
            "may start in any order. No data is read.\n\n"
            "This version has no joint protocol yet: only --dry-run, and the computations of\n"
            "'kith smc'.",
    .example = "  kith party cardio.study.yaml --as north --key north.key --dry-run",
};

static void print_outcome(const kith_document *d)
{
    printf("study           %s\ndigest          %s\n", kith_document_text(d, "study", ""),
           kith_document_text(d, "digest", ""));
    printf("this party      %s\nparties         ", kith_document_text(d, "party", ""));
    size_t count = kith_document_count(d, "parties");
    for (size_t i = 0; i < count; i++) {
        char path[32];
        snprintf(path, sizeof path, "parties.%zu", i);
        printf("%s%s", i == 0 ? "" : ", ", kith_document_text(d, path, ""));
    }
    puts("\nwould disclose  nothing: the study names no protocol");
    puts("yes: all parties are connected and hold the same study");
}

static int run(const kith_study *study, const party_settings *settings,
               const common_options *common)
{
    kith_error error = {0};
    kith_document *d = NULL;
    progress_display *display = progress_begin(common);
    kith_run call = progress_run(display, common);
    kith_status done = kith_party_check(study, &settings->options, &call, &d, &error);
    progress_end(display);
    if (done != KITH_OK)
        return report_error(&error);
    if (common->json)
        document_print(d);
    else if (!common->quiet)
        print_outcome(d);
    kith_document_free(d);
    return EXIT_DONE;
}

int cmd_party(int argc, char **argv)
{
    common_options common = {0};
    party_settings settings = {.wait = NULL};
    bool dry_run = false;
    const option_spec options[] = {
        PARTY_OPTION_ROWS(&settings),
        {"dry-run", 0, OPTION_FLAG, &dry_run, NULL, "connect, compare studies, and stop"},
        OPTION_FORCE_ROW(&common),
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_PROGRESS_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    if (!dry_run)
        return report_usage("this version has no joint protocol: use --dry-run");
    status = party_options_check(&settings, &common);
    if (status != EXIT_DONE)
        return status;
    kith_study *study = study_open(argv[1], &status);
    if (study == NULL)
        return status;
    status = run(study, &settings, &common);
    kith_study_free(study);
    return status;
}
