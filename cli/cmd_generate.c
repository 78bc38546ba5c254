#include "cli.h"

int cmd_generate(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("generate is being written");
}
