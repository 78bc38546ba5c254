#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const help_page page = {
    .usage = "kith measure STUDY DATA RELEASE [OPTION]…",
    .text = "Compares RELEASE with the DATA that it was made from: what was lost, for every\n"
            "quasi-identifier; means and quantiles of numbers; which columns are still\n"
            "associated; and the risk that a record is found, before and after. The release\n"
            "may come from any tool, and be in another order than the data: what compares rows\n"
            "with their records one by one then needs --mapping, which says whose row is whose.\n"
            "\n"
            "--queries also counts records by N random conditions on two quasi-identifiers\n"
            "(ranges of 0.3 of their values), in the data and from the release, and reports\n"
            "the relative error.\n"
            "\n"
            "--classify tries how well COLUMN, a sensitive or insensitive one, can be\n"
            "predicted from the quasi-identifiers by a classifier (naive Bayes, 10-fold\n"
            "cross-validation) that learned from the release, compared with one that learned\n"
            "from the data. Both are tested on original records.\n"
            "\n"
            "Where the data is a sample, --population says of how many records (or, below 1,\n"
            "which share of them it has; the study may say it, too): then the report also\n"
            "estimates how many records are unique in the population, and the risk of single\n"
            "records. docs/risk.md says how.",
    .example = "  kith measure patients.study.yaml patients.csv release.csv --queries 10000\n"
               "  kith measure patients.study.yaml patients.csv release.csv --classify disease"};

/* What the options ask for, for both the job and the report. */
typedef struct measure_settings {
    kith_measure_options options;
    bool all;
} measure_settings;

static double attribute_number(const kith_document *d, const char *section, const char *name,
                               const char *key)
{
    return kith_document_number(
        d, name == NULL ? path_at("%s.%s", section, key) : path_at("%s.%s.%s", section, name, key),
        NAN);
}

static void cells_row(grid *g, const kith_document *d, const char *section, const char *name)
{
    static const char *const keys[] = {"lm", "em", "entropy", "tree"};
    for (size_t i = 0; i < 4; i++)
        grid_cell(g, "%s", human_loss(attribute_number(d, section, name, keys[i])));
}

/* The levels of its cells, "1" or "0-2"; none where cells are ranges. */
static void level_cell(grid *g, const kith_document *d, const char *name)
{
    double lowest = attribute_number(d, "attribute_levels", name, "lowest");
    double highest = attribute_number(d, "attribute_levels", name, "highest");
    if (!kith_document_has(d, path_at("attribute_levels.%s", name)))
        grid_cell(g, "%s", "");
    else if (lowest == highest)
        grid_cell(g, "%.0f", lowest);
    else
        grid_cell(g, "%.0f-%.0f", lowest, highest);
}

static void print_attributes(const kith_document *d)
{
    grid *g = grid_new(8, "lrrrrrRr");
    static const char *const heading[] = {"attribute", "values",    "released",       "level",
                                          "lm",        "em (bits)", "entropy (bits)", "tree"};
    for (size_t i = 0; i < 8; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < kith_document_n_items(d, "attribute_loss"); i++) {
        const char *name = kith_document_key(d, "attribute_loss", i);
        grid_cell(g, "%s", name);
        grid_cell(g, "%s", human_count(attribute_number(d, "attribute_values", name, "before")));
        grid_cell(g, "%s", human_count(attribute_number(d, "attribute_values", name, "after")));
        level_cell(g, d, name);
        cells_row(g, d, "attribute_loss", name);
    }
    grid_cell(g, "all");
    grid_cell(g, "%s", "");
    grid_cell(g, "%s", "");
    grid_cell(g, "%s", "");
    cells_row(g, d, "loss", NULL);
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

static void statistics_row(grid *g, const kith_document *d, size_t i, const char *when)
{
    static const char *const keys[] = {"mean", "standard_deviation", "q05", "q25", "median", "q75",
                                       "q95"};
    grid_cell(g, "%s %s", kith_document_text(d, path_at("statistics.%zu.column", i), ""), when);
    grid_cell(
        g, "%s",
        human_count(kith_document_number(d, path_at("statistics.%zu.%s.records", i, when), 0)));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        double number =
            kith_document_number(d, path_at("statistics.%zu.%s.%s", i, when, keys[k]), NAN);
        if (isnan(number))
            grid_cell(g, "-");
        else
            grid_cell(g, "%.5g", number);
    }
}

