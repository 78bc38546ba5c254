#include "cli.h"

int cmd_verify(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("verify is being written");
}
