#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* vsnprintf that never leaves half of a UTF-8 character at the end. */
static void format_cut(char *text, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        text[0] = '\0';
        return;
    }
    if ((size_t)length < size)
        return;
    size_t end = size - 1;
    while (end > 0 && ((unsigned char)text[end - 1] & 0xc0) == 0x80)
        end--;
    if (end > 0 && (unsigned char)text[end - 1] >= 0xc0)
        end--;
    text[end] = '\0';
}

static void error_fill(kith_error *error, kith_status status, const char *prefix,
                       const char *format, va_list arguments)
{
    error->status = status;
    error->hint[0] = '\0';
    size_t used = strlen(prefix);
    if (used >= sizeof error->message)
        used = sizeof error->message - 1;
    memcpy(error->message, prefix, used);
    format_cut(error->message + used, sizeof error->message - used, format, arguments);
}

kith_status error_set(kith_error *error, kith_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    error_fill(error, status, "", format, arguments);
    va_end(arguments);
    return status;
}

kith_status error_at(kith_error *error, kith_status status, const char *file, size_t line,
                     size_t column, const char *format, ...)
{
    if (error == NULL)
        return status;
    char prefix[512];
    if (line == 0)
        snprintf(prefix, sizeof prefix, "%s: ", file);
    else if (column == 0)
        snprintf(prefix, sizeof prefix, "%s:%zu: ", file, line);
    else
        snprintf(prefix, sizeof prefix, "%s:%zu:%zu: ", file, line, column);
    va_list arguments;
    va_start(arguments, format);
    error_fill(error, status, prefix, format, arguments);
    va_end(arguments);
    return status;
}

kith_status error_hint(kith_error *error, kith_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    format_cut(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
    return status;
}

kith_status error_nomem(kith_error *error)
{
    return error_set(error, KITH_NOMEM, "out of memory");
}

kith_status error_errno(kith_error *error, int errno_value, const char *what, const char *path)
{
    kith_status status = errno_value == ENOMEM ? KITH_NOMEM : KITH_IO;
    const char *reason = strerrordesc_np(errno_value); /* thread-safe, unlike strerror */
    if (reason == NULL)
        reason = "unknown error";
    return error_set(error, status, "cannot %s %s: %s", what, path, reason);
}
