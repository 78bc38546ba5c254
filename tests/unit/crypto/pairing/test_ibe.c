/* Waters' encryption: keys, decryption, operations on ciphertexts, joined generators. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/arena.h"
#include "crypto/pairing/ibe.h"
#include "support/pairing_plain.h"

/* One generator, one identity, and all that belongs to them; made once, since it takes a while. */
static struct scene {
    arena *memory;
    ibe_parameters parameters;
    ibe_master master;
    ibe_identity identity;
    ibe_key key;
    ibe_recipient *recipient;
    ibe_reader *reader;
    gt e; /* e(g, h) */
} scene;

static int set_up(void **state)
{
    (void)state;
    g1 g;
    g2 h;
    if (sodium_init() < 0 || (scene.memory = arena_new()) == NULL)
        return -1;
    ibe_identity_of(&scene.identity, "alice", "2026");
    ibe_generate(&scene.parameters, &scene.master);
    ibe_extract(&scene.key, &scene.parameters, &scene.master, &scene.identity);
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_e(&scene.e, &g, &h);
    return ibe_recipient_new(&scene.recipient, scene.memory, &scene.parameters, &scene.identity,
                             NULL) != KITH_OK ||
           ibe_reader_new(&scene.reader, scene.memory, &scene.key, NULL) != KITH_OK;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(scene.memory);
    return 0;
}

static void assert_decrypts(const ibe_reader *reader, const ibe_ciphertext *c, const scalar_q *m)
{
    gt expected, p;
    pairing_gt_power(&expected, &scene.e, m);
    ibe_decrypt(&p, reader, c);
    assert_true(pairing_gt_equal(&p, &expected));
    assert_int_equal(ibe_decrypts_to_one(reader, c), sodium_is_zero(m->bytes, sizeof m->bytes));
}

static void encrypts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        ibe_ciphertext c, again;
        scalar_q m;
        pairing_scalar_random(&m);
        if (i < 2)
            pairing_scalar_of_number(&m, i);
        ibe_encrypt(&c, scene.recipient, &m);
        assert_decrypts(scene.reader, &c, &m);
        ibe_encrypt(&again, scene.recipient, &m);
        assert_false(pairing_gt_equal(&c.c1, &again.c1));
    }
}

/* p = c1 e(c3, d2) / e(c2, d1), by blst's pairing and nothing else. */
static void decrypts_as_the_paper_has_it(void **state)
{
    (void)state;
    ibe_ciphertext c;
    scalar_q m;
    gt above, below, p, got;
    pairing_scalar_random(&m);
    ibe_encrypt(&c, scene.recipient, &m);
    pairing_e(&above, &c.c3, &scene.key.d2);
    pairing_e(&below, &c.c2, &scene.key.d1);
    pairing_gt_invert(&below, &below);
    pairing_gt_multiply(&p, &above, &below);
    pairing_gt_multiply(&p, &p, &c.c1);
    ibe_decrypt(&got, scene.reader, &c);
    assert_true(pairing_gt_equal(&got, &p));
}

static void other_keys_do_not_decrypt(void **state)
{
    (void)state;
    static ibe_parameters other_parameters;
    ibe_master other_master;
    ibe_identity other;
    ibe_key key;
    ibe_reader *reader;
    ibe_ciphertext c;
    scalar_q zero = {{0}};
    ibe_encrypt(&c, scene.recipient, &zero);
    ibe_identity_of(&other, "bob", "2026");
    ibe_extract(&key, &scene.parameters, &scene.master, &other);
    assert_int_equal(ibe_reader_new(&reader, scene.memory, &key, NULL), KITH_OK);
    assert_false(ibe_decrypts_to_one(reader, &c));
    assert_true(ibe_key_fits(&key, &scene.parameters, &other));
    assert_false(ibe_key_fits(&key, &scene.parameters, &scene.identity));

    ibe_generate(&other_parameters, &other_master);
    ibe_extract(&key, &other_parameters, &other_master, &scene.identity);
    assert_int_equal(ibe_reader_new(&reader, scene.memory, &key, NULL), KITH_OK);
    assert_false(ibe_decrypts_to_one(reader, &c));
    assert_false(ibe_key_fits(&key, &scene.parameters, &scene.identity));
}

