#include "cli.h"

#include <stdio.h>
#include <string.h>

static const help_page page = {
    .usage = "kith verify STUDY RELEASE [--data DATA] [OPTION]…",
    .text =
        "Says whether all privacy models of STUDY hold in RELEASE, by code that shares nothing\n"
        "with the search: it groups the rows by the texts of their quasi-identifiers and\n"
        "counts. With --data it also checks that the release is true: every released cell\n"
        "stands for a set that holds the original value, or is the mean of its class where\n"
        "the study asks for means, and all other cells are unchanged. It does so row by row\n"
        "if --mapping says whose row is whose, or if the rows are in the order of\n"
        "the data. Otherwise less can be checked, and the answer says what: matched, bounded\n"
        "or counted (docs/verify.md defines them).\n"
        "Models that count persons (unit: in the study) need both --data and --mapping.\n"
        "Exit status 0: all that was checked holds, and the answer lists what was not.\n"
        "1: something does not hold, or models count persons who are not known.",
    .example = "  kith verify patients.study.yaml release.csv --data patients.csv\n"
               "  kith verify patients.study.yaml release.csv --data patients.csv \\\n"
               "       --mapping mapping.csv"};

static void print_cells(const kith_document *d, const char *cells)
{
    for (size_t i = 0; i < kith_document_n_items(d, cells); i++) {
        const char *key = kith_document_key(d, cells, i);
        printf("%s%s=%s", i == 0 ? "" : ", ", key,
               kith_document_text(d, path_at("%s.%s", cells, key), ""));
    }
}

static void print_example(const kith_document *d, size_t model, const char *release)
{
    char cells[64];
    if (!kith_document_has(d, path_at("models.%zu.example", model)))
        return;
    double classes = kith_document_number(d, path_at("models.%zu.violating_classes", model), 0);
    double records = kith_document_number(d, path_at("models.%zu.violating_records", model), 0);
    printf("      %s in %s break%s it; ", human_counted(records, "record"),
           human_counted(classes, "class"), records == 1 ? "s" : "");
    double line = kith_document_number(d, path_at("models.%zu.example.line", model), 0);
    const char *row = path_at("models.%zu.example.row", model);
    if (line > 0)
        printf("the worst is at %s:%.0f: ", release, line);
    else if (kith_document_has(d, row))
        printf("the worst is at row %.0f: ", kith_document_number(d, row, 0));
    else
        printf("the worst shows ");
    snprintf(cells, sizeof cells, "models.%zu.example.cells", model);
    print_cells(d, cells);
    putchar('\n');
}

static void print_unexpected(const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "unexpected_columns"); i++) {
        printf("FAILS column %s is not among those that the study releases\n",
               kith_document_text(d, path_at("unexpected_columns.%zu", i), ""));
    }
}

/* What a check has found where it found nothing wrong; docs/verify.md defines the words. */
static const char *check_sentence(const char *check)
{
    if (strcmp(check, "in order") == 0)
        return "every released cell stands for the original one";
    if (strcmp(check, "matched") == 0)
        return "every row can have a record of its own that its cells stand for; which one was not "
               "checked";
    if (strcmp(check, "bounded") == 0)
        return "every row can have a record of its own that its labels stand for; means are only "
               "known to be possible";
    return "column by column, no label is shown more often than the data has values for it; rows "
           "were not assigned to records";
}

static void print_cover_place(const kith_document *d, const char *release)
{
    double line = kith_document_number(d, "cover.line", 0);
    const char *column = kith_document_text(d, "cover.column", NULL);
    if (!kith_document_has(d, "cover.row"))
        return;
    printf("      %s", release);
    if (line > 0)
        printf(":%.0f", line);
    if (column == NULL)
        puts(": no record of the data is left for this row");
    else
        printf(": '%s' in column %s %s\n", kith_document_text(d, "cover.released", ""), column,
               kith_document_flag(d, "cover.mean", false)
                   ? "is not the mean of the values in the data"
                   : "does not stand for the value in the data");
}

