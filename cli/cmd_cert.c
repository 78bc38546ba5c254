/* kith cert: keys and certificates of the parties. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const help_page page = {
    .usage = "kith cert init NAME -o FILE [--days N]\n"
             "       kith cert show FILE",
    .text = "The key by which other parties know this one.\n\n"
            "  init     makes a secret key and a certificate for the party NAME\n"
            "  show     prints the fingerprint that goes into the study\n\n"
            "kith cert init --help (show) explains each.",
    .example = "  kith cert init north -o north.key\n"
               "  kith cert show north.key",
};

static const help_page init_page = {
    .usage = "kith cert init NAME -o FILE [--days N]",
    .text = "Makes an Ed25519 key and a self-signed certificate and writes both to FILE, which\n"
            "only its owner can read. FILE never leaves this machine; its fingerprint, which is\n"
            "printed, goes into the study of all parties. Tell it to them by a way that nobody\n"
            "can tamper with, such as a telephone call.\n\n"
            "FILE.choices gets 32 secret bytes, unless it exists: from them come the random\n"
            "choices of this party, so that identical joint runs give identical releases. Keep\n"
            "it with FILE, also when a new key takes its place.",
    .example = "  kith cert init north -o north.key --days 365",
};

static const help_page show_page = {
    .usage = "kith cert show FILE",
    .text = "Prints name, fingerprint and validity of a certificate that 'kith cert init' made.\n"
            "Exit status 1 if it is not valid today.",
    .example = "  kith cert show north.key",
};

static void print_certificate(const kith_document *d, const char *path)
{
    printf("%s: certificate of %s, valid from %s to %s\n", path, kith_document_text(d, "name", ""),
           kith_document_text(d, "from", ""), kith_document_text(d, "until", ""));
    printf("key: \"%s\"\n", kith_document_text(d, "key", ""));
}

static int describe(const char *path, const common_options *common)
{
    kith_error error = {0};
    kith_document *d = NULL;
    if (kith_identity_describe(&d, path, &error) != KITH_OK)
        return report_error(&error);
    bool valid = kith_document_flag(d, "valid", false);
    if (common->json)
        document_print(d);
    else if (!common->quiet)
        print_certificate(d, path);
    if (!valid)
        fprintf(stderr, "kith: warning: %s: the certificate is not valid today\n", path);
    kith_document_free(d);
    return valid ? EXIT_DONE : EXIT_NO;
}

static int init(int argc, char **argv)
{
    common_options common = {0};
    const char *output = NULL;
    uint64_t days = 365;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE", "file for key and certificate"},
        {"days", 0, OPTION_COUNT, &days, "N", "days until the certificate expires (default: 365)"},
        OPTION_FORCE_ROW(&common),
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    kith_error error = {0};
    if (options_parse(&init_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    if (output == NULL)
        return report_usage("-o FILE says where the key goes");
    const kith_identity_options job = KITH_OPTIONS(
        kith_identity_options, .name = argv[1], .n_days = days > 1000000 ? 1000000 : (unsigned)days,
        .overwrite = common.force);
    if (kith_identity_create(output, &job, &error) != KITH_OK)
        return report_error(&error);
    return describe(output, &common);
}

static int show(int argc, char **argv)
{
    common_options common = {0};
    const option_spec options[] = {OPTION_QUIET_ROW(&common), OPTION_JSON_ROW(&common), OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&show_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    return describe(argv[1], &common);
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
    return report_usage("there is no 'kith cert %s'; it is init or show", argv[1]);
}
