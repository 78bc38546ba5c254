/* Any text as the fingerprint of a key: refused, or 32 bytes whose other forms, in digits, groups
 * and words, small and large, mean the same. */
#include "support/fuzz_input.h"

#include <ctype.h>

#include "core/fingerprint.h"

static void check_form(char *text, const unsigned char *bytes)
{
    unsigned char again[FINGERPRINT_BYTES] = {0};
    require(fingerprint_parse(again, text) && memcmp(again, bytes, sizeof again) == 0);
    for (char *at = text; *at != '\0'; at++)
        *at = (char)toupper((unsigned char)*at);
    require(fingerprint_parse(again, text) && memcmp(again, bytes, sizeof again) == 0);
}

static void check_forms(const unsigned char *bytes)
{
    char grouped[FINGERPRINT_GROUPED], words[FINGERPRINT_WORDS], longer[FINGERPRINT_WORDS + 8];
    fingerprint_group(grouped, bytes);
    fingerprint_spell(words, bytes);
    snprintf(longer, sizeof longer, "sha256:%s", words);
    check_form(longer, bytes);
    check_form(grouped, bytes);
    check_form(words, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char bytes[FINGERPRINT_BYTES] = {0};
    char *text = fuzz_text(data, size);
    if (fingerprint_parse(bytes, text))
        check_forms(bytes);
    free(text);
    /* What the fuzzer can hardly find: a fingerprint that is valid. */
    if (size >= FINGERPRINT_BYTES)
        check_forms(data);
    return 0;
}
