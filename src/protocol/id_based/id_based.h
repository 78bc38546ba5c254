/* k-anonymity by suppression between two owners of rows who know each other's names only.
 *
 * A quasi-identifier here is the tuple of all quasi-identifying cells of a row. It is released as
 * it is, or suppressed as a whole. Every quasi-identifier that fewer than k rows of the joint table
 * have is suppressed, and so are k rows of Alice, sigma, so that the suppressed rows are enough to
 * hide in; if the joint table is k-anonymous already, nothing is.
 *
 *     IDK 5.3                                               function
 *     phase 1
 *       Q_A,0, Q_A,1, sigma, Q'_A,0, x*                     id_based_sets_make, id_based_sets_sigma
 *       Alice sends Q'_A,0, Bob sends Q_B,0                 exchange_frequent
 *       x_i, y_i, X_i^(0), Z_i,j^(0), X_i^(1), Z_i,j^(1)    alice_families, id_based_lists_send
 *       x'_i, y'_i, R_0, R_1, rerandomized, switched        bob_products
 *       Alice decrypts R'_0, R'_1 and tells the result      alice_answers
 *     phase 2
 *       Alice suppresses sigma; X_i, Z_i,j with bars        alice_compares
 *       gamma_i,j, permuted                                 bob_compares, id_based_gamma
 *       is there a 1? quasi-identifiers that remain         alice_compares, tell_remaining
 *       Bob suppresses what is left below k                 bob_suppresses
 *       both check the current table                        confirm_classes, before rows are sent
 *
 * What differs from the paper, and why: docs/protocols/id-based.md.
 *
 * From:   IDK section 5.3, with the corrections of docs/protocols/id-based.md: Z is raised to fresh
 *         powers in both phases, every product is rerandomized, lists have k - 1 ciphertexts, and
 *         no original data is ever sent.
 * Model:  two parties, semi-honest; the decisional bilinear Diffie-Hellman assumption on BLS12-381
 *         in the random oracle model; that of compare.h for two parties. A party that knows the
 *         secret of a generator can decrypt (crypto/pairing/ibe.h).
 * Output: which of its own rows a party suppresses, and what the release shows anyway:
 *         "frequent quasi-identifiers" (release): those that at least k rows of the other party
 *         have, after sigma; Bob: "remaining quasi-identifiers" (release): those of Alice's rows
 *         that are not suppressed.
 * Leaks:  "the first party has as many rows" (aggregate): 1 bit, who is Alice;
 *         "or" (aggregate): 32 bits, without the key `lists`: how many binary digits the larger
 *         number of rows has;
 *         "already k-anonymous" (aggregate): 1 bit, whether anything is suppressed;
 *         "classes are large enough" (aggregate): 1 bit, which is yes unless a party has deviated.
 * Cost:   U bounds the number of quasi-identifiers of a party, B bins have capacity C
 *         (id_based_bins.h); if the table is k-anonymous already, B = 0. A ciphertext has 672
 *         bytes.
 *         Alice sends id.public (control): 624 bytes, if the study has no generator; id.lists
 *         (blinded): (2 U + B) k ciphertexts; id.already (aggregate): 1 byte. Bob sends id.products
 *         (blinded): 2 ciphertexts; id.gammas (blinded): B C ciphertexts. Names are told by
 *         id.count (release): 4 bytes, and id.names (release): 32 bytes per quasi-identifier: the
 *         frequent ones by each party, the remaining ones by Alice. Ciphertexts travel in messages
 *         of up to 64.
 *         Besides, one call of compare for the roles and one for the classes: gmw.and (masked),
 *         gmw.open (masked), ot.columns (masked), ot.trees (masked), ot.offer (blinded),
 *         ot.answer (blinded), compare.result (aggregate). Without `lists` one OR: logic.choice
 *         (masked), logic.result (aggregate).
 *         Alice: (2 U + B) k encryptions, B C decryptions; Bob: 2 U + B C products of two powers.
 */
#ifndef PROTOCOL_ID_BASED_ID_BASED_H
#define PROTOCOL_ID_BASED_ID_BASED_H

#include "core/run/context.h"
#include "crypto/pairing/ibe.h"
#include "protocol/options.h"
#include "protocol/report.h"
#include "wire/party.h"

enum { ID_BASED_NAME_BYTES = 32, ID_BASED_MAX_LISTS = 1 << 20, ID_BASED_MAX_K = 1 << 12 };

/* A hash of the run id and of a quasi-identifier. */
typedef struct id_based_name {
    unsigned char bytes[ID_BASED_NAME_BYTES];
} id_based_name;

typedef struct id_based_task {
    uint32_t n_rows;
    const id_based_name *names; /* [n_rows] of this party's own rows */
    uint32_t k;
    const protocol_options *options; /* lists, hashing */
    context *context;                /* memory, threads, progress */
    const unsigned char *choices;    /* key of private choices (private_choices.h), or NULL */
    bool seeded;                     /* tests: the choices come from the seed */
    uint64_t seed;
    /* The generator's public parameters, the identities of both parties, and this party's own
     * private key. All are NULL if Alice makes the parameters of this run. */
    const ibe_parameters *parameters;
    const ibe_identity *identities; /* [2] */
    const ibe_key *key;
} id_based_task;

typedef struct id_based_result {
    bool already;        /* the joint table is k-anonymous as it is */
    uint32_t alice;      /* who played Alice */
    bool *suppressed;    /* [n_rows] this party's rows */
    uint32_t n_kept;     /* quasi-identifiers in the release */
    id_based_name *kept; /* [n_kept] their names, ascending */
    protocol_report report;
} id_based_result;

/* The caller has made sure that both parties together have k rows or none. KITH_INVALID if this
 * party has more quasi-identifiers than `lists`. The result lives in the context's memory. */
kith_status id_based_run(id_based_result *result, party *p, const id_based_task *task,
                         kith_error *error) KITH_MUST_USE;

#endif
