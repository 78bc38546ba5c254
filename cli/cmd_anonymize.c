#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const help_page page = {
    .usage = "kith anonymize STUDY -i DATA -o RELEASE [OPTION]…",
    .text = "Makes a release of DATA in which the privacy models of STUDY hold, and verifies what\n"
            "was written before it appears. DATA and RELEASE are CSV files (also .gz or .zst), -\n"
            "for standard input and output, Parquet or JSON files (by DuckDB, told by .parquet,\n"
            ".json, .ndjson), DATA also several of them ('parts/*.csv'), or tables of a database:\n"
            "sqlite:FILE?table=T, duckdb:FILE?table=T, postgresql://…?table=T.\n"
            "The rows are sorted by their cells, since the order of the data could tell whose a\n"
            "row is; --keep-order keeps that order. RELEASE.meta.json is written next to a file:\n"
            "it says under which study and models it was made.\n"
            "Ctrl-C stops the search: weave and the searches of global recoding then write the\n"
            "best release so far, verified as always, and the exit status is 0. A second Ctrl-C\n"
            "discards it. Other searches, and reading the data, end with nothing written (130).\n"
            "\n"
            "Under an MPI launcher (mpirun -n 4 kith anonymize …) every process takes a share\n"
            "of the rows, and RELEASE is a directory with a file of each; docs/scale.md.",
    .example = "  kith generate hospital -n 20000 -o patients.csv\n"
               "  kith anonymize patients.study.yaml -i patients.csv -o release.csv"};

static const double NEARLY_ALL = 0.95; /* a release that lost so much is hardly of use */

typedef struct arguments {
    common_options common;
    common_options internal; /* with the page of an internal report, which the run itself makes */
    kith_input input;
    const char *memory;
    kith_anonymize_options job;
} arguments;

static int parse(arguments *a, int argc, char **argv, int *status)
{
    option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &a->input.uri, "DATA", "the table to anonymize"},
        {"output", 'o', OPTION_TEXT, &a->job.output, "RELEASE", "where the release goes"},
        {"shuffle", 0, OPTION_FLAG, &a->job.shuffle, NULL, "put the rows in random order"},
        {"keep-order", 0, OPTION_FLAG, &a->job.keep_order, NULL,
         "leave the rows in the order of the data, which may tell whose they are"},
        {"explain", 0, OPTION_FLAG, &a->job.explain, NULL,
         "say which model keeps the classes from being finer"},
        {"mapping", 0, OPTION_TEXT, &a->job.mapping, "FILE",
         "write what became of every record; confidential"},
        {"lattice", 0, OPTION_TEXT, &a->job.lattice, "FILE",
         "write the searched lattice: levels, satisfied, loss (flash, ola, …)"},
        {"memory", 0, OPTION_TEXT, &a->memory, "SIZE",
         "larger tables stay on disk or server: 500MB, 2GB (default: the study's)"},
        OPTION_SEED_ROW(&a->common),
        OPTION_PAGE_ROWS(&a->common),
        OPTION_REPORT_ROWS(&a->common),
        OPTION_END};
    int count = options_parse(&page, options, argc, argv, 1, 1, status);
    if (count < 0)
        return count;
    if (a->input.uri == NULL || a->job.output == NULL) {
        *status = report_missing(a->input.uri == NULL ? "-i DATA" : "-o RELEASE", &page);
        return -1;
    }
    if (a->job.shuffle && a->job.keep_order) {
        *status = report_usage("--keep-order and --shuffle exclude each other");
        return -1;
    }
    a->input = data_input(&a->common, a->input.uri);
    a->job.input = &a->input;
    a->job.overwrite = a->common.force;
    return count;
}

static void print_counts(FILE *out, const kith_document *d)
{
    double dropped = kith_document_number(d, "dropped", 0);
    double suppressed = kith_document_number(d, "suppressed", 0);
    fprintf(out, "records         %s", human_count(kith_document_number(d, "records", 0)));
    double sample = kith_document_number(d, "sample", 0);
    if (sample > 0)
        fprintf(out, ", a sample of %.4g%%", 100 * sample);
    if (dropped > 0)
        fprintf(out, ", %s more left out because a value is missing", human_count(dropped));
    if (suppressed > 0)
        fprintf(out, ", %s of them suppressed", human_count(suppressed));
    fputc('\n', out);
    empty_print(out, d);
    classes_print(out, d);
}

/* "age: 1, zip: 2": the levels that a search of the lattice chose; other searches have none. */
static void list_levels(FILE *out, const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "levels"); i++) {
        const char *name = kith_document_key(d, "levels", i);
        fprintf(out, "%s%s: %.0f", i == 0 ? "" : ", ", name,
                kith_document_number(d, path_at("levels.%s", name), 0));
    }
}

static void print_levels(FILE *out, const kith_document *d)
{
    if (kith_document_n_items(d, "levels") == 0)
        return;
    wrap_buffer line;
    FILE *in = wrap_begin(&line);
    fputs("levels          ", in);
    list_levels(in, d);
    wrap_end(&line, out, 16);
}

/* How to apply a node of the lattice, with the one that was chosen as the example. */
static void print_lattice(FILE *out, const kith_document *d, const char *path)
{
    wrap_buffer line;
    FILE *in = wrap_begin(&line);
    fprintf(in,
            "lattice         %s: another line is applied by its levels in the study, as "
            "levels: {",
            path);
    list_levels(in, d);
    fputs("}", in);
    wrap_end(&line, out, 16);
}

