/* kith simulate: a joint run with all its sites on this machine. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith simulate STUDY -i DATA --sites N -o DIR [OPTION]…",
    .text =
        "Splits DATA among N sites that exist for this run only, lets them run the protocol of\n"
        "STUDY as real processes over TLS, and compares the joint release with the whole\n"
        "table. The parties of STUDY, if any, are replaced by site1 … siteN with throw-away\n"
        "keys, its key generator ('pkg') by one of this run; an external master comes on top.\n\n"
        "SPLIT is one of\n"
        "  rows              rows, distributed at random (horizontal; the default)\n"
        "  hash:COLUMN       rows, by a hash of the column\n"
        "  by:COLUMN         rows, the column's values distributed in order of appearance\n"
        "  columns:A,B/C,D   columns A and B to site1, C and D to site2 (vertical; the default\n"
        "                    splits the quasi-identifiers evenly in order)\n"
        "  2x2               two parts of the rows times two of the columns (hybrid)\n"
        "Where columns are split, rows are joined by the column that STUDY names in 'ids', or\n"
        "by a row number, which is never released.\n\n"
        "DIR gets release.csv and summary.json, and one folder per site with release.csv,\n"
        "summary.json, ledger.json and ledger.txt. The sites' data is never kept. With\n"
        "'publish: virtual' in the study each site has its own rows in rows.sqlite; --query asks\n"
        "all of them, as a client, and prints the exact answer next to theirs.",
    .example = "  kith generate hospital -n 20000 -o patients.csv\n"
               "  kith simulate patients.study.yaml -i patients.csv --sites 3 -o run --baseline"};

static int parse(simulate_settings *s, int argc, char **argv, int *status)
{
    const option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &s->input.uri, "DATA", "the whole table"},
        {"output", 'o', OPTION_TEXT, &s->options.directory, "DIR", "directory for the results"},
        SIMULATE_SITES_ROW(s),
        {"split", 0, OPTION_TEXT, &s->options.split, "SPLIT", "how the table is split (see above)"},
        SIMULATE_HOW_ROWS(s),
        {"query", 0, OPTION_TEXT, &s->options.query, "SQL",
         "ask the sites (publish: virtual), and the data itself"},
        {"compress", 0, OPTION_FLAG, &s->options.compress, NULL,
         "compress messages where that is safe"},
        {"baseline", 0, OPTION_FLAG, &s->options.baseline, NULL,
         "also: each site alone, put together"},
        OPTION_SEED_ROW(&s->common),
        OPTION_PAGE_ROWS(&s->common),
        OPTION_REPORT_ROWS(&s->common),
        OPTION_END};
    return options_parse(&page, options, argc, argv, 1, 1, status);
}

/* Everything that can be said without the study. */
static int check(simulate_settings *s, const char *study)
{
    const kith_simulate_options *o = &s->options;
    if (s->input.uri == NULL || o->directory == NULL)
        return report_missing(s->input.uri == NULL ? "-i DATA" : "-o DIR", &page);
    int status = report_one_input(study, (const char *[3]){s->input.uri});
    if (status == EXIT_DONE)
        status = simulate_settings_check(s, &page);
    if (status == EXIT_DONE)
        status =
            save_apart("the summary", s->common.summary, (const char *[5]){study, s->input.uri});
    if (status == EXIT_DONE)
        status = page_check(&s->common, study, s->input.uri);
    s->common.page.run = o->directory;
    return status;
}

static void print_counts(const kith_document *d)
{
    double dropped = kith_document_number(d, "dropped", 0);
    double suppressed = kith_document_number(d, "suppressed", 0);
    printf("records         %s", human_count(kith_document_number(d, "records", 0)));
    if (dropped > 0)
        printf(", %s more left out because a value is missing", human_count(dropped));
    if (suppressed > 0)
        printf(", %s of them suppressed", human_count(suppressed));
    putchar('\n');
    empty_print(stdout, d);
    classes_print(stdout, d);
}

static void print_broken(const kith_document *d, const char *path)
{
    puts(kith_document_flag(d, path, true) ? "" : ", but together it breaks the models");
}

static void print_loss(const kith_document *d)
{
    const char *measure = kith_document_text(d, "measure", "");
    loss_print(stdout, d);
    if (!kith_document_has(d, "baseline"))
        return;
    double failed = kith_document_number(d, "baseline.failed_sites", 0);
    printf("sites alone     %s (%s)",
           human_loss(kith_document_number(d, "baseline.objective", NAN)), measure);
    if (failed > 0)
        printf(", %s of them can release nothing", human_count(failed));
    print_broken(d, "baseline.holds");
    if (!kith_document_has(d, "baseline.side_by_side"))
        return;
    printf("  side by side  %s (%s)",
           human_loss(kith_document_number(d, "baseline.side_by_side.objective", NAN)), measure);
    print_broken(d, "baseline.side_by_side.holds");
}

