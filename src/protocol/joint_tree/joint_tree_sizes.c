#include "protocol/joint_tree/joint_tree_steps.h"

#include <inttypes.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/sums/sum.h"

enum { CHECKERS = 2 }; /* the first of the parties */

static const message_type verdict_type = {"tree.verdict", DISCLOSE_AGGREGATE}; /* message 17 */

/* Each checker asks whether all leaves keep the models; its entry of good[] is written there
 * only. */
static kith_status check_leaves(const joint_tree *j, uint8_t good[CHECKERS], kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    const uint32_t n_leaves = j->leaves.count, width = j->rules->width;
    uint32_t *tallies =
        TRY_ALLOC(secret_memory_array(scratch, (size_t)n_leaves * width, sizeof *tallies), error);
    uint64_t *bits = TRY_ALLOC(arena_zalloc(scratch, smc_words(n_leaves), sizeof *bits), error);
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        joint_tree_count_row(j, tallies + (size_t)j->leaves.class_of[i] * width, i);
    const joint_tree_questions q = {.count = n_leaves, .tallies = tallies, .exact = true};
    for (uint32_t checker = 0; checker < CHECKERS; checker++) {
        /* message 16 */
        TRY(joint_tree_rules_ask_for(j->rules, j->party, bits, &q, checker, error));
        if (party_self(j->party) != checker)
            continue;
        good[checker] = 1;
        for (uint32_t i = 0; i < n_leaves; i++)
            good[checker] &= (uint8_t)smc_bit(bits, i);
        party_learns(j->party, DISCLOSE_AGGREGATE, "classes keep the models", n_leaves);
    }
    return KITH_OK;
}

/* The checkers tell all parties what they have found. */
static kith_status share_verdicts(const joint_tree *j, uint8_t good[CHECKERS], kith_error *error)
{
    party *p = j->party;
    const uint32_t self = party_self(p);
    if (self < CHECKERS)
        TRY(party_broadcast(p, &verdict_type, &good[self], 1, error));
    for (uint32_t checker = 0; checker < CHECKERS; checker++) {
        if (checker == self)
            continue;
        TRY(party_recv(p, checker, &verdict_type, &good[checker], 1, error));
        if (good[checker] > 1)
            return party_protocol_error(p, checker, error,
                                        "sent an invalid verdict on the classes");
    }
    if (self >= CHECKERS)
        party_learns(p, DISCLOSE_AGGREGATE, "classes keep the models", CHECKERS);
    return party_flush(p, error);
}

kith_status joint_tree_sizes(const joint_tree *j, uint64_t *size, kith_error *error)
{
    uint8_t good[CHECKERS] = {0};
    TRY(check_leaves(j, good, error));
    TRY(share_verdicts(j, good, error));
    /* Which party lied in the calls before cannot be told; but of two that disagree one is wrong.
     */
    if (good[0] != good[1])
        return error_set(error, KITH_PEER,
                         "%s and %s disagree whether all classes keep the models: some party has "
                         "not followed the protocol; no size was opened",
                         party_name(j->party, 0), party_name(j->party, 1));
    if (!good[0])
        return error_set(error, KITH_PEER,
                         "not all classes keep the models: some party has not followed the "
                         "protocol; no size was opened");
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        size[j->leaves.class_of[i]]++;
    TRY(sum_masked(j->party, size, size, j->leaves.count, 0, SMC_ALL, error)); /* message 18 */
    for (uint32_t c = 0; c < j->leaves.count; c++)
        if (size[c] < j->rules->k)
            return error_set(error, KITH_PEER,
                             "class %u of the joint tree has %" PRIu64 " records, but a comparison "
                             "has said that they are at least k = %u: some party has not followed "
                             "the protocol",
                             c, size[c], j->rules->k);
    return KITH_OK;
}
