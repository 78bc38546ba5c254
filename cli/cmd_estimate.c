/* kith estimate: what a joint run would cost. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith estimate STUDY -i DATA --sites N [OPTION]…",
    .text =
        "Says what a joint run of STUDY would take: secure calls, rounds, messages, bytes, and\n"
        "the time on a local network (0.25 ms one way, 1 Gbit/s) and on a wide one (30 ms,\n"
        "100 Mbit/s). DATA has all columns of the study; it may be one's own table, a sample\n"
        "or synthetic. The protocol is rehearsed on records drawn from it, on this machine;\n"
        "nothing is sent. Rehearsals double in size as long as the estimate takes no longer than\n"
        "20 s or a tenth of the time that it predicts; then the figures are extrapolated. If they\n"
        "are, or if DATA has fewer records than the run, 'about' stands before counts. Without\n"
        "'partition' in STUDY the table is split as 'kith simulate' splits it.",
    .example = "  kith estimate cardio.study.yaml -i north.csv --sites 5 --records 60000",
};

typedef struct arguments {
    common_options common;
    kith_input input;
    kith_estimate_options job;
    uint64_t n_sites, n_records, megabits;
    const char *latency;
} arguments;

static int parse(arguments *a, int argc, char **argv, int *status)
{
    const option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &a->input.uri, "DATA", "the table to draw records from"},
        {"sites", 'n', OPTION_COUNT, &a->n_sites, "N", "sites with data (default: the study's)"},
        {"records", 0, OPTION_COUNT, &a->n_records, "N", "of all sites (default: those of DATA)"},
        {"split", 0, OPTION_TEXT, &a->job.split, "SPLIT", "as for 'kith simulate'"},
        {"latency", 0, OPTION_TEXT, &a->latency, "TIME", "one way, of your own network"},
        {"megabits", 0, OPTION_COUNT, &a->megabits, "N", "per second, of your own network"},
        OPTION_SEED_ROW(&a->common),
        OPTION_REPORT_ROWS(&a->common),
        OPTION_END};
    return options_parse(&page, options, argc, argv, 1, 1, status);
}

static int check(arguments *a)
{
    if (a->input.uri == NULL)
        return report_missing("-i DATA", &page);
    int status = sites_check(a->n_sites);
    if (status != EXIT_DONE)
        return status;
    if (a->n_records > 4000000000u)
        return report_usage("--records takes at most 4,000,000,000");
    if ((a->latency != NULL) != (a->megabits > 0))
        return report_usage("--latency and --megabits belong together");
    a->job.n_sites = (uint32_t)a->n_sites;
    a->job.n_records = a->n_records;
    a->job.megabits = (double)a->megabits;
    a->input = data_input(&a->common, a->input.uri);
    a->job.input = &a->input;
    status = duration_take("latency", a->latency, &a->job.latency_ms);
    return status == EXIT_DONE ? save_check(a->common.summary, a->common.force) : status;
}

static void print_networks(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "networks");
    for (size_t i = 0; i < count; i++) {
        const char *name = kith_document_text(d, path_at("networks.%zu.network", i), "");
        double latency = kith_document_number(d, path_at("networks.%zu.latency_ms", i), 0);
        double megabits = kith_document_number(d, path_at("networks.%zu.megabits", i), 0);
        printf("%-15s %s (%g ms one way, %g Mbit/s)\n", name,
               human_seconds(kith_document_number(d, path_at("networks.%zu.seconds", i), 0)),
               latency, megabits);
    }
}

static void phase_row(grid *g, const kith_document *d, size_t phase)
{
    static const char *const counts[] = {"operations", "messages"};
    grid_cell(g, "%s", kith_document_text(d, path_at("phases.%zu.phase", phase), ""));
    for (size_t i = 0; i < 2; i++)
        grid_cell(
            g, "%s",
            human_count(kith_document_number(d, path_at("phases.%zu.%s", phase, counts[i]), 0)));
    grid_cell(g, "%s", human_bytes(kith_document_number(d, path_at("phases.%zu.bytes", phase), 0)));
    grid_cell(g, "%s",
              human_seconds(kith_document_number(d, path_at("phases.%zu.seconds", phase), 0)));
}

/* The phases of the encrypted view; its search comes on top. */
static void print_phases(const kith_document *d)
{
    static const char *const heading[] = {"phase", "operations", "messages", "bytes", "computing"};
    size_t count = kith_document_n_items(d, "phases"),
           n_sites = kith_document_n_items(d, "by_sites");
    if (count == 0)
        return;
    puts("");
    grid *g = grid_new(5, "lrrrr");
    for (size_t i = 0; i < 5; i++)
        grid_cell(g, "%s", heading[i]);
    for (size_t i = 0; i < count; i++)
        phase_row(g, d, i);
    grid_print_free(g);
    printf("\nThe search on the encrypted table: %s on top.\n",
           human_seconds(kith_document_number(d, "search_seconds", 0)));
    for (size_t i = 0; i < n_sites; i++) {
        double bytes = kith_document_number(d, path_at("by_sites.%zu.bytes", i), 0);
        printf("%s%zu sites         %s, %s\n", i < 8 ? " " : "", i + 2, human_bytes(bytes),
               human_seconds(kith_document_number(d, path_at("by_sites.%zu.seconds", i), 0)));
    }
}

static void print_estimate(const kith_document *d, const void *user)
{
    (void)user;
    double records = kith_document_number(d, "records", 0);
    double rehearsed = kith_document_number(d, "rehearsed", 0);
    printf("protocol        %s\n", kith_document_text(d, "protocol", ""));
    printf("records         %s", human_count(records));
    if (rehearsed < records)
        printf(", extrapolated from %s", human_count(rehearsed));
    const char *about = kith_document_flag(d, "about", false) ? "about " : "";
    if (kith_document_has(d, "calls"))
        printf("\nsecure calls    %s%s", about, human_count(kith_document_number(d, "calls", 0)));
    printf("\nrounds          %s%s\n", about, human_count(kith_document_number(d, "rounds", 0)));
    printf("traffic         %s%s messages, %s, of which the busiest party sends %s\n", about,
           human_count(kith_document_number(d, "messages", 0)),
           human_bytes(kith_document_number(d, "bytes", 0)),
           human_bytes(kith_document_number(d, "busiest_bytes", 0)));
    printf("computing       %s, all parties on this machine\n",
           human_seconds(kith_document_number(d, "compute_seconds", 0)));
    print_networks(d);
    print_phases(d);
}

static kith_status run(kith_document **d, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const arguments *a = user;
    return kith_estimate(d, study, &a->job, settings, error);
}

int cmd_estimate(int argc, char **argv)
{
    int status = EXIT_DONE;
    arguments a = {.job = KITH_INIT(kith_estimate_options)};
    if (parse(&a, argc, argv, &status) < 0)
        return status;
    status = check(&a);
    if (status == EXIT_DONE)
        status = report_one_input(argv[1], (const char *[3]){a.input.uri});
    if (status != EXIT_DONE)
        return status;
    return study_run(argv[1], &a.common, run, print_estimate, &a);
}
