/* kith party: take part in a joint run as one site. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith party STUDY --as NAME --key FILE -i DATA -o DIR [OPTION]…\n"
             "       kith party STUDY --as NAME --key FILE --dry-run [-i DATA] [OPTION]…",
    .text =
        "Takes part, as one site, in the joint run that STUDY describes. All parties start it\n"
        "at the same time, in any order, each with its own key and its own DATA. What the\n"
        "others learn about DATA besides the release depends on the protocol: --dry-run says it,\n"
        "and so does the ledger of a run. DIR gets release.csv with its companion, summary.json,\n"
        "and the ledger of everything that was sent and learned (ledger.json, ledger.txt). A\n"
        "release appears at all parties or at none. STUDY may be - for standard input.\n\n"
        "If the study says 'publish: virtual', no party gets a release. The party's own rows go\n"
        "into the table that --rows names (sqlite:FILE?table=T or postgresql://…?table=T), for\n"
        "'kith serve' and 'kith query'. They are not k-anonymous by themselves.\n\n"
        "If the study names a key generator ('pkg: FILE'), --id-key is the private key that it\n"
        "has issued to this party (kith pkg).\n\n"
        "With --dry-run it connects to all others, checks that all hold the same study, says\n"
        "what this party would disclose to whom, and stops. With -i DATA it also checks the data\n"
        "and, where the sites split rows, says roughly what a run would take if every site had as\n"
        "many records. Nothing of DATA leaves this machine.",
    .example = "  kith party cardio.study.yaml --as north --key north.key --dry-run\n"
               "  kith party cardio.study.yaml --as north --key north.key -i north.csv -o run1",
};

static void print_names(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "parties");
    printf("this party      %s\nparties         ", kith_document_text(d, "party", ""));
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i == 0 ? "" : ", ", kith_document_text(d, path_at("parties.%zu", i), ""));
    putchar('\n');
}

static void print_disclosures(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "discloses");
    if (count == 0)
        puts("would disclose  nothing: the study names no protocol");
    else
        printf("protocol        %s\nwould disclose\n", kith_document_text(d, "protocol", ""));
    for (size_t i = 0; i < count; i++)
        printf("%3zu  to %s: %s\n", i + 1,
               kith_document_text(d, path_at("discloses.%zu.to", i), ""),
               kith_document_text(d, path_at("discloses.%zu.what", i), ""));
}

static void print_estimate(const kith_document *d)
{
    if (kith_document_has(d, "own_records"))
        printf("data            fits the study, %s\n",
               human_counted(kith_document_number(d, "own_records", 0), "record"));
    if (!kith_document_has(d, "estimate"))
        return;
    printf("would take      %s on a local network, %s on a wide one, %s of traffic,\n"
           "                if all sites together have %s records\n",
           human_seconds(kith_document_number(d, "estimate.local_seconds", 0)),
           human_seconds(kith_document_number(d, "estimate.wide_seconds", 0)),
           human_bytes(kith_document_number(d, "estimate.bytes", 0)),
           human_count(kith_document_number(d, "estimate.records", 0)));
}

static void print_check(const kith_document *d)
{
    printf("study           %s\n", kith_document_text(d, "study", ""));
    digest_print(kith_document_text(d, "digest", ""));
    print_names(d);
    overlap_print(stdout, d);
    print_disclosures(d);
    left_out_print(d);
    print_estimate(d);
    puts("yes: all parties are connected and hold the same study");
}

static void print_release(const kith_document *d, const char *directory, const char *rows)
{
    const double records = kith_document_number(d, "records", 0);
    const double own = kith_document_number(d, "own_records", 0);
    if (records <= 0)
        puts("records         this party has none, and gets no release");
    else if (kith_document_has(d, "unmatched"))
        printf(
            "records         %s; of this party's %s rows, %s had no partner at some other site\n",
            human_count(records), human_count(own),
            human_count(kith_document_number(d, "unmatched", 0)));
    else
        printf("records         %s in all, %s from this party\n", human_count(records),
               human_count(own));
    empty_print(stdout, d);
    if (kith_document_number(d, "classes", 0) > 0)
        classes_print(stdout, d);
    left_out_print(d);
    if (records > 0)
        loss_print(stdout, d);
    printf("protocol        %s, %s sites; %s rounds, %s messages, %s sent\n",
           kith_document_text(d, "protocol.name", ""),
           human_count(kith_document_number(d, "protocol.sites", 0)),
           human_count(kith_document_number(d, "protocol.rounds", 0)),
           human_count(kith_document_number(d, "protocol.messages", 0)),
           human_bytes(kith_document_number(d, "protocol.bytes", 0)));
    printf("time            %s\n", human_seconds(kith_document_number(d, "seconds.total", 0)));
    printf("directory       %s (ledger.txt lists what was learned)\n", directory);
    if (rows != NULL)
        puts("own rows        written to the database. They are not k-anonymous by themselves: "
             "never\n"
             "                hand them out; answer queries on them with 'kith serve'");
    models_print(stdout, d);
}

typedef struct arguments {
    common_options common;
    kith_input input;
    party_settings settings;
    bool dry_run;
} arguments;

static void print(const kith_document *d, const void *user)
{
    const arguments *a = user;
    if (a->dry_run)
        print_check(d);
    else
        print_release(d, a->settings.options.directory, a->settings.options.rows);
}

/* Is there a secret for random choices beside the key? One of an earlier version has none: the run
 * makes it, if nothing is wrong with the key. */
