/* kith compare: all protocols and baselines on the same data, in one table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith compare STUDY -i DATA --sites N [OPTION]…",
    .text =
        "Splits DATA over N sites and runs every protocol that fits on them, as 'kith simulate'\n"
        "does, and next to them the engine with all data in one place, and each site alone:\n"
        "what a release loses, what the run costs, and what it discloses. Keys of STUDY\n"
        "that belong to one protocol count for that one only. With -o DIR the runs are kept.",
    .example = "  kith generate hospital -n 20000 -o patients.csv\n"
               "  kith compare patients.study.yaml -i patients.csv --sites 4",
};

static int parse(simulate_settings *s, int argc, char **argv, int *status)
{
    const option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &s->input.uri, "DATA", "the whole table"},
        SIMULATE_SITES_ROW(s),
        {"split", 0, OPTION_TEXT, &s->options.split, "SPLIT", "as for 'kith simulate'"},
        {"output", 'o', OPTION_TEXT, &s->options.directory, "DIR",
         "keep the runs in this directory"},
        SIMULATE_HOW_ROWS(s),
        OPTION_SEED_ROW(&s->common),
        OPTION_PAGE_ROWS(&s->common),
        OPTION_REPORT_ROWS(&s->common),
        OPTION_END};
    return options_parse(&page, options, argc, argv, 1, 1, status);
}

static int check(simulate_settings *s)
{
    if (s->input.uri == NULL)
        return report_missing("-i DATA", &page);
    if (strcmp(s->input.uri, "-") == 0)
        return report_usage("the data is read once per protocol: it cannot come from standard "
                            "input");
    return simulate_settings_check(s, &page);
}

static double number_at(const kith_document *d, size_t way, const char *key)
{
    return kith_document_number(d, path_at("ways.%zu.%s", way, key), NAN);
}

static const char *text_at(const kith_document *d, size_t way, const char *key)
{
    return kith_document_text(d, path_at("ways.%zu.%s", way, key), "");
}

static void count_cell(grid *g, const kith_document *d, size_t way, const char *key)
{
    double value = number_at(d, way, key);
    grid_cell(g, "%s", isnan(value) ? "" : human_count(value));
}

static void add_way(grid *g, const kith_document *d, size_t way)
{
    double loss = number_at(d, way, "objective"), bytes = number_at(d, way, "bytes");
    double seconds = number_at(d, way, "seconds");
    grid_cell(g, "%s", text_at(d, way, "way"));
    grid_cell(g, "%s", human_loss(loss));
    count_cell(g, d, way, "classes");
    count_cell(g, d, way, "calls");
    count_cell(g, d, way, "rounds");
    count_cell(g, d, way, "messages");
    grid_cell(g, "%s", isnan(bytes) ? "" : human_bytes(bytes));
    grid_cell(g, "%s", isnan(seconds) ? "" : human_seconds(seconds));
}

static void print_disclosures(const kith_document *d, size_t way)
{
    size_t count = kith_document_n_items(d, path_at("ways.%zu.discloses", way));
    if (count > 0)
        printf("\n%s discloses\n", text_at(d, way, "way"));
    for (size_t i = 0; i < count; i++)
        printf("  to %s: %s\n", text_at(d, way, path_at("discloses.%zu.to", i)),
               text_at(d, way, path_at("discloses.%zu.what", i)));
}

static void print_notes(const kith_document *d, size_t way)
{
    if (text_at(d, way, "refused")[0] != '\0')
        printf("\n%s: %s\n", text_at(d, way, "way"), text_at(d, way, "refused"));
    if (number_at(d, way, "failed_sites") > 0)
        printf("\n%s: %s of them can release nothing, their rows are suppressed\n",
               text_at(d, way, "way"), human_count(number_at(d, way, "failed_sites")));
    if (!kith_document_flag(d, path_at("ways.%zu.holds", way), true))
        printf("\n%s: put together, it breaks the models of the study\n", text_at(d, way, "way"));
}

static void print_comparison(const kith_document *d, const void *user)
{
    (void)user;
    size_t ways = kith_document_n_items(d, "ways");
    char heading[32];
    grid *g = grid_new(8, "lrrrrRrr");
    snprintf(heading, sizeof heading, "loss (%.16s)", kith_document_text(d, "measure", ""));
    const char *const names[] = {"",       heading,    "classes", "secure calls",
                                 "rounds", "messages", "bytes",   "time"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        grid_cell(g, "%s", names[i]);
    for (size_t i = 0; i < ways; i++)
        add_way(g, d, i);
    grid_print_free(g);
    for (size_t i = 0; i < ways; i++)
        print_notes(d, i);
    for (size_t i = 0; i < ways; i++)
        print_disclosures(d, i);
}

static kith_status run(kith_document **d, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const simulate_settings *s = user;
    return kith_compare(d, study, &s->options, settings, error);
}

int cmd_compare(int argc, char **argv)
{
    int status = EXIT_DONE;
    simulate_settings s = {.options = KITH_INIT(kith_simulate_options)};
    if (parse(&s, argc, argv, &status) < 0)
        return status;
    status = check(&s);
    if (status == EXIT_DONE && s.common.page.output != NULL && !s.common.page.internal)
        status = report_usage("a comparison is about the data: give --internal, too, for a "
                              "confidential report");
    if (status == EXIT_DONE)
        status = page_check(&s.common, argv[1], s.input.uri);
    s.common.page_data = NULL; /* there is no release to measure */
    if (status != EXIT_DONE)
        return status;
    return study_run(argv[1], &s.common, run, print_comparison, &s);
}
