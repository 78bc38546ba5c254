#include "cli.h"

int cmd_anonymize(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("anonymize is being written");
}