static void print_cover(const kith_document *d, const char *release)
{
    if (!kith_document_has(d, "cover"))
        return;
    bool holds = kith_document_flag(d, "cover.holds", false);
    if (!kith_document_has(d, "cover.check")) {
        printf("FAILS cover: the release has %s, the data %s\n",
               human_counted(kith_document_number(d, "cover.release_records", 0), "record"),
               human_count(kith_document_number(d, "cover.data_records", 0)));
        return;
    }
    const char *check = kith_document_text(d, "cover.check", "");
    const bool mapped = kith_document_flag(d, "cover.mapping", false);
    wrap_buffer line;
    fprintf(wrap_begin(&line), "%s cover (%s%s): %s", holds ? "holds" : "FAILS",
            strcmp(check, "in order") == 0 ? "row by row" : check, mapped ? ", by the mapping" : "",
            holds    ? check_sentence(check)
            : mapped ? "release, mapping and data do not fit together"
                     : "the release is not made from this data");
    wrap_end(&line, stdout, 2);
    print_cover_place(d, release);
}

static void print_intersections(const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "intersections"); i++) {
        const double persons = kith_document_number(d, path_at("intersections.%zu.persons", i), 0);
        const double values = kith_document_number(d, path_at("intersections.%zu.values", i), 0);
        const char *column = kith_document_text(d, path_at("intersections.%zu.column", i), "");
        wrap_buffer line;
        if (persons > 0)
            fprintf(wrap_begin(&line),
                    "FAILS intersections: %s with rows in several classes that have fewer than "
                    "%.0f values of %s in common",
                    human_counted(persons, "person"), values, column);
        else
            fprintf(wrap_begin(&line),
                    "holds intersections: all classes of a person have at least %.0f values of %s "
                    "in common",
                    values, column);
        wrap_end(&line, stdout, 2);
    }
}

static void print_levels(const kith_document *d, const char *release)
{
    if (!kith_document_has(d, "levels"))
        return;
    if (kith_document_flag(d, "levels.holds", false)) {
        puts("holds levels: every cell is between min_level and max_level of its column");
        return;
    }
    double line = kith_document_number(d, "levels.line", 0);
    const double wrong = kith_document_number(d, "levels.wrong_records", 0);
    printf("FAILS levels: %s show%s levels that the study forbids\n      %s",
           human_counted(wrong, "record"), wrong == 1 ? "s" : "", release);
    if (line > 0)
        printf(":%.0f", line);
    printf(": '%s' in column %s\n", kith_document_text(d, "levels.released", ""),
           kith_document_text(d, "levels.column", ""));
}

/* Why something was not checked, and how it would be. */
static const char *unchecked_reason(const char *what)
{
    if (strcmp(what, "units") == 0)
        return "models count persons, and only the mapping says whose row is whose; use --data and "
               "--mapping";
    if (strcmp(what, "levels") == 0)
        return "their hierarchies are made from the data; use --data";
    if (strcmp(what, "rows") == 0)
        return "assigning them to records takes too long; use --mapping";
    if (strcmp(what, "means") == 0)
        return "that takes the data (--data) in the release's order, or a mapping (--mapping)";
    if (strcmp(what, "earlier releases") == 0)
        return "whose row is whose is not known; use --data, in the order of the release or with "
               "--mapping";
    return "a release does not show sites";
}

static void print_unchecked(const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, "not_checked"); i++) {
        const char *what = kith_document_text(d, path_at("not_checked.%zu", i), "");
        wrap_buffer line;
        fprintf(wrap_begin(&line), "not checked: %s: %s", what, unchecked_reason(what));
        wrap_end(&line, stdout, 2);
    }
}

typedef struct arguments {
    common_options common;
    kith_input release, data, mapping;
    const char *memory;
    kith_verify_options job;
    bool *holds; /* receives the answer */
} arguments;

