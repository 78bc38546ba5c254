#include "protocol/joint_rules/joint_tree_diversity.h"

#include <math.h>

/* Bounds that are no small fractions are rounded to multiples of 1 / FRACTION. */
enum { FRACTION = 1 << 12 };

static joint_tree_diversity distinct(double least)
{
    if (least <= 1)
        return (joint_tree_diversity){.asks = JOINT_TREE_ASKS_NOTHING};
    return (joint_tree_diversity){.asks = JOINT_TREE_ASKS_DISTINCT, .least = (uint32_t)ceil(least)};
}

static joint_tree_diversity frequency(int64_t scale, int64_t times)
{
    if (times <= scale)
        return (joint_tree_diversity){.asks = JOINT_TREE_ASKS_NOTHING};
    return (joint_tree_diversity){JOINT_TREE_ASKS_FREQUENCY, 0, scale, times};
}

/* Shares of at most 1/l: l is rounded up. */
static joint_tree_diversity at_least(double l)
{
    const int64_t scale = l == floor(l) ? 1 : FRACTION;
    return frequency(scale, (int64_t)ceil(l * (double)scale));
}

/* Shares below 1/l. */
static joint_tree_diversity more_than(double l)
{
    return frequency(FRACTION, (int64_t)floor(l * FRACTION) + 1);
}

joint_tree_diversity joint_tree_diversity_share(double share)
{
    for (int64_t times = 1; times <= FRACTION; times++) {
        const double scale = round(share * (double)times);
        if (scale > 0 && scale / (double)times == share)
            return frequency((int64_t)scale, times);
    }
    return frequency((int64_t)floor(share * FRACTION), FRACTION);
}

joint_tree_diversity joint_tree_diversity_of(const model_spec *model)
{
    if (model->id == MODEL_P_SENSITIVE)
        return distinct(model->p);
    if (model->id == MODEL_ALPHA_K)
        return joint_tree_diversity_share(model->alpha);
    if (model->id != MODEL_L_DIVERSITY)
        return (joint_tree_diversity){.asks = JOINT_TREE_ASKS_NOTHING};
    if (model->variant == VARIANT_DISTINCT)
        return distinct(model->l);
    return model->variant == VARIANT_RECURSIVE ? more_than(model->l - 1 + 1 / model->c)
                                               : at_least(model->l);
}
