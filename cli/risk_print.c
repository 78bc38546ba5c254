/* Risks before and after, as `kith measure` shows them. */
#include "cli.h"

#include <math.h>
#include <stdio.h>

/* A number under section.before or section.after. */
static double number_at(const kith_document *d, const char *section, const char *when,
                        const char *key, double fallback)
{
    return kith_document_number(d, path_at("%s.%s.%s", section, when, key), fallback);
}

static grid *before_and_after(void)
{
    grid *g = grid_new(3, "lrr");
    grid_cell(g, "%s", "");
    grid_cell(g, "before");
    grid_cell(g, "after");
    return g;
}

static void count_row(grid *g, const kith_document *d, const char *section, const char *title,
                      const char *key)
{
    grid_cell(g, "%s", title);
    for (int after = 0; after < 2; after++) {
        double number = number_at(d, section, after ? "after" : "before", key, NAN);
        if (isnan(number))
            grid_cell(g, "-");
        else if (number < 100 && number != floor(number)) /* an estimate, not a count */
            grid_cell(g, "%.1f", number);
        else
            grid_cell(g, "%s", human_count(round(number)));
    }
}

static void percent_row(grid *g, const kith_document *d, const char *section, const char *title,
                        const char *key)
{
    grid_cell(g, "%s", title);
    for (int after = 0; after < 2; after++) {
        double number = number_at(d, section, after ? "after" : "before", key, NAN);
        if (isnan(number))
            grid_cell(g, "-");
        else
            grid_cell(g, "%.2f%%", 100 * number);
    }
}

static void print_risk(const kith_document *d)
{
    grid *g = before_and_after();
    count_row(g, d, "risk", "classes", "classes");
    const bool persons = kith_document_has(d, "risk.after.largest_part");
    count_row(g, d, "risk", persons ? "fewest persons in a class" : "smallest class",
              "smallest_class");
    count_row(g, d, "risk", "unique records", "unique_records");
    percent_row(g, d, "risk", "highest risk of being found", "prosecutor_highest");
    percent_row(g, d, "risk", "average risk of being found", "prosecutor_average");
    percent_row(g, d, "risk", "records with a risk above 20%", "share_at_risk");
    if (persons)
        percent_row(g, d, "risk", "largest part of a class that is one person's", "largest_part");
    if (kith_document_number(d, "risk.after.journalist_highest", -1) >= 0) {
        percent_row(g, d, "risk", "the same in the population: highest", "journalist_highest");
        percent_row(g, d, "risk", "the same in the population: average", "journalist_average");
        percent_row(g, d, "risk", "the same in the population: above 20%",
                    "journalist_share_at_risk");
    }
    grid_print_free(g);
}

/* What an attacker who finds somebody's class learns of a sensitive column. */
static void print_disclosure(const kith_document *d)
{
    const size_t n = kith_document_n_items(d, "disclosure");
    if (n == 0)
        return;
    puts("\nSensitive columns: how sure anyone can be who finds the class of a record\n");
    grid *g = grid_new(6, "lrrrrr");
    static const char *const heading[] = {"",      "most frequent", "highest before",
                                          "after", "mean before",   "after"};
    static const char *const keys[] = {"overall", "before.highest", "after.highest", "before.mean",
                                       "after.mean"};
    for (size_t i = 0; i < 6; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < n; i++) {
        grid_cell(g, "%s", kith_document_text(d, path_at("disclosure.%zu.column", i), ""));
        for (size_t k = 0; k < 5; k++) {
            grid_cell(g, "%.1f%%",
                      100 * kith_document_number(d, path_at("disclosure.%zu.%s", i, keys[k]), 0));
        }
    }
    grid_print_free(g);
}

static void print_population(const kith_document *d)
{
    printf("\nPopulation of %s records, of which the data has %.4g%%\n\n",
           human_count(round(kith_document_number(d, "population.size", 0))),
           100 * kith_document_number(d, "population.share", 0));
    grid *g = before_and_after();
    count_row(g, d, "population", "unique in the data", "sample_uniques");
    count_row(g, d, "population", "unique in the population", "dankar");
    percent_row(g, d, "population", "share of the population", "share");
    count_row(g, d, "population", "  by Pitman's model", "pitman");
    count_row(g, d, "population", "  by Zayatz' model", "zayatz");
    count_row(g, d, "population", "  by the slide negative binomial", "snb");
    percent_row(g, d, "individual", "highest risk of a record", "highest");
    percent_row(g, d, "individual", "average risk of a record", "mean");
    count_row(g, d, "individual", "records that would be found", "expected");
    count_row(g, d, "individual", "records with a risk above 20%", "records_at_risk");
    grid_print_free(g);
    if (kith_document_text(d, "individual.weights", NULL) != NULL &&
        !kith_document_has(d, "individual.after.highest"))
        puts("\nThe release is not in the order of the data, so that its weights are unknown.");
}

/* The column that most of the scores come from. */
static void print_column(const kith_document *d)
{
    size_t most = 0;
    double share = 0;
    for (size_t i = 0; i < kith_document_n_items(d, "special_uniques.before.columns"); i++) {
        const double of_column =
            kith_document_number(d, path_at("special_uniques.before.columns.%zu.share", i), 0);
        if (of_column > share) {
            share = of_column;
            most = i;
        }
    }
    if (share == 0)
        return;
    printf("\nIn the data %s contributes most to the scores (%.0f%%).",
           kith_document_text(d, path_at("special_uniques.before.columns.%zu.column", most), ""),
           100 * share);
    printf(" The riskiest row is number %s.\n",
           human_count(kith_document_number(d, "special_uniques.before.top.0.row", 0)));
}

static void print_special(const kith_document *d)
{
    const size_t n = kith_document_n_items(d, "special_uniques.before.sets");
    puts("\nSpecial uniques: records that few columns make unique (SUDA)\n");
    grid *g = before_and_after();
    count_row(g, d, "special_uniques", "records that are special", "records");
    for (size_t i = 0; i < n; i++) {
        char title[80], key[40];
        snprintf(title, sizeof title, "unique by %zu column%s, not by fewer", i + 1,
                 i == 0 ? "" : "s");
        snprintf(key, sizeof key, "sets.%zu", i);
        count_row(g, d, "special_uniques", i == 0 ? "unique by one column" : title, key);
    }
    count_row(g, d, "special_uniques", "highest score", "top.0.score");
    count_row(g, d, "special_uniques", "mean score", "mean_score");
    percent_row(g, d, "special_uniques", "chance that a unique match is right (DIS)", "dis");
    percent_row(g, d, "special_uniques", "  for the riskiest record", "dis_highest");
    percent_row(g, d, "special_uniques", "  on average over all records", "dis_mean");
    grid_print_free(g);
    printf("\nThese chances take the data for %.4g%% of the population%s.\n",
           100 * kith_document_number(d, "special_uniques.fraction", 0),
           kith_document_has(d, "population") ? "" : " (--population says otherwise)");
    print_column(d);
}

void risk_print(const kith_document *d)
{
    puts("\nRisk\n");
    print_risk(d);
    print_disclosure(d);
    if (kith_document_has(d, "population"))
        print_population(d);
    if (kith_document_has(d, "special_uniques"))
        print_special(d);
}
