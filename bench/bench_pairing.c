/* Pairings and identity-based encryption: what an operation costs, and what it would cost if it
 * were written down simply over blst's functions. All figures are processor time of one core, the
 * least of several rounds, in which the operations take turns. */
/* needs: id-based */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <blst.h>
#include <sodium.h>

#include "core/arena.h"
#include "crypto/pairing/ibe.h"

enum { ROUNDS = 9 };

static struct scene {
    arena *memory;
    ibe_parameters parameters;
    ibe_master master;
    ibe_identity identity;
    ibe_key key;
    ibe_recipient *recipient;
    ibe_reader *reader;
    ibe_ciphertext c[2], out;
    ibe_powers *powers[2];
    scalar_q s[2], plain;
    gt a, result;
    pairing_gt_fixed fixed;
    pairing_gt_table table;
    unsigned char bytes[IBE_CIPHERTEXT_BYTES];
} scene;

static int set_up(void)
{
    if (sodium_init() < 0 || (scene.memory = arena_new()) == NULL)
        return -1;
    ibe_generate(&scene.parameters, &scene.master);
    ibe_identity_of(&scene.identity, "alice", "2026");
    ibe_extract(&scene.key, &scene.parameters, &scene.master, &scene.identity);
    if (ibe_recipient_new(&scene.recipient, scene.memory, &scene.parameters, &scene.identity,
                          NULL) != KITH_OK ||
        ibe_reader_new(&scene.reader, scene.memory, &scene.key, NULL) != KITH_OK)
        return -1;
    pairing_scalar_random(&scene.plain);
    for (unsigned i = 0; i < 2; i++) {
        pairing_scalar_random(&scene.s[i]);
        ibe_encrypt(&scene.c[i], scene.recipient, &scene.s[i]);
        if ((scene.powers[i] = arena_alloc(scene.memory, ibe_powers_bytes())) == NULL)
            return -1;
        ibe_powers_make(scene.powers[i], &scene.c[i]);
    }
    scene.a = scene.parameters.a;
    pairing_gt_fixed_make(&scene.fixed, &scene.a);
    pairing_gt_table_make(&scene.table, &scene.a);
    ibe_ciphertext_format(scene.bytes, &scene.c[0]);
    /* As they come from a peer: normalized. */
    return ibe_ciphertext_parse(&scene.c[0], scene.bytes) ? 0 : -1;
}

/* --- baselines over blst's functions --- */

/* Constant time, as any power with a secret exponent must be: always multiplies, then chooses. */
static void plain_power(void)
{
    blst_fp12 result = *blst_fp12_one(), base, product;
    memcpy(&base, &scene.a, sizeof base);
    for (unsigned i = 255; i-- > 0;) {
        blst_fp12_sqr(&result, &result);
        blst_fp12_mul(&product, &result, &base);
        const uint64_t mask = 0 - (uint64_t)(scene.s[0].bytes[i / 8] >> i % 8 & 1);
        uint64_t *to = (uint64_t *)&result;
        const uint64_t *from = (const uint64_t *)&product;
        for (unsigned k = 0; k < sizeof result / 8; k++)
            to[k] ^= mask & (to[k] ^ from[k]);
    }
    memcpy(&scene.result, &result, sizeof result);
}

/* The same with branches on the exponent: what a careless program would do. */
static void careless_power(void)
{
    blst_fp12 result = *blst_fp12_one(), base;
    memcpy(&base, &scene.a, sizeof base);
    for (unsigned i = 255; i-- > 0;) {
        blst_fp12_sqr(&result, &result);
        if (scene.s[0].bytes[i / 8] >> i % 8 & 1)
            blst_fp12_mul(&result, &result, &base);
    }
    memcpy(&scene.result, &result, sizeof result);
}

static void plain_pairing(gt *out, const g1 *a, const g2 *b)
{
    blst_p1_affine p;
    blst_p2_affine q;
    blst_fp12 f;
    blst_p1_to_affine(&p, (const blst_p1 *)a);
    blst_p2_to_affine(&q, (const blst_p2 *)b);
    blst_miller_loop(&f, &q, &p);
    blst_final_exp(&f, &f);
    memcpy(out, &f, sizeof f);
}

static void plain_decryption(void)
{
    gt above, below;
    plain_pairing(&above, &scene.c[0].c3, &scene.key.d2);
    plain_pairing(&below, &scene.c[0].c2, &scene.key.d1);
    pairing_gt_invert(&below, &below);
    pairing_gt_multiply(&above, &above, &below);
    pairing_gt_multiply(&scene.result, &scene.c[0].c1, &above);
}

