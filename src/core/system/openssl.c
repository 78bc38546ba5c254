#include "core/system/openssl.h"

#include <stdlib.h>

#include <openssl/crypto.h>
#include <openssl/err.h>

#include "core/error.h"

enum { PROBE_BYTES = 1 << 16 };

kith_status openssl_begin(kith_error *error)
{
    if (OSSL_LIB_CTX_get0_global_default() == NULL)
        return error_nomem(error);
    ERR_clear_error();
    return KITH_OK;
}

bool openssl_memory_left(void)
{
    void *volatile probe = malloc(PROBE_BYTES);
    const bool left = probe != NULL;
    free(probe);
    ERR_clear_error();
    return left;
}

/* Empties the queue; *reason is that of the first error, or NULL. */
static bool nomem(const char **reason)
{
    const unsigned long first = ERR_peek_error();
    bool found = first == 0; /* without memory there may be no queue */
    *reason = first == 0 ? NULL : ERR_reason_error_string(first);
    for (unsigned long code; (code = ERR_get_error()) != 0;)
        found = found || ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    /* OpenSSL hides it in some places: is there any? */
    return found || !openssl_memory_left();
}

kith_status openssl_error(kith_error *error, const char *what)
{
    const char *reason;
    if (nomem(&reason))
        return error_nomem(error);
    return error_set(error, KITH_IO, "OpenSSL cannot %s: %s", what,
                     reason != NULL ? reason : "no reason given");
}

static bool is_own(unsigned long code)
{
    const int reason = ERR_GET_REASON(code);
    return reason == ERR_R_MALLOC_FAILURE || reason == ERR_R_INTERNAL_ERROR;
}

bool openssl_failed_itself(void)
{
    return is_own(ERR_peek_error()) || is_own(ERR_peek_last_error());
}
