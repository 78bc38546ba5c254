/* kith try: many settings on the same data, in one table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_try.h"

static const help_page page = {
    .usage = "kith try STUDY… -i DATA [--set KEY=V1,V2,…]… [OPTION]…",
    .text =
        "Anonymizes DATA in memory under every STUDY and every combination of the values, and\n"
        "prints loss and risk of each; no release is written. KEY is a key of the study\n"
        "(algorithm), nested ones with dots (utility.suppression, privacy.0.k,\n"
        "columns.age.type), or a parameter that only one privacy model has (k). A\n"
        "combination that is refused or infeasible is a row with its reason. All rows use the\n"
        "same seed. Ctrl-C keeps the rows that are finished. --save N=FILE writes the study of\n"
        "row N for 'kith anonymize'; without -i it does nothing else.",
    .example = "  kith generate hospital -n 20000 -o patients.csv\n"
               "  kith try patients.study.yaml -i patients.csv --set k=3,5,10 --pareto\n"
               "  kith try patients.study.yaml --set k=3,5,10 --save 2=k5.study.yaml"};

enum { MAX_STUDIES = 100 };

typedef struct arguments {
    common_options common;
    kith_input input;
    kith_try_options job;
    text_list sets;
    bool pareto;
    const char *csv, *save;
    size_t n_studies;
    kith_study *studies[MAX_STUDIES];
    uint64_t row; /* whose study is saved */
    const char *file;
} arguments;

static int parse(arguments *a, int argc, char **argv, int *status)
{
    const option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &a->input.uri, "DATA", "the table to anonymize"},
        {"set", 0, OPTION_LIST, &a->sets, "KEY=V,V", "values to try; repeat for more keys"},
        {"pareto", 0, OPTION_FLAG, &a->pareto, NULL,
         "mark rows that no other beats in both loss and highest risk"},
        {"csv", 0, OPTION_TEXT, &a->csv, "FILE", "write the table as CSV to FILE"},
        {"save", 0, OPTION_TEXT, &a->save, "N=FILE", "write the study of row N to FILE"},
        OPTION_SEED_ROW(&a->common),
        OPTION_REPORT_ROWS(&a->common),
        OPTION_END};
    return options_parse(&page, options, argc, argv, 1, MAX_STUDIES, status);
}

/* "3=FILE". */
static int read_save(arguments *a)
{
    char *end;
    if (a->save == NULL)
        return EXIT_DONE;
    a->row = strtoull(a->save, &end, 10);
    if (a->save[0] < '0' || a->save[0] > '9' || *end != '=' || end[1] == '\0')
        return report_usage("--save takes the number of a row and a file, 3=FILE, not '%s'",
                            a->save);
    a->file = end + 1;
    return EXIT_DONE;
}

/* No output may take the place of something that this run reads or writes. */
static int check_outputs(const arguments *a, char **studies, size_t n_studies)
{
    const char *const outputs[] = {a->file, a->csv, a->common.summary};
    const char *const names[] = {"the saved study", "the table", "the summary"};
    for (size_t i = 0; i < 3; i++) {
        int status = save_check(outputs[i], a->common.force);
        if (status != EXIT_DONE)
            return status;
        for (size_t k = 0; k < n_studies; k++) {
            status =
                save_apart(names[i], outputs[i],
                           (const char *[5]){studies[k], a->input.uri, i > 0 ? outputs[0] : NULL,
                                             i > 1 ? outputs[1] : NULL, NULL});
            if (status != EXIT_DONE)
                return status;
        }
    }
    return EXIT_DONE;
}

static int open_studies(arguments *a, char **paths, size_t n_paths)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < n_paths; i++) {
        for (size_t k = 0; k < i; k++)
            if (strcmp(paths[i], paths[k]) == 0)
                return report_usage("the study %s is given twice", paths[i]);
        if (report_one_input(paths[i], (const char *[3]){a->input.uri}) != EXIT_DONE)
            return EXIT_BAD_INPUT;
        a->studies[i] = study_open(paths[i], &status);
        if (a->studies[i] == NULL)
            return status;
        a->n_studies++;
    }
    return EXIT_DONE;
}

static const kith_study *const *studies_of(const arguments *a)
{
    return (const kith_study *const *)a->studies;
}

/* Writes the study of one row. */
static int save_study(const arguments *a)
{
    char *text = NULL;
    kith_error error = {0};
    const char *slash = strrchr(a->file, '/');
    size_t length = slash == NULL ? 0 : slash == a->file ? 1 : (size_t)(slash - a->file);
    char *directory = or_die(slash == NULL ? strdup(".") : strndup(a->file, length));
    kith_status status =
        kith_try_study(&text, studies_of(a), a->n_studies, a->row, directory, &a->job, &error);
    free(directory);
    if (status != KITH_OK)
        return report_error(&error);
    int saved = save_text(a->file, text);
    kith_free(text);
    return saved;
}

/* The exit status of a whole table: interrupted, or without any release. */
static int outcome(const kith_document *d)
{
    bool infeasible = false;
    if (kith_document_flag(d, "interrupted", false))
        return EXIT_INTERRUPTED;
    if (kith_document_has(d, "best"))
        return EXIT_DONE;
    for (size_t i = 0; i < kith_document_n_items(d, "rows"); i++)
        infeasible |= strcmp(try_text(d, i, "outcome"), "infeasible") == 0;
    return infeasible ? EXIT_INFEASIBLE : EXIT_BAD_INPUT;
}

static void print(const kith_document *d, const void *user)
{
    const arguments *a = user;
    try_print(d, a->n_studies > 1, a->pareto, a->common.seed.given);
}

static int run_all(const arguments *a)
{
    kith_error error = {0};
    kith_document *d = NULL;
    progress_display *display = progress_begin(&a->common);
    kith_run settings = progress_run(display, &a->common);
    kith_status done = kith_try(&d, studies_of(a), a->n_studies, &a->job, &settings, &error);
    progress_end(display);
    if (done != KITH_OK)
        return report_error(&error);
    int status = outcome(d), saved = EXIT_DONE;
    common_options common = a->common;
    if (a->csv != NULL)
        saved = try_save_csv(d, a->csv);
    if (saved != EXIT_DONE) /* one message is enough; the table is printed all the same */
        common.summary = NULL;
    int told = document_tell(d, &common, print, a);
    return saved != EXIT_DONE ? saved : told != EXIT_DONE ? told : status;
}

static int run(arguments *a, char **paths, size_t n_paths)
{
    int status = read_save(a);
    if (status == EXIT_DONE && a->input.uri == NULL && a->save == NULL)
        return report_missing("-i DATA", &page);
    if (status == EXIT_DONE)
        status = check_outputs(a, paths, n_paths);
    if (status == EXIT_DONE)
        status = open_studies(a, paths, n_paths);
    a->job.sets = a->sets.items;
    a->job.n_sets = a->sets.count;
    a->input = data_input(&a->common, a->input.uri);
    a->job.input = &a->input;
    if (status == EXIT_DONE && a->save != NULL)
        status = save_study(a);
    return status == EXIT_DONE && a->input.uri != NULL ? run_all(a) : status;
}

int cmd_try(int argc, char **argv)
{
    int status = EXIT_DONE;
    arguments a = {.job = KITH_INIT(kith_try_options)};
    int count = parse(&a, argc, argv, &status);
    if (count < 0)
        return status;
    status = run(&a, argv + 1, (size_t)count);
    for (size_t i = 0; i < a.n_studies; i++)
        kith_study_free(a.studies[i]);
    return status;
}
