/* Where this program itself is, to start it once more. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

int program_path(const char **path)
{
    static char found[4096];
    ssize_t length = readlink("/proc/self/exe", found, sizeof found - 1);
    if (length < 0 || (size_t)length >= sizeof found - 1) {
        kith_error error = {.status = KITH_IO};
        snprintf(error.message, sizeof error.message, "cannot find this program: %s",
                 strerror(length < 0 ? errno : ENAMETOOLONG));
        return report_error(&error);
    }
    found[length] = '\0';
    *path = found;
    return EXIT_DONE;
}