static void print_verdict(const kith_document *d, const void *user)
{
    const char *release = ((const arguments *)user)->release.uri;
    printf("records         %s in %s, the smallest has %s\n",
           human_count(kith_document_number(d, "records", 0)),
           human_counted(kith_document_number(d, "classes", 0), "class"),
           human_count(kith_document_number(d, "smallest_class", 0)));
    if (kith_document_number(d, "suppressed", 0) > 0)
        printf("suppressed      %s\n", human_count(kith_document_number(d, "suppressed", 0)));
    persons_print(stdout, d);
    for (size_t i = 0; i < kith_document_n_items(d, "models"); i++) {
        models_print_one(stdout, d, i);
        print_example(d, i, release);
    }
    print_unchecked(d);
    print_unexpected(d);
    print_cover(d, release);
    print_levels(d, release);
    print_intersections(d);
    if (kith_document_flag(d, "holds", true) && !kith_document_flag(d, "holds", false))
        puts("not known: whether the release keeps the study depends on persons who were not "
             "counted");
    else if (!kith_document_flag(d, "holds", false))
        puts("no: the release breaks the study");
    else if (kith_document_n_items(d, "not_checked") > 0)
        puts("yes: the release keeps what can be checked of what the study promises");
    else
        puts("yes: the release keeps what the study promises");
}

static kith_status run(kith_document **verdict, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const arguments *a = user;
    kith_verify_options job = a->job;
    kith_status status = KITH_OK;
    if (a->memory != NULL)
        status = kith_memory_parse(&job.memory_bytes, a->memory, error);
    if (status == KITH_OK)
        status = kith_verify(verdict, study, &job, settings, error);
    if (status == KITH_OK)
        *a->holds = kith_document_flag(*verdict, "holds", false);
    return status;
}

int cmd_verify(int argc, char **argv)
{
    bool holds = false;
    char data_separator = 0;
    arguments a = {.job = KITH_INIT(kith_verify_options), .holds = &holds};
    option_spec options[] = {
        {"data", 'd', OPTION_TEXT, &a.data.uri, "DATA", "check against the data it was made from"},
        {"mapping", 0, OPTION_TEXT, &a.mapping.uri, "FILE",
         "whose row is whose, as anonymize --mapping wrote it"},
        {"memory", 0, OPTION_TEXT, &a.memory, "SIZE",
         "verify a larger release from the disk: 500MB, 2GB (default: in memory)"},
        OPTION_DATA_SEPARATOR_ROW(&data_separator),
        OPTION_REPORT_ROWS(&a.common),
        OPTION_END};
    int status;
    if (options_parse(&page, options, argc, argv, 2, 2, &status) < 0)
        return status;
    a.data = data_input(&a.common, a.data.uri);
    if (data_separator != 0)
        a.data.separator = data_separator;
    a.release =
        (kith_input)KITH_OPTIONS(kith_input, .uri = argv[2], .separator = a.common.separator);
    a.mapping =
        (kith_input)KITH_OPTIONS(kith_input, .uri = a.mapping.uri, .separator = a.common.separator);
    a.job.release = &a.release;
    a.job.data = &a.data;
    a.job.mapping = &a.mapping;
    if (a.mapping.uri != NULL && a.data.uri == NULL)
        return report_usage("--mapping says whose row is whose: it needs --data");
    status = report_one_input(argv[1], (const char *[3]){argv[2], a.data.uri, a.mapping.uri});
    if (status == EXIT_DONE)
        status = save_check(a.common.summary, a.common.force);
    if (status == EXIT_DONE)
        status = save_apart("the summary", a.common.summary,
                            (const char *[5]){argv[1], argv[2], a.data.uri, a.mapping.uri});
    if (status == EXIT_DONE)
        status = study_run(argv[1], &a.common, run, print_verdict, &a);
    return status == EXIT_DONE && !holds ? EXIT_NO : status;
}
