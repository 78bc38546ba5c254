/* kith pkg: key generators of the ID-based protocol. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define POWER                                                                                      \
    "A generator can decrypt whatever is sent to any of its names: together with the party that\n" \
    "has fewer rows it reads the lists of the other one. 'pkg: self' in the study needs no\n"      \
    "generator. Of several generators that are joined none alone can decrypt anything."

static const help_page page = {
    .usage = "kith pkg init -o DIR [--name NAME]\n"
             "       kith pkg issue DIR NAME [OTHER.pkg…] -o FILE [--period PERIOD]\n"
             "       kith pkg join FILE… -o FILE [--parameters FILE]\n"
             "       kith pkg show FILE|DIR [--parameters FILE]",
    .text =
        "A key generator for studies with 'protocol: id-based': it issues private keys to names,\n"
        "and its public parameters go into the study.\n\n"
        "  init     makes a generator: public parameters and a secret\n"
        "  issue    issues the private key of a name\n"
        "  join     joins generators, and the partial keys that each of them issued\n"
        "  show     says what a file is, and whether a key fits\n\n" POWER
        "\n\nSee also: kith pkg init --help, kith pkg issue --help, kith pkg join --help,\n"
        "kith pkg show --help",
    .example = "  kith pkg init -o generator\n"
               "  kith pkg issue generator north --period 2026-11 -o north.id.key\n"
               "  kith party cardio.study.yaml --as north --key north.key \\\n"
               "    -i north.csv -o run1 --id-key north.id.key",
};

static const help_page init_page = {
    .usage = "kith pkg init -o DIR [--name NAME]",
    .text =
        "Makes a key generator in DIR: parameters.pkg, which goes to all parties and into the\n"
        "study ('pkg: parameters.pkg'), and master.key, which only its owner can read and which\n"
        "never leaves this machine. The digest that is printed identifies the "
        "parameters.\n\n" POWER,
    .example = "  kith pkg init -o generator",
};

static const help_page issue_page = {
    .usage = "kith pkg issue DIR NAME [OTHER.pkg…] -o FILE [--period PERIOD]",
    .text =
        "Issues the private key of the party NAME from the generator in DIR. It is verified and\n"
        "written to FILE, which only its owner can read; the party gets it by a way that no one\n"
        "can listen to. NAME is that of the party in the study, PERIOD the study's 'period':\n"
        "with a new period every party needs a new key, and a stolen old one opens nothing new.\n\n"
        "With the public parameters of other generators the key is a partial one for all of\n"
        "them together: 'kith pkg join' joins it with those that the others issue.",
    .example = "  kith pkg issue generator north --period 2026-11 -o north.id.key\n"
               "  kith pkg issue ours north theirs.pkg -o north.part1",
};

static const help_page join_page = {
    .usage = "kith pkg join A.pkg B.pkg… -o JOINT.pkg\n"
             "       kith pkg join PARTIAL… --parameters JOINT.pkg -o FILE",
    .text =
        "Joins the public parameters of 2 to 16 generators to those of one whose secret none of\n"
        "them knows. The order does not matter: every party can join them itself and compare the\n"
        "digest with that of the others. Each generator then issues a partial key to every\n"
        "name (kith pkg issue DIR NAME OTHER.pkg…).\n\n"
        "Joins the partial keys of one name to its private key, which is verified against the\n"
        "joined parameters before it is written.",
    .example = "  kith pkg join ours.pkg theirs.pkg -o joint.pkg\n"
               "  kith pkg join north.part1 north.part2 --parameters joint.pkg -o north.id.key",
};

static const help_page show_page = {
    .usage = "kith pkg show FILE|DIR [--parameters FILE]",
    .text =
        "Says what a file of 'kith pkg' is, with name, period and the digest of its parameters;\n"
        "secrets are not shown. A generator's secret is checked against its parameters. With\n"
        "--parameters a private key is verified: exit status 1 if it does not belong to its\n"
        "name, its period and these parameters.",
    .example = "  kith pkg show generator/parameters.pkg\n"
               "  kith pkg show north.id.key --parameters generator/parameters.pkg",
};

static const char *kind_in_words(const char *kind)
{
    static const char *const words[][2] = {{"generator", "key generator"},
                                           {"parameters", "public parameters of a key generator"},
                                           {"secret", "secret of a key generator"},
                                           {"key", "private key"},
                                           {"partial key", "partial private key"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], kind) == 0)
            return words[i][1];
    return kind;
}

static void print_file(const kith_document *d, const char *path)
{
    const char *kind = kith_document_text(d, "kind", "");
    const bool key = strcmp(kind, "key") == 0 || strcmp(kind, "partial key") == 0;
    printf("%s: %s", path, kind_in_words(kind));
    if (kith_document_has(d, "name"))
        printf(" %s %s", key ? "of" : "named", kith_document_text(d, "name", ""));
    if (kith_document_has(d, "period"))
        printf(", period %s", kith_document_text(d, "period", ""));
    else if (key)
        printf(", no period");
    printf("\nparameters: %s\n", kith_document_text(d, "digest", ""));
    for (size_t i = 0; i < kith_document_n_items(d, "parts"); i++)
        printf("joined of:  %s\n", kith_document_text(d, path_at("parts.%zu", i), ""));
    if (kith_document_has(d, "generator"))
        printf("issued by:  %s\n", kith_document_text(d, "generator", ""));
    if (kith_document_flag(d, "fits", false))
        puts("yes: the key belongs to its name, its period and these parameters");
}

static int describe(const char *path, const char *parameters, const common_options *common)
{
    kith_error error = {0};
    kith_document *d = NULL;
    const kith_pkg_describe_options job =
        KITH_OPTIONS(kith_pkg_describe_options, .parameters = parameters);
    if (kith_pkg_describe(&d, path, &job, &error) != KITH_OK)
        return report_error(&error);
    const bool fits = parameters == NULL || kith_document_flag(d, "fits", false);
    if (common->json)
        document_print(d);
    else if (!common->quiet)
        print_file(d, path);
    if (!fits)
        fprintf(stderr,
                "kith: warning: %s: the key does not belong to its name, its period and %s\n", path,
                parameters);
    kith_document_free(d);
    return fits ? EXIT_DONE : EXIT_NO;
}

/* What a command has made, unless nobody wants to know. */
static int tell(const char *path, const common_options *common)
{
    return common->quiet && !common->json ? EXIT_DONE : describe(path, NULL, common);
}

