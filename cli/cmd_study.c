#include "cli.h"

int cmd_study(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return report_usage("study is being written");
}
