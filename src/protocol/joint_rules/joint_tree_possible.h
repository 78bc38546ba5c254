/* The question of a growing tree where models look at sensitive values: could some of these records
 * be a class (joint_tree_fit.h), and would a split lose too much?
 *
 * A split keeps some records of a set and loses others. It spares the set if it loses fewer than k
 * of them or keeps JOINT_TREE_SHARE_KEPT of JOINT_TREE_SHARE_OF. One circuit answers all questions
 * of a call; of each at most two bits are opened. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_POSSIBLE_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_POSSIBLE_H

#include "protocol/joint_rules/joint_tree_rules.h"

typedef enum joint_tree_loss_kind {
    JOINT_TREE_LOSS_NONE, /* of the set itself: does it fit? */
    JOINT_TREE_LOSS_REST, /* of a rest: does it fit, and if not, would a split that loses it spare?
                           */
    JOINT_TREE_LOSS_ALL   /* of what is kept: does it fit and would the split spare, in one bit? */
} joint_tree_loss_kind;

/* What a split would do to the records of this party. */
typedef struct joint_tree_loss {
    joint_tree_loss_kind kind; /* public */
    uint32_t kept, lost;
} joint_tree_loss;

/* bit i of `fit`: see above; bit i of `spared`: the split spares, if the answer about a rest is no;
 * else 0. Both at all parties; `losses` [count], or NULL: none. One secure call, or some if the
 * questions are many; `min_sizes` must be NULL. */
kith_status joint_tree_possible_ask(const joint_tree_rules *r, party *p, uint64_t *fit,
                                    uint64_t *spared, const joint_tree_questions *q,
                                    const joint_tree_loss *losses, kith_error *error) KITH_MUST_USE;

#endif
