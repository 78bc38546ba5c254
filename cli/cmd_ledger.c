/* kith ledger: what a run has sent and learned, in sentences. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith ledger show DIR|FILE",
    .text = "Ledgers of joint runs, and of queries that a site has answered.\n\n"
            "  show     explains a ledger in sentences\n\n"
            "See also: kith ledger show --help",
    .example = "  kith ledger show run1",
};

static const help_page show_page = {
    .usage = "kith ledger show DIR|FILE",
    .text = "Explains the ledger that a run has left in DIR, or the ledger.json FILE: what left\n"
            "this site, to whom and how much, and what this site learned. Everything learned is\n"
            "listed under the line of 'kith party --dry-run' that announced it, with the same\n"
            "words and the same numbers.\n\n"
            "FILE may also be the ledger of queries that 'kith serve' writes: who has asked what,\n"
            "what left this site, and what it learned.\n\n"
            "Exit status 1 if something was learned that the dry run does not announce.",
    .example = "  kith ledger show run1\n"
               "  kith ledger show run1 --json\n"
               "  kith ledger show north.queries.jsonl",
};

static const char *text_of(const kith_document *d, const char *list, size_t index, const char *key)
{
    return kith_document_text(d, path_at("%s.%zu.%s", list, index, key), "");
}

static double number_of(const kith_document *d, const char *list, size_t index, const char *key)
{
    return kith_document_number(d, path_at("%s.%zu.%s", list, index, key), 0);
}

/* Texts come from a file, which may hold anything. */
static void print_text(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    plain_text_print(stdout, text, "");
    fputs(after, stdout);
}

static void print_heading(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "parties");
    print_text("ledger of       ", kith_document_text(d, "party", ""), "\n");
    print_text("study           ", kith_document_text(d, "study", ""), "\n");
    digest_print(kith_document_text(d, "digest", ""));
    print_text("run             ", kith_document_text(d, "run", ""), "");
    print_text(" (", kith_document_text(d, "outcome", ""), ")\nparties         ");
    for (size_t i = 0; i < count; i++)
        print_text(i == 0 ? "" : ", ", kith_document_text(d, path_at("parties.%zu", i), ""), "");
    puts("");
}

static void print_amount(const kith_document *d, const char *list, size_t i)
{
    double messages = number_of(d, list, i, "messages");
    printf("%s in %s message%s", human_bytes(number_of(d, list, i, "bytes")), human_count(messages),
           messages == 1 ? "" : "s");
}

static void print_left(const kith_document *d)
{
    size_t n_peers = kith_document_n_items(d, "left");
    size_t n_classes = kith_document_n_items(d, "left_as");
    puts("\nWhat left this site");
    if (n_peers == 0)
        puts("  nothing");
    for (size_t i = 0; i < n_peers; i++) {
        print_text("  to ", text_of(d, "left", i, "to"), ": ");
        print_amount(d, "left", i);
        puts("");
    }
    if (n_classes > 0)
        puts("of that");
    for (size_t i = 0; i < n_classes; i++) {
        fputs("  ", stdout);
        print_amount(d, "left_as", i);
        const char *says = text_of(d, "left_as", i, "says");
        print_text(": ", says[0] != '\0' ? says : text_of(d, "left_as", i, "class"), "\n");
    }
}

static void print_learned(const kith_document *d, const char *list)
{
    size_t count = kith_document_n_items(d, list);
    for (size_t i = 0; i < count; i++) {
        const char *says = text_of(d, list, i, "says");
        size_t length = strlen(says);
        double values = number_of(d, list, i, "values");
        bool asked = length > 0 && says[length - 1] == '?';
        print_text("      ", says, asked ? "  " : ": ");
        printf("%s %s%s\n", human_count(values), asked ? "answer" : "value",
               values == 1 ? "" : "s");
    }
}

/* Promises under which nothing was learned, for one line. */
static void print_unused(const kith_document *d, bool to_this_party, const char *title)
{
    size_t count = kith_document_n_items(d, "promises"), n_found = 0;
    for (size_t i = 0; i < count; i++) {
        if (kith_document_n_items(d, path_at("promises.%zu.learned", i)) > 0)
            continue;
        if (kith_document_flag(d, path_at("promises.%zu.to_this_party", i), true) != to_this_party)
            continue;
        printf("%s%zu", n_found++ == 0 ? title : ", ", i + 1);
    }
    if (n_found > 0)
        puts("");
}

static void print_promises(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "promises"), n_learned = 0;
    puts("\nWhat this site learned, by the lines of the dry run");
    for (size_t i = 0; i < count; i++) {
        char path[64];
        snprintf(path, sizeof path, "promises.%zu.learned", i);
        if (kith_document_n_items(d, path) == 0)
            continue;
        n_learned++;
        printf("%3zu  ", i + 1);
        print_text("to ", text_of(d, "promises", i, "to"), "");
        print_text(": ", text_of(d, "promises", i, "what"), "\n");
        print_learned(d, path);
    }
    if (n_learned == 0)
        puts("  nothing");
    print_unused(d, true, "Announced, but nothing was learned: ");
    print_unused(d, false, "Announced for other parties: ");
}

