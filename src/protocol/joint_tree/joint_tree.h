/* The joint tree: sites that hold rows of one table grow the tree of search/weave_bits_rules.h
 * together and open nothing but yes/no answers, until the classes are final.
 *
 * From:   Kith's own protocol: docs/protocols/weave.md.
 * Model:  semi-honest; that of at_least.h, compare.h, logic.h and sum.h: with more than two
 *         parties no two of the first three may collude, with two parties oblivious transfer.
 * Output: the classes, at all parties: "closures" (aggregate), where predicates do not tell them;
 *         "sum" (aggregate): the sizes of all classes, and before, if l-diversity by frequency is
 *         asked for, their sum.
 * Leaks:  to all parties, about sets that are given by public predicates on quasi-identifiers:
 *         "all records are enough" (aggregate): 1 bit, before everything else;
 *         "values are live" (aggregate): for every set that was split or could not be, every slot
 *         and every value asked, whether the records with that value may be a class;
 *         "rests are big" (aggregate): for every such slot with a live value, whether all its
 *         other records together may be one;
 *         "records with all single values are enough" (aggregate): the same for the records that
 *         have the values of all slots with one live value and a small rest;
 *         "the pool is enough" (aggregate): before every further tree, for k and mostly for 4k;
 *         "classes stay good with the leftovers" (aggregate): with l-diversity by frequency only,
 *         for every class and every part of the leftovers that is spread (tree_spread.h), then for
 *         as many classes as had to be tried for what was left;
 *         "new forms cost less" (aggregate): with `reweave` only, for every area and round
 *         (tree_reweave.h), besides the same answers as above about other sets;
 *         "threshold" (aggregate): with l-site-diversity by attributes only, for every node of
 *         their hierarchies, whether at least l parties have records below it.
 *         "May be a class" means: at least k records and all other models, in one bit. To a party
 *         with c records in the set it says whether the others have k - c.
 * Cost:   one call per phase of the longest path of every tree. Small k, m > 2 and no other
 *         models: shared.share (masked), at_least.test (masked), at_least.result (aggregate), 3
 *         rounds. Otherwise gmw.triple (masked), gmw.and (masked), gmw.open (masked), with m = 2
 *         ot.columns (masked), ot.offer (blinded), ot.answer (blinded); compare.result (aggregate);
 *         rounds as in compare.h. Closures: logic.test (masked), with m = 2 logic.choice (masked),
 *         logic.result (aggregate), at most three calls, and two for every round of reweaving.
 * Sizes: sum.share (masked) and sum.result (aggregate). tree.coin (control): 8 bytes, exchanged
 * once. tree.end (control): 1 byte, exchanged if the models cannot be met. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_H

#include "protocol/rows.h"
#include "protocol/joint_tree/joint_tree_grow.h"

/* joint_tree_run (horizontal.h) that tells `record`, if not NULL, of every bit that it opens.
 * KITH_INVALID for models and measures that it does not serve; KITH_INFEASIBLE, at all parties, if
 * all records together do not satisfy the models, which is all that they learn then. */
kith_status joint_tree_run_recorded(rows_result *result, party *p, const rows_task *task,
                                    const joint_tree_recorder *record,
                                    kith_error *error) KITH_MUST_USE;

#endif
