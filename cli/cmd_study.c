/* kith study: start, check and digest a study. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cmd_study.h"

static const help_page page = {
    .usage = "kith study init DATA [-o FILE]\n"
             "       kith study check STUDY [DATA…]\n"
             "       kith study digest STUDY [--expect DIGEST]\n"
             "       kith study join STUDY PARTY… -o FILE",
    .text = "A study says what is to be anonymized, how privately, and how well.\n\n"
            "  init     writes a commented first study for a table; hierarchy files next to the\n"
            "           data are picked up\n"
            "  check    reports everything wrong with a study, and with data under it, at once\n"
            "  digest   prints a fingerprint of what a study says, hierarchies included\n"
            "  join     adds the parties of a joint run to a study\n\n"
            "See also: kith study init --help, kith study check --help, kith study digest --help,\n"
            "kith study join --help",
    .example = "  kith study init patients.csv -o patients.study.yaml\n"
               "  kith study check patients.study.yaml patients.csv",
};

static const help_page init_page = {
    .usage = "kith study init DATA [-o FILE]",
    .text = "Writes a commented first study for the table DATA, to FILE or standard output. Roles\n"
            "are suggestions, from names and statistics of the columns: read them before use.\n"
            "Hierarchy files in ARX's format are picked up where they are named\n"
            "DATA_hierarchy_COLUMN.csv next to the data, or hierarchies/COLUMN.csv,\n"
            "hierarchies/DATA-COLUMN.csv (DATA without its .csv), and hold all values; so is the\n"
            "only fitting hierarchies/OTHER-COLUMN.csv.",
    .example = "  kith study init patients.csv -o patients.study.yaml",
};

static const help_page check_page = {
    .usage = "kith study check STUDY [DATA…] [--as NAME]",
    .text = "Reads a study with its hierarchies and reports everything that is wrong, each with\n"
            "its line. With DATA it also checks columns, types, values without a place in their\n"
            "hierarchy, and models that the table cannot meet. With --as NAME the data is what\n"
            "this party of a joint run holds: its own columns are checked, and its identifiers if\n"
            "rows are joined by them. Exit status 1 if anything is wrong.",
    .example = "  kith study check patients.study.yaml patients.csv\n"
               "  kith study check joint.yaml north.csv --as north",
};

static void print_fine(const char *path, const kith_study *study)
{
    char text[65];
    kith_study_digest(text, study);
    kith_table_options read = KITH_INIT(kith_table_options);
    if (kith_study_table_options(&read, study, NULL) != KITH_OK)
        return;
    printf("%s: study %s is fine: %zu column%s read\n", path, kith_study_name(study),
           read.n_columns, read.n_columns == 1 ? " is" : "s are");
    digest_print(text);
}

/* What is being checked, and everything found so far. */
typedef struct checking {
    common_options common;
    kith_findings *findings;
    const char *as; /* the party whose data it is; or NULL */
    bool talks;     /* to standard output, for people */
} checking;

/* Exit status of a call: 1 where findings say what is wrong, else the error's. */
static int outcome(const checking *k, size_t before, kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return EXIT_DONE;
    return report_explained(k->findings, before, error) ? EXIT_NO : report_error(error);
}

static int check_data(checking *k, const kith_study *study, const char *uri)
{
    kith_error error;
    size_t before = kith_findings_n_problems(k->findings);
    progress_display *display = progress_begin(&k->common);
    kith_run run = progress_run(display, &k->common);
    const kith_input data = data_input(&k->common, uri);
    const kith_check_options job = KITH_OPTIONS(kith_check_options, .data = &data, .as = k->as);
    kith_status status = kith_study_check(study, &job, &run, k->findings, &error);
    progress_end(display);
    int result = outcome(k, before, status, &error);
    if (k->talks && result <= EXIT_NO) {
        data_print(stdout, uri);
        puts(result == EXIT_DONE ? " fits the study" : " does not fit the study");
    }
    return result;
}

