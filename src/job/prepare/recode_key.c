#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "job/prepare/recode.h"

static kith_status read_key(recode_key *key, int file, const char *path, kith_error *error)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return error_errno(error, errno, "read", path);
    if (!S_ISREG(info.st_mode))
        return error_set(error, KITH_INVALID, "%s is not a file that could hold a key", path);
    if ((info.st_mode & 077) != 0) {
        error_set(error, KITH_INVALID, "%s holds a secret, but others can read it (mode %04o)",
                  path, (unsigned)info.st_mode & 07777);
        return error_hint(error, KITH_INVALID, "chmod 600 makes it private");
    }
    if (info.st_size < RECODING_MIN_KEY || info.st_size > RECODING_MAX_KEY) {
        const long long size = (long long)info.st_size;
        error_set(error, KITH_INVALID, "%s has %lld bytes; a key for pseudonyms has %d to %d", path,
                  size, RECODING_MIN_KEY, RECODING_MAX_KEY);
        return error_hint(error, KITH_INVALID, "make one: (umask 077; openssl rand -out %s 32)",
                          path);
    }
    key->length = (size_t)info.st_size;
    if (read(file, key->bytes, key->length) != (ssize_t)key->length)
        return error_errno(error, errno, "read", path);
    return KITH_OK;
}

kith_status recode_key_read(recode_key *key, const char *path, kith_error *error)
{
    if (sodium_init() < 0)
        return error_set(error, KITH_BUG, "libsodium cannot be initialised");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        const int why = errno;
        error_errno(error, why, "read", path);
        return why != ENOENT ? error->status
                             : error_hint(error, error->status,
                                          "make a key for pseudonyms: (umask 077; openssl rand "
                                          "-out %s 32)",
                                          path);
    }
    kith_status status = read_key(key, file, path, error);
    close(file);
    if (status != KITH_OK)
        recode_key_wipe(key);
    return status;
}

void recode_key_wipe(recode_key *key)
{
    sodium_memzero(key, sizeof *key);
}
