/* Distributed Mondrian: sites that hold rows of one table split the space of quasi-identifiers
 * together, top down, and open one bit per question until the classes are final.
 *
 *     step of DMV Algorithms 1 and 2             function
 *     before: range of values, number of tuples  regions_whole (public); open_total
 *     1.3  select the best split attribute       mondrian_rule_order; with sites: mondrian_score
 *     1.4  is a split possible?                  ask_size, mondrian_ask_allowed
 *     1.5  median by secure k-th element         mondrian_search_question, mondrian_search_answer
 *     1.8, 2.4  split, distribute median items   mondrian_parts_split
 *     1.12, 1.13  sizes, split further?          ask_size: only whether there are 2k records
 *     2.2, 2.6, 2.8  what the leader tells       nothing: all parties decide by the same bits
 * All open parts go in lock step, each at its own point of these steps: every call of a primitive
 * holds the next question of every part, so rounds follow the longest chain of questions and not
 * the number of parts. What differs from the paper, and why: docs/protocols/mondrian.md.
 *
 * From:   DMV sections 4.1 and 4.2, Algorithms 1 and 2; equations (2) and (3) for the score.
 * Model:  semi-honest; that of compare.h and sum.h: with more than two parties no two of the first
 *         three may collude, with two parties oblivious transfer.
 * Output: the classes, at all parties: "splits are possible" (aggregate): 1 bit for every split
 *         that was tried, and "children are empty" (aggregate): 1 bit for every child of a node
 *         that was split along its tree; "sum" (aggregate): the number of all records, and the
 *         sizes of all classes.
 * Leaks:  to all parties, about regions whose borders are public cuts:
 *         "all records are enough" (aggregate): 1 bit, before everything else;
 *         "parts can be halved" (aggregate): whether a part has at least 2k records, which its
 *         final size tells, too;
 *         "medians" (aggregate): for every ordered attribute that was tried in a part, the cell of
 *         a public grid in which its median lies, and on which side of the cell the more even cut
 *         is; relaxed: also which eighth of the records in that cell goes left. Of splits that were
 *         refused this is not implied by the release;
 *         "splits are possible" (aggregate): the bits of refused splits;
 *         with alpha below 1: the sizes of parts, which are sums of final sizes, medians of all
 *         attributes of every part, and "splits score higher" (aggregate): the order of the
 *         attributes of every part by their score, of which the range is public;
 *         "all classes keep the models" (aggregate): 1 bit, before sizes are opened. It is true
 *         unless a party has changed its counts. Where persons count, also a bit for every union of
 *         classes that are shown alike (united_classes.h).
 * Cost:   per step of the lock step one call of compare for medians and sizes, one for splits in
 *         two, and one for splits along trees per power of two of children: gmw.triple (masked),
 *         gmw.and (masked), gmw.open (masked), shared.share (masked), with m = 2 ot.columns
 *         (masked), ot.trees (masked), ot.offer (blinded), ot.answer (blinded); compare.result
 *         (aggregate). Steps of a part: 1 for its size, and for every attribute tried about
 *         log2(cells) + 2. Sizes: sum.share (masked) and sum.result (aggregate). leave.together
 *         (control): 1 byte, exchanged if the models cannot be met. */
#ifndef PROTOCOL_MONDRIAN_MONDRIAN_PROTOCOL_H
#define PROTOCOL_MONDRIAN_MONDRIAN_PROTOCOL_H

#include "protocol/rows.h"

/* Does it keep the model, of classes or of sites? */
bool mondrian_protocol_supports(const model_spec *model);

/* KITH_INVALID for models that it does not support;
 * KITH_INFEASIBLE, at all parties, if all records together do not satisfy the models, which is all
 * that they learn then. */
rows_protocol mondrian_protocol_run;

#endif
