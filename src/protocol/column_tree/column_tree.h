/* The joint tree of columns: sites that hold columns of the same people split sets of records, one
 * attribute at a time, until no site can split them further.
 *
 *     step of docs/protocols/weave-vertical.md    function
 *     A   my best offer for every open set        column_tree_offer (column_tree_offer.c)
 *         the slot of an attribute, its score     column_tree_score.h
 *     B   who has the best offer?                 column_tree_choose (column_tree_choose.c)
 *     C   who is in which branch?                 column_tree_lend (column_tree_lend.c)
 *         spoilers leave, then the rarest         borrow, lend_rarest
 *         with name: spoilers of other parties    column_tree_name (column_tree_name.c)
 *     D   the parts, to all                       column_tree_divide (column_tree_divide.c)
 *         with pools: small rests leave           column_tree_pools.c
 *     closures                                    fill_result (column_tree.c)
 *     with models: can they be met?               agree_on_terms (column_tree.c)
 *     the pivot asks the best party for a split   column_tree_models (column_tree_models.c)
 *     do all parts keep the models?               all_fit (column_tree_models.c)
 *     if not, the rest gets more                  column_tree_bid_lend (column_tree_bid.c)
 *
 * From:   Kith's own protocol: docs/protocols/weave-vertical.md.
 * Model:  semi-honest; that of circuit.h: with more than two parties no two of the first three
 *         (with models on sensitive columns: of the pivot and the next two) may collude, with two
 *         parties oblivious transfer. Where records are named, also that of logic.h: no two of an
 *         owner of sets and the next two parties after it, so that of three parties or more no two
 *         neighbours in the order of the study, nor two with one between them, may collude (the
 *         first follows the last). An owner that says of a set that it borrows gets the bits of its
 *         records, true or not.
 * Output: which record is in which class, at all parties, by the last parts.
 * Leaks:  to all parties, about sets of records that all of them know:
 *         "owners of sets" (aggregate): for every set of 2k records or more, which party splits it,
 *         or that none can;
 *         "parts of sets" (choice): its parts, without labels, at all parties but its owner.
 *         Every part is a union of classes. Who knows the release, and for each split the attribute
 *         and the values that got a branch, can compute all of these: the records of classes whose
 *         closure is at or below a branch's value are that branch, all others the rest. So the
 *         excess over the release is the order of attributes. That is so of splits that are made;
 *         those that are only proposed, below, need not follow from the release.
 *         With `pools` the same about sets of more than k records, and "parts of sets" also says
 *         who leaves a set. Parts are no unions of classes then: of a record that leaves, sites
 *         know the parts that it was in, which its class may not show (figures:
 *         docs/protocols/weave-vertical.md#pools).
 *         With `name`, or without that key where column_tree_naming.h says so, to all "sets that
 *         borrow" (choice): for every set that another party splits, whether it lends records; to
 *         its owner "or" (aggregate): for every record of such a set, whether some other party
 *         finds it rare there. With two parties that is the other one's bit.
 *         With models on sensitive columns, to the pivot, who holds them: "owners of sets"
 *         (aggregate) in every round of a step, which party has the best offer, and "proposed
 *         parts" (choice): the splits of these parties, with the rest marked, also those that are
 *         not made. To all but the pivot "asked for a split" (choice): whether the party's own
 *         offer for a set is the best one in this round. Who is asked in a later round only knows
 *         that the better offer of another party was refused or lost parts to the models. To those
 *         who are asked, each about its own splits: "answers of the pivot" (choice), one bit for
 *         each split and each new form of it, whether all parts keep the models, where the parts
 *         but the largest have 2k records together. To all but the pivot "terms" (choice), whether
 *         the models can be met and the size of class that they need, and "owners of sets"
 *         (choice), in the end of a step. Records are lent by coins that do not depend on sensitive
 *         values.
 * Cost:   vertical.shape (control), exchanged. Per step, of which there are about 12 to 20, with
 *         `pools` 25 to 50: one circuit of about 3 (8 + log2 attributes) gates for every set and
 *         pair of parties:
 *         circuit.share (masked), gmw.triple (masked), gmw.and (masked), gmw.open (masked), if
 *         m = 2 also ot.columns (masked), ot.trees (masked), ot.offer (blinded), ot.answer
 *         (blinded); circuit.result (aggregate); rounds as in circuit.h, about 9. column.parts
 *         (choice): m-1 messages of one byte for every record, from the owners of its sets; 1
 *         round.
 *         With `name`, per step column.borrows (choice): m-1 messages of a byte per set, and one OR
 *         (logic.h) per owner: shared.share (masked), logic.test (masked), if m = 2 ot.columns
 *         (masked) and logic.choice (masked).
 *         With models: column.terms (choice), 8 bytes from the pivot to all; several circuits per
 *         step, about four; per round and party column.asked (choice), a bit per set, column.reply
 *         (choice), a byte per set asked, column.split (choice), a byte per record of it,
 *         column.answer (choice), a byte per set asked; the last three again for every new form;
 *         per step column.owners (choice), 4 bytes per set to all. Where the models cannot be met,
 *         leave.together (control), exchanged. In the end vertical.classes (control), a hash,
 *         exchanged: a party that lied about classes gets no labels or cells (columns_agree.h). */
#ifndef PROTOCOL_COLUMN_TREE_COLUMN_TREE_H
#define PROTOCOL_COLUMN_TREE_COLUMN_TREE_H

#include "protocol/columns.h"

/* Told at the owner of a set: the attribute, by its number among those of all parties, and the
 * nodes that got branches. Sets are numbered in the order in which they arise. */
typedef struct column_tree_split {
    uint64_t set;
    uint32_t attribute, n_values, size;
    const uint32_t *values;
    const uint32_t *members; /* [size] records */
    const uint32_t *nodes;   /* [size] the value of the record's branch, or COLUMN_TREE_REST */
} column_tree_split;

/* Told at all others: the message about it. */
typedef struct column_tree_parts {
    uint64_t set;
    uint32_t owner, size;
    const uint32_t *members; /* [size] records */
    const uint8_t *parts;    /* [size] */
} column_tree_parts;

/* For tests and audits. What it is told is valid during the call. */
typedef struct column_tree_recorder {
    void (*split)(void *user, const column_tree_split *what);
    void (*parts)(void *user, const column_tree_parts *what);
    void *user;
} column_tree_recorder;

columns_protocol column_tree_run;
/* The same with a recorder, which may be NULL. */
kith_status column_tree_run_recorded(columns_result *result, party *p, const columns_task *task,
                                     const column_tree_recorder *recorder,
                                     kith_error *error) KITH_MUST_USE;

#endif
