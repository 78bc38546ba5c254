#include "job/fingerprint_api.h"

#include <kith/application.h>
#include <kith/study.h>
#include <stdio.h>

#include "core/error.h"

void fingerprint_api_put(kith_document *d, document_node *to,
                         const unsigned char bytes[FINGERPRINT_BYTES])
{
    char grouped[FINGERPRINT_GROUPED], words[FINGERPRINT_WORDS];
    fingerprint_group(grouped, bytes);
    fingerprint_spell(words, bytes);
    document_put_text(d, to, "grouped", grouped);
    document_put_text(d, to, "words", words);
}

kith_status kith_fingerprint_describe(kith_document **document, const char *fingerprint,
                                      kith_error *error)
{
    unsigned char bytes[FINGERPRINT_BYTES];
    char digits[2 * FINGERPRINT_BYTES + 1];
    if (fingerprint == NULL || !fingerprint_parse(bytes, fingerprint))
        return error_set(error, KITH_INVALID,
                         "a fingerprint has 64 hexadecimal digits, or 32 words");
    for (int i = 0; i < FINGERPRINT_BYTES; i++)
        snprintf(digits + 2 * (size_t)i, 3, "%02x", bytes[i]);
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_put_text(d, document_root(d), "hex", digits);
    fingerprint_api_put(d, document_root(d), bytes);
    return document_finish(document, d, error);
}