/* Of a column that shows the means of its classes. */
static void print_lost_variance(const kith_document *d, size_t i)
{
    const double lost = kith_document_number(d, path_at("statistics.%zu.lost_variance", i), NAN);
    if (isnan(lost))
        return;
    printf("\n%s shows means of classes, which lose %.2f%% of its variance (SSE / SST).\n",
           kith_document_text(d, path_at("statistics.%zu.column", i), ""), 100 * lost);
}

static void print_statistics(const kith_document *d)
{
    static const char *const heading[] = {"",    "records", "mean", "deviation", "5%",
                                          "25%", "median",  "75%",  "95%"};
    const size_t n_columns = sizeof heading / sizeof *heading;
    const size_t n = kith_document_n_items(d, "statistics");
    if (n == 0)
        return;
    puts("\nNumbers (a released interval counts as its middle; hidden and missing cells do not\n"
         "count)\n");
    grid *g = grid_new(n_columns, "lrrrrrrrr");
    for (size_t i = 0; i < n_columns; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < n; i++) {
        statistics_row(g, d, i, "before");
        statistics_row(g, d, i, "after");
    }
    grid_print_free(g);
    for (size_t i = 0; i < n; i++)
        print_lost_variance(d, i);
}

/* The pair that has lost most, if any has. */
static void print_weakest(const kith_document *d)
{
    size_t worst = 0;
    double most = 0;
    const size_t n_pairs = kith_document_n_items(d, "associations.list"); /* counts all of them */
    for (size_t i = 0; i < n_pairs; i++) {
        double lost = kith_document_number(d, path_at("associations.list.%zu.before", i), 0);
        lost -= kith_document_number(d, path_at("associations.list.%zu.after", i), 0);
        if (lost > most) {
            most = lost;
            worst = i;
        }
    }
    if (most < 0.005) /* it would be shown as no difference */
        return;
    printf("Largest decrease: %s",
           kith_document_text(d, path_at("associations.list.%zu.one", worst), ""));
    printf(" and %s, ", kith_document_text(d, path_at("associations.list.%zu.other", worst), ""));
    printf("from %.2f", kith_document_number(d, path_at("associations.list.%zu.before", worst), 0));
    printf(" to %.2f.\n",
           kith_document_number(d, path_at("associations.list.%zu.after", worst), 0));
}

static void print_associations(const kith_document *d)
{
    if (kith_document_number(d, "associations.pairs", 0) == 0)
        return;
    if (kith_document_number(d, "associations.associated", 0) == 0)
        puts("\nAssociations: no two columns are associated in the data (Cramér's V below 0.1).");
    else
        printf("\nAssociations (Cramér's V): %s of %s pairs of columns are associated in the\n"
               "data (V of at least 0.1); %s of them keep at least half of it in the release.\n",
               human_count(kith_document_number(d, "associations.associated", 0)),
               human_count(kith_document_number(d, "associations.pairs", 0)),
               human_count(kith_document_number(d, "associations.surviving", 0)));
    double created = kith_document_number(d, "associations.created", 0);
    if (created > 0)
        printf("Pairs that only the release makes seem associated: %s.\n", human_count(created));
    print_weakest(d);
}

