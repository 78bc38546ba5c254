/* Encryption, decryption and the operations on ciphertexts. */
#include "crypto/pairing/ibe.h"

#include "core/check.h"
#include "core/error.h"
#include "crypto/secret_memory.h"

enum { BASE_E, BASE_A, GT_BASES };

struct ibe_recipient {
    gt a;
    g1 u;
    pairing_gt_fixed powers[GT_BASES]; /* of E and A */
    pairing_g1_fixed g_multiples, u_multiples;
};

struct ibe_reader {
    pairing_lines d1, d2;
};

struct ibe_powers {
    pairing_gt_table c1;
    pairing_g1_table c2, c3;
};

static kith_status make_recipient(ibe_recipient **out, arena *memory, const gt *a, const g1 *u,
                                  kith_error *error)
{
    g1 g;
    g2 h;
    gt e;
    ibe_recipient *r = TRY_ALLOC(arena_alloc(memory, sizeof *r), error);
    r->a = *a;
    r->u = *u;
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_e(&e, &g, &h);
    pairing_gt_fixed_make(&r->powers[BASE_E], &e);
    pairing_gt_fixed_make(&r->powers[BASE_A], a);
    pairing_g1_fixed_make(&r->g_multiples, &g);
    pairing_g1_fixed_make(&r->u_multiples, u);
    *out = r;
    return KITH_OK;
}

kith_status ibe_recipient_new(ibe_recipient **out, arena *memory, const ibe_parameters *p,
                              const ibe_identity *v, kith_error *error)
{
    g1 u;
    ibe_identity_u(&u, p, v);
    if (pairing_g1_is_zero(&u) || pairing_gt_is_one(&p->a))
        return error_set(error, KITH_DATA, "with these parameters an identity has no public key");
    return make_recipient(out, memory, &p->a, &u, error);
}

void ibe_recipient_format(unsigned char bytes[IBE_PUBLIC_BYTES], const ibe_recipient *r)
{
    pairing_gt_format(bytes, &r->a);
    pairing_g1_format(bytes + GT_BYTES, &r->u);
}

kith_status ibe_recipient_parse(ibe_recipient **out, arena *memory,
                                const unsigned char bytes[IBE_PUBLIC_BYTES], kith_error *error)
{
    gt a;
    g1 u;
    if (!pairing_gt_parse(&a, bytes) || !pairing_g1_parse(&u, bytes + GT_BYTES))
        return error_set(error, KITH_DATA, "not the public key of an identity");
    return make_recipient(out, memory, &a, &u, error);
}

/* (E^plain A^t, g^t, U(v)^t) with a fresh t. */
void ibe_encrypt(ibe_ciphertext *out, const ibe_recipient *r, const scalar_q *plain)
{
    const pairing_gt_fixed *const tables[] = {&r->powers[BASE_E], &r->powers[BASE_A]};
    scalar_q exponents[GT_BASES];
    exponents[BASE_E] = *plain;
    pairing_scalar_random(&exponents[BASE_A]);
    pairing_gt_power_fixed(&out->c1, tables, exponents, GT_BASES);
    pairing_g1_multiply_fixed(&out->c2, &r->g_multiples, &exponents[BASE_A]);
    pairing_g1_multiply_fixed(&out->c3, &r->u_multiples, &exponents[BASE_A]);
    secret_memory_wipe(exponents, sizeof exponents);
}

void ibe_product(ibe_ciphertext *out, const ibe_ciphertext *a, const ibe_ciphertext *b)
{
    pairing_gt_multiply(&out->c1, &a->c1, &b->c1);
    pairing_g1_add(&out->c2, &a->c2, &b->c2);
    pairing_g1_add(&out->c3, &a->c3, &b->c3);
}

size_t ibe_powers_bytes(void)
{
    return (sizeof(ibe_powers) + 15) / 16 * 16;
}

void ibe_powers_make(ibe_powers *out, const ibe_ciphertext *a)
{
    pairing_gt_table_make(&out->c1, &a->c1);
    pairing_g1_table_make(&out->c2, &a->c2);
    pairing_g1_table_make(&out->c3, &a->c3);
}

void ibe_combine(ibe_ciphertext *out, const ibe_recipient *r, const ibe_powers *const *bases,
                 const scalar_q *exponents, size_t n, const scalar_q *plain)
{
    const pairing_gt_table *c1[IBE_COMBINED];
    const pairing_g1_table *c2[IBE_COMBINED], *c3[IBE_COMBINED];
    ibe_ciphertext product, fresh;
    ASSERT(n <= IBE_COMBINED);
    for (size_t i = 0; i < n; i++) {
        c1[i] = &bases[i]->c1;
        c2[i] = &bases[i]->c2;
        c3[i] = &bases[i]->c3;
    }
    pairing_gt_power_tables(&product.c1, c1, exponents, n);
    pairing_g1_multiply_tables(&product.c2, c2, exponents, n);
    pairing_g1_multiply_tables(&product.c3, c3, exponents, n);
    ibe_encrypt(&fresh, r, plain);
    ibe_product(out, &product, &fresh);
    secret_memory_wipe(&product, sizeof product);
    secret_memory_wipe(&fresh, sizeof fresh);
}

kith_status ibe_reader_new(ibe_reader **out, arena *memory, const ibe_key *key, kith_error *error)
{
    if (pairing_g2_is_zero(&key->d1) || pairing_g2_is_zero(&key->d2))
        return error_set(error, KITH_DATA, "a private key of this form decrypts nothing");
    ibe_reader *r = TRY_ALLOC(secret_memory_array(memory, 1, sizeof *r), error);
    pairing_lines_make(&r->d1, &key->d1);
    pairing_lines_make(&r->d2, &key->d2);
    *out = r;
    return KITH_OK;
}

void ibe_decrypt(gt *p, const ibe_reader *r, const ibe_ciphertext *c)
{
    const pairing_lines *const lines[] = {&r->d2, &r->d1};
    g1 points[2];
    gt mask;
    points[0] = c->c3;
    pairing_g1_negate(&points[1], &c->c2);
    pairing_product(&mask, points, lines, 2);
    pairing_gt_multiply(p, &c->c1, &mask);
    secret_memory_wipe(&mask, sizeof mask);
}

bool ibe_decrypts_to_one(const ibe_reader *r, const ibe_ciphertext *c)
{
    gt p;
    ibe_decrypt(&p, r, c);
    const bool one = pairing_gt_is_one(&p);
    secret_memory_wipe(&p, sizeof p);
    return one;
}
