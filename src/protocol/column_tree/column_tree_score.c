#include "protocol/column_tree/column_tree_score.h"

#include <math.h>

/* How strongly fragmentation counts: measured on Adult and a third table. */
static const double fragmentation = .4, fragmentation_pools = .3;
/* With pools, the worth of a split that makes the rest a branch. */
static const double with_rest = .6;
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

/* What the live values of a slot have together. */
typedef struct sums {
    double saved, max_saving;
    double bits; /* per record: the entropy of the split */
    uint32_t rest, spare;
} sums;

static sums column_tree_score_sums(const column_tree_value *live, uint32_t n_live, uint32_t size,
                                   uint32_t k)
{
    sums s = {.bits = xlogx(size), .rest = size};
    for (uint32_t i = 0; i < n_live; i++) {
        s.saved += live[i].count * live[i].saving;
        s.max_saving = fmax(s.max_saving, live[i].saving);
        s.bits -= xlogx(live[i].count);
        s.rest -= live[i].count;
        s.spare += live[i].count - k;
    }
    s.bits = fmax(s.bits - xlogx(s.rest), 0) / size;
    return s;
}

uint32_t column_tree_score(uint32_t *borrow, const column_tree_value *live, uint32_t n_live,
                           uint32_t size, uint32_t k, double unit)
{
    sums s = column_tree_score_sums(live, n_live, size, k);
    *borrow = s.rest > 0 && s.rest < k ? k - s.rest : 0;
    s.saved -= *borrow * s.max_saving;
    if (n_live == 0 || *borrow > s.spare || !(s.saved > 0))
        return 0;
    return round_down(s.saved / size / pow(s.bits + min_bits, fragmentation) / unit);
}

uint32_t column_tree_score_pools(const column_tree_value *live, uint32_t n_live, uint32_t size,
                                 uint32_t k, double unit)
{
    const sums s = column_tree_score_sums(live, n_live, size, k);
    if (n_live == 0 || !(s.saved > 0))
        return 0;
    return round_down(s.saved / size / pow(s.bits + min_bits, fragmentation_pools) / unit *
                      (s.rest >= k ? with_rest : 1));
}

bool column_tree_score_join(bool *joins, const uint32_t *count, uint32_t n, uint32_t k)
{
    uint32_t n_left = 0, n_joined = 0;
    uint64_t records = 0;
    for (uint32_t i = 0; i < n; i++) {
        joins[i] = false;
        n_left += count[i] > 0;
    }
    const uint32_t half = n_left / 2;
    while (n_left > 1 && (n_joined < half || records < 2 * (uint64_t)k)) {
        uint32_t smallest = UINT32_MAX;
        for (uint32_t i = 0; i < n; i++)
            if (count[i] > 0 && !joins[i] && (smallest == UINT32_MAX || count[i] < count[smallest]))
                smallest = i;
        joins[smallest] = true;
        records += count[smallest];
        n_joined++;
        n_left--;
    }
    if (records >= 2 * (uint64_t)k)
        return true;
    for (uint32_t i = 0; i < n; i++)
        joins[i] = false;
    return false;
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
