#include "job/history/choice_secret.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/output.h"
#include "core/system/private_file.h"
#include "crypto/secret_memory.h"

enum { PATH_ROOM = 4096 };

static kith_status path_of(char path[PATH_ROOM], const char *key_path, kith_error *error)
{
    if ((size_t)snprintf(path, PATH_ROOM, "%s.choices", key_path) >= PATH_ROOM)
        return error_errno(error, ENAMETOOLONG, "write", key_path);
    return KITH_OK;
}

kith_status choice_secret_make(const char *key_path, kith_error *error)
{
    char path[PATH_ROOM];
    unsigned char secret[CHOICE_SECRET_BYTES];
    TRY(path_of(path, key_path, error));
    if (access(path, F_OK) == 0)
        return KITH_OK;
    if (sodium_init() < 0)
        return error_set(error, KITH_BUG, "libsodium cannot be initialised");
    secret_memory_random(secret, sizeof secret);
    kith_status status =
        output_write_private(path, (const char *)secret, sizeof secret, false, error);
    secret_memory_wipe(secret, sizeof secret);
    /* Another run with this key may have been faster: its file stays. */
    return status != KITH_OK && access(path, F_OK) == 0 ? KITH_OK : status;
}

kith_status choice_secret_load(unsigned char secret[CHOICE_SECRET_BYTES], const char *key_path,
                               kith_error *error)
{
    char path[PATH_ROOM];
    unsigned char bytes[CHOICE_SECRET_BYTES + 1]; /* one more shows that the file is too long */
    size_t length = 0;
    TRY(choice_secret_make(key_path, error));
    TRY(path_of(path, key_path, error));
    kith_status status = private_file_read(bytes, sizeof bytes, &length, path, error);
    memcpy(secret, bytes, CHOICE_SECRET_BYTES);
    secret_memory_wipe(bytes, sizeof bytes);
    if (status != KITH_OK || length == CHOICE_SECRET_BYTES)
        return status;
    error_set(error, KITH_INVALID, "%s is damaged: it has %s%zu bytes instead of %d", path,
              length > CHOICE_SECRET_BYTES ? "at least " : "", length, CHOICE_SECRET_BYTES);
    return error_hint(error, KITH_INVALID,
                      "put it back from a backup; without one remove it, and the next run "
                      "makes a new one");
}
