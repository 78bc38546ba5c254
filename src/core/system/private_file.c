#include "core/system/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

kith_status private_file_read(void *bytes, size_t room, size_t *length, const char *path,
                              kith_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_errno(error, errno, "read", path);
    kith_status status = private_file_check(descriptor, path, error);
    *length = 0;
    for (ssize_t got = 1; status == KITH_OK && got != 0 && *length < room;) {
        got = read(descriptor, (char *)bytes + *length, room - *length);
        if (got < 0 && errno != EINTR)
            status = error_errno(error, errno, "read", path);
        *length += got > 0 ? (size_t)got : 0;
    }
    close(descriptor);
    return status;
}