static void print_calls(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "protocol.calls");
    for (size_t i = 0; i < count; i++) {
        const char *name = kith_document_key(d, "protocol.calls", i);
        printf("%s%s %s", i == 0 ? "secure calls    " : ", ",
               human_count(kith_document_number(d, path_at("protocol.calls.%s", name), 0)), name);
    }
    if (count > 0)
        puts("");
}

/* What the cost model of the encrypted view said, and what happened. */
static void print_phases(const kith_document *d)
{
    static const char *const heading[] = {"phase",      "messages", "(estimate)", "bytes",
                                          "(estimate)", "time",     "(estimate)"};
    static const char *const keys[] = {"messages", "bytes", "seconds"};
    static const char *const sides[] = {"actual", "estimate"};
    size_t count = kith_document_n_items(d, "phases");
    if (count == 0)
        return;
    puts("");
    grid *g = grid_new(7, "lrrrrrr");
    for (size_t i = 0; i < 7; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < count; i++) {
        grid_cell(g, "%s", kith_document_text(d, path_at("phases.%zu.phase", i), ""));
        for (size_t k = 0; k < 6; k++) {
            double value = kith_document_number(
                d, path_at("phases.%zu.%s.%s", i, sides[k % 2], keys[k / 2]), 0);
            grid_cell(g, "%s",
                      k < 2   ? human_count(value)
                      : k < 4 ? human_bytes(value)
                              : human_seconds(value));
        }
    }
    grid_print_free(g);
}

/* A table of an answer: {"columns": […], "rows": [[…], …]} at `path`. */
static void print_answer(const kith_document *d, const char *path)
{
    char alignment[400] = "";
    const size_t n_columns = kith_document_n_items(d, path_at("%s.columns", path));
    const size_t n_rows = kith_document_n_items(d, path_at("%s.rows", path));
    if (n_columns >= sizeof alignment)
        return;
    memset(alignment, 'r', n_columns);
    grid *g = grid_new(n_columns, alignment);
    for (size_t j = 0; j < n_columns; j++)
        grid_cell(g, "%s", kith_document_text(d, path_at("%s.columns.%zu", path, j), ""));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++) {
            const char *at = path_at("%s.rows.%zu.%zu", path, i, j);
            const double number = kith_document_number(d, at, NAN);
            if (isnan(number))
                grid_cell(g, "%s", kith_document_text(d, at, "-"));
            else
                grid_cell(g, "%.10g", number);
        }
    grid_print_free(g);
}

static void print_query(const kith_document *d)
{
    if (!kith_document_has(d, "query"))
        return;
    printf("\n%s\n\n", kith_document_text(d, "query.text", ""));
    print_answer(d, "query.answer");
    puts("\nThe exact answer, from the data\n");
    print_answer(d, "query.exact");
}

static void print_summary(const kith_document *d, const void *user)
{
    const simulate_settings *s = user;
    printf("protocol        %s, %s, %s sites %s\n", kith_document_text(d, "protocol.name", ""),
           kith_document_text(d, "protocol.partition", ""),
           human_count(kith_document_number(d, "protocol.sites", 0)),
           s->in_process ? "in one process" : "over TLS");
    print_counts(d);
    left_out_print(d);
    print_loss(d);
    print_calls(d);
    printf("traffic         %s messages, %s, %s rounds\n",
           human_count(kith_document_number(d, "protocol.messages", 0)),
           human_bytes(kith_document_number(d, "protocol.bytes", 0)),
           human_count(kith_document_number(d, "protocol.rounds", 0)));
    printf("time            %s, of which the run %s\n",
           human_seconds(kith_document_number(d, "seconds.total", 0)),
           human_seconds(kith_document_number(d, "seconds.run", 0)));
    printf("release         %s/release.csv\n", s->options.directory);
    models_print(stdout, d);
    print_phases(d);
    print_query(d);
}

static kith_status run(kith_document **d, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const simulate_settings *s = user;
    return kith_simulate(d, study, &s->options, settings, error);
}

int cmd_simulate(int argc, char **argv)
{
    int status = EXIT_DONE;
    simulate_settings s = {.options = KITH_INIT(kith_simulate_options)};
    if (parse(&s, argc, argv, &status) < 0)
        return status;
    status = check(&s, argv[1]);
    if (status != EXIT_DONE)
        return status;
    return study_run(argv[1], &s.common, run, print_summary, &s);
}
