#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include "core/fingerprint.h"
#include "core/rng.h"

static void counting_up(unsigned char bytes[FINGERPRINT_BYTES], unsigned from)
{
    for (unsigned i = 0; i < FINGERPRINT_BYTES; i++)
        bytes[i] = (unsigned char)(from + i);
}

static void forms_are_as_documented(void **state)
{
    (void)state;
    unsigned char bytes[FINGERPRINT_BYTES] = {0x1f, 0x6d, 0x00, 0xff, 0x0a};
    char grouped[FINGERPRINT_GROUPED], words[FINGERPRINT_WORDS];
    fingerprint_group(grouped, bytes);
    assert_string_equal(grouped, "1f6d 00ff 0a00 0000 0000 0000 0000 0000 "
                                 "0000 0000 0000 0000 0000 0000 0000 0000");
    fingerprint_spell(words, bytes);
    /* 0x00 is the first word, 0xff the last one. */
    assert_memory_equal(words, "bread gold able zone april able ",
                        strlen("bread gold able zone april able "));
}

static void all_words_differ_and_come_back(void **state)
{
    (void)state;
    char seen[256][4] = {""};
    for (unsigned from = 0; from < 256; from += FINGERPRINT_BYTES) {
        unsigned char bytes[FINGERPRINT_BYTES], again[FINGERPRINT_BYTES];
        char words[FINGERPRINT_WORDS];
        counting_up(bytes, from);
        fingerprint_spell(words, bytes);
        assert_true(fingerprint_parse(again, words));
        assert_memory_equal(again, bytes, FINGERPRINT_BYTES);
        unsigned number = from;
        for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
            memcpy(seen[number++], word, 3);
    }
    /* Ascending, so that no two begin with the same three letters. */
    for (int i = 1; i < 256; i++)
        assert_true(strcmp(seen[i - 1], seen[i]) < 0);
}

static void people_may_write_it_as_they_like(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 11, 0);
    for (int round = 0; round < 50; round++) {
        unsigned char bytes[FINGERPRINT_BYTES], again[FINGERPRINT_BYTES];
        char grouped[FINGERPRINT_GROUPED], words[FINGERPRINT_WORDS], text[400] = "SHA256:";
        for (int i = 0; i < FINGERPRINT_BYTES; i++)
            bytes[i] = (unsigned char)rng_below(&r, 256);
        fingerprint_group(grouped, bytes);
        assert_true(fingerprint_parse(again, grouped));
        assert_memory_equal(again, bytes, FINGERPRINT_BYTES);
        for (char *c = grouped; *c != '\0'; c++)
            *c = *c == ' ' ? '-' : (char)toupper((unsigned char)*c);
        assert_true(fingerprint_parse(again, strcat(text, grouped)));
        assert_memory_equal(again, bytes, FINGERPRINT_BYTES);
        fingerprint_spell(words, bytes);
        for (char *c = words; *c != '\0'; c++)
            *c = *c == ' ' ? '\n' : (char)toupper((unsigned char)*c);
        assert_true(fingerprint_parse(again, words));
        assert_memory_equal(again, bytes, FINGERPRINT_BYTES);
    }
}

static void others_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[FINGERPRINT_BYTES];
    char grouped[FINGERPRINT_GROUPED], words[FINGERPRINT_WORDS], more[FINGERPRINT_WORDS + 8];
    counting_up(bytes, 7);
    fingerprint_group(grouped, bytes);
    fingerprint_spell(words, bytes);
    strcat(strcpy(more, grouped), "0");
    assert_false(fingerprint_parse(bytes, more));
    strcat(strcpy(more, words), " apple");
    assert_false(fingerprint_parse(bytes, more));
    grouped[strlen(grouped) - 1] = '\0';
    assert_false(fingerprint_parse(bytes, grouped));
    *strrchr(words, ' ') = '\0';
    assert_false(fingerprint_parse(bytes, words));
    assert_false(fingerprint_parse(bytes, ""));
    assert_false(fingerprint_parse(bytes, "sha256:"));
    assert_false(fingerprint_parse(bytes, "md5:00"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_as_documented),
        cmocka_unit_test(all_words_differ_and_come_back),
        cmocka_unit_test(people_may_write_it_as_they_like),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
