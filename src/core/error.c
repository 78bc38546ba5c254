#define CORE_ERROR_C
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/text.h"

const char *kith_status_name(kith_status status)
{
    switch (status) {
    case KITH_OK: return "ok";
    case KITH_NOMEM: return "out of memory";
    case KITH_INVALID: return "invalid parameter";
    case KITH_DATA: return "bad input";
    case KITH_IO: return "input/output error";
    case KITH_PEER: return "peer failed";
    case KITH_INFEASIBLE: return "privacy models cannot be met";
    case KITH_CANCELLED: return "interrupted";
    case KITH_BUG: return "bug";
    }
    return "unknown status";
}

kith_status error_set(kith_error *error, kith_status status, const char *format, ...)
{
    ASSERT(status != KITH_OK);
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->status = status;
    error->hint[0] = '\0';
    return status;
}

kith_status error_at(kith_error *error, kith_status status, const char *file, size_t line,
                     size_t column, const char *format, ...)
{
    if (error == NULL)
        return status;
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    /* Shortens a long path from the left: its end says more than its beginning, and line and
     * column, which follow it in the message, must not be cut off. */
    enum { SHOWN = 400 };
    size_t length = strlen(file);
    const char *mark = length <= SHOWN ? "" : "\xe2\x80\xa6";
    const char *tail = length <= SHOWN ? file : file + length - SHOWN;
    while (((unsigned char)*tail & 0xc0) == 0x80)
        tail++;
    if (line == 0)
        return error_set(error, status, "%s%s: %s", mark, tail, text);
    if (column == 0)
        return error_set(error, status, "%s%s:%zu: %s", mark, tail, line, text);
    return error_set(error, status, "%s%s:%zu:%zu: %s", mark, tail, line, column, text);
}

kith_status error_hint(kith_error *error, kith_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
    return status;
}

kith_status error_nomem(kith_error *error)
{
    return error_set(error, KITH_NOMEM, "out of memory");
}

kith_status error_exists(kith_error *error, const char *path)
{
    error_set(error, KITH_INVALID, "%s exists already", path);
    return error_hint(error, KITH_INVALID, "use --force to overwrite it");
}

kith_status error_errno(kith_error *error, int errno_value, const char *what, const char *path)
{
    kith_status status = errno_value == ENOMEM ? KITH_NOMEM : KITH_IO;
    const char *reason = strerrordesc_np(errno_value); /* thread-safe, unlike strerror */
    if (reason == NULL)
        reason = "unknown error";
    return error_set(error, status, "cannot %s %s: %s", what, path, reason);
}

void kith_free(void *text)
{
    free(text);
}