static void checks_keys(void **state)
{
    (void)state;
    ibe_key key = scene.key, fresh;
    assert_true(ibe_key_fits(&key, &scene.parameters, &scene.identity));
    pairing_g2_add(&key.d2, &key.d2, &key.d2);
    assert_false(ibe_key_fits(&key, &scene.parameters, &scene.identity));
    key = scene.key;
    pairing_g2_add(&key.d1, &key.d1, &key.d2);
    assert_false(ibe_key_fits(&key, &scene.parameters, &scene.identity));
    memset(&key, 0, sizeof key);
    assert_false(ibe_key_fits(&key, &scene.parameters, &scene.identity));
    ibe_reader *reader;
    assert_int_equal(ibe_reader_new(&reader, scene.memory, &key, NULL), KITH_DATA);
    /* A second key for the same identity differs and fits as well. */
    ibe_extract(&fresh, &scene.parameters, &scene.master, &scene.identity);
    assert_false(pairing_g2_equal(&fresh.d2, &scene.key.d2));
    assert_true(ibe_key_fits(&fresh, &scene.parameters, &scene.identity));
}

static void identities_differ(void **state)
{
    (void)state;
    /* The same letters, cut elsewhere, are other names. */
    static const char *const names[][2] = {
        {"a", "bc"}, {"ab", "c"}, {"abc", ""}, {"", "abc"}, {"a", "bd"}};
    ibe_identity v[5], again;
    for (unsigned i = 0; i < 5; i++) {
        ibe_identity_of(&v[i], names[i][0], names[i][1]);
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(&v[i], &v[j], sizeof v[i]);
    }
    ibe_identity_of(&again, "a", "bc");
    assert_memory_equal(&v[0], &again, sizeof again);
    /* Computed by Python's hashlib: names that changed their bits would need new keys. */
    char hex[2 * IBE_IDENTITY_BYTES + 1];
    ibe_identity_of(&again, "alice", "2026");
    assert_string_equal(sodium_bin2hex(hex, sizeof hex, again.bits, sizeof again.bits),
                        "572e03b358a9a1f0d714562c9968a0b95e8b2d757b62464fca78cefe898ce113");
}

static void is_homomorphic(void **state)
{
    (void)state;
    ibe_ciphertext a, b, c;
    scalar_q x, y, m;
    pairing_scalar_random(&x);
    pairing_scalar_random(&y);
    ibe_encrypt(&a, scene.recipient, &x);
    ibe_encrypt(&b, scene.recipient, &y);

    ibe_product(&c, &a, &b);
    pairing_scalar_add(&m, &x, &y);
    assert_decrypts(scene.reader, &c, &m);

    /* Neutral parts decrypt, too: of 1. */
    ibe_quotient(&c, &a, &a);
    assert_true(pairing_g1_is_zero(&c.c2));
    assert_true(ibe_decrypts_to_one(scene.reader, &c));
}

static void combines(void **state)
{
    (void)state;
    ibe_ciphertext base[2], c, again;
    ibe_powers *powers[2];
    scalar_q x[2], k[2], plain, m, term;
    for (unsigned i = 0; i < 2; i++) {
        pairing_scalar_random(&x[i]);
        pairing_scalar_random(&k[i]);
        ibe_encrypt(&base[i], scene.recipient, &x[i]);
        powers[i] = arena_alloc(scene.memory, ibe_powers_bytes());
        assert_non_null(powers[i]);
        ibe_powers_make(powers[i], &base[i]);
    }
    pairing_scalar_random(&plain);
    for (unsigned n = 0; n <= 2; n++) {
        m = plain;
        for (unsigned i = 0; i < n; i++) {
            pairing_scalar_multiply(&term, &x[i], &k[i]);
            pairing_scalar_add(&m, &m, &term);
        }
        ibe_combine(&c, scene.recipient, (const ibe_powers *const *)powers, k, n, &plain);
        assert_decrypts(scene.reader, &c, &m);
        ibe_combine(&again, scene.recipient, (const ibe_powers *const *)powers, k, n, &plain);
        assert_false(pairing_gt_equal(&c.c1, &again.c1));
        assert_false(pairing_g1_equal(&c.c2, &again.c2));
    }
    /* Divided by the product of the simple functions' powers it is a fresh encryption of 1, whose
     * parts have one exponent t: with the private key, A^t e(U^t, d2) = e(g^t, d1). */
    ibe_ciphertext product, one;
    ibe_power(&product, &base[0], &k[0]);
    ibe_power(&one, &base[1], &k[1]);
    ibe_product(&product, &product, &one);
    ibe_encrypt(&one, scene.recipient, &plain);
    ibe_product(&product, &product, &one);
    ibe_quotient(&one, &c, &product);
    assert_false(pairing_g1_is_zero(&one.c2));
    assert_true(ibe_decrypts_to_one(scene.reader, &one));
}

