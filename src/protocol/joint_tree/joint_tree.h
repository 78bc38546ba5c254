/* The joint tree: sites that hold rows of one table grow one tree of classes together and open only
 * yes/no answers until the classes are final.
 *
 *     step of docs/protocols/weave.md          function
 *     may all records be a class?              check_all (joint_tree.c)
 *     A   which values are live?               joint_tree_values_ask, joint_tree_values_answered
 *     B   which rests are big?                 joint_tree_rests_ask, joint_tree_rests_answered
 *     C   all single values at once?           joint_tree_singles_ask, joint_tree_singles_answered
 *     L   which loans fit?                     joint_tree_loans_ask, joint_tree_loans_answered
 *     one call holds the next questions        step (joint_tree_grow.c), joint_tree_batch_open
 *     could some of these be a class?          joint_tree_possible_ask, joint_tree_fit_ask
 *     quiet: A, B and the highest score        joint_tree_choice_ask, joint_tree_choice_open
 *     the highest score splits                 joint_tree_score, joint_tree_split
 *     a small rest is ejected                  joint_tree_split_eject
 *     a set that no slot can split is a class  joint_tree_split_leaf
 *     trees of the pools, the last tree        grow_pool (joint_tree.c)
 *     closures of the last tree                joint_tree_close_loose
 *     leaves are trimmed                       joint_tree_trim_leaves, trim
 *     leftovers ask for classes                joint_tree_sweep
 *     leftovers join a class                   joint_tree_leftovers
 *     reweaving                                joint_tree_reweave
 *     conditions of the models, blur           joint_tree_rules_ask
 *     l-site-diversity by attributes           joint_tree_prune
 *     sizes, after one more check              joint_tree_sizes
 *     persons: the records in their order      rows_by_person_sort
 *
 * From:   Kith's own protocol: docs/protocols/weave.md.
 * Model:  semi-honest; that of at_least.h, compare.h, circuit.h, logic.h and sum.h: with more
 *         than two parties no two of the first three may collude, with two parties oblivious
 *         transfer.
 * Output: the classes, at all parties: "closures" (aggregate), where predicates do not determine
 *         them; "sum" (aggregate): the sizes of all classes, and before, if l-diversity is asked
 *         for, their sum; with l-diversity by frequency "trim" (aggregate), at each party: how many
 *         of its own records of each sensitive value stay in each class, or get in.
 * Leaks:  to all parties, about sets that are given by public predicates on quasi-identifiers:
 *         "all records are enough" (aggregate): 1 bit, before everything else;
 *         "values are live" (aggregate): for every set that was split or could not be, every slot
 *         and every value asked, whether the records with that value may be a class;
 *         "rests are big" (aggregate): for every such slot with a live value, whether all its
 *         other records together may be one;
 *         "records with all single values are enough" (aggregate): the same for the records that
 *         have the values of all slots with one live value and a small rest;
 *         with `quiet`, of all sets but the first root only: "slots are chosen" (aggregate): which
 *         slot splits the set, or that none does; and the answers above about that slot alone, or,
 *         if it has one live value and a small rest, about all slots of which that is true;
 *         "the pool is enough" (aggregate): before every further tree, for k and mostly for 4k;
 *         "splits keep most records" (aggregate): with l-diversity, for every rest that is not big,
 *         whether a split that loses it keeps most records (joint_tree_possible.h);
 *         "loans fit" (aggregate): with l-diversity by distinct values only, for every slot that
 *         would lose too much, which loan is the first with which all fits, or that none is;
 *         with l-diversity by frequency only: "trimmed classes keep the models" (aggregate), if
 *         other models or several attributes are asked for: for every leaf after trimming; "or"
 *         (aggregate): for every class and sweep, whether leftovers ask for it
 *         (joint_tree_steps.h); "classes stay good with the leftovers" (aggregate): for as many
 *         classes as had to be tried for what was left then; if several sensitive attributes are
 *         trimmed, also for every class that is asked for, in every sweep; "new forms cost less"
 *         (aggregate): with `reweave` only, for every area and round (joint_tree_reweave.h), in
 *         addition to the same answers as above about other sets; "classes keep the models"
 *         (aggregate): before sizes are opened, to the first two parties for every class, to the
 *         others whether both found all of them good; always yes if all parties follow the
 *         protocol;
 *         where persons count (joint_tree_rules.h), with every diversity leaves are asked as after
 *         trimming, and all parties learn of the unions of classes that are shown alike whether they
 *         keep the models (united_classes.h); sizes are of records;
 *         "threshold" (aggregate): with l-site-diversity by attributes only, for every node of
 *         their hierarchies, whether at least l parties have records below it.
 *         "May be a class" means: at least k records and all other models, in one bit; with
 *         l-diversity by frequency, while trees grow: some of the records could be one. To a party
 *         with c records in the set it says whether the others have k - c; with m-privacy
 *         (min_others = f) "yes" says that they have max(k - c, f), "no" that they have not if
 *         c >= f, else nothing. How much follows from all answers together, and how much that is in
 *         numbers, docs/protocols/weave.md says: in a table of 30,162 records, k = 10, a party
 *         finds the exact number of foreign records, 1 to 9, of 871 to 1,572 sets, mostly classes.
 * Cost:   one call per phase of the longest path of every tree. Small k, m > 2 and no other
 *         models: shared.share (masked), at_least.test (masked), at_least.result (aggregate), 3
 *         rounds. Otherwise gmw.triple (masked), gmw.and (masked), gmw.open (masked), with m = 2
 *         ot.columns (masked), ot.trees (masked), ot.offer (blinded), ot.answer (blinded);
 *         compare.result (aggregate); rounds as in compare.h. With l-diversity, and with `quiet`
 *         for A and B, circuit.share (masked), circuit.result (aggregate); rounds as in
 *         circuit.h, 15 to 70.
 *         Closures: logic.test (masked), with m = 2 logic.choice (masked), logic.result
 *         (aggregate), at most three calls, and two for every round of reweaving.
 *         Sizes: two calls of compare, tree.verdict (aggregate): 1 byte from each of the first two
 *         parties to all others; sum.share (masked) and sum.result (aggregate). tree.end (control):
 *         1 byte, exchanged if the models cannot be met. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_H

#include "protocol/rows.h"

/* What a recorder is told of. */
typedef enum joint_tree_event {
    JOINT_TREE_ALL,         /* all records; the pool */
    JOINT_TREE_VALUE,       /* A: a value of a slot */
    JOINT_TREE_REST_IS_BIG, /* B: all records that have no live value of a slot */
    JOINT_TREE_SINGLES,     /* C: the values of all slots with one live value */
    JOINT_TREE_LEFTOVERS,   /* classes together with the leftovers */
    JOINT_TREE_TRIMMED,     /* leaves after trimming: do they keep the models? */
    JOINT_TREE_KEPT,        /* no question: trimming, of own rows of the set with one value */
    JOINT_TREE_LEAF,        /* no question: `of` is the leaf's number */
    JOINT_TREE_JOIN,        /* no question: the value `node` and its slot's rest are one set now */
    JOINT_TREE_HOST         /* no question: the leaf with this number takes the leftovers in */
} joint_tree_event;

