/* Which slot of a set has the highest score, as a part of a circuit (`quiet`).
 *
 * The score of a slot depends on two secrets, the number of its live values and whether its rest is
 * big. For all of these the scores are public, so they can be replaced by their ranks among those
 * of all slots of the set: small integers that decide ties as the scores do, in favour of the first
 * attribute. If the slot that wins has a single live value and a small rest, so that phase C
 * follows, all other slots like that are shown as well: phase C asks about their values. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_WINNER_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_WINNER_H

#include "protocol/joint_rules/joint_tree_fit.h"
#include "protocol/joint_tree/joint_tree_internal.h"

/* Bits that are opened of a slot, besides one for each of its values: does it win, is it shown, is
 * its rest big? All are 0 if it is not shown; the rest's only if it does not win. */
enum { JOINT_TREE_WINNER_BITS = 3 };

/* Builds the circuit of one set. What the parties have of its slots, of each value and of the
 * records with none of these, are inputs from tally *first on, which moves behind them; the wires
 * to be opened are added to opened[*n_opened]. */
kith_status joint_tree_winner_build(const joint_tree_growth *g, const joint_tree_fit *f,
                                    const joint_tree_set *set, size_t *first, circuit_wire *opened,
                                    size_t *n_opened, kith_error *error) KITH_MUST_USE;

#endif