static void joins_generators(void **state)
{
    (void)state;
    static ibe_parameters second, joined;
    ibe_master second_master;
    ibe_key first_part, second_part, key;
    ibe_recipient *recipient;
    ibe_reader *reader;
    ibe_ciphertext c;
    scalar_q m;
    ibe_generate(&second, &second_master);
    ibe_parameters_join(&joined, &scene.parameters, &second);
    assert_true(ibe_parameters_consistent(&joined));
    ibe_extract(&first_part, &joined, &scene.master, &scene.identity);
    ibe_extract(&second_part, &joined, &second_master, &scene.identity);
    assert_false(ibe_key_fits(&first_part, &joined, &scene.identity));
    assert_false(ibe_key_fits(&second_part, &joined, &scene.identity));
    ibe_key_join(&key, &first_part, &second_part);
    assert_true(ibe_key_fits(&key, &joined, &scene.identity));
    assert_int_equal(ibe_recipient_new(&recipient, scene.memory, &joined, &scene.identity, NULL),
                     KITH_OK);
    assert_int_equal(ibe_reader_new(&reader, scene.memory, &key, NULL), KITH_OK);
    pairing_scalar_random(&m);
    ibe_encrypt(&c, recipient, &m);
    assert_decrypts(reader, &c, &m);
    pairing_scalar_of_number(&m, 0);
    ibe_encrypt(&c, recipient, &m);
    assert_int_equal(ibe_reader_new(&reader, scene.memory, &first_part, NULL), KITH_OK);
    assert_false(ibe_decrypts_to_one(reader, &c));
}

static void notices_inconsistent_parameters(void **state)
{
    (void)state;
    static ibe_parameters p;
    static const unsigned places[] = {0, 1, 77, IBE_IDENTITY_BITS};
    assert_true(ibe_parameters_consistent(&scene.parameters));
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        p = scene.parameters;
        pairing_g1_add(&p.u[places[i]], &p.u[places[i]], &p.u[places[i]]);
        assert_false(ibe_parameters_consistent(&p));
        p = scene.parameters;
        pairing_g2_add(&p.w[places[i]], &p.w[places[i]], &p.w[places[i]]);
        assert_false(ibe_parameters_consistent(&p));
    }
    /* Two errors that an unweighted sum would not notice. */
    p = scene.parameters;
    p.u[1] = scene.parameters.u[2];
    p.u[2] = scene.parameters.u[1];
    assert_false(ibe_parameters_consistent(&p));
}

static void formats_and_parses(void **state)
{
    (void)state;
    static ibe_parameters p;
    static unsigned char bytes[IBE_PARAMETERS_BYTES], again[IBE_PARAMETERS_BYTES];
    ibe_master master;
    ibe_key key;
    ibe_ciphertext c;
    scalar_q m;
    ibe_parameters_format(bytes, &scene.parameters);
    assert_true(ibe_parameters_parse(&p, bytes));
    ibe_parameters_format(again, &p);
    assert_memory_equal(bytes, again, IBE_PARAMETERS_BYTES);
    assert_true(ibe_key_fits(&scene.key, &p, &scene.identity));

    ibe_master_format(bytes, &scene.master);
    assert_true(ibe_master_parse(&master, bytes));
    assert_true(pairing_g2_equal(&master.secret, &scene.master.secret));
    ibe_key_format(bytes, &scene.key);
    assert_true(ibe_key_parse(&key, bytes));
    assert_true(ibe_key_fits(&key, &p, &scene.identity));

    pairing_scalar_random(&m);
    ibe_encrypt(&c, scene.recipient, &m);
    ibe_ciphertext_format(bytes, &c);
    assert_true(ibe_ciphertext_parse(&c, bytes));
    assert_decrypts(scene.reader, &c, &m);
    ibe_ciphertext_format(again, &c);
    assert_memory_equal(bytes, again, IBE_CIPHERTEXT_BYTES);
}

