/* Any bytes as a ledger or another document that Kith wrote: `kith ledger show` explains it or
 * refuses it with a message, and every key and value can be asked for. */
#include "support/fuzz_input.h"

#include "cli.h"
#include "core/document.h"

enum { MAX_LENGTH = 1 << 14 }; /* lists are walked from their beginning for each item */

static void walk(const kith_document *d)
{
    for (size_t i = 0; i < kith_document_n_items(d, ""); i++) {
        const char *key = kith_document_key(d, "", i);
        require(key != NULL);
        (void)kith_document_number(d, key, 0);
        (void)kith_document_text(d, key, "");
        (void)kith_document_flag(d, key, false);
        (void)kith_document_n_items(d, key);
    }
    char *json = kith_document_json(d, true);
    require(json != NULL);
    kith_free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kith_document *d = NULL;
    kith_error error = {0};
    if (size > MAX_LENGTH)
        return 0;
    const char *path = fuzz_file("ledger.json", data, size);
    const kith_status status = document_read(&d, path, &error);
    require(status == KITH_OK || (status == KITH_DATA && strstr(error.message, path) != NULL));
    if (status == KITH_OK)
        walk(d);
    kith_document_free(d);
    const int shown =
        cmd_ledger(3, (char *[]){(char[]){"ledger"}, (char[]){"show"}, (char *)path, NULL});
    require(shown == EXIT_DONE || shown == EXIT_NO || shown == EXIT_BAD_INPUT);
    return 0;
}
