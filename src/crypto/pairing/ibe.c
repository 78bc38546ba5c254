/* Identities, parameters and keys. */
#include "crypto/pairing/ibe.h"

#include <string.h>

#include "crypto/digest.h"
#include "crypto/secret_memory.h"

void ibe_identity_of(ibe_identity *v, const char *name, const char *period)
{
    digest d;
    digest_init(&d, "kith idk", sizeof v->bits);
    digest_part(&d, name, strlen(name));
    digest_part(&d, period, strlen(period));
    digest_final(&d, v->bits);
}

static bool bit_of(const ibe_identity *v, unsigned i)
{
    return (v->bits[i / 8] >> i % 8 & 1) != 0;
}

void ibe_identity_u(g1 *out, const ibe_parameters *p, const ibe_identity *v)
{
    *out = p->u[0];
    for (unsigned i = 0; i < IBE_IDENTITY_BITS; i++)
        if (bit_of(v, i))
            pairing_g1_add(out, out, &p->u[1 + i]);
}

void ibe_generate(ibe_parameters *out, ibe_master *master)
{
    g1 g;
    g2 h;
    gt e;
    scalar_q secret;
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_e(&e, &g, &h);
    pairing_scalar_random(&secret);
    pairing_gt_power(&out->a, &e, &secret);
    pairing_g2_multiply(&master->secret, &h, &secret);
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++) {
        pairing_scalar_random(&secret);
        pairing_g1_multiply(&out->u[i], &g, &secret);
        pairing_g2_multiply(&out->w[i], &h, &secret);
    }
    secret_memory_wipe(&secret, sizeof secret);
}

void ibe_extract(ibe_key *out, const ibe_parameters *p, const ibe_master *master,
                 const ibe_identity *v)
{
    g2 h, w;
    scalar_q r;
    pairing_g2_generator(&h);
    w = p->w[0];
    for (unsigned i = 0; i < IBE_IDENTITY_BITS; i++)
        if (bit_of(v, i))
            pairing_g2_add(&w, &w, &p->w[1 + i]);
    pairing_scalar_random(&r);
    pairing_g2_multiply(&out->d1, &w, &r);
    pairing_g2_add(&out->d1, &out->d1, &master->secret);
    pairing_g2_multiply(&out->d2, &h, &r);
    secret_memory_wipe(&r, sizeof r);
}

bool ibe_key_fits(const ibe_key *key, const ibe_parameters *p, const ibe_identity *v)
{
    g1 points[2];
    gt a;
    pairing_lines d1, d2;
    const pairing_lines *const lines[] = {&d1, &d2};
    if (pairing_g2_is_zero(&key->d1) || pairing_g2_is_zero(&key->d2))
        return false; /* a product of keys that were made to cancel out */
    pairing_g1_generator(&points[0]);
    ibe_identity_u(&points[1], p, v);
    pairing_g1_negate(&points[1], &points[1]);
    pairing_lines_make(&d1, &key->d1);
    pairing_lines_make(&d2, &key->d2);
    pairing_product(&a, points, lines, 2);
    secret_memory_wipe(&d1, sizeof d1);
    secret_memory_wipe(&d2, sizeof d2);
    return pairing_gt_equal(&a, &p->a);
}

void ibe_parameters_join(ibe_parameters *out, const ibe_parameters *a, const ibe_parameters *b)
{
    pairing_gt_multiply(&out->a, &a->a, &b->a);
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++) {
        pairing_g1_add(&out->u[i], &a->u[i], &b->u[i]);
        pairing_g2_add(&out->w[i], &a->w[i], &b->w[i]);
    }
}

void ibe_key_join(ibe_key *out, const ibe_key *a, const ibe_key *b)
{
    pairing_g2_add(&out->d1, &a->d1, &b->d1);
    pairing_g2_add(&out->d2, &a->d2, &b->d2);
}

bool ibe_parameters_consistent(const ibe_parameters *p)
{
    unsigned char weights[IBE_IDENTITY_BITS + 1][PAIRING_WEIGHT_BYTES];
    g1 g, u;
    g2 h, w;
    gt left, right;
    secret_memory_random(weights, sizeof weights);
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_g1_weighted_sum(&u, p->u, (const unsigned char(*)[PAIRING_WEIGHT_BYTES])weights,
                            IBE_IDENTITY_BITS + 1);
    pairing_g2_weighted_sum(&w, p->w, (const unsigned char(*)[PAIRING_WEIGHT_BYTES])weights,
                            IBE_IDENTITY_BITS + 1);
    pairing_e(&left, &u, &h);
    pairing_e(&right, &g, &w);
    return pairing_gt_equal(&left, &right);
}

/* --- encodings --- */

bool ibe_parameters_parse(ibe_parameters *out, const unsigned char bytes[IBE_PARAMETERS_BYTES])
{
    if (!pairing_gt_parse(&out->a, bytes))
        return false;
    bytes += GT_BYTES;
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++, bytes += G1_BYTES)
        if (!pairing_g1_parse(&out->u[i], bytes))
            return false;
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++, bytes += G2_BYTES)
        if (!pairing_g2_parse(&out->w[i], bytes))
            return false;
    return true;
}

void ibe_parameters_format(unsigned char bytes[IBE_PARAMETERS_BYTES], const ibe_parameters *p)
{
    pairing_gt_format(bytes, &p->a);
    bytes += GT_BYTES;
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++, bytes += G1_BYTES)
        pairing_g1_format(bytes, &p->u[i]);
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++, bytes += G2_BYTES)
        pairing_g2_format(bytes, &p->w[i]);
}

bool ibe_master_parse(ibe_master *out, const unsigned char bytes[IBE_MASTER_BYTES])
{
    return pairing_g2_parse(&out->secret, bytes);
}

void ibe_master_format(unsigned char bytes[IBE_MASTER_BYTES], const ibe_master *m)
{
    pairing_g2_format(bytes, &m->secret);
}

bool ibe_key_parse(ibe_key *out, const unsigned char bytes[IBE_KEY_BYTES])
{
    return pairing_g2_parse(&out->d1, bytes) && pairing_g2_parse(&out->d2, bytes + G2_BYTES);
}

void ibe_key_format(unsigned char bytes[IBE_KEY_BYTES], const ibe_key *key)
{
    pairing_g2_format(bytes, &key->d1);
    pairing_g2_format(bytes + G2_BYTES, &key->d2);
}

bool ibe_ciphertext_parse(ibe_ciphertext *out, const unsigned char bytes[IBE_CIPHERTEXT_BYTES])
{
    return pairing_gt_parse(&out->c1, bytes) && pairing_g1_parse(&out->c2, bytes + GT_BYTES) &&
           pairing_g1_parse(&out->c3, bytes + GT_BYTES + G1_BYTES);
}

void ibe_ciphertext_format(unsigned char bytes[IBE_CIPHERTEXT_BYTES], const ibe_ciphertext *c)
{
    pairing_gt_format(bytes, &c->c1);
    pairing_g1_format(bytes + GT_BYTES, &c->c2);
    pairing_g1_format(bytes + GT_BYTES + G1_BYTES, &c->c3);
}