#define MADE_ROWS(c) OPTION_FORCE_ROW(c), OPTION_QUIET_ROW(c), OPTION_JSON_ROW(c), OPTION_END

static int init(int argc, char **argv)
{
    common_options common = {0};
    const char *output = NULL, *name = NULL;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &output, "DIR", "directory of the generator"},
        {"name", 0, OPTION_TEXT, &name, "NAME", "of the generator, for people who read the file"},
        MADE_ROWS(&common)};
    int status = EXIT_DONE;
    kith_error error = {0};
    if (options_parse(&init_page, options, argc, argv, 0, 0, &status) < 0)
        return status;
    if (output == NULL)
        return report_usage("-o DIR says where the generator goes");
    const kith_pkg_init_options job =
        KITH_OPTIONS(kith_pkg_init_options, .name = name, .overwrite = common.force);
    secrecy_begin();
    if (kith_pkg_init(output, &job, &error) != KITH_OK)
        return report_error(&error);
    return tell(output, &common);
}

static int issue(int argc, char **argv)
{
    common_options common = {0};
    const char *output = NULL, *period = NULL;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE", "file for the private key"},
        {"period", 0, OPTION_TEXT, &period, "PERIOD", "of the study, such as 2026-11"},
        MADE_ROWS(&common)};
    int status = EXIT_DONE;
    kith_error error = {0};
    const int count = options_parse(&issue_page, options, argc, argv, 2, 1000, &status);
    if (count < 0)
        return status;
    if (output == NULL)
        return report_usage("-o FILE says where the key goes");
    const kith_pkg_issue_options job =
        KITH_OPTIONS(kith_pkg_issue_options, .name = argv[2], .period = period,
                     .others = (const char *const *)argv + 3, .n_others = (size_t)count - 2,
                     .overwrite = common.force);
    secrecy_begin();
    if (kith_pkg_issue(output, argv[1], &job, &error) != KITH_OK)
        return report_error(&error);
    return tell(output, &common);
}

static int join(int argc, char **argv)
{
    common_options common = {0};
    const char *output = NULL, *parameters = NULL, *name = NULL;
    const option_spec options[] = {
        {"output", 'o', OPTION_TEXT, &output, "FILE", "file for the result"},
        {"parameters", 0, OPTION_TEXT, &parameters, "FILE", "partial keys: the joined parameters"},
        {"name", 0, OPTION_TEXT, &name, "NAME", "parameters: a name for people"},
        MADE_ROWS(&common)};
    int status = EXIT_DONE;
    kith_error error = {0};
    const int count = options_parse(&join_page, options, argc, argv, 2, 1000, &status);
    if (count < 0)
        return status;
    if (output == NULL)
        return report_usage("-o FILE says where the result goes");
    const kith_pkg_join_options job = KITH_OPTIONS(kith_pkg_join_options, .parameters = parameters,
                                                   .name = name, .overwrite = common.force);
    secrecy_begin();
    if (kith_pkg_join(output, (const char *const *)argv + 1, (size_t)count, &job, &error) !=
        KITH_OK)
        return report_error(&error);
    return tell(output, &common);
}

static int show(int argc, char **argv)
{
    common_options common = {0};
    const char *parameters = NULL;
    const option_spec options[] = {
        {"parameters", 0, OPTION_TEXT, &parameters, "FILE", "verify a private key against these"},
        OPTION_QUIET_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_END};
    int status = EXIT_DONE;
    if (options_parse(&show_page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    secrecy_begin();
    return describe(argv[1], parameters, &common);
}

int cmd_pkg(int argc, char **argv)
{
    static verb verbs[] = {{"init", "pkg init", init},
                           {"issue", "pkg issue", issue},
                           {"join", "pkg join", join},
                           {"show", "pkg show", show}};
    const option_spec options[] = {OPTION_END};
    int status = EXIT_DONE;
    if (verb_run(&status, verbs, sizeof verbs / sizeof *verbs, argc, argv))
        return status;
    if (options_parse(&page, options, argc, argv, 1, 1000, &status) < 0)
        return status;
    return report_usage("there is no 'kith pkg %s': expected init, issue, join or show", argv[1]);
}
