#include "search/ordered/mondrian_rule.h"

#include <math.h>

#include "core/check.h"

/* The finalizer of splitmix64: parts of different paths get different numbers. */
uint64_t mondrian_rule_child(uint64_t parent, uint32_t index)
{
    uint64_t x = parent * UINT64_C(0x9e3779b97f4a7c15) + index + 1;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

mondrian_choices mondrian_rule_seeded(uint64_t seed, uint32_t party)
{
    rng r;
    rng_init(&r, seed, party);
    return (mondrian_choices){.seed = rng_next(&r)};
}

/* Tables in one place have the columns in the order of the data, joint ones in that of the study.
 */
static bool comes_before(const regions *space, const double *widths, uint32_t a, uint32_t b)
{
    if (widths[a] != widths[b])
        return widths[a] > widths[b];
    return space->axes[a].attribute->turn < space->axes[b].attribute->turn;
}

uint32_t mondrian_rule_order(uint32_t *order, double *widths, const regions *space,
                             const region *part)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < space->n_axes; j++) {
        if (!regions_can_cut(&space->axes[j], part[j]))
            continue;
        widths[j] = regions_width(&space->axes[j], part[j]);
        uint32_t at = n++;
        for (; at > 0 && comes_before(space, widths, j, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = j;
    }
    return n;
}

void mondrian_rule_distribution(mondrian_distribution *d, const mondrian_choices *choices,
                                uint64_t part)
{
    if (choices->key != NULL)
        rng_init_key(&d->choices, choices->key, part);
    else
        rng_init(&d->choices, choices->seed, part);
    d->offset = rng_unit(&d->choices);
}

uint32_t mondrian_rule_quota(const mondrian_distribution *d, uint32_t equal, uint32_t share)
{
    ASSERT(share <= MONDRIAN_SHARES);
    return (uint32_t)floor((double)equal * share / MONDRIAN_SHARES + d->offset);
}

void mondrian_rule_halves(region halves[2], region whole, uint32_t cut, bool shared)
{
    ASSERT(whole.low <= cut && cut <= whole.high);
    halves[0] = (region){whole.low, cut};
    halves[1] = (region){shared ? cut : cut + 1, whole.high};
}
