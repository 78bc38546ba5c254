/* kith: the command line. One file per subcommand; this one is a table. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

const subcommand subcommands[] = {
    {"generate", "make synthetic data with its study and hierarchies", cmd_generate},
    {"describe", "columns, distinct values, uniqueness, risk, suggested roles", cmd_describe},
    {"hierarchy", "make, draw and validate hierarchies", cmd_hierarchy},
    {"study", "start, check and digest a study", cmd_study},
    {"anonymize", "anonymize one table on this machine", cmd_anonymize},
    {"verify", "do all privacy models hold in a release?", cmd_verify},
    {"measure", "utility and risk of a release, before and after", cmd_measure},
    {NULL, NULL, NULL},
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
          "Example:\n"
          "  kith generate hospital -n 20000 -o patients.csv\n"
          "  kith anonymize patients.study.yaml -i patients.csv -o release.csv\n"
          "  kith verify patients.study.yaml release.csv\n",
          out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("kith %s\n", kith_version());
        return EXIT_DONE;
    }
    for (const subcommand *s = subcommands; s->name != NULL; s++)
        if (strcmp(argv[1], s->name) == 0)
            return s->run(argc - 1, argv + 1);
    return report_usage("there is no command '%s'; 'kith --help' lists them", argv[1]);
}
