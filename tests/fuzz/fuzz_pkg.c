/* Any text as a file of a key generator: refused, or read and then written back byte for byte. */
/* needs: id-based */
#include <stdlib.h>
#include <string.h>

#include "crypto/pairing/ibe_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_same(const char *text, const uint8_t *data, size_t size)
{
    if (text == NULL || strlen(text) != size || memcmp(text, data, size) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ibe_parameters parameters;
    const char *text = (const char *)data;
    ibe_master master;
    ibe_key key;
    ibe_heading h;
    kith_error error = {0};
    kith_status status;
    arena *memory = arena_new();
    switch (ibe_text_kind_of(text, size)) {
    case IBE_TEXT_MASTER:
        status = ibe_text_parse_master(&master, &h, text, size, "f", &error);
        if (status == KITH_OK)
            expect_same(ibe_text_format_master(memory, &h, &master), data, size);
        break;
    case IBE_TEXT_KEY:
    case IBE_TEXT_PARTIAL:
        status = ibe_text_parse_key(&key, &h, text, size, "f", &error);
        if (status == KITH_OK)
            expect_same(ibe_text_format_key(memory, &h, &key), data, size);
        break;
    default:
        status = ibe_text_parse_parameters(&parameters, &h, text, size, "f", &error);
        if (status == KITH_OK)
            expect_same(ibe_text_format_parameters(memory, &h, &parameters), data, size);
    }
    if (status != KITH_OK && strncmp(error.message, "f", 1) != 0)
        abort();
    arena_free(memory);
    return 0;
}
