/* Base transfers and their extension: the chosen bit and only it, streams that go on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "crypto/ot_extension.h"
#include "crypto/bit_transpose.h"
#include "support/session.h"

typedef struct pair {
    arena *memory;
    ot_extension_sender *sender;
    ot_extension_receiver *receiver;
    uint64_t choice[2];
    base_ot_keys chosen, zero, one;
    ot_extension_trees trees;
} pair;

static pair *joined(void)
{
    static const unsigned char hash_key[16] = "a public key";
    pair *x = calloc(1, sizeof *x);
    scalar secret;
    point offer, answer[BASE_OTS];
    assert_non_null(x);
    x->memory = arena_new();
    randombytes_buf(x->choice, sizeof x->choice);
    assert_true(base_ot_offer(&secret, &offer));
    assert_true(base_ot_choose(answer, &x->chosen, &offer, x->choice));
    assert_true(base_ot_accept(&x->zero, &x->one, &secret, &offer, answer));
    assert_true(sodium_is_zero(secret.bytes, sizeof secret.bytes));
    assert_int_equal(ot_extension_receiver_new(&x->receiver, x->memory, &x->zero, &x->one,
                                               &x->trees, hash_key, NULL),
                     KITH_OK);
    assert_int_equal(ot_extension_sender_new(&x->sender, x->memory, x->choice, &x->chosen,
                                             &x->trees, hash_key, NULL),
                     KITH_OK);
    return x;
}

static void part(pair *x)
{
    arena_free(x->memory);
    free(x);
}

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static void base_gives_the_chosen_key(void **state)
{
    (void)state;
    pair *x = joined();
    for (unsigned i = 0; i < BASE_OTS; i++) {
        bool choice = x->choice[i / 64] >> i % 64 & 1;
        const unsigned char *right = choice ? x->one.keys[i] : x->zero.keys[i];
        const unsigned char *wrong = choice ? x->zero.keys[i] : x->one.keys[i];
        assert_memory_equal(x->chosen.keys[i], right, BASE_OT_KEY_BYTES);
        assert_memory_not_equal(x->chosen.keys[i], wrong, BASE_OT_KEY_BYTES);
    }
    part(x);
}

static void base_refuses_bad_points(void **state)
{
    (void)state;
    scalar secret;
    point offer, answer[BASE_OTS], bad = {{0}};
    base_ot_keys keys, one;
    uint64_t choice[2] = {5, 9};
    assert_false(base_ot_choose(answer, &keys, &bad, choice));
    assert_true(base_ot_offer(&secret, &offer));
    assert_true(base_ot_choose(answer, &keys, &offer, choice));
    answer[77] = bad;
    assert_false(base_ot_accept(&keys, &one, &secret, &offer, answer));
    memset(bad.bytes, 0xff, sizeof bad.bytes);
    assert_false(base_ot_choose(answer, &keys, &bad, choice));
}

static void extension_gives_the_chosen_bit(void **state)
{
    (void)state;
    pair *x = joined();
    static uint64_t message[OT_EXTENSION_MESSAGE_WORDS], choice[OT_EXTENSION_WORDS],
        bit[OT_EXTENSION_WORDS], zero[OT_EXTENSION_WORDS], one[OT_EXTENSION_WORDS];
    static const size_t sizes[] = {1, OT_EXTENSION_WORDS, 3, 1};
    uint64_t ones = 0, differ = 0, total = 0;
    for (unsigned round = 0; round < 4; round++) {
        size_t words = sizes[round];
        randombytes_buf(choice, sizeof choice);
        assert_int_equal(
            ot_extension_receiver_block(x->receiver, message, bit, choice, words, NULL), KITH_OK);
        assert_int_equal(ot_extension_sender_block(x->sender, zero, one, message, words, NULL),
                         KITH_OK);
        for (size_t w = 0; w < words; w++) {
            assert_int_equal(bit[w], zero[w] ^ (choice[w] & (zero[w] ^ one[w])));
            ones += (uint64_t)__builtin_popcountll(zero[w]);
            differ += (uint64_t)__builtin_popcountll(zero[w] ^ one[w]);
            total += 64;
        }
    }
    /* Both bits look random, and independent of each other: 6.5 deviations. */
    double limit = 6.5 * 0.5 * __builtin_sqrt((double)total);
    assert_true(__builtin_fabs((double)ones - (double)total / 2) < limit);
    assert_true(__builtin_fabs((double)differ - (double)total / 2) < limit);
    part(x);
}

