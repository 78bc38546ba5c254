/* kith report: a run as a page for browsers. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith report RUN -o REPORT [OPTION]…",
    .text = "Makes one HTML file of a run: does the release keep the study's promises, what was\n"
            "kept, what risk is left, with charts and all figures as tables. It loads nothing from "
            "elsewhere. RUN is the\n"
            "directory of 'kith party' or 'kith simulate', or a file that --summary has written;\n"
            "--release then says where the release is.\n\n"
            "A report is public: it holds nothing that cannot be computed from the release. With\n"
            "--internal it also shows what was measured on the data, what was compared, and what\n"
            "the parties of a joint run sent and learned; every such report says that it is\n"
            "confidential. --data and --study then compare the release with the data.\n\n"
            "The commands anonymize, measure, simulate, compare and party take --report FILE.",
    .example = "  kith simulate patients.study.yaml -i patients.csv --sites 3 -o run\n"
               "  kith report run -o report.html\n"
               "  kith report run -o board.html --internal --study patients.study.yaml \\\n"
               "      --data patients.csv",
};

static int check(const common_options *common, const kith_report_options *o, const char *data,
                 const char *release, const char *study)
{
    if (o->output == NULL)
        return report_missing("-o REPORT", &page);
    if (common->json && strcmp(o->output, "-") == 0)
        return report_usage("--json and -o - both want standard output");
    if (!o->internal && (data != NULL || o->lattice != NULL || o->estimate != NULL))
        return report_usage("%s is about the data: give --internal, too, for a confidential report",
                            data != NULL         ? "--data"
                            : o->lattice != NULL ? "--lattice"
                                                 : "--estimate");
    if ((data == NULL) != (study == NULL))
        return report_usage("--data and --study go together");
    int status = save_check(strcmp(o->output, "-") == 0 ? NULL : o->output, common->force);
    if (status == EXIT_DONE)
        status = save_apart("the report", o->output,
                            (const char *[5]){study, data, release, o->lattice, o->run});
    if (status == EXIT_DONE)
        status = save_apart("the report", o->output, (const char *[5]){o->estimate});
    return status;
}

/* Standard output is the report's own if it goes there. */
static void tell(const common_options *common, const kith_report_options *o)
{
    if (strcmp(o->output, "-") == 0)
        return;
    if (common->json) {
        fputs("{\"command\": \"report\", \"report\": ", stdout);
        json_text(stdout, o->output);
        printf(", \"internal\": %s}\n", o->internal ? "true" : "false");
    } else if (!common->quiet) {
        printf("report          %s%s\n", o->output, o->internal ? ": confidential" : "");
    }
}

int cmd_report(int argc, char **argv)
{
    common_options common = {0};
    kith_report_options o = KITH_INIT(kith_report_options);
    const char *study_path = NULL, *data_uri = NULL, *release_uri = NULL;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &o.output, "REPORT",
         "the HTML file, or - for standard output"},
        {"release", 0, OPTION_TEXT, &release_uri, "RELEASE",
         "the release (default: release.csv of the directory)"},
        {"internal", 0, OPTION_FLAG, &o.internal, NULL, "also about the data: confidential"},
        {"study", 0, OPTION_TEXT, &study_path, "STUDY", "the study, for --data"},
        {"data", 0, OPTION_TEXT, &data_uri, "DATA", "the data, to measure the release"},
        {"lattice", 0, OPTION_TEXT, &o.lattice, "FILE",
         "a lattice that 'kith anonymize' has written"},
        {"estimate", 0, OPTION_TEXT, &o.estimate, "FILE",
         "a summary of 'kith estimate', to compare a joint run with"},
        OPTION_THREADS_ROW(&common),
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_CSV_ROWS(&common),
        OPTION_PROGRESS_ROW(&common),
        OPTION_FORCE_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    o.run = argv[1];
    o.overwrite = common.force;
    const kith_input data = data_input(&common, data_uri);
    const kith_input release =
        KITH_OPTIONS(kith_input, .uri = release_uri, .separator = common.separator);
    o.data = &data;
    o.release = &release;
    status = check(&common, &o, data_uri, release_uri, study_path);
    if (status != EXIT_DONE)
        return status;
    kith_study *study = study_path == NULL ? NULL : study_open(study_path, &status);
    if (status != EXIT_DONE)
        return status;
    o.study = study;
    kith_error error = {0};
    progress_display *display = progress_begin(&common);
    const kith_run settings = progress_run(display, &common);
    const kith_status done = kith_report(&o, &settings, &error);
    progress_end(display);
    kith_study_free(study);
    if (done != KITH_OK)
        return report_error(&error);
    tell(&common, &o);
    return EXIT_DONE;
}
