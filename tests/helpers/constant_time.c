/* For valgrind: secrets are marked as undefined memory, so that memcheck reports every branch and
 * every address that depends on one. What the outside may know is marked as defined again.
 *
 * usage: constant_time [leak]    "leak" branches on a secret, to see that the method works */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <valgrind/memcheck.h>

#include "core/arena.h"
#include "crypto/ristretto.h"
#include "crypto/ot_extension.h"
#include "crypto/prg.h"
#include "crypto/bit_transpose.h"
#include "smc/sums/pair_masks.h"

static void secret(void *bytes, size_t length)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, length);
}

static void open_up(void *bytes, size_t length)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, length);
}

static void must(kith_status status)
{
    if (status != KITH_OK)
        abort();
}

static void streams_and_masks(arena *memory)
{
    static const uint64_t moduli[] = {0, 2147483647, 251};
    unsigned char key[PRG_KEY_BYTES] = {7};
    uint64_t by[512], value[512] = {0};
    prg *g;
    secret(key, sizeof key);
    must(prg_new(&g, memory, key, 1, 2, NULL));
    must(prg_bytes(g, by, sizeof by, NULL));
    for (unsigned m = 0; m < 3; m++) {
        memset(value, 1, sizeof value);
        secret(value, sizeof value);
        for (unsigned i = 0; i < 512; i++) {
            value[i] = pair_masks_sum(value[i], by[i], moduli[m]);
            value[i] = pair_masks_difference(value[i], by[i], moduli[m]);
        }
        open_up(value, sizeof value);
    }
}

static void transfers(arena *memory)
{
    static uint64_t message[OT_EXTENSION_TREES * 2];
    static ot_extension_trees trees;
    uint64_t choices[2] = {5, 6}, choice[2] = {1, 2}, bit[2], zero[2], one[2];
    static base_ot_keys first, second;
    unsigned char hash_key[16] = {3};
    ot_extension_sender *s;
    ot_extension_receiver *r;
    secret(&first, sizeof first);
    secret(&second, sizeof second);
    secret(choices, sizeof choices);
    secret(choice, sizeof choice);
    must(ot_extension_receiver_new(&r, memory, &first, &second, &trees, hash_key, NULL));
    must(ot_extension_sender_new(&s, memory, choices, &first, &trees, hash_key, NULL));
    must(ot_extension_receiver_block(r, message, bit, choice, 2, NULL));
    must(ot_extension_sender_block(s, zero, one, message, 2, NULL));
}

static void bits_and_points(void)
{
    uint64_t square[64];
    point no, yes, out;
    unsigned choice = 1;
    memset(square, 5, sizeof square);
    ristretto_hash(&no, "test", "no", 2);
    ristretto_hash(&yes, "test", "yes", 3);
    secret(square, sizeof square);
    secret(&choice, sizeof choice);
    bit_transpose_64(square);
    ristretto_select(&out, &no, &yes, choice);
}

static void leak(void)
{
    unsigned bit = 1;
    secret(&bit, sizeof bit);
    puts(bit != 0 ? "one" : "zero");
}

int main(int argc, char **argv)
{
    arena *memory = arena_new();
    if (sodium_init() < 0 || memory == NULL)
        return 1;
    if (argc > 1 && strcmp(argv[1], "leak") == 0)
        leak();
    streams_and_masks(memory);
    transfers(memory);
    bits_and_points();
    arena_free(memory);
    puts("done");
    return 0;
}
