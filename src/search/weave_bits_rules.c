#include <math.h>

#include "core/rng.h"
#include "search/weave_bits.h"

/* How strongly fragmentation counts, and what a split with a rest is worth: measured. */
static const double fragmentation = .3, with_rest = .6;

double weave_bits_score(double worth, uint32_t live, bool big, bool last)
{
    const bool joins = last && !big; /* a small rest spoils one of the values */
    if (live == 0 || (joins && live < 2))
        return -1;
    double bits = log2((double)live + big) + (big ? 0 : .1) + .001;
    double score = worth * (big ? with_rest : 1) / pow(bits, fragmentation);
    return joins ? score * (live - 1) / live : score;
}

uint32_t weave_bits_children(const tree *t, uint32_t node, uint32_t *end)
{
    const uint32_t level = t->level[node];
    if (level == 0) {
        *end = 0;
        return 0;
    }
    *end = tree_up(t, t->end[node] - 1, level - 1) + 1;
    return tree_up(t, t->first[node], level - 1);
}

double weave_bits_worth(const attribute *a, uint32_t node)
{
    uint32_t end;
    double most = 0;
    for (uint32_t child = weave_bits_children(a->tree, node, &end); child < end; child++)
        most = fmax(most, a->cost[node] - a->cost[child]);
    return most;
}

static bool cheaper_below(const attribute *a, uint32_t node)
{
    const tree *t = a->tree;
    for (uint32_t level = t->level[node]; level-- > 0;) {
        uint32_t end = tree_up(t, t->end[node] - 1, level);
        for (uint32_t below = tree_up(t, t->first[node], level); below <= end; below++)
            if (a->cost[below] < a->cost[node])
                return true;
    }
    return false;
}

bool weave_bits_offers(const attribute *a, uint32_t node)
{
    uint32_t end, first = weave_bits_children(a->tree, node, &end);
    return end - first == 1 || (end > first && cheaper_below(a, node));
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    rng r;
    rng_init(&r, a, b);
    return rng_next(&r);
}

uint64_t weave_bits_tree_name(uint32_t number)
{
    return mix(number, 0);
}

uint64_t weave_bits_part_name(uint64_t set, uint32_t axis, uint32_t node)
{
    return mix(set, (uint64_t)axis << 32 | node);
}

uint32_t weave_bits_coin(uint64_t coins, uint64_t set, uint32_t live)
{
    rng r;
    rng_init(&r, coins, set);
    return rng_below(&r, live);
}