/* Nobody should have to find out from the release itself that little is left. */
static void print_lost(FILE *out, const kith_document *d)
{
    double lm = kith_document_number(d, "loss.lm", 0),
           records = kith_document_number(d, "records", 0);
    double suppressed = kith_document_number(d, "suppressed", 0);
    if (records == 0 || (lm < NEARLY_ALL && suppressed < NEARLY_ALL * records))
        return;
    wrap_buffer line;
    FILE *in = wrap_begin(&line);
    fprintf(in,
            "warning: nearly everything is hidden (%.0f%% of the quasi-identifiers' information, "
            "lm). To keep more: fewer quasi-identifiers, hierarchies with levels between the "
            "values and the root, a smaller k or l, ",
            100 * lm);
    fputs(strcmp(kith_document_text(d, "algorithm", ""), "weave") == 0
              ? "or suppression above 0 (in utility: the share of records that may be hidden whole)"
              : "or algorithm: weave",
          in);
    wrap_end(&line, out, 2);
}

/* Two releases of one table are not one: groups that differ can be intersected. */
static void print_others(FILE *out, const kith_document *d)
{
    enum { MAX_OTHERS = 3 };
    const size_t count = kith_document_n_items(d, "other_releases");
    if (count == 0)
        return;
    wrap_buffer line;
    FILE *in = wrap_begin(&line);
    fputs("note: there are other releases of this study: ", in);
    for (size_t i = 0; i < count && i < MAX_OTHERS; i++)
        fprintf(in, "%s%s", i == 0 ? "" : ", ",
                kith_document_text(d, path_at("other_releases.%zu", i), ""));
    if (count > MAX_OTHERS)
        fprintf(in, " and %s more", human_count((double)(count - MAX_OTHERS)));
    fputs(". Whoever gets two releases of the same table can compare them: a record must fit its "
          "group in both, and fewer records may do so than a model promises for one. Give away "
          "one of them only, unless they are equal byte by byte.",
          in);
    wrap_end(&line, out, 2);
}

/* Standard output is the release's own if it goes there. */
static void print_summary(const kith_document *d, const void *user)
{
    const arguments *a = user;
    FILE *out = strcmp(a->job.output, "-") == 0 ? stderr : stdout;
    print_counts(out, d);
    loss_print(out, d);
    fprintf(out, "algorithm       %s%s\n", kith_document_text(d, "algorithm", ""),
            kith_document_flag(d, "interrupted", false) ? ", interrupted: the best so far" : "");
    print_levels(out, d);
    fprintf(out, "time            %s, of which search %s\n",
            human_seconds(kith_document_number(d, "seconds.total", 0)),
            human_seconds(kith_document_number(d, "seconds.search", 0)));
    if (strcmp(a->job.output, "-") != 0) {
        fputs("release         ", out);
        data_print(out, a->job.output);
        fputc('\n', out);
    }
    if (a->job.lattice != NULL)
        print_lattice(out, d, a->job.lattice);
    if (a->job.mapping != NULL)
        fprintf(out, "mapping         %s: confidential, it undoes the release\n", a->job.mapping);
    models_print(out, d);
    print_lost(out, d);
    print_others(out, d);
    if (a->job.explain)
        explain_print(out, d);
}

/* An internal report is about the data: it is made from the rows that the run has read, before the
 * release appears. */
typedef struct internal_report {
    const common_options *common;
    const kith_study *study;
    const kith_run *settings;
    bool written;
} internal_report;

static kith_status write_report(void *user, const kith_review *about, kith_error *error)
{
    internal_report *r = user;
    const kith_status status = page_make(r->common, about, r->study, r->settings, error);
    r->written = status == KITH_OK;
    return status;
}

static kith_status run(kith_document **summary, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const arguments *a = user;
    kith_anonymize_options job = a->job;
    internal_report report = {&a->internal, study, settings, false};
    if (a->internal.page.output != NULL) {
        job.review = write_report;
        job.review_user = &report;
    }
    kith_status status = KITH_OK;
    if (a->memory != NULL)
        status = kith_memory_parse(&job.memory_bytes, a->memory, error);
    if (status == KITH_OK)
        status = kith_anonymize(summary, study, &job, settings, error);
    if (status != KITH_OK && report.written)
        unlink(a->internal.page.output); /* there is no release that it could be about */
    return status;
}

int cmd_anonymize(int argc, char **argv)
{
    int status;
    arguments a = {.common.keeps_best = true, .job = KITH_INIT(kith_anonymize_options)};
    if (parse(&a, argc, argv, &status) < 0)
        return status;
    if (a.common.json && strcmp(a.job.output, "-") == 0)
        return report_usage("--json and -o - both want standard output; use --summary FILE");
    status = report_one_input(argv[1], (const char *[3]){a.input.uri});
    if (status == EXIT_DONE)
        status = page_check(&a.common, argv[1], strcmp(a.input.uri, "-") == 0 ? NULL : a.input.uri);
    if (status != EXIT_DONE)
        return status;
    a.common.page_release = strcmp(a.job.output, "-") == 0 ? NULL : a.job.output;
    a.common.page.lattice = a.job.lattice;
    if (a.common.page.internal) {
        a.internal = a.common;
        a.common.page.output = NULL;
    }
    a.job.summary = a.common.summary; /* appears with the release */
    a.common.summary = NULL;
    return study_run(argv[1], &a.common, run, print_summary, &a);
}
