/* The texts of a generator's files: what is written is read back, and every other text is refused
 * with its line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/pairing/ibe_text.h"
#include "support/pairing_plain.h"

static struct scene {
    arena *memory;
    ibe_parameters parameters;
    ibe_master master;
    ibe_key key;
    ibe_heading heading[IBE_TEXT_PARTIAL + 1];
    char *text[IBE_TEXT_PARTIAL + 1];
} s;

static int set_up(void **state)
{
    (void)state;
    ibe_identity v;
    ibe_digest made;
    if (sodium_init() < 0 || (s.memory = arena_new()) == NULL)
        return -1;
    ibe_generate(&s.parameters, &s.master);
    ibe_identity_of(&v, "north", "2026-11");
    ibe_extract(&s.key, &s.parameters, &s.master, &v);
    ibe_text_digest(&made, &s.parameters);
    for (ibe_text_kind kind = IBE_TEXT_PARAMETERS; kind <= IBE_TEXT_PARTIAL; kind++)
        s.heading[kind] = (ibe_heading){.kind = kind, .parameters = made};
    for (ibe_text_kind kind = IBE_TEXT_KEY; kind <= IBE_TEXT_PARTIAL; kind++) {
        strcpy(s.heading[kind].name, "north");
        strcpy(s.heading[kind].period, "2026-11");
    }
    s.heading[IBE_TEXT_PARTIAL].n_parts = 1;
    s.heading[IBE_TEXT_PARTIAL].parts[0] = made;
    s.text[IBE_TEXT_PARAMETERS] =
        ibe_text_format_parameters(s.memory, &s.heading[IBE_TEXT_PARAMETERS], &s.parameters);
    s.text[IBE_TEXT_MASTER] =
        ibe_text_format_master(s.memory, &s.heading[IBE_TEXT_MASTER], &s.master);
    s.text[IBE_TEXT_KEY] = ibe_text_format_key(s.memory, &s.heading[IBE_TEXT_KEY], &s.key);
    s.text[IBE_TEXT_PARTIAL] = ibe_text_format_key(s.memory, &s.heading[IBE_TEXT_PARTIAL], &s.key);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(s.memory);
    return 0;
}

static kith_status parse(ibe_text_kind as, ibe_heading *h, const char *text, size_t length,
                         kith_error *error)
{
    static ibe_parameters p;
    ibe_master m;
    ibe_key k;
    switch (as) {
    case IBE_TEXT_PARAMETERS: return ibe_text_parse_parameters(&p, h, text, length, "f", error);
    case IBE_TEXT_MASTER: return ibe_text_parse_master(&m, h, text, length, "f", error);
    default: return ibe_text_parse_key(&k, h, text, length, "f", error);
    }
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    for (ibe_text_kind kind = IBE_TEXT_PARAMETERS; kind <= IBE_TEXT_PARTIAL; kind++) {
        ibe_heading h;
        kith_error error = {0};
        assert_int_equal(ibe_text_kind_of(s.text[kind], strlen(s.text[kind])), kind);
        assert_int_equal(parse(kind, &h, s.text[kind], strlen(s.text[kind]), &error), KITH_OK);
        assert_int_equal(h.kind, kind);
        assert_string_equal(h.name, s.heading[kind].name);
        assert_string_equal(h.period, s.heading[kind].period);
        assert_true(ibe_text_digest_equal(&h.parameters, &s.heading[kind].parameters));
        assert_int_equal(h.n_parts, kind == IBE_TEXT_PARTIAL);
    }
    ibe_heading h;
    ibe_key k;
    assert_int_equal(
        ibe_text_parse_key(&k, &h, s.text[IBE_TEXT_KEY], strlen(s.text[IBE_TEXT_KEY]), "f", NULL),
        KITH_OK);
    assert_true(pairing_g2_equal(&k.d1, &s.key.d1) && pairing_g2_equal(&k.d2, &s.key.d2));
}

static void names_the_wrong_kind(void **state)
{
    (void)state;
    static const char *const names[] = {[IBE_TEXT_PARAMETERS] = "a file of public parameters",
                                        [IBE_TEXT_MASTER] = "the secret of a key generator",
                                        [IBE_TEXT_KEY] = "a private key",
                                        [IBE_TEXT_PARTIAL] = "a partial private key"};
    for (ibe_text_kind kind = IBE_TEXT_PARAMETERS; kind <= IBE_TEXT_PARTIAL; kind++)
        for (ibe_text_kind as = IBE_TEXT_PARAMETERS; as <= IBE_TEXT_KEY; as++) {
            ibe_heading h;
            kith_error error = {0};
            char expected[128];
            if (as == kind || (as == IBE_TEXT_KEY && kind == IBE_TEXT_PARTIAL))
                continue;
            assert_int_equal(parse(as, &h, s.text[kind], strlen(s.text[kind]), &error), KITH_DATA);
            snprintf(expected, sizeof expected, "f:1: this is %s, expected %s", names[kind],
                     names[as]);
            assert_string_equal(error.message, expected);
        }
}

/* Any single character replaced, and any end cut off: refused, or (in the bytes of a key, in names)
 * another value, never a crash. */