static int check_all(checking *k, char **paths, int count)
{
    kith_study *study = NULL;
    kith_error error;
    kith_status loaded = kith_study_read(&study, paths[0], k->findings, &error);
    int status = outcome(k, 0, loaded, &error);
    if (loaded != KITH_OK)
        return status;
    if (k->talks)
        print_fine(strcmp(paths[0], "-") == 0 ? "standard input" : paths[0], study);
    for (int i = 1; i < count; i++) {
        int one = check_data(k, study, paths[i]);
        status = one > status ? one : status;
    }
    kith_study_free(study);
    return status;
}

static int check(int argc, char **argv)
{
    checking k = {.findings = NULL};
    const option_spec options[] = {
        {"as", 0, OPTION_TEXT, &k.as, "NAME", "the data is this party's part in a joint run"},
        OPTION_QUIET_ROW(&k.common),
        OPTION_JSON_ROW(&k.common),
        OPTION_CSV_ROWS(&k.common),
        OPTION_PROGRESS_ROW(&k.common),
        OPTION_END};
    int status = EXIT_DONE;
    int count = options_parse(&check_page, options, argc, argv, 1, 1000, &status);
    if (count < 0)
        return status;
    if (k.as != NULL && count < 2)
        return report_usage("--as says whose DATA it is, but there is none");
    for (int i = 2; i <= count; i++)
        if (report_one_input(argv[1], (const char *[3]){argv[i]}) != EXIT_DONE)
            return EXIT_BAD_INPUT;
    k.findings = or_die(kith_findings_new());
    k.talks = !k.common.quiet && !k.common.json;
    status = check_all(&k, argv + 1, count);
    if (!k.common.json)
        report_findings(k.findings);
    else if (status <= EXIT_NO && findings_print(k.findings) != EXIT_DONE)
        status = EXIT_LOCAL;
    kith_findings_free(k.findings);
    return status;
}

/* The text itself where it goes to no file. */
static void print_draft_json(const char *output, bool to_file, const char *text)
{
    fputs(to_file ? "{\"output\": " : "{\"study\": ", stdout);
    json_text(stdout, to_file ? output : text);
    puts("}");
}

static int init(int argc, char **argv)
{
    common_options common = {0};
    const char *output = NULL;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE", "study to write (default: standard output)"},
        OPTION_FORCE_ROW(&common),
        OPTION_CSV_ROWS(&common),
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_PROGRESS_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&init_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    bool to_file = output != NULL && strcmp(output, "-") != 0;
    const kith_input data = data_input(&common, argv[1]);
    const kith_draft_options job =
        KITH_OPTIONS(kith_draft_options, .data = &data, .output = to_file ? output : NULL,
                     .overwrite = common.force);
    kith_error error;
    char *text = NULL;
    progress_display *display = progress_begin(&common);
    kith_run run = progress_run(display, &common);
    kith_status made = kith_study_draft(&text, &job, &run, &error);
    progress_end(display);
    if (made != KITH_OK)
        return report_error(&error);
    if (common.json)
        print_draft_json(output, to_file, text);
    else if (!to_file)
        fputs(text, stdout);
    else if (!common.quiet) {
        printf("wrote %s. Review it, then run: ", output);
        next_command_print(stdout, &common, "study check", output, argv[1]);
    }
    kith_free(text);
    return EXIT_DONE;
}

int cmd_study(int argc, char **argv)
{
    static verb verbs[] = {{"init", "study init", init},
                           {"check", "study check", check},
                           {"digest", "study digest", cmd_study_digest},
                           {"join", "study join", cmd_study_join}};
    const option_spec options[] = {OPTION_END};
    int status = EXIT_DONE;
    if (verb_run(&status, verbs, sizeof verbs / sizeof *verbs, argc, argv))
        return status;
    if (options_parse(&page, options, argc, argv, 1, 1000, &status) < 0)
        return status;
    return report_usage("there is no 'kith study %s': expected init, check, digest or join",
                        argv[1]);
}
