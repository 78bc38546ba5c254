#include "cli.h"

#include <math.h>
#include <stdio.h>

static const help_page page = {
    .usage = "kith measure STUDY DATA RELEASE [--queries N] [OPTION]…",
    .text =
        "Compares RELEASE with the DATA that it was made from: what was lost, by every measure\n"
        "and for every quasi-identifier, and the risk that somebody is found, before and\n"
        "after. The release may be in another order than the data.\n"
        "\n"
        "--queries also counts records by N random conditions on two quasi-identifiers (ranges\n"
        "of 0.3 of their values), in the data and from the release, and reports the relative\n"
        "error. The release may come from any tool.",
    .example = "  kith measure patients.study.yaml patients.csv release.csv --queries 10000"};

static double attribute_number(const kith_document *d, const char *section, const char *name,
                               const char *key)
{
    char path[600];
    if (name == NULL)
        snprintf(path, sizeof path, "%s.%s", section, key);
    else
        snprintf(path, sizeof path, "%s.%s.%s", section, name, key);
    return kith_document_number(d, path, 0);
}

static void cells_row(grid *g, const kith_document *d, const char *section, const char *name)
{
    static const char *const keys[] = {"lm", "em", "entropy", "tree"};
    for (size_t i = 0; i < 4; i++)
        grid_cell(g, "%.4f", attribute_number(d, section, name, keys[i]));
}

static void print_attributes(const kith_document *d)
{
    grid *g = grid_new(7, "lrrrrrr");
    static const char *const heading[] = {"attribute", "values",         "released", "lm",
                                          "em (bits)", "entropy (bits)", "tree"};
    for (size_t i = 0; i < 7; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < kith_document_n_items(d, "attribute_loss"); i++) {
        const char *name = kith_document_key(d, "attribute_loss", i);
        grid_cell(g, "%s", name);
        grid_cell(g, "%s", human_count(attribute_number(d, "attribute_values", name, "before")));
        grid_cell(g, "%s", human_count(attribute_number(d, "attribute_values", name, "after")));
        cells_row(g, d, "attribute_loss", name);
    }
    grid_cell(g, "all");
    grid_cell(g, "%s", "");
    grid_cell(g, "%s", "");
    cells_row(g, d, "loss", NULL);
    grid_print_free(g);
}

static void count_row(grid *g, const kith_document *d, const char *title, const char *key)
{
    grid_cell(g, "%s", title);
    grid_cell(g, "%s", human_count(attribute_number(d, "risk", "before", key)));
    grid_cell(g, "%s", human_count(attribute_number(d, "risk", "after", key)));
}

static void percent_row(grid *g, const kith_document *d, const char *title, const char *key)
{
    grid_cell(g, "%s", title);
    grid_cell(g, "%.2f%%", 100 * attribute_number(d, "risk", "before", key));
    grid_cell(g, "%.2f%%", 100 * attribute_number(d, "risk", "after", key));
}

static void print_risk(const kith_document *d)
{
    grid *g = grid_new(3, "lrr");
    grid_cell(g, "%s", "");
    grid_cell(g, "before");
    grid_cell(g, "after");
    count_row(g, d, "classes", "classes");
    count_row(g, d, "smallest class", "smallest_class");
    count_row(g, d, "records like nobody else's", "unique_records");
    percent_row(g, d, "highest risk of being found", "prosecutor_highest");
    percent_row(g, d, "average risk of being found", "prosecutor_average");
    percent_row(g, d, "records with a risk above 20%", "share_at_risk");
    if (kith_document_number(d, "risk.after.journalist_highest", -1) >= 0) {
        percent_row(g, d, "the same in the population: highest", "journalist_highest");
        percent_row(g, d, "the same in the population: average", "journalist_average");
        percent_row(g, d, "the same in the population: above 20%", "journalist_share_at_risk");
    }
    grid_print_free(g);
}

static void print_queries(const kith_document *d)
{
    double n = kith_document_number(d, "queries.count", 0);
    if (n == 0) {
        puts("\nNo random query has an answer above 0: there is no query error.");
        return;
    }
    printf("\nError of %s random counting queries: mean %.2f%%, median %.2f%%, 95th percentile "
           "%.2f%%\n",
           human_count(n), 100 * kith_document_number(d, "queries.error_mean", 0),
           100 * kith_document_number(d, "queries.error_median", 0),
           100 * kith_document_number(d, "queries.error_p95", 0));
}

static void print_report(const kith_document *d, const void *user)
{
    (void)user;
    printf("%s records, %s quasi-identifiers\n\n",
           human_count(kith_document_number(d, "records", 0)),
           human_count(kith_document_number(d, "attributes", 0)));
    puts("What was lost (0 is the data itself)\n");
    print_attributes(d);
    printf("\naverage class %.1f records, discernibility (dm) %s",
           kith_document_number(d, "loss.average_class", 0),
           human_count(kith_document_number(d, "loss.dm", 0)));
    double cm = kith_document_number(d, "loss.cm", -1);
    if (cm >= 0)
        printf(", classification (cm) %.4f", cm);
    printf("\nARX's loss %.4f, possible records per record (am) %.4g",
           kith_document_number(d, "loss.arx-loss", 0), kith_document_number(d, "loss.am", 0));
    if (kith_document_number(d, "loss.kl", -1) >= 0)
        printf(", divergence (kl) %.4f bits", kith_document_number(d, "loss.kl", 0));
    double told = kith_document_number(d, "loss.pmi_utility", HUGE_VAL);
    if (told < HUGE_VAL)
        printf("\ninformation about the sensitive value %.4f bits per cell, lost (pmi) %.4f", told,
               kith_document_number(d, "loss.pmi", 0));
    putchar('\n');
    if (kith_document_number(d, "queries.count", -1) >= 0)
        print_queries(d);
    puts("\nRisk\n");
    print_risk(d);
    if (!kith_document_flag(d, "cover.holds", true))
        puts("\nThe release does not cover this data: 'kith verify --data' says where.");
}

static kith_status run(kith_document **report, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const kith_measure_options *options = user;
    return kith_measure(report, study, options, settings, error);
}

int cmd_measure(int argc, char **argv)
{
    common_options common = {0};
    uint64_t n_queries = 0;
    const option_spec options[] = {
        {"queries", 0, OPTION_COUNT, &n_queries, "N",
         "measure the error of N random counting queries"},
        {"seed", 0, OPTION_SEED, &common.seed, "N", "fix the random queries"},
        OPTION_REPORT_ROWS(&common),
        OPTION_END};
    int status;
    if (options_parse(&page, options, argc, argv, 3, 3, &status) < 0)
        return status;
    if (common.seed.given && n_queries == 0)
        return report_usage("--seed fixes the random queries: give --queries N, too");
    status = save_check(common.summary, common.force);
    if (status == EXIT_DONE)
        status = save_apart(common.summary, (const char *[5]){argv[1], argv[2], argv[3]});
    if (status != EXIT_DONE)
        return status;
    const kith_measure_options job =
        KITH_OPTIONS(kith_measure_options, .data = argv[2], .release = argv[3],
                     .separator = common.separator, .n_queries = n_queries);
    return study_run(argv[1], &common, run, print_report, &job);
}