static void streams_continue(void **state)
{
    (void)state;
    pair *x = joined();
    uint64_t message[2][OT_EXTENSION_TREES], choice = 0, bit[2], zero[2], one[2];
    for (unsigned round = 0; round < 2; round++) {
        assert_int_equal(
            ot_extension_receiver_block(x->receiver, message[round], &bit[round], &choice, 1, NULL),
            KITH_OK);
        assert_int_equal(ot_extension_sender_block(x->sender, &zero[round], &one[round],
                                                   message[round], 1, NULL),
                         KITH_OK);
    }
    for (unsigned a = 0; a < OT_EXTENSION_TREES; a++)
        for (unsigned b = 0; b < OT_EXTENSION_TREES; b++)
            assert_true(message[0][a] != message[1][b]);
    assert_true(bit[0] != bit[1] && one[0] != one[1]);
    part(x);
}

/* A part of the trees that is wrong spoils transfers: the sums of all levels are used. */
static void every_sum_counts(void **state)
{
    (void)state;
    static const unsigned char hash_key[16] = "a public key";
    for (unsigned i = 0; i < BASE_OTS; i += 7) {
        uint64_t message[OT_EXTENSION_TREES], choice, bit, zero, one;
        ot_extension_sender *wrong;
        pair *fresh = joined();
        fresh->trees.sums[i][fresh->choice[i / 64] >> i % 64 & 1].halves[i % 2] ^= UINT64_C(1)
                                                                                   << i % 64;
        assert_int_equal(ot_extension_sender_new(&wrong, fresh->memory, fresh->choice,
                                                 &fresh->chosen, &fresh->trees, hash_key, NULL),
                         KITH_OK);
        randombytes_buf(&choice, sizeof choice);
        assert_int_equal(
            ot_extension_receiver_block(fresh->receiver, message, &bit, &choice, 1, NULL), KITH_OK);
        assert_int_equal(ot_extension_sender_block(wrong, &zero, &one, message, 1, NULL), KITH_OK);
        assert_true(bit != (zero ^ (choice & (zero ^ one))));
        part(fresh);
    }
}

/* Whatever the choices, the columns are uniform. */
static void columns_hide_choices(void **state)
{
    (void)state;
    pair *x = joined();
    static uint64_t message[OT_EXTENSION_MESSAGE_WORDS], choice[OT_EXTENSION_WORDS],
        bit[OT_EXTENSION_WORDS];
    for (int set = 0; set < 2; set++) {
        uint64_t bin[256] = {0};
        memset(choice, set ? 0xff : 0, sizeof choice);
        assert_int_equal(ot_extension_receiver_block(x->receiver, message, bit, choice,
                                                     OT_EXTENSION_WORDS, NULL),
                         KITH_OK);
        for (size_t i = 0; i < sizeof message; i++)
            bin[((unsigned char *)message)[i]]++;
        assert_true(session_uniform_p(bin, 0, 255) > 1e-9);
    }
    part(x);
}

static void transposes(void **state)
{
    (void)state;
    uint64_t before[64], after[64];
    randombytes_buf(before, sizeof before);
    memcpy(after, before, sizeof after);
    bit_transpose_64(after);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = 0; j < 64; j++)
            assert_int_equal(after[j] >> i & 1, before[i] >> j & 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_gives_the_chosen_key),
        cmocka_unit_test(base_refuses_bad_points),
        cmocka_unit_test(extension_gives_the_chosen_bit),
        cmocka_unit_test(streams_continue),
        cmocka_unit_test(every_sum_counts),
        cmocka_unit_test(columns_hide_choices),
        cmocka_unit_test(transposes),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
