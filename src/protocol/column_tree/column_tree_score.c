#include "protocol/column_tree/column_tree_score.h"

#include <math.h>

/* How strongly fragmentation counts: measured on Adult and a third table. */
static const double fragmentation = .4;
/* Keeps the score of splits that fragment almost nothing finite. */
static const double min_bits = .001;
/* The lowest score is 2^-20 units, the highest 2^11.9. */
enum { STEPS = 8, LOWEST = -20, MAX_SCORE = (1 << COLUMN_TREE_SCORE_BITS) - 1 };

uint32_t column_tree_score_level(const attribute *a, uint32_t node)
{
    const tree *t = a->tree;
    for (uint32_t level = t->level[node]; level-- > 0;) {
        const uint32_t last = tree_up(t, t->end[node] - 1, level);
        for (uint32_t below = tree_up(t, t->first[node], level); below <= last; below++)
            if (a->cost[below] < a->cost[node])
                return level;
    }
    return COLUMN_TREE_NO_SLOT;
}

static double xlogx(uint32_t count)
{
    return count == 0 ? 0 : count * log2(count);
}

/* Rounded down to an eighth of an octave. Coarse scores keep the order of attributes alike in
 * neighbouring sets, which gives better trees than exact ones. */
static uint32_t round_down(double score)
{
    const double steps = floor((log2(score) - LOWEST) * STEPS);
    return (uint32_t)fmin(fmax(steps, 1), MAX_SCORE);
}

uint32_t column_tree_score(uint32_t *borrow, const column_tree_value *live, uint32_t n_live,
                           uint32_t size, uint32_t k, double unit)
{
    double saved = 0, max_saving = 0, bits = xlogx(size);
    uint32_t rest = size, spare = 0;
    for (uint32_t i = 0; i < n_live; i++) {
        saved += live[i].count * live[i].saving;
        max_saving = fmax(max_saving, live[i].saving);
        bits -= xlogx(live[i].count);
        rest -= live[i].count;
        spare += live[i].count - k;
    }
    *borrow = rest > 0 && rest < k ? k - rest : 0;
    saved -= *borrow * max_saving;
    if (n_live == 0 || *borrow > spare || !(saved > 0))
        return 0;
    bits = fmax(bits - xlogx(rest), 0) / size;
    return round_down(saved / size / pow(bits + min_bits, fragmentation) / unit);
}

uint32_t column_tree_score_loan(uint32_t before, uint32_t rest, uint32_t k)
{
    if (before == 0)
        return rest / 4 > k ? rest / 4 : k;
    return before + (before / 2 > k ? before / 2 : k);
}

uint32_t column_tree_score_give(uint32_t loan, uint32_t count, uint32_t kept, uint32_t k)
{
    const uint32_t share = (uint32_t)((uint64_t)loan * count / kept), spare = count - k;
    return share < spare ? share : spare;
}

uint32_t column_tree_score_diluted(uint32_t score)
{
    return score > STEPS ? score - STEPS : score > 0;
}
