/* kith query: ask the sites of the virtual database. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith query STUDY --as NAME --key FILE [OPTION]… QUERY",
    .text =
        "Asks the virtual anonymized database of STUDY, whose sites must all be serving (kith\n"
        "serve), and prints the answer. NAME is a client or a party of STUDY; a party takes part\n"
        "with its own rows. QUERY is a part of SQL:\n\n"
        "  SELECT columns, count(*), sum(c), avg(c), min(c), max(c)  [WHERE …]\n"
        "  [GROUP BY …] [ORDER BY …] [LIMIT n]\n\n"
        "Cells of the database are generalized, so that a condition is certainly true, possibly\n"
        "true, or neither. Every aggregate has three columns: counts are certain, expected and\n"
        "possible, others lowest, expected and highest. Expected means that all values of a cell\n"
        "are equally likely. Rows, a SELECT without aggregates, must be allowed by STUDY.\n\n"
        "A client is answered from what the release shows: where STUDY does not say the values of\n"
        "a column, its labels are the values.\n\n"
        "All sites see the text of the query. A wrong query is refused\n"
        "before any site is called.",
    .example = "  kith query cardio.study.yaml --as alice --key alice.key \\\n"
               "      \"SELECT diagnosis, count(*) WHERE age > 60 GROUP BY diagnosis\"",
};

typedef struct arguments {
    common_options common;
    kith_query_options options;
    const char *output, *wait;
} arguments;

static int ask(const char *path, const arguments *a)
{
    int status;
    kith_error error = {0};
    char *answer = NULL;
    kith_study *study = study_open(path, &status);
    if (study == NULL)
        return status;
    progress_display *display = progress_begin(&a->common);
    kith_run settings = progress_run(display, &a->common);
    kith_status done = kith_query(&answer, study, &a->options, &settings, &error);
    progress_end(display);
    kith_study_free(study);
    if (done != KITH_OK)
        return report_error(&error);
    if (a->output != NULL)
        status = save_text(a->output, answer);
    else
        plain_text_print(stdout, answer, "\n\t");
    kith_free(answer);
    return status;
}

int cmd_query(int argc, char **argv)
{
    arguments a = {.options = KITH_INIT(kith_query_options)};
    const option_spec options[] = {
        {"as", 0, OPTION_TEXT, &a.options.as, "NAME", "which client or party of the study asks"},
        {"key", 0, OPTION_TEXT, &a.options.key, "FILE", "its key (kith cert init)"},
        {"rows", 0, OPTION_TEXT, &a.options.rows, "DATABASE", "table of a party's own rows"},
        {"format", 0, OPTION_TEXT, &a.options.format, "FORMAT", "table (default), csv or json"},
        {"output", 'o', OPTION_TEXT, &a.output, "FILE", "write the answer to FILE"},
        {"wait", 0, OPTION_TEXT, &a.wait, "TIME", "how long to wait for a turn (default: 1min)"},
        OPTION_FORCE_ROW(&a.common),
        OPTION_JSON_ROW(&a.common),
        OPTION_PROGRESS_ROW(&a.common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&page, options, argc, argv, 2, 2, &status) < 0)
        return status;
    if (a.common.json)
        a.options.format = "json";
    if (a.options.as == NULL)
        return report_missing("--as NAME", &page);
    if (a.options.key == NULL)
        return report_missing("--key FILE", &page);
    status = duration_take_wait(a.wait, &a.options.wait_ms);
    if (status == EXIT_DONE)
        status = save_check(a.output, a.common.force);
    if (status != EXIT_DONE)
        return status;
    a.options.query = argv[2];
    secrecy_begin();
    return ask(argv[1], &a);
}