static void sends_recipients(void **state)
{
    (void)state;
    unsigned char bytes[IBE_PUBLIC_BYTES];
    ibe_recipient *r;
    ibe_ciphertext c;
    scalar_q m;
    ibe_recipient_format(bytes, scene.recipient);
    assert_int_equal(ibe_recipient_parse(&r, scene.memory, bytes, NULL), KITH_OK);
    pairing_scalar_random(&m);
    ibe_encrypt(&c, r, &m);
    assert_decrypts(scene.reader, &c, &m);
    bytes[GT_BYTES + 7] ^= 1;
    bytes[GT_BYTES + 9] ^= 1;
    bytes[7] ^= 1;
    assert_int_equal(ibe_recipient_parse(&r, scene.memory, bytes, NULL), KITH_DATA);
}

static void refuses_neutral_recipients(void **state)
{
    (void)state;
    static ibe_parameters p;
    ibe_recipient *r;
    p = scene.parameters;
    pairing_gt_one(&p.a);
    assert_int_equal(ibe_recipient_new(&r, scene.memory, &p, &scene.identity, NULL), KITH_DATA);
    p = scene.parameters;
    memset(p.u, 0, sizeof p.u);
    assert_int_equal(ibe_recipient_new(&r, scene.memory, &p, &scene.identity, NULL), KITH_DATA);
}

/* Whatever part is wrong, the whole is refused. */
static void refuses_wrong_parts(void **state)
{
    (void)state;
    static unsigned char good[IBE_PARAMETERS_BYTES], bad[IBE_PARAMETERS_BYTES];
    static const size_t parts[] = {0, GT_BYTES, GT_BYTES + G1_BYTES};
    static ibe_parameters p;
    ibe_ciphertext c;
    ibe_key key;
    ibe_master master;
    scalar_q m;
    pairing_scalar_random(&m);
    ibe_encrypt(&c, scene.recipient, &m);
    ibe_ciphertext_format(good, &c);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(bad, good, IBE_CIPHERTEXT_BYTES);
        bad[parts[i]] = 0x1f; /* the top of a coefficient beyond p, or no flag of compression */
        assert_false(ibe_ciphertext_parse(&c, bad));
    }
    ibe_key_format(good, &scene.key);
    for (unsigned i = 0; i < 2; i++) {
        memcpy(bad, good, IBE_KEY_BYTES);
        bad[i * G2_BYTES] = 0;
        assert_false(ibe_key_parse(&key, bad));
    }
    bad[0] = 0;
    assert_false(ibe_master_parse(&master, bad));
    ibe_parameters_format(good, &scene.parameters);
    static const size_t places[] = {0, GT_BYTES, GT_BYTES + 256 * G1_BYTES,
                                    GT_BYTES + 257 * G1_BYTES, IBE_PARAMETERS_BYTES - G2_BYTES};
    for (unsigned i = 0; i < 5; i++) {
        memcpy(bad, good, IBE_PARAMETERS_BYTES);
        bad[places[i]] = 0x1f;
        assert_false(ibe_parameters_parse(&p, bad));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encrypts),
        cmocka_unit_test(decrypts_as_the_paper_has_it),
        cmocka_unit_test(other_keys_do_not_decrypt),
        cmocka_unit_test(checks_keys),
        cmocka_unit_test(identities_differ),
        cmocka_unit_test(is_homomorphic),
        cmocka_unit_test(combines),
        cmocka_unit_test(joins_generators),
        cmocka_unit_test(notices_inconsistent_parameters),
        cmocka_unit_test(formats_and_parses),
        cmocka_unit_test(sends_recipients),
        cmocka_unit_test(refuses_neutral_recipients),
        cmocka_unit_test(refuses_wrong_parts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