static void print_classifier(const kith_document *d)
{
    printf("\nPredicting %s from the quasi-identifiers (naive Bayes, %s folds, %s records)\n\n",
           kith_document_text(d, "classify.column", ""),
           human_count(kith_document_number(d, "classify.folds", 0)),
           human_count(kith_document_number(d, "classify.records", 0)));
    static const char *const rows[][2] = {{"original", "learned from the data"},
                                          {"release", "learned from the release"},
                                          {"baseline", "always the most frequent value"}};
    grid *g = grid_new(2, "lr");
    grid_cell(g, "%s", "");
    grid_cell(g, "right");
    for (size_t i = 0; i < 3; i++) {
        grid_cell(g, "%s", rows[i][1]);
        const double right = kith_document_number(d, path_at("classify.%s", rows[i][0]), NAN);
        if (isnan(right)) /* no record could be tested */
            grid_cell(g, "-");
        else
            grid_cell(g, "%.2f%%", 100 * right);
    }
    grid_print_free(g);
    if (!kith_document_flag(d, "classify.in_order", true))
        puts("\nThe release is not in the order of the data: the classifier may have learned from\n"
             "some of the records that it was tested on.");
}

/* Measures of researchers, each with what it means. */
static void print_all(const kith_document *d)
{
    static const struct {
        const char *key, *meaning;
    } rows[] = {
        {"am", "original records that a released one may stand for, on average"},
        {"kl", "bits: how far the release's distribution is from that of the data"},
        {"mi", "bits per cell: information about the original value that was lost"},
        {"pmi_utility", "bits per cell: what cells still tell about the sensitive value"},
        {"pmi", "bits per cell: what they told of it before, and no longer do"},
        {"cm", "share of records that differ from the majority of their class"},
        {"arx-loss", "the loss as ARX puts it together, 0 to 1"},
        {"dm", "sum of squared class sizes: pairs of records that look the same"},
    };
    puts("\nMeasures of the literature (docs/measures.md defines them)\n");
    grid *g = grid_new(3, "lrl");
    grid_cell(g, "measure");
    grid_cell(g, "value");
    grid_cell(g, "meaning");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double value = kith_document_number(d, path_at("loss.%s", rows[i].key), HUGE_VAL);
        const bool too_large = strcmp(rows[i].key, "am") == 0; /* the only one that can be */
        if (value == HUGE_VAL && !too_large)
            continue;
        grid_cell(g, "%s", rows[i].key);
        grid_cell(g, value == HUGE_VAL ? "too large" : "%.4g", value);
        grid_cell(g, "%s", rows[i].meaning);
    }
    grid_print_free(g);
}

/* What is known of whose row is whose. */
static void print_check(const kith_document *d)
{
    const char *check = kith_document_text(d, "cover.check", "");
    if (!kith_document_flag(d, "cover.holds", true))
        puts("\nThe release does not cover this data: 'kith verify --data' says where.");
    else if (strcmp(check, "in order") != 0)
        printf("\nRows are in another order than the data (check: %s), so that figures which\n"
               "compare rows with their records one by one are missing; --mapping gives them.\n",
               check);
    if (strcmp(kith_document_text(d, "not_checked.0", ""), "units") == 0)
        puts("\nThe study counts persons, and only a mapping says whose row is whose: risks are "
             "those of\n"
             "records, and higher among persons; --mapping counts them.");
}

static void print_report(const kith_document *d, const void *user)
{
    const measure_settings *settings = user;
    double suppressed = kith_document_number(d, "suppressed", 0);
    printf("%s, %s, average class %.1f records\n",
           human_counted(kith_document_number(d, "records", 0), "record"),
           human_counted(kith_document_number(d, "attributes", 0), "quasi-identifier"),
           kith_document_number(d, "loss.average_class", 0));
    if (suppressed > 0)
        printf("%s record%s suppressed: all quasi-identifiers are hidden\n",
               human_count(suppressed), suppressed == 1 ? " is" : "s are");
    putchar('\n');
    puts("What was lost (0 = unchanged)\n");
    print_attributes(d);
    if (settings->all)
        print_all(d);
    print_statistics(d);
    print_associations(d);
    if (kith_document_number(d, "queries.count", -1) >= 0)
        print_queries(d);
    if (kith_document_has(d, "classify"))
        print_classifier(d);
    risk_print(d);
    print_check(d);
}

