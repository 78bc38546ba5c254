#include "cli.h"

int cmd_measure(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("measure is being written");
}
