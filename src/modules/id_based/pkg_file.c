#include "modules/id_based/pkg_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/output.h"
#include "core/system/private_file.h"
#include "crypto/secret_memory.h"

const char *pkg_file_period(char text[IBE_TEXT_NAME + 8], const char *period)
{
    if (period[0] == '\0')
        return "no period";
    snprintf(text, IBE_TEXT_NAME + 8, "period %s", period);
    return text;
}

/* Up to IBE_TEXT_BYTES; a longer file is none of ours, and its beginning is refused as such. */
static kith_status read_open(int descriptor, const char *path, char *text, size_t *length,
                             kith_error *error)
{
    *length = 0;
    while (*length < IBE_TEXT_BYTES) {
        const ssize_t got = read(descriptor, text + *length, IBE_TEXT_BYTES - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_errno(error, errno, "read", path);
        if (got == 0)
            break;
        *length += (size_t)got;
    }
    return ibe_text_kind_of(text, *length) > IBE_TEXT_PARAMETERS
               ? private_file_check(descriptor, path, error)
               : KITH_OK;
}

kith_status pkg_file_read(pkg_file *out, arena *memory, const char *path, ibe_text_kind expected,
                          kith_error *error)
{
    *out = (pkg_file){.path = path};
    size_t length = 0;
    char *text = TRY_ALLOC(secret_memory_array(memory, IBE_TEXT_BYTES, 1), error);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_errno(error, errno, "read", path);
    kith_status status = read_open(descriptor, path, text, &length, error);
    close(descriptor);
    TRY(status);
    switch (expected == IBE_TEXT_UNKNOWN ? ibe_text_kind_of(text, length) : expected) {
    case IBE_TEXT_PARAMETERS:
        out->parameters = TRY_ALLOC(arena_alloc(memory, sizeof *out->parameters), error);
        return ibe_text_parse_parameters(out->parameters, &out->heading, text, length, path, error);
    case IBE_TEXT_MASTER:
        out->master = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *out->master), error);
        return ibe_text_parse_master(out->master, &out->heading, text, length, path, error);
    case IBE_TEXT_KEY:
    case IBE_TEXT_PARTIAL:
        out->key = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *out->key), error);
        return ibe_text_parse_key(out->key, &out->heading, text, length, path, error);
    default:
        return error_at(error, KITH_DATA, path, 1, 0,
                        "this is no file of a key generator, which 'kith pkg' makes");
    }
}

kith_status pkg_file_apart(const char *written, const char *source, kith_error *error)
{
    struct stat a, b;
    if (stat(written, &a) != 0 || stat(source, &b) != 0 || a.st_dev != b.st_dev ||
        a.st_ino != b.st_ino)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "the output %s is the input %s itself", written, source);
}

kith_status pkg_file_write(const pkg_file *file, arena *memory, bool overwrite, kith_error *error)
{
    const ibe_heading *h = &file->heading;
    output *out;
    if (h->kind == IBE_TEXT_PARAMETERS) {
        const char *text =
            TRY_ALLOC(ibe_text_format_parameters(memory, h, file->parameters), error);
        TRY(output_open(&out, memory, file->path, overwrite, error));
        output_text(out, text);
        return output_commit(out, error);
    }
    const char *text =
        TRY_ALLOC(h->kind == IBE_TEXT_MASTER ? ibe_text_format_master(memory, h, file->master)
                                             : ibe_text_format_key(memory, h, file->key),
                  error);
    return output_write_private(file->path, text, strlen(text), overwrite, error);
}
