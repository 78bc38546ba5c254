/* Oblivious transfers of random bits between two parties of a run.
 *
 * From:   Roy (2022), SoftSpoken, on base transfers of Chou and Orlandi.
 * Model:  semi-honest; Diffie-Hellman in ristretto255, BLAKE2b for keys and trees of seeds, AES-128
 *         as a stream and as an ideal permutation.
 * Output: two random bits per transfer at the sender, the chosen one at the receiver.
 * Leaks:  nothing.
 * Cost:   ot.columns (masked): 32 bytes per 8 transfers from the receiver, 1 round; the first time
 *         between two parties in a direction also ot.offer (blinded), ot.answer (blinded) and
 *         ot.trees (masked): 4 KB; 2 rounds. See crypto/ot_extension.h.
 *
 * What the first call between two parties sets up lives as long as the run; each direction has its
 * own. Transfers are therefore numbered over the whole run, and not part of an smc_call. */
#ifndef SMC_CIRCUITS_OT_BITS_H
#define SMC_CIRCUITS_OT_BITS_H

#include "smc/smc.h"

/* 64 x words transfers. One party sends while the other receives; each bit of `choices` picks a bit
 * of `zeros` or `ones`. */
kith_status ot_bits_send(party *p, uint32_t to, uint64_t *zeros, uint64_t *ones, size_t words,
                         kith_error *error) KITH_MUST_USE;
kith_status ot_bits_receive(party *p, uint32_t from, uint64_t *bits, const uint64_t *choices,
                            size_t words, kith_error *error) KITH_MUST_USE;

#endif
