/* Oblivious transfers of random bits between two parties of a run.
 *
 * From:   Ishai, Kilian, Nissim, Petrank (2003) on base transfers of Chou and Orlandi.
 * Model:  semi-honest; Diffie-Hellman in ristretto255, AES as an ideal permutation.
 * Output: two random bits per transfer at the sender, the chosen one at the receiver.
 * Leaks:  nothing.
 * Cost:   ot.columns (masked): 128 bytes per 8 transfers from the receiver, 1 round; the first time
 *         between two parties in a direction also ot.offer (blinded) and ot.answer (blinded),
 *         2 rounds. See crypto/ot_extension.h.
 *
 * What the first call sets up lives as long as the run; each direction has its own. */
#ifndef SMC_OT_BITS_H
#define SMC_OT_BITS_H

#include "smc/smc.h"

/* 64 x words transfers. */
kith_status ot_bits_send(party *p, uint32_t to, uint64_t *zero, uint64_t *one, size_t words,
                         kith_error *error) KITH_MUST_USE;
kith_status ot_bits_receive(party *p, uint32_t from, uint64_t *bit, const uint64_t *choice,
                            size_t words, kith_error *error) KITH_MUST_USE;

#endif
