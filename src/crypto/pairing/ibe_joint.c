#include "crypto/pairing/ibe_joint.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/sort.h"

void ibe_joint_sort(ibe_digest *digests, uint32_t n)
{
    qsort(digests, n, sizeof *digests, sort_32_bytes);
}

void ibe_joint_weight(scalar_q *out, const ibe_digest *digests, uint32_t n, uint32_t which)
{
    ibe_digest sorted[IBE_TEXT_PARTS];
    unsigned char hash[PAIRING_HASH_BYTES];
    digest d;
    ASSERT(which < n && n <= IBE_TEXT_PARTS);
    memcpy(sorted, digests, n * sizeof *sorted);
    ibe_joint_sort(sorted, n);
    digest_init(&d, "kith pkg weight", sizeof hash);
    digest_part(&d, digests[which].bytes, DIGEST_BYTES);
    for (uint32_t i = 0; i < n; i++)
        digest_part(&d, sorted[i].bytes, DIGEST_BYTES);
    digest_final(&d, hash);
    pairing_scalar_of_hash(out, hash);
}

void ibe_joint_parameters(ibe_parameters *out, const ibe_parameters *p, const scalar_q *weight)
{
    pairing_gt_power(&out->a, &p->a, weight);
    for (unsigned i = 0; i <= IBE_IDENTITY_BITS; i++) {
        pairing_g1_multiply(&out->u[i], &p->u[i], weight);
        pairing_g2_multiply(&out->w[i], &p->w[i], weight);
    }
}

void ibe_joint_master(ibe_master *out, const ibe_master *m, const scalar_q *weight)
{
    pairing_g2_multiply(&out->secret, &m->secret, weight);
}

bool ibe_joint_fits(const ibe_key *partial, const ibe_parameters *part,
                    const ibe_parameters *joined, const ibe_identity *v)
{
    ibe_parameters mixed = *joined;
    mixed.a = part->a;
    return ibe_key_fits(partial, &mixed, v);
}