static bool has_secret(const char *key)
{
    char path[4096];
    return snprintf(path, sizeof path, "%s.choices", key) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

/* What an earlier run disclosed that had to be given up. */
static void warn_of_earlier_runs(const kith_study *study, const char *key)
{
    kith_findings *findings = kith_findings_new();
    kith_error ignored; /* the run meets the same error, if it is one */
    if (findings != NULL && kith_party_earlier_runs(findings, study, key, &ignored) == KITH_OK)
        report_findings(findings);
    kith_findings_free(findings);
}

static kith_status run(kith_document **d, const kith_study *study, const void *user,
                       const kith_run *settings, kith_error *error)
{
    const arguments *a = user;
    const char *key = a->settings.options.key;
    if (a->dry_run)
        return kith_party_check(d, study, &a->settings.options, settings, error);
    const bool had_secret = has_secret(key);
    warn_of_earlier_runs(study, key);
    kith_status status = kith_party_run(d, study, &a->settings.options, settings, error);
    if (!a->common.quiet && !had_secret && has_secret(key))
        fprintf(stderr,
                "kith: note: %s.choices did not exist and was made: keep it with the key, so that "
                "identical runs give identical releases\n",
                key);
    return status;
}

static int check(arguments *a)
{
    if (!a->dry_run && a->settings.options.directory == NULL)
        return report_usage("-o DIR says where release and ledger go");
    a->input = data_input(&a->common, a->input.uri);
    a->settings.options.input = &a->input;
    int status = party_options_check(&a->settings, &a->common);
    return status == EXIT_DONE ? save_check(a->common.summary, a->common.force) : status;
}

int cmd_party(int argc, char **argv)
{
    arguments a = {.settings.options = KITH_INIT(kith_party_options)};
    const option_spec options[] = {
        {"input", 'i', OPTION_TEXT, &a.input.uri, "DATA", "this party's table"},
        PARTY_OPTION_ROWS(&a.settings),
        {"rows", 0, OPTION_TEXT, &a.settings.options.rows, "DATABASE",
         "table for this party's own rows (publish: virtual)"},
        {"id-key", 0, OPTION_TEXT, &a.settings.options.id_key, "FILE",
         "this party's private key of a generator (pkg)"},
        {"dry-run", 0, OPTION_FLAG, &a.dry_run, NULL, "connect, compare studies, and stop"},
        OPTION_PAGE_ROWS(&a.common),
        OPTION_SEED_ROW(&a.common),
        OPTION_THREADS_ROW(&a.common),
        OPTION_SUMMARY_ROW(&a.common),
        OPTION_CSV_ROWS(&a.common),
        OPTION_FORCE_ROW(&a.common),
        OPTION_QUIET_ROW(&a.common),
        OPTION_JSON_ROW(&a.common),
        OPTION_PROGRESS_ROW(&a.common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    status = report_one_input(argv[1], (const char *[3]){a.input.uri});
    if (status == EXIT_DONE)
        status = check(&a);
    if (status == EXIT_DONE)
        status = page_check(&a.common, argv[1], NULL);
    if (status == EXIT_DONE && a.dry_run && a.common.page.output != NULL)
        status = report_usage("--report is about a run: --dry-run makes none");
    if (status != EXIT_DONE)
        return status;
    a.common.page.run = a.settings.options.directory;
    secrecy_begin();
    return study_run(argv[1], &a.common, run, print, &a);
}
