#include "cli.h"

int cmd_describe(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("describe is being written");
}