static void plain_combination(void)
{
    ibe_ciphertext a, b, *const powers[] = {&a, &b};
    for (unsigned i = 0; i < 2; i++) {
        pairing_gt_power(&powers[i]->c1, &scene.c[i].c1, &scene.s[i]);
        pairing_g1_multiply(&powers[i]->c2, &scene.c[i].c2, &scene.s[i]);
        pairing_g1_multiply(&powers[i]->c3, &scene.c[i].c3, &scene.s[i]);
    }
    ibe_product(&a, &a, &b);
    ibe_encrypt(&b, scene.recipient, &scene.plain);
    ibe_product(&scene.out, &a, &b);
}

static void plain_double_multiplication(void)
{
    blst_p1 a, b;
    blst_p1_mult(&a, (const blst_p1 *)&scene.c[0].c2, scene.s[0].bytes, 255);
    blst_p1_mult(&b, (const blst_p1 *)&scene.c[1].c2, scene.s[1].bytes, 255);
    blst_p1_add_or_double((blst_p1 *)&scene.out.c2, &a, &b);
}

/* --- ours --- */

static void power(void)
{
    pairing_gt_power(&scene.result, &scene.a, &scene.s[0]);
}

static void prepared_power(void)
{
    const pairing_gt_table *const tables[] = {&scene.table};
    pairing_gt_power_tables(&scene.result, tables, scene.s, 1);
}

static void fixed_power(void)
{
    const pairing_gt_fixed *const tables[] = {&scene.fixed};
    pairing_gt_power_fixed(&scene.result, tables, scene.s, 1);
}

static void double_multiplication(void)
{
    static pairing_g1_table tables[2];
    static bool made;
    const pairing_g1_table *const both[] = {&tables[0], &tables[1]};
    for (unsigned i = 0; !made && i < 2; i++)
        pairing_g1_table_make(&tables[i], &scene.c[i].c2);
    made = true;
    pairing_g1_multiply_tables(&scene.out.c2, both, scene.s, 2);
}

static void encrypt(void)
{
    ibe_encrypt(&scene.out, scene.recipient, &scene.plain);
}

static void prepare(void)
{
    ibe_powers_make(scene.powers[0], &scene.c[0]);
}

static void combine(void)
{
    ibe_combine(&scene.out, scene.recipient, (const ibe_powers *const *)scene.powers, scene.s, 2,
                &scene.plain);
}

static void decrypt(void)
{
    ibe_decrypt(&scene.result, scene.reader, &scene.c[0]);
}

static void parse(void)
{
    if (!ibe_ciphertext_parse(&scene.out, scene.bytes))
        fputs("a good ciphertext was refused\n", stderr);
}

static void format(void)
{
    unsigned char bytes[IBE_CIPHERTEXT_BYTES];
    ibe_ciphertext_format(bytes, &scene.c[1]);
}

static void read_parameters(void)
{
    static unsigned char bytes[IBE_PARAMETERS_BYTES];
    static ibe_parameters p;
    if (bytes[GT_BYTES] == 0)
        ibe_parameters_format(bytes, &scene.parameters);
    if (!ibe_parameters_parse(&p, bytes) || !ibe_parameters_consistent(&p))
        fputs("good parameters were refused\n", stderr);
}

static const struct operation {
    const char *name;
    void (*run)(void);
    unsigned repetitions;
    int baseline; /* row to compare with; -1: none */
} operations[] = {
    {"power in GT: square and always multiply, over blst", plain_power, 8, -1},
    {"power in GT: square and multiply with branches", careless_power, 8, -1},
    {"power in GT", power, 16, 0},
    {"power in GT, prepared base", prepared_power, 16, 0},
    {"power in GT, fixed base", fixed_power, 16, 0},
    {"two multiplications in G1, blst", plain_double_multiplication, 16, -1},
    {"two multiplications in G1, prepared", double_multiplication, 16, 5},
    {"decryption: two pairings of blst", plain_decryption, 4, -1},
    {"decryption", decrypt, 8, 7},
    {"encryption", encrypt, 16, -1},
    {"combination: powers, product, encryption apart", plain_combination, 8, -1},
    {"combination of two prepared ciphertexts", combine, 8, 10},
    {"preparing a ciphertext", prepare, 16, -1},
    {"parsing a ciphertext, with all checks", parse, 16, -1},
    {"formatting a ciphertext", format, 16, -1},
    {"parsing and checking all parameters", read_parameters, 1, -1},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    double best[OPERATIONS];
    if (set_up() != 0) {
        fputs("cannot set up the benchmark\n", stderr);
        return 1;
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < OPERATIONS; i++) {
            const double start = seconds();
            for (unsigned k = 0; k < operations[i].repetitions; k++)
                operations[i].run();
            const double one = (seconds() - start) / operations[i].repetitions;
            if (round == 0 || one < best[i])
                best[i] = one;
        }
    for (unsigned i = 0; i < OPERATIONS; i++) {
        printf("%-52s %9.1f us", operations[i].name, 1e6 * best[i]);
        if (operations[i].baseline >= 0)
            printf("   %.2f times as fast", best[operations[i].baseline] / best[i]);
        putchar('\n');
    }
    arena_free(scene.memory);
    return 0;
}