static kith_status run(kith_document **report, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const measure_settings *own = user;
    return kith_measure(report, study, &own->options, settings, error);
}

/* A number of records, or a share; NULL leaves it alone. Returns the exit status. */
static int read_population(const char *text, double *population)
{
    char *end;
    if (text == NULL)
        return EXIT_DONE;
    *population = strtod(text, &end);
    if (end == text || *end != '\0' || !(*population > 0 && *population <= 1e15) ||
        (*population >= 1 && *population != floor(*population)))
        return report_usage("--population: expected a number of records, or the share of them that "
                            "is in the data, found '%s'",
                            text);
    return EXIT_DONE;
}

int cmd_measure(int argc, char **argv)
{
    common_options common = {0};
    uint64_t n_queries = 0;
    const char *class_column = NULL, *people = NULL, *weights = NULL, *mapping = NULL;
    char data_separator = 0;
    uint64_t special = 0;
    measure_settings job = {0};
    const option_spec options[] = {
        {"mapping", 0, OPTION_TEXT, &mapping, "FILE",
         "whose row is whose, as anonymize --mapping wrote it"},
        {"queries", 0, OPTION_COUNT, &n_queries, "N",
         "measure the error of N random counting queries"},
        {"classify", 0, OPTION_TEXT, &class_column, "COLUMN",
         "how well a classifier learns COLUMN from the release"},
        {"population", 0, OPTION_TEXT, &people, "N",
         "records of which the data is a sample; below 1: its share"},
        {"weights", 0, OPTION_TEXT, &weights, "COLUMN",
         "how many records of the population each stands for"},
        {"special-uniques", 0, OPTION_COUNT, &special, "N",
         "find records that sets of up to N columns make unique"},
        OPTION_DATA_SEPARATOR_ROW(&data_separator),
        {"all", 0, OPTION_FLAG, &job.all, NULL, "also show the measures of the literature"},
        {"seed", 0, OPTION_SEED, &common.seed, "N",
         "of the run, to draw its sample again; fixes random queries and folds"},
        OPTION_PAGE_ROWS(&common),
        OPTION_REPORT_ROWS(&common),
        OPTION_END};
    int status;
    if (options_parse(&page, options, argc, argv, 3, 3, &status) < 0)
        return status;
    double population = 0;
    status = read_population(people, &population);
    if (status != EXIT_DONE)
        return status;
    status = report_one_input(argv[1], (const char *[3]){argv[2], argv[3], mapping});
    if (status == EXIT_DONE)
        status = save_check(common.summary, common.force);
    if (status == EXIT_DONE)
        status = save_apart("the summary", common.summary,
                            (const char *[5]){argv[1], argv[2], argv[3], mapping});
    if (status == EXIT_DONE)
        status = page_check(&common, argv[1], argv[2]);
    if (status != EXIT_DONE)
        return status;
    common.page_release = strcmp(argv[3], "-") == 0 ? NULL : argv[3];
    common.page_data = NULL; /* measured by then */
    kith_input data = data_input(&common, argv[2]);
    if (data_separator != 0)
        data.separator = data_separator;
    const kith_input release =
        KITH_OPTIONS(kith_input, .uri = argv[3], .separator = common.separator);
    const kith_input whose =
        KITH_OPTIONS(kith_input, .uri = mapping, .separator = common.separator);
    job.options = (kith_measure_options)KITH_OPTIONS(
        kith_measure_options, .data = &data, .release = &release, .mapping = &whose,
        .n_queries = n_queries, .classify = class_column, .population = population,
        .weights = weights, .special_uniques = special);
    return study_run(argv[1], &common, run, print_report, &job);
}
