#include "core/options.h"

#include <string.h>

#include <kith/version.h>

#include "core/check.h"
#include "core/error.h"

static kith_status check_size(size_t theirs, size_t first_size, const char *name, kith_error *error)
{
    if (theirs >= first_size)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s.size is %zu, but no %s has fewer than %zu bytes", name,
              theirs, name, first_size);
    return error_hint(error, KITH_INVALID, "initialise it with KITH_INIT(%s)", name);
}

kith_status options_take(void *mine, size_t size, size_t first_size, const void *theirs,
                         const char *name, kith_error *error)
{
    ASSERT(sizeof(size_t) <= first_size && first_size <= size);
    size_t given = 0;
    memset(mine, 0, size);
    if (theirs != NULL) {
        memcpy(&given, theirs, sizeof given);
        TRY(check_size(given, first_size, name, error));
        /* A newer program may use this library as long as it does not use what only it knows. */
        for (size_t i = size; i < given; i++)
            if (((const unsigned char *)theirs)[i] != 0)
                return error_set(error, KITH_INVALID,
                                 "this program asks for options that this library does not know: "
                                 "its %s has %zu bytes, that of Kith %s has %zu",
                                 name, given, KITH_VERSION_STRING, size);
        memcpy(mine, theirs, given < size ? given : size);
    }
    memcpy(mine, &size, sizeof size);
    return KITH_OK;
}

kith_status options_give(void *theirs, size_t first_size, const void *mine, size_t size,
                         const char *name, kith_error *error)
{
    ASSERT(sizeof(size_t) <= first_size && first_size <= size);
    size_t given;
    memcpy(&given, theirs, sizeof given);
    TRY(check_size(given, first_size, name, error));
    memset(theirs, 0, given); /* members that this library does not know */
    memcpy(theirs, mine, given < size ? given : size);
    memcpy(theirs, &given, sizeof given);
    return KITH_OK;
}

kith_status options_need(const char *text, const char *member, kith_error *error)
{
    return text != NULL ? KITH_OK : error_set(error, KITH_INVALID, "options.%s is missing", member);
}

kith_status options_take_run(kith_run *mine, const kith_run *theirs, kith_error *error)
{
    return OPTIONS_TAKE(kith_run, user, mine, theirs, error);
}
