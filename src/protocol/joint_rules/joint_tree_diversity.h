/* What the joint tree asks of the sensitive values of a class, so that a model holds.
 *
 *   l-diversity, distinct: at least l values;    p-sensitive: at least p values
 *   l-diversity, frequency: no value has a share above 1/l;    alpha-k: above alpha
 *   l-diversity, entropy: no value has a share above 1/l. With shares p_s this implies the model:
 *                  sum_s p_s log(1/p_s) >= sum_s p_s log l = log l.
 *   l-diversity, recursive: no value has a share of 1/L or more, with L = l - 1 + 1/c. The l - 1
 *                  most frequent values then have less than (l - 1)/L, so that r_l + … + r_m is
 *                  more than (1 - (l - 1)/L) n = n/(c L) > r_1 / c. It is the model itself where
 *                  the l - 1 most frequent values are equally frequent.
 * Only the last two are stricter than their models (supports_by_stricter_rule). */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_DIVERSITY_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_DIVERSITY_H

#include "model/model.h"

typedef enum joint_tree_asks {
    JOINT_TREE_ASKS_NOTHING,  /* of values: every class is good */
    JOINT_TREE_ASKS_DISTINCT, /* at least `least` values */
    JOINT_TREE_ASKS_FREQUENCY /* scale x size >= times x count for every value, times > scale */
} joint_tree_asks;

typedef struct joint_tree_diversity {
    joint_tree_asks asks;
    uint32_t least;
    int64_t scale, times;
} joint_tree_diversity;

/* Models that do not look at sensitive values ask nothing of them. */
joint_tree_diversity joint_tree_diversity_of(const model_spec *model);

/* Shares of at most this: scale / times is the fraction that is meant by a decimal number, or the next
 * one below. Of 1 nothing is asked. */
joint_tree_diversity joint_tree_diversity_share(double share);

/* Frequency: the number of values that a class has at least. */
static inline double joint_tree_diversity_l(const joint_tree_diversity *d)
{
    return (double)d->times / (double)d->scale;
}

#endif
