/* Several generators as one whose secret is a weighted sum of theirs: none of them alone can
 * decrypt.
 *
 * The joined parameters are the product of all parameters, each raised to its weight, a hash of its
 * digest and of all digests (as keys are joined in MuSig and in the multi-signatures of Boneh,
 * Drijvers and Neven, 2018). Without weights a generator could choose u_i = g^z / (the u_i of the
 * others): it would know the joined exponents, and from one partial key the secrets of the others.
 * With them nobody has to commit to anything: the weights depend on every element.
 *
 * A generator issues partial keys only for parameters that it has joined itself. What the others
 * sent must be consistent (ibe_parameters_consistent), or keys may not fit. */
#ifndef CRYPTO_PAIRING_IBE_JOINT_H
#define CRYPTO_PAIRING_IBE_JOINT_H

#include "crypto/pairing/ibe_text.h"

/* Into the one order in which joined parameters list their parts. */
void ibe_joint_sort(ibe_digest *digests, uint32_t n);
/* The weight of digests[which] among the n digests of all generators, in whatever order. */
void ibe_joint_weight(scalar_q *out, const ibe_digest *digests, uint32_t n, uint32_t which);

/* One generator's part: its parameters, its secret to the power of its weight. */
void ibe_joint_parameters(ibe_parameters *out, const ibe_parameters *p, const scalar_q *weight);
void ibe_joint_master(ibe_master *out, const ibe_master *m, const scalar_q *weight);

/* Whether a partial key is that of this generator: `part` of ibe_joint_parameters, `joined` the
 * product of all. */
bool ibe_joint_fits(const ibe_key *partial, const ibe_parameters *part,
                    const ibe_parameters *joined, const ibe_identity *v);

#endif