/* One of them. Sets have names; `of` is the set that may be split, `a` the attribute of the slot.
 */
typedef struct joint_tree_opened {
    joint_tree_event event;
    uint64_t set, of;
    uint32_t a, node;
    uint32_t min_size;
    bool bit;
    /* This party's records: of the set itself for JOINT_TREE_ALL, LEAF and JOIN, the leftovers for
     * HOST, none for LEFTOVERS and TRIMMED, otherwise those of the set `of`. Valid during the call.
     * KEPT: of n_rows rows whose value is `node`, a place in a tally, min_size may stay; `a` sites
     * keep theirs first; `bit`: they ask for a class that has records already. No rows are given.
     */
    const uint32_t *rows;
    uint32_t n_rows;
} joint_tree_opened;

/* For audits: is told, at one party, of every bit that is opened, in order. */
typedef struct joint_tree_recorder {
    void (*opened)(void *user, const joint_tree_opened *what);
    void *user;
} joint_tree_recorder;

rows_protocol joint_tree_run;
/* The same with a recorder, which may be NULL. KITH_INVALID for models and measures
 * that it does not support; KITH_INFEASIBLE, at all parties, if all records together do not satisfy
 * the models, which is all that they learn then. */
kith_status joint_tree_run_recorded(rows_result *result, party *p, const rows_task *task,
                                    const joint_tree_recorder *recorder,
                                    kith_error *error) KITH_MUST_USE;

#endif
