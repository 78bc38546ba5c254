/* Elements of G1, G2 and GT from a peer: what is accepted is the one encoding of an element of
 * order q, by a witness that multiplies by q. The first byte chooses the group; missing bytes are
 * zeros. */
/* needs: id-based */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <blst.h>
#include <blst_aux.h>

#include "crypto/pairing/pairing.h"

/* q, little-endian. */
static const unsigned char order[SCALAR_Q_BYTES] = {
    0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xfe, 0x5b, 0xfe, 0xff, 0x02, 0xa4, 0xbd, 0x53,
    0x05, 0xd8, 0xa1, 0x09, 0x08, 0xd8, 0x39, 0x33, 0x48, 0x7d, 0x9d, 0x29, 0x53, 0xa7, 0xed, 0x73};

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void try_g1(const unsigned char *bytes)
{
    unsigned char again[G1_BYTES];
    g1 a;
    blst_p1 multiple, sum;
    if (!pairing_g1_parse(&a, bytes))
        return;
    pairing_g1_format(again, &a);
    require(memcmp(again, bytes, G1_BYTES) == 0 && !pairing_g1_is_zero(&a));
    memset(&sum, 0, sizeof sum);
    memcpy(&multiple, &a, sizeof multiple);
    for (unsigned i = 0; i < 256; i++) {
        if (order[i / 8] >> i % 8 & 1)
            blst_p1_add_or_double(&sum, &sum, &multiple);
        blst_p1_double(&multiple, &multiple);
    }
    require(blst_p1_is_inf(&sum));
}

static void try_g2(const unsigned char *bytes)
{
    unsigned char again[G2_BYTES];
    g2 a;
    blst_p2 multiple, sum;
    if (!pairing_g2_parse(&a, bytes))
        return;
    pairing_g2_format(again, &a);
    require(memcmp(again, bytes, G2_BYTES) == 0 && !pairing_g2_is_zero(&a));
    memset(&sum, 0, sizeof sum);
    memcpy(&multiple, &a, sizeof multiple);
    for (unsigned i = 0; i < 256; i++) {
        if (order[i / 8] >> i % 8 & 1)
            blst_p2_add_or_double(&sum, &sum, &multiple);
        blst_p2_double(&multiple, &multiple);
    }
    require(blst_p2_is_inf(&sum));
}

static void try_gt(const unsigned char *bytes)
{
    unsigned char again[GT_BYTES];
    gt a;
    blst_fp12 power, product = *blst_fp12_one();
    if (!pairing_gt_parse(&a, bytes))
        return;
    pairing_gt_format(again, &a);
    require(memcmp(again, bytes, GT_BYTES) == 0 && !pairing_gt_is_one(&a));
    memcpy(&power, &a, sizeof power);
    for (unsigned i = 0; i < 256; i++) {
        if (order[i / 8] >> i % 8 & 1)
            blst_fp12_mul(&product, &product, &power);
        blst_fp12_sqr(&power, &power);
    }
    require(blst_fp12_is_one(&product));
}

/* What the fuzzer can hardly find: an element that is valid, here the multiples and the power of
 * the generators by a scalar that the bytes give. */
static void try_valid(const unsigned char *bytes)
{
    static const scalar_q zero;
    unsigned char encoded[GT_BYTES];
    scalar_q s;
    g1 a;
    g2 b;
    gt c;
    pairing_scalar_of_hash(&s, bytes);
    const bool neutral = memcmp(&s, &zero, sizeof s) == 0;
    pairing_g1_generator(&a);
    pairing_g2_generator(&b);
    pairing_e(&c, &a, &b);
    pairing_g1_multiply(&a, &a, &s);
    pairing_g1_format(encoded, &a);
    require(pairing_g1_parse(&a, encoded) == !neutral);
    try_g1(encoded);
    pairing_g2_multiply(&b, &b, &s);
    pairing_g2_format(encoded, &b);
    require(pairing_g2_parse(&b, encoded) == !neutral);
    try_g2(encoded);
    pairing_gt_power(&c, &c, &s);
    pairing_gt_format(encoded, &c);
    require(pairing_gt_parse(&c, encoded) == !neutral);
    try_gt(encoded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const tries[])(const unsigned char *) = {try_g1, try_g2, try_gt, try_valid};
    unsigned char bytes[GT_BYTES] = {0};
    if (size == 0)
        return 0;
    memcpy(bytes, data + 1, size - 1 < GT_BYTES ? size - 1 : GT_BYTES);
    tries[data[0] % 4](bytes);
    return 0;
}
