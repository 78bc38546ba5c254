/* Any text as the URI of data: taken apart or refused, and what is shown of it has no password that
 * libpq would read out of it. */
#include "support/fuzz_input.h"

#include <libpq-fe.h>

#include "table/uri.h"

/* The value of a parameter in what libpq makes of a URI; NULL if it has none. */
static const char *value_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword != NULL; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val;
    return NULL;
}

/* A password that is there must be three asterisks in what is shown. */
static void check_shown(const char *address, const char *shown)
{
    static const char *const secrets[] = {"password", "sslpassword"};
    PQconninfoOption *whole = PQconninfoParse(address, NULL), *seen = PQconninfoParse(shown, NULL);
    for (size_t i = 0; whole != NULL && i < sizeof secrets / sizeof *secrets; i++) {
        const char *secret = value_of(whole, secrets[i]);
        if (secret == NULL || secret[0] == '\0')
            continue;
        const char *instead = seen == NULL ? NULL : value_of(seen, secrets[i]);
        require(instead == NULL || strcmp(instead, "***") == 0);
        const char *found = strstr(address, secret); /* and nowhere else */
        require(strlen(secret) < 4 || found == NULL || strstr(found + 1, secret) != NULL ||
                strstr(shown, secret) == NULL);
    }
    PQconninfoFree(whole);
    PQconninfoFree(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *address = NULL, *table = NULL;
    kith_error error = {0};
    arena *memory = arena_new();
    char *uri = fuzz_text(data, size);
    require(memory != NULL);
    const char *shown = uri_shown(memory, uri);
    require(shown != NULL);
    if (!uri_is_path(uri)) {
        const kith_status status = uri_split(memory, uri, &address, &table, &error);
        require(status == KITH_OK || (status == KITH_INVALID && error.message[0] != '\0'));
        require(status != KITH_OK || (address[0] != '\0' && table[0] != '\0'));
        if (status == KITH_OK && uri_which(uri) == URI_POSTGRES)
            check_shown(address, uri_shown(memory, address));
    }
    free(uri);
    arena_free(memory);
    return 0;
}
