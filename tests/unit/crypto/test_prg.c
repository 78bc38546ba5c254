/* Streams: independent by name, the same however they are read, residues uniform. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <sodium.h>

#include "crypto/prg.h"
#include "crypto/secret_memory.h"
#include "support/session.h"

static arena *memory;

static int open_arena(void **state)
{
    (void)state;
    memory = arena_new();
    return sodium_init() < 0 || memory == NULL ? -1 : 0;
}

static int close_arena(void **state)
{
    (void)state;
    arena_free(memory);
    return 0;
}

static prg *stream(unsigned char key_byte, uint64_t call, uint32_t lane)
{
    unsigned char key[PRG_KEY_BYTES] = {key_byte};
    prg *g;
    assert_int_equal(prg_new(&g, memory, key, call, lane, NULL), KITH_OK);
    return g;
}

static void first_block(unsigned char out[32], unsigned char key, uint64_t call, uint32_t lane)
{
    assert_int_equal(prg_bytes(stream(key, call, lane), out, 32, NULL), KITH_OK);
}

static void agrees_with_the_cipher(void **state)
{
    (void)state;
    /* FIPS 197, appendix C.3, is AES-256 of a block; here the block is the counter 0, whose
     * encryption under the all-zero key is a known answer (NIST AESAVS, GFSbox and KAT tables). */
    unsigned char block[16];
    char hex[33];
    assert_int_equal(prg_bytes(stream(0, 0, 0), block, 16, NULL), KITH_OK);
    sodium_bin2hex(hex, sizeof hex, block, 16);
    assert_string_equal(hex, "dc95c078a2408989ad48a21492842087");
}

static void names_make_streams(void **state)
{
    (void)state;
    unsigned char block[5][32], again[32];
    first_block(block[0], 1, 1, 1);
    first_block(block[1], 2, 1, 1);
    first_block(block[2], 1, 2, 1);
    first_block(block[3], 1, 1, 2);
    first_block(block[4], 1, UINT64_C(1) << 32, 1);
    first_block(again, 1, 1, 1);
    assert_memory_equal(again, block[0], 32);
    for (unsigned a = 0; a < 5; a++)
        for (unsigned b = 0; b < a; b++)
            assert_memory_not_equal(block[a], block[b], 32);
    prg *one, *two;
    assert_int_equal(prg_new_private(&one, memory, NULL), KITH_OK);
    assert_int_equal(prg_new_private(&two, memory, NULL), KITH_OK);
    assert_int_equal(prg_bytes(one, block[0], 32, NULL), KITH_OK);
    assert_int_equal(prg_bytes(two, block[1], 32, NULL), KITH_OK);
    assert_memory_not_equal(block[0], block[1], 32);
}

static void one_stream_however_read(void **state)
{
    (void)state;
    static unsigned char whole[10000], parts[10000];
    assert_int_equal(prg_bytes(stream(9, 1, 1), whole, sizeof whole, NULL), KITH_OK);
    prg *g = stream(9, 1, 1);
    size_t done = 0;
    for (size_t step = 1; done + step <= sizeof parts; done += step, step += 7)
        assert_int_equal(prg_bytes(g, parts + done, step, NULL), KITH_OK);
    assert_memory_equal(whole, parts, done);
    g = stream(9, 1, 1); /* residues modulo 256 are the bytes themselves, read through the buffer */
    assert_int_equal(prg_residues8(g, parts, 100, 256, NULL), KITH_OK);
    assert_int_equal(prg_bytes(g, parts + 100, 5000, NULL), KITH_OK);
    assert_memory_equal(whole, parts, 5100);
}

static void residues_are_uniform(void **state)
{
    (void)state;
    static const unsigned moduli[] = {2, 3, 100, 250, 251, 256};
    static uint8_t small[200000];
    for (unsigned i = 0; i < 6; i++) {
        uint64_t bin[256] = {0};
        assert_int_equal(prg_residues8(stream(3, i, 0), small, sizeof small, moduli[i], NULL),
                         KITH_OK);
        for (size_t k = 0; k < sizeof small; k++)
            bin[small[k]]++;
        for (unsigned k = moduli[i]; k < 256; k++)
            assert_int_equal(bin[k], 0);
        if (moduli[i] > 3)
            assert_true(session_uniform_p(bin, 0, moduli[i] - 1) > 1e-9);
    }
    static uint64_t large[100000];
    static const uint64_t wide[] = {1, 7, 200, (UINT64_C(1) << 61) - 1};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t bin[256] = {0};
        assert_int_equal(prg_residues64(stream(4, i, 0), large, 100000, wide[i], NULL), KITH_OK);
        for (size_t k = 0; k < 100000; k++) {
            assert_true(large[k] < wide[i]);
            bin[i == 3 ? large[k] >> 53 : large[k]]++;
        }
        if (i > 1)
            assert_true(session_uniform_p(bin, 0, i == 3 ? 255 : 199) > 1e-9);
    }
}

static void shuffles_uniformly(void **state)
{
    (void)state;
    prg *g = stream(5, 0, 0);
    uint64_t bin[24] = {0};
    for (unsigned round = 0; round < 24000; round++) {
        char items[] = "abcd";
        assert_int_equal(prg_shuffle(g, items, 4, 1, NULL), KITH_OK);
        unsigned rank = 0;
        for (unsigned i = 0; i < 4; i++) {
            unsigned smaller = 0;
            for (unsigned j = i + 1; j < 4; j++)
                smaller += items[j] < items[i];
            rank = rank * (4 - i) + smaller;
        }
        bin[rank]++;
    }
    assert_true(session_uniform_p(bin, 0, 23) > 1e-9);
}

static void secrets_are_wiped(void **state)
{
    (void)state;
    /* The arena's cleanups run before its memory goes: look from a cleanup that runs last. */
    unsigned char *secret = secret_memory_array(memory, 10, 10);
    assert_non_null(secret);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(secret[i], 0);
    memset(secret, 7, 100);
    secret_memory_wipe(secret, 100);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(secret[i], 0);
    assert_non_null(secret_memory_locked(memory, 64));
    assert_null(secret_memory_array(memory, SIZE_MAX / 2, 4));
}

static unsigned char *watched;
static unsigned left_over;

static void look(void *object)
{
    (void)object;
    left_over = 0;
    for (unsigned i = 0; i < 50; i++)
        left_over += watched[i] != 0;
}

static void arenas_wipe_secrets(void **state)
{
    (void)state;
    arena *own = arena_new();
    assert_non_null(own);
    assert_true(arena_defer(own, look, &left_over)); /* first in, last out */
    watched = secret_memory_array(own, 50, 1);
    assert_non_null(watched);
    memset(watched, 9, 50);
    left_over = 50;
    arena_free(own);
    assert_int_equal(left_over, 0);
}

/* The bytes behind the last one would be those of the next lane. */
static void ends_at_its_capacity(void **state)
{
    unsigned char bytes[32];
    (void)state;
    prg *g = stream(1, 2, 3);
    assert_int_equal(prg_bytes(g, bytes, 16, NULL), KITH_OK);
    assert_int_equal(prg_bytes(g, bytes, PRG_CAPACITY - 15, NULL), KITH_BUG);
    assert_int_equal(prg_bytes(g, bytes, 16, NULL), KITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_cipher),  cmocka_unit_test(names_make_streams),
        cmocka_unit_test(one_stream_however_read), cmocka_unit_test(residues_are_uniform),
        cmocka_unit_test(shuffles_uniformly),      cmocka_unit_test(secrets_are_wiped),
        cmocka_unit_test(arenas_wipe_secrets),     cmocka_unit_test(ends_at_its_capacity),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
