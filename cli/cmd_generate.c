/* kith generate: synthetic data with a study and hierarchies. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith generate PROFILE -n ROWS [--seed N] -o FILE",
    .text =
        "Makes synthetic data to try things on. The columns depend on each other as in real data\n"
        "(age and disease, site and zip code), rare values are rare, and 1 to 3% of the cells of\n"
        "some columns are missing. Next to FILE it writes a commented study, FILE.study.yaml\n"
        "(without .csv), and the hierarchies that it uses, in hierarchies/. With -o - only the\n"
        "data goes to standard output.\n\n"
        "Profiles:\n"
        "  hospital   admissions to five sites: 12 columns, disease is sensitive\n"
        "  adult      a census table like UCI Adult: 15 columns, occupation is sensitive\n"
        "  survey     a household survey: 9 columns, political leaning is sensitive",
    .example = "  kith generate hospital -n 20000 --seed 1 -o patients.csv\n"
               "  kith anonymize patients.study.yaml -i patients.csv -o release.csv",
};

static void print_summary(const kith_document *summary)
{
    const char *output = kith_document_text(summary, "output", "");
    printf("%s: %s rows x %.0f columns, %s in %s\n", output,
           human_count(kith_document_number(summary, "records", 0)),
           kith_document_number(summary, "columns", 0),
           human_bytes(kith_document_number(summary, "bytes", 0)),
           human_seconds(kith_document_number(summary, "seconds.total", 0)));
    size_t files = kith_document_n_items(summary, "beside");
    const char *study = "";
    for (size_t i = 0; i < files; i++) {
        study = kith_document_text(summary, path_at("beside.%zu", i), "");
        printf("%s\n", study);
    }
    if (files > 0)
        printf("\nNext: kith anonymize %s -i %s -o release.csv\n", study, output);
}

static int run(const kith_generate_options *job, const common_options *common)
{
    progress_display *display = progress_begin(common);
    kith_run how = progress_run(display, common);
    kith_document *summary = NULL;
    kith_error error;
    kith_status status = kith_generate(&summary, job, &how, &error);
    progress_end(display);
    if (status != KITH_OK)
        return report_error(&error);
    bool to_standard_output = strcmp(job->output, "-") == 0;
    if (common->json && !to_standard_output)
        document_print(summary);
    else if (!common->quiet && !to_standard_output)
        print_summary(summary);
    kith_document_free(summary);
    return EXIT_DONE;
}

int cmd_generate(int argc, char **argv)
{
    common_options common = {0};
    seed_value rows = {0};
    const char *output = NULL;
    const option_spec options[] = {
        {"rows", 'n', OPTION_SEED, &rows, "ROWS", "how many rows (1 to 10^12)"},
        {"output", 'o', OPTION_TEXT, &output, "FILE", "CSV file to write, - for standard output"},
        OPTION_SEED_ROW(&common),
        OPTION_THREADS_ROW(&common),
        OPTION_FORCE_ROW(&common),
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_PROGRESS_ROW(&common),
        OPTION_END,
    };
    int status;
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    if (!rows.given)
        return report_usage("-n ROWS says how many rows; usage: %s", page.usage);
    if (output == NULL)
        return report_usage("-o FILE says where the data goes; usage: %s", page.usage);
    const kith_generate_options job =
        KITH_OPTIONS(kith_generate_options, .profile = argv[1], .n_rows = rows.value,
                     .output = output, .overwrite = common.force);
    return run(&job, &common);
}
