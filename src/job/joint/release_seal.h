/* The barrier before releases appear: all parties are done, and those that hold the release hold
 * the same one.
 *
 * From:   our own.
 * Output: nothing, or the name of a party that has another release.
 * Leaks:  nothing. A digest of the release would let a party without it test guesses of its cells:
 *         the external master of the encrypted view knows the rows as codes, and would find the
 *         label of each. So a digest goes only between two parties that both hold the release,
 *         under a key of the pair; all others send a constant.
 * Cost:   exchanged: release.seal (release), 32 bytes, between two parties that hold the release;
 *         release.ready (control), 1 byte, otherwise. One round. */
#ifndef JOB_JOINT_RELEASE_SEAL_H
#define JOB_JOINT_RELEASE_SEAL_H

#include "table/table.h"
#include "wire/party.h"

/* The parties 0 … n_holders-1 have the whole release; `texts` is that of this party, NULL at the
 * others. KITH_PEER names a party whose release differs. */
kith_status release_seal_agree(party *p, const kith_table *texts, uint32_t n_holders,
                               kith_error *error) KITH_MUST_USE;

#endif
