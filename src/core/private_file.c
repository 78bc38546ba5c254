#include "core/private_file.h"

#include <errno.h>
#include <sys/stat.h>

#include "core/error.h"

kith_status private_file_check(int descriptor, const char *path, kith_error *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return error_errno(error, errno, "read", path);
    if ((info.st_mode & 077) == 0)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s holds a secret, but others can read it (mode %04o)", path,
              (unsigned)info.st_mode & 07777);
    return error_hint(error, KITH_INVALID, "chmod 600 %s", path);
}