static void one_form_only(void **state)
{
    (void)state;
    for (ibe_text_kind kind = IBE_TEXT_MASTER; kind <= IBE_TEXT_PARTIAL; kind++) {
        const size_t length = strlen(s.text[kind]);
        char *text = malloc(length + 1);
        for (size_t i = 0; i < length; i++) {
            ibe_heading h;
            memcpy(text, s.text[kind], length + 1);
            assert_int_equal(parse(kind, &h, text, i, NULL), KITH_DATA);
            text[i] = '\t';
            assert_int_equal(parse(kind, &h, text, length, NULL), KITH_DATA);
            for (int byte = 0x80; byte < 0x100; byte += 3) { /* no UTF-8 by itself */
                text[i] = (char)byte;
                assert_int_equal(parse(kind, &h, text, length, NULL), KITH_DATA);
            }
        }
        free(text);
    }
}

/* A text made of the lines of a private key with one of them replaced. */
static void assert_refused(size_t line, const char *by, const char *message)
{
    char text[4096] = "";
    char *at = s.text[IBE_TEXT_KEY];
    ibe_heading h;
    kith_error error = {0};
    for (size_t i = 1; *at != '\0'; i++) {
        const size_t wide = strcspn(at, "\n") + 1;
        if (i == line)
            strcat(text, by);
        else
            strncat(text, at, wide);
        at += wide;
    }
    assert_int_equal(parse(IBE_TEXT_KEY, &h, text, strlen(text), &error), KITH_DATA);
    assert_string_equal(error.message, message);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    assert_refused(1, "kith private identity key 2\n",
                   "f:1: expected a private key ('kith private identity key 1'), found 'kith "
                   "private identity key 2'");
    assert_refused(2, "", "f:2: expected 'name: …'");
    assert_refused(2, "name: \n",
                   "f:2: expected 1 to 63 bytes of UTF-8 without control characters");
    assert_refused(2, "name: a\x7f\n",
                   "f:2: expected 1 to 63 bytes of UTF-8 without control characters");
    assert_refused(3, "period: \xff\n",
                   "f:3: expected 1 to 63 bytes of UTF-8 without control characters");
    assert_refused(4, "parameters: blake2b:00\n",
                   "f:4: expected 'parameters: blake2b:' and 64 hexadecimal digits");
    assert_refused(5, "", "f:5: expected an empty line");
    assert_refused(5, "note: x\n", "f:5: expected an empty line");
    assert_refused(6, "\n", "f:6: expected 64 characters of base64");
    assert_refused(9, "", "f:9: expected 64 characters of base64");
    assert_refused(9, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\n",
                   "f:9: expected 64 characters of base64");
    assert_refused(9, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
                   "f is damaged: its bytes are no elements of the groups");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(names_the_wrong_kind),
        cmocka_unit_test(one_form_only),
        cmocka_unit_test(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
