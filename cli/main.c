/* kith: the command line. One file per subcommand; this one is a table. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

const subcommand subcommands[] = {
    {"generate", "make synthetic data with its study and hierarchies", cmd_generate, false},
    {"describe", "columns, distinct values, uniqueness, risk, suggested roles", cmd_describe, true},
    {"hierarchy", "make, draw and validate hierarchies", cmd_hierarchy, false},
    {"study", "start, check and digest a study", cmd_study, false},
    {"try", "many settings on the same data: loss and risk of each", cmd_try, false},
    {"anonymize", "anonymize one table on this machine", cmd_anonymize, true},
    {"verify", "do all privacy models hold in a release?", cmd_verify, true},
    {"measure", "utility and risk of a release, before and after", cmd_measure, true},
    {"report", "a run as a page for browsers", cmd_report, false},
    {"console", "a local web application for all of this", cmd_console, false},
    {"cert", "keys and certificates of the parties", cmd_cert, false},
    {"pkg", "key generators of the ID-based protocol", cmd_pkg, false},
    {"party", "take part in a joint run as one site", cmd_party, false},
    {"ledger", "what a joint run has sent and learned, in sentences", cmd_ledger, false},
    {"simulate", "a joint run with all its sites on this machine", cmd_simulate, false},
    {"compare", "all protocols and baselines on the same data, in one table", cmd_compare, false},
    {"estimate", "what a joint run would cost, before it is run", cmd_estimate, false},
    {"serve", "answer queries as a site of the virtual database", cmd_serve, false},
    {"query", "ask the sites of the virtual database", cmd_query, false},
    {"smc", "one secure computation among the parties of a study", cmd_smc, false},
    {NULL, NULL, NULL, false},
};

static void print_help(FILE *out)
{
    fputs("Usage: kith COMMAND [ARGUMENT]…\n\n"
          "Anonymize tables, alone or together with others, without showing the records.\n\n"
          "Commands:\n",
          out);
    for (const subcommand *s = subcommands; s->name != NULL; s++)
        fprintf(out, "  %-10s  %s\n", s->name, s->summary);
    fputs("\nkith COMMAND --help explains a command.\n\n"
          "Exit status: 0 done; 1 the answer is no; 2 bad usage or input; 3 a peer or the\n"
          "network failed; 4 the privacy models cannot be met; 5 local input, output or\n"
          "memory; 70 a bug in kith; 130 interrupted.\n\n"
          "Example:\n"
          "  kith generate hospital -n 20000 -o patients.csv\n"
          "  kith anonymize patients.study.yaml -i patients.csv -o release.csv\n"
          "  kith verify patients.study.yaml release.csv\n",
          out);
}

static int run_subcommand(const subcommand *s, int argc, char **argv)
{
    int status;
    if (!ranks_begin(s->name, s->shares_work, &status))
        return status;
    return ranks_end(s->run(argc, argv));
}

static int run_command(int argc, char **argv)
{
    for (const subcommand *s = subcommands; s->name != NULL; s++)
        if (strcmp(argv[0], s->name) == 0)
            return run_subcommand(s, argc, argv);
    const char *near = nearest_command(argv[0]);
    if (near != NULL)
        return report_usage(
            "there is no command '%s' (did you mean '%s'?); 'kith --help' lists them", argv[0],
            near);
    return report_usage("there is no command '%s'; 'kith --help' lists them", argv[0]);
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD_INPUT;
    }
    char help[] = "--help";
    if (strcmp(argv[1], "help") == 0 && argc > 2)
        return run_command(2, (char *[]){argv[2], help, NULL});
    if (is_one_of(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        printf("kith %s\n", kith_version());
        return EXIT_DONE;
    }
    if (argv[1][0] == '-')
        return report_usage("unknown option '%s'; see 'kith --help'", argv[1]);
    return run_command(argc - 1, argv + 1);
}

/* A file that is opened gets the lowest free number: if standard output were closed, what is
 * printed would go into the first file that is written. Calls on the streams that are put there
 * fail. */
static bool fill_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    /* A reader that has gone and a file that may not grow are errors of the calls that write: they
     * have a message, and temporary files are removed. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (!fill_standard_streams())
        return report_error(&(kith_error){.status = KITH_IO, .message = "cannot open /dev/null"});
    int status = run(argc, argv);
    /* A command that has failed has said why. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && (status == EXIT_DONE || status == EXIT_NO))
        return report_error(
            &(kith_error){.status = KITH_IO, .message = "cannot write to standard output"});
    return status;
}
