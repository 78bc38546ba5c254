#include "cli.h"

int cmd_hierarchy(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("hierarchy is being written");
}
