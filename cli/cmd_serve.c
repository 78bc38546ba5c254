/* kith serve: answer queries as a site of the virtual database. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith serve STUDY --as NAME --key FILE --rows DATABASE [OPTION]…",
    .text =
        "Answers queries on the virtual anonymized database of STUDY, as one of its sites, until\n"
        "it gets SIGTERM or SIGINT (Ctrl-C). DATABASE is the table that 'kith party' wrote with\n"
        "'publish: virtual'; it is read once, at the start. All sites must be serving; parties\n"
        "and the clients of STUDY ask with 'kith query'.\n\n"
        "Only numbers leave the site, masked, so that the querier gets the sum over all sites;\n"
        "with 'queries: {rows: true}' in STUDY rows, too, mixed with those of the others. A\n"
        "client is also told the labels that the release shows, but no values behind them. Sites\n"
        "see the text of every query. If STUDY has two sites, and one asks, the answer less its\n"
        "own is the other's. STUDY says how many queries a querier has per day (100).\n\n"
        "The ledger gets a line for every query: when, who, what was asked, what left, outcome.\n"
        "It also counts the queries of a day: keep it.",
    .example = "  kith serve cardio.study.yaml --as north --key north.key --rows "
               "sqlite:north.db?table=cardio",
};

typedef struct arguments {
    common_options common;
    kith_serve_options options;
} arguments;

static int serve(const char *path, const arguments *a)
{
    int status;
    kith_error error = {0};
    kith_study *study = study_open(path, &status);
    if (study == NULL)
        return status;
    progress_display *display = progress_begin(&a->common);
    kith_run settings = progress_run(display, &a->common);
    kith_status done = kith_serve(study, &a->options, &settings, &error);
    progress_end(display);
    kith_study_free(study);
    return done == KITH_OK ? EXIT_DONE : report_error(&error);
}

int cmd_serve(int argc, char **argv)
{
    arguments a = {.options = KITH_INIT(kith_serve_options)};
    char ledger[128];
    const option_spec options[] = {
        {"as", 0, OPTION_TEXT, &a.options.as, "NAME", "which party of the study this is"},
        {"key", 0, OPTION_TEXT, &a.options.key, "FILE", "this party's key (kith cert init)"},
        {"rows", 0, OPTION_TEXT, &a.options.rows, "DATABASE", "table of this party's own rows"},
        {"ledger", 0, OPTION_TEXT, &a.options.ledger, "FILE", "ledger (NAME.queries.jsonl)"},
        {"listen", 0, OPTION_TEXT, &a.options.listen, "HOST:PORT",
         "listen here, not at this party's address"},
        OPTION_QUIET_ROW(&a.common),
        OPTION_PROGRESS_ROW(&a.common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    if (a.options.as == NULL)
        return report_missing("--as NAME", &page);
    if (a.options.key == NULL)
        return report_missing("--key FILE", &page);
    if (a.options.rows == NULL)
        return report_missing("--rows DATABASE", &page);
    if (a.options.ledger == NULL) {
        snprintf(ledger, sizeof ledger, "%.63s.queries.jsonl", a.options.as);
        a.options.ledger = ledger;
    }
    secrecy_begin();
    return serve(argv[1], &a);
}