/* What a querier got in all its queries. */
static void print_queriers(const kith_document *d)
{
    const size_t count = kith_document_n_items(d, "queriers");
    puts("\nWhat left this site");
    if (count == 0)
        puts("  nothing");
    for (size_t i = 0; i < count; i++) {
        const double failed = number_of(d, "queriers", i, "failed");
        print_text("  to ", text_of(d, "queriers", i, "name"), ": ");
        printf("%s and %s in %s", human_counted(number_of(d, "queriers", i, "numbers"), "number"),
               human_counted(number_of(d, "queriers", i, "rows"), "row"),
               human_counted(number_of(d, "queriers", i, "queries"), "answer"));
        if (failed > 0)
            printf(", %s of them unfinished", human_count(failed));
        puts("");
    }
}

/* What a client was sent so that it can read its answer. */
static void print_domains(const char *domains)
{
    wrap_buffer line;
    if (domains[0] == '\0')
        return;
    FILE *out = wrap_begin(&line);
    fputs(
        "  left (domains): labels that the release shows, and values that it shows as they are or "
        "that the study says: ",
        out);
    plain_text_print(out, domains, "");
    wrap_end(&line, stdout, 8);
}

/* One query: what left, and what the site learned. */
static void print_query(const kith_document *d, size_t i)
{
    const double count = number_of(d, "entries", i, "count");
    const bool rows = strcmp(text_of(d, "entries", i, "left"), "rows") == 0;
    const char *outcome = text_of(d, "entries", i, "outcome");
    print_text("\n", text_of(d, "entries", i, "when"), "");
    print_text("  ", text_of(d, "entries", i, "who"), " asked: ");
    print_text("", text_of(d, "entries", i, "query"), "\n");
    wrap_buffer line;
    FILE *out = wrap_begin(&line);
    fprintf(out, "  left (%s): ", human_counted(count, rows ? "row" : "number"));
    plain_text_print(out, text_of(d, "entries", i, "says"), "");
    wrap_end(&line, stdout, 8);
    print_domains(text_of(d, "entries", i, "domains"));
    printf("  learned: what is asked, by whom%s\n", rows ? ", and how many rows there are" : "");
    if (strcmp(outcome, "complete") != 0)
        print_text("  ", outcome, "\n");
}

/* A ledger of queries may be long: the last ones are shown. */
static void print_queries(const kith_document *d)
{
    enum { SHOWN = 50 };
    const size_t count = kith_document_n_items(d, "entries");
    const size_t first = count > SHOWN ? count - SHOWN : 0;
    print_text("queries in      ", kith_document_text(d, "file", ""), "\n");
    printf("queries         %s", human_count(kith_document_number(d, "queries", 0)));
    if (kith_document_number(d, "failed", 0) > 0)
        printf(", %s of them failed", human_count(kith_document_number(d, "failed", 0)));
    puts("");
    if (count > 0) {
        print_text("from            ", kith_document_text(d, "first", ""), "\n");
        print_text("to              ", kith_document_text(d, "last", ""), "\n");
    }
    print_queriers(d);
    if (count > 0)
        puts("\nWhat was asked, and what this site learned");
    if (first > 0)
        printf("\n… %s earlier %s (--json lists all)\n", human_count((double)first),
               first == 1 ? "query" : "queries");
    for (size_t i = first; i < count; i++)
        print_query(d, i);
}

static void print_ledger(const kith_document *d, const void *user)
{
    (void)user;
    if (strcmp(kith_document_text(d, "kind", ""), "queries") == 0) {
        print_queries(d);
        return;
    }
    print_heading(d);
    print_left(d);
    if (!kith_document_has(d, "promises")) {
        puts("\nWhat this site learned (the ledger has no lines of a dry run)");
        print_learned(d, "learned");
        return;
    }
    print_promises(d);
    if (kith_document_n_items(d, "unannounced") == 0) {
        puts("\nyes: the dry run announces everything that this site learned");
        return;
    }
    puts("\nno: NOT ANNOUNCED by the dry run");
    print_learned(d, "unannounced");
}

static int show(int argc, char **argv)
{
    common_options common = {0};
    const option_spec options[] = {OPTION_QUIET_ROW(&common), OPTION_JSON_ROW(&common), OPTION_END};
    int status = EXIT_DONE;
    kith_error error = {0};
    kith_document *d = NULL;
    if (options_parse(&show_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    if (kith_ledger_describe(&d, argv[1], &error) != KITH_OK)
        return report_error(&error);
    const bool all_announced = kith_document_n_items(d, "unannounced") == 0;
    status = document_tell(d, &common, print_ledger, NULL);
    return status == EXIT_DONE && !all_announced ? EXIT_NO : status;
}

int cmd_ledger(int argc, char **argv)
{
    static verb verbs[] = {{"show", "ledger show", show}};
    const option_spec options[] = {OPTION_END};
    int status = EXIT_DONE;
    if (verb_run(&status, verbs, sizeof verbs / sizeof *verbs, argc, argv))
        return status;
    if (options_parse(&page, options, argc, argv, 1, 1000, &status) < 0)
        return status;
    return report_usage("there is no 'kith ledger %s': expected show", argv[1]);
}
