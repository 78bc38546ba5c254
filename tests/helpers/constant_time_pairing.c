/* For valgrind: pairings and identity-based encryption, with exponents, plaintexts, keys and all
 * that is drawn at random marked as undefined memory. What is sent is marked as defined when it is
 * formatted; memcheck then reports every branch and address that depends on a secret.
 *
 * usage: constant_time_pairing [leak]    "leak" branches on a random scalar */
/* needs: id-based */
/* wrap: secret_memory_random */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <valgrind/memcheck.h>

#include "core/arena.h"
#include "crypto/pairing/ibe.h"
#include "crypto/secret_memory.h"

static void hide(void *bytes, size_t length)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, length);
}

static void show(void *bytes, size_t length)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, length);
}

/* Scalars that the library draws for itself are secrets. */
void __real_secret_memory_random(void *bytes, size_t length);
void __wrap_secret_memory_random(void *bytes, size_t length);
void __wrap_secret_memory_random(void *bytes, size_t length)
{
    __real_secret_memory_random(bytes, length);
    hide(bytes, length);
}

static void must(kith_status status)
{
    if (status != KITH_OK)
        abort();
}

/* What the outside sees of a ciphertext. */
static void publish(ibe_ciphertext *c)
{
    unsigned char bytes[IBE_CIPHERTEXT_BYTES];
    show(c, sizeof *c);
    ibe_ciphertext_format(bytes, c);
    if (!ibe_ciphertext_parse(c, bytes))
        abort();
}

static void powers(void)
{
    static pairing_gt_fixed gt_fixed;
    static pairing_gt_table gt_table;
    static pairing_g1_fixed g1_fixed;
    static pairing_g1_table g1_table;
    const pairing_gt_fixed *const gt_fixed_bases[] = {&gt_fixed};
    const pairing_gt_table *const gt_bases[] = {&gt_table, &gt_table};
    const pairing_g1_table *const g1_bases[] = {&g1_table, &g1_table};
    g1 g, a;
    g2 h, b;
    gt e, c;
    scalar_q s[2], sum;
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_e(&e, &g, &h);
    pairing_gt_fixed_make(&gt_fixed, &e);
    pairing_gt_table_make(&gt_table, &e);
    pairing_g1_fixed_make(&g1_fixed, &g);
    pairing_g1_table_make(&g1_table, &g);
    for (unsigned zero = 0; zero < 2; zero++) {
        pairing_scalar_random(&s[0]);
        pairing_scalar_random(&s[1]);
        if (zero)
            memset(s, 0, sizeof s);
        hide(s, sizeof s);
        pairing_scalar_multiply(&sum, &s[0], &s[1]);
        pairing_scalar_negate(&sum, &sum);
        pairing_gt_power(&c, &e, &s[0]);
        pairing_gt_power_tables(&c, gt_bases, s, 2);
        pairing_gt_power_fixed(&c, gt_fixed_bases, s, 1);
        pairing_g1_multiply(&a, &g, &s[0]);
        pairing_g1_multiply_tables(&a, g1_bases, s, 2);
        pairing_g1_multiply_fixed(&a, &g1_fixed, &s[0]);
        pairing_g2_multiply(&b, &h, &s[0]);
        /* Elements may be secrets, too. */
        pairing_gt_multiply(&c, &c, &c);
        pairing_gt_invert(&c, &c);
        pairing_g1_add(&a, &a, &a);
        pairing_g1_negate(&a, &a);
        pairing_g2_add(&b, &b, &b);
        bool same = pairing_gt_equal(&c, &e);
        show(&same, sizeof same);
    }
}

static void encryption(arena *memory)
{
    static ibe_parameters p;
    ibe_master master;
    ibe_identity v;
    ibe_key key;
    ibe_recipient *recipient;
    ibe_reader *reader;
    ibe_ciphertext c[2], out;
    ibe_powers *bases[2];
    scalar_q plain, exponents[2];
    ibe_generate(&p, &master);
    show(&p, sizeof p); /* published */
    ibe_identity_of(&v, "alice", "2026");
    ibe_extract(&key, &p, &master, &v);
    must(ibe_recipient_new(&recipient, memory, &p, &v, NULL));
    must(ibe_reader_new(&reader, memory, &key, NULL));
    pairing_scalar_random(&plain);
    for (unsigned i = 0; i < 2; i++) {
        ibe_encrypt(&c[i], recipient, &plain);
        publish(&c[i]);
        bases[i] = arena_alloc(memory, ibe_powers_bytes());
        if (bases[i] == NULL)
            abort();
        ibe_powers_make(bases[i], &c[i]);
        pairing_scalar_random(&exponents[i]);
    }
    ibe_combine(&out, recipient, (const ibe_powers *const *)bases, exponents, 2, &plain);
    publish(&out);
    bool one = ibe_decrypts_to_one(reader, &out);
    show(&one, sizeof one);
    if (one)
        abort();
    /* An issued key is checked: the answer is no secret. */
    bool fits = ibe_key_fits(&key, &p, &v);
    show(&fits, sizeof fits);
    if (!fits)
        abort();
}

static void leak(void)
{
    scalar_q s;
    pairing_scalar_random(&s);
    puts(s.bytes[0] % 2 == 1 ? "odd" : "even");
}

int main(int argc, char **argv)
{
    arena *memory = arena_new();
    if (sodium_init() < 0 || memory == NULL)
        return 1;
    if (argc > 1 && strcmp(argv[1], "leak") == 0) {
        leak();
    } else {
        powers();
        encryption(memory);
    }
    arena_free(memory);
    puts("done");
    return 0;
}
