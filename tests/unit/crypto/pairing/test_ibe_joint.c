/* Several generators joined by weights: keys of all together decrypt, those of fewer do not, and a
 * generator that knows the parameters of the others cannot cancel them out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "crypto/pairing/ibe_joint.h"
#include "support/pairing_plain.h"

enum { GENERATORS = 3 };

static struct scene {
    ibe_parameters own[GENERATORS], parts[GENERATORS], joined;
    ibe_master masters[GENERATORS];
    ibe_digest digests[GENERATORS];
    scalar_q weights[GENERATORS];
    ibe_identity v;
    ibe_key partial[GENERATORS], key;
} s;

static void join_parts(ibe_parameters *joined, const ibe_parameters *own, uint32_t n)
{
    ibe_digest digests[GENERATORS];
    for (uint32_t i = 0; i < n; i++)
        ibe_text_digest(&digests[i], &own[i]);
    for (uint32_t i = 0; i < n; i++) {
        scalar_q weight;
        ibe_parameters part;
        ibe_joint_weight(&weight, digests, n, i);
        ibe_joint_parameters(&part, &own[i], &weight);
        if (i == 0)
            *joined = part;
        else
            ibe_parameters_join(joined, joined, &part);
    }
}

static int set_up(void **state)
{
    (void)state;
    if (sodium_init() < 0)
        return -1;
    ibe_identity_of(&s.v, "north", "2026-11");
    for (uint32_t i = 0; i < GENERATORS; i++) {
        ibe_generate(&s.own[i], &s.masters[i]);
        ibe_text_digest(&s.digests[i], &s.own[i]);
    }
    join_parts(&s.joined, s.own, GENERATORS);
    for (uint32_t i = 0; i < GENERATORS; i++) {
        ibe_master weighted;
        ibe_joint_weight(&s.weights[i], s.digests, GENERATORS, i);
        ibe_joint_parameters(&s.parts[i], &s.own[i], &s.weights[i]);
        ibe_joint_master(&weighted, &s.masters[i], &s.weights[i]);
        ibe_extract(&s.partial[i], &s.joined, &weighted, &s.v);
        if (i == 0)
            s.key = s.partial[0];
        else
            ibe_key_join(&s.key, &s.key, &s.partial[i]);
    }
    return 0;
}

static void keys_of_all_fit(void **state)
{
    (void)state;
    assert_true(ibe_key_fits(&s.key, &s.joined, &s.v));
    assert_true(ibe_parameters_consistent(&s.joined));
    for (uint32_t i = 0; i < GENERATORS; i++) {
        ibe_key without = s.partial[(i + 1) % GENERATORS];
        ibe_key_join(&without, &without, &s.partial[(i + 2) % GENERATORS]);
        assert_true(ibe_joint_fits(&s.partial[i], &s.parts[i], &s.joined, &s.v));
        assert_false(ibe_joint_fits(&s.partial[i], &s.own[i], &s.joined, &s.v));
        assert_false(ibe_key_fits(&s.partial[i], &s.joined, &s.v));
        assert_false(ibe_key_fits(&without, &s.joined, &s.v));
    }
}

static void decrypts_with_all_keys_only(void **state)
{
    (void)state;
    arena *memory = arena_new();
    ibe_recipient *to = NULL;
    ibe_reader *whole = NULL, *part = NULL;
    ibe_ciphertext c;
    scalar_q zero;
    pairing_scalar_of_number(&zero, 0);
    assert_int_equal(ibe_recipient_new(&to, memory, &s.joined, &s.v, NULL), KITH_OK);
    assert_int_equal(ibe_reader_new(&whole, memory, &s.key, NULL), KITH_OK);
    assert_int_equal(ibe_reader_new(&part, memory, &s.partial[0], NULL), KITH_OK);
    ibe_encrypt(&c, to, &zero);
    assert_true(ibe_decrypts_to_one(whole, &c));
    assert_false(ibe_decrypts_to_one(part, &c));
    arena_free(memory);
}

static void weights_do_not_depend_on_the_order(void **state)
{
    (void)state;
    const ibe_digest turned[] = {s.digests[2], s.digests[0], s.digests[1]};
    for (uint32_t i = 0; i < GENERATORS; i++) {
        scalar_q weight, of_two;
        ibe_joint_weight(&weight, turned, GENERATORS, (i + 1) % GENERATORS);
        assert_memory_equal(&weight, &s.weights[i], sizeof weight);
        ibe_joint_weight(&of_two, turned, 2, i % 2);
        assert_memory_not_equal(&of_two, &s.weights[i], sizeof weight);
    }
}

/* The second generator sends g^z / u_i and h^z / w_i of the first. In a plain product it knows all
 * exponents, so that d1 / d2^(z ...) would be the secret of the first; the weights prevent it. */
static void cancelling_another_fails(void **state)
{
    (void)state;
    ibe_parameters both[2] = {s.own[0], s.own[0]}, plain, weighted;
    g1 g, known;
    g2 h;
    scalar_q z, minus_one;
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_scalar_random(&z);
    pairing_scalar_of_number(&minus_one, 1);
    pairing_scalar_negate(&minus_one, &minus_one);
    pairing_g1_multiply(&known, &g, &z);
    for (uint32_t i = 0; i <= IBE_IDENTITY_BITS; i++) {
        g2 power;
        pairing_g1_multiply(&both[1].u[i], &both[0].u[i], &minus_one);
        pairing_g1_add(&both[1].u[i], &both[1].u[i], &known);
        pairing_g2_multiply(&both[1].w[i], &both[0].w[i], &minus_one);
        pairing_g2_multiply(&power, &h, &z);
        pairing_g2_add(&both[1].w[i], &both[1].w[i], &power);
    }
    assert_true(ibe_parameters_consistent(&both[1]));
    ibe_parameters_join(&plain, &both[0], &both[1]);
    join_parts(&weighted, both, 2);
    for (uint32_t i = 0; i <= IBE_IDENTITY_BITS; i++) {
        assert_true(pairing_g1_equal(&plain.u[i], &known));
        assert_false(pairing_g1_equal(&weighted.u[i], &known));
        /* With weights the exponents differ from place to place, as those of the first do. */
        assert_true(i == 0 || !pairing_g1_equal(&weighted.u[i], &weighted.u[i - 1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_all_fit),
        cmocka_unit_test(decrypts_with_all_keys_only),
        cmocka_unit_test(weights_do_not_depend_on_the_order),
        cmocka_unit_test(cancelling_another_fails),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
