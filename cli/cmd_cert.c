/* kith cert: keys and certificates of the parties. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith cert init NAME -o FILE [OPTION]…\n"
             "       kith cert show FILE [OPTION]…",
    .text = "The key by which other parties know this one.\n\n"
            "  init     makes a secret key and a certificate for the party NAME\n"
            "  show     prints the fingerprint, and the line that goes into the study\n\n"
            "See also: kith cert init --help, kith cert show --help",
    .example = "  kith cert init north -o north.key\n"
               "  kith cert show north.key",
};

static const help_page init_page = {
    .usage = "kith cert init NAME -o FILE [OPTION]…",
    .text = "Makes an Ed25519 key and a self-signed certificate and writes both to FILE, which\n"
            "only its owner can read. FILE never leaves this machine. What is printed goes to the\n"
            "others: the line for the study, and the fingerprint of the key, in groups of four\n"
            "digits and in words. Tell it to them by a way that no one can tamper with, such as a\n"
            "telephone call. A study accepts all three forms of a key.\n\n"
            "The option --party writes the line to a file for 'kith study join'.\n\n"
            "FILE.choices gets 32 secret bytes, unless it exists: from them come the random\n"
            "choices of this party, so that identical joint runs give identical releases. Keep\n"
            "it with FILE, also when a new key takes its place.",
    .example = "  kith cert init north -o north.key --days 365\n"
               "  kith cert init north -o north.key --address north.example.org:7001 \\\n"
               "    --party north.party",
};

static const help_page show_page = {
    .usage = "kith cert show FILE [OPTION]…",
    .text = "Prints name, fingerprint and validity of a certificate that 'kith cert init' made,\n"
            "and the line for the study. Exit status 1 if it is not valid today.",
    .example = "  kith cert show north.key",
};

/* What both verbs take. */
typedef struct arguments {
    common_options common;
    const char *address, *party;
} arguments;

#define CERT_ROWS(a)                                                                            \
    {"address", 0, OPTION_TEXT, &(a)->address, "HOST:PORT", "where the others reach this one"}, \
        {"party", 0, OPTION_TEXT, &(a)->party, "FILE", "write the line for 'kith study join'"}, \
        OPTION_QUIET_ROW(&(a)->common), OPTION_JSON_ROW(&(a)->common)

static void print_certificate(const kith_document *d, const char *text, const char *path)
{
    printf("%s: certificate of %s, valid from %s to %s\n", path, kith_document_text(d, "name", ""),
           kith_document_text(d, "from", ""), kith_document_text(d, "until", ""));
    printf("key: \"%s\"\nread out        ", kith_document_text(d, "key", ""));
    fingerprint_print(d, true);
    printf("line for the study:\n  %s", strstr(text, "- {"));
}

static int describe(const char *path, const arguments *a)
{
    kith_error error = {0};
    kith_document *d = NULL;
    if (kith_identity_describe(&d, path, &error) != KITH_OK)
        return report_error(&error);
    bool valid = kith_document_flag(d, "valid", false);
    char *text = NULL;
    if (kith_identity_party(&text, path, a->address, &error) != KITH_OK) {
        kith_document_free(d);
        return report_error(&error);
    }
    int status = a->party == NULL ? EXIT_DONE : save_text(a->party, text);
    if (a->common.json)
        document_print(d);
    else if (!a->common.quiet)
        print_certificate(d, text, path);
    if (!valid)
        fprintf(stderr, "kith: warning: %s: the certificate is not valid today\n", path);
    kith_document_free(d);
    kith_free(text);
    return status != EXIT_DONE ? status : valid ? EXIT_DONE : EXIT_NO;
}

static int check(const arguments *a)
{
    const char *colon = a->address == NULL ? NULL : strrchr(a->address, ':');
    /* Before there is a key; the library says the rest. */
    if (a->address != NULL &&
        (colon == NULL || colon == a->address || colon[1] == '\0' ||
         colon[1 + strspn(colon + 1, "0123456789")] != '\0' || strpbrk(a->address, "\"\\ \t\r\n")))
        return report_usage("--address takes HOST:PORT, not '%s'", a->address);
    if (a->party != NULL && a->address == NULL)
        return report_usage("--party needs --address HOST:PORT: where the others reach this one");
    return save_check(a->party, a->common.force);
}

static int init(int argc, char **argv)
{
    arguments a = {.address = NULL};
    const char *output = NULL;
    uint64_t days = 365;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE", "file for key and certificate"},
        {"days", 0, OPTION_COUNT, &days, "N", "days until the certificate expires (default: 365)"},
        CERT_ROWS(&a),
        OPTION_FORCE_ROW(&a.common),
        OPTION_END};
    int status = EXIT_DONE;
    kith_error error = {0};
    if (options_parse(&init_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    if (output == NULL)
        return report_usage("-o FILE says where the key goes");
    status = check(&a);
    if (status != EXIT_DONE)
        return status;
    const kith_identity_options job = KITH_OPTIONS(
        kith_identity_options, .name = argv[1], .n_days = days > 1000000 ? 1000000 : (unsigned)days,
        .overwrite = a.common.force);
    if (kith_identity_create(output, &job, &error) != KITH_OK)
        return report_error(&error);
    return describe(output, &a);
}

static int show(int argc, char **argv)
{
    arguments a = {.address = NULL};
    const option_spec options[] = {CERT_ROWS(&a), OPTION_FORCE_ROW(&a.common), OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&show_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    status = check(&a);
    return status == EXIT_DONE ? describe(argv[1], &a) : status;
}

int cmd_cert(int argc, char **argv)
{
    static verb verbs[] = {{"init", "cert init", init}, {"show", "cert show", show}};
    const option_spec options[] = {OPTION_END};
    int status = EXIT_DONE;
    if (verb_run(&status, verbs, sizeof verbs / sizeof *verbs, argc, argv))
        return status;
    if (options_parse(&page, options, argc, argv, 1, 1000, &status) < 0)
        return status;
    return report_usage("there is no 'kith cert %s': expected init or show", argv[1]);
}
