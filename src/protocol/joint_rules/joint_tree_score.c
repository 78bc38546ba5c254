#include <math.h>
#include <sodium.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/rng.h"
#include "protocol/joint_rules/joint_tree_score.h"

/* How strongly fragmentation counts, and what a split with a rest is worth, relative to one
 * without: measured on Adult. */
static const double fragmentation = .3, with_rest = .6;

double joint_tree_score(double worth, uint32_t live, bool big, bool last)
{
    const bool joins = last && !big; /* a small rest spoils one of the values */
    if (live == 0 || (joins && live < 2))
        return -1;
    double bits = log2((double)live + big) + (big ? 0 : .1) + .001;
    double score = worth * (big ? with_rest : 1) / pow(bits, fragmentation);
    return joins ? score * (live - 1) / live : score;
}

uint32_t joint_tree_score_children(const tree *t, uint32_t node, uint32_t *end)
{
    const uint32_t level = t->level[node];
    if (level == 0) {
        *end = 0;
        return 0;
    }
    *end = tree_up(t, t->end[node] - 1, level - 1) + 1;
    return tree_up(t, t->first[node], level - 1);
}

double joint_tree_score_worth(const attribute *a, uint32_t node)
{
    uint32_t end;
    double max_saving = 0;
    for (uint32_t child = joint_tree_score_children(a->tree, node, &end); child < end; child++)
        max_saving = fmax(max_saving, a->cost[node] - a->cost[child]);
    return max_saving;
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

bool joint_tree_score_has_slot(const attribute *a, uint32_t node)
{
    uint32_t end, first = joint_tree_score_children(a->tree, node, &end);
    return end - first == 1 || (end > first && cheaper_below(a, node));
}

static uint64_t joint_tree_score_mix(uint64_t a, uint64_t b)
{
    rng r;
    rng_init(&r, a, b);
    return rng_next(&r);
}

uint64_t joint_tree_score_tree_name(uint32_t number)
{
    return joint_tree_score_mix(number, 0);
}

uint64_t joint_tree_score_part_name(uint64_t set, uint32_t a, uint32_t node)
{
    return joint_tree_score_mix(set, (uint64_t)a << 32 | node);
}

uint32_t joint_tree_score_coin(uint64_t coins, uint64_t set, uint32_t live)
{
    ASSERT(live > 0);
    rng r;
    rng_init(&r, coins, set);
    return rng_below(&r, live);
}

/* --- diversity by frequency --- */

uint32_t joint_tree_score_max_trees(double l)
{
    return l < JOINT_TREE_LEAN_FROM ? JOINT_TREE_MAX_TREES - 2 : JOINT_TREE_MAX_TREES + 2;
}

uint32_t joint_tree_score_max_count(uint32_t k, double l)
{
    enum { TIMES = 4 }; /* larger classes gain little: they could be split if records differed */
    const double needed = TIMES * ceil(k / l);
    uint32_t max = 1;
    while (max < needed && max < UINT32_MAX / 2)
        max = 2 * max + 1;
    return max;
}

uint64_t joint_tree_score_turn_name(uint64_t set, uint32_t i)
{
    return i == 0 ? set : joint_tree_score_part_name(set, i, JOINT_TREE_REST);
}

void joint_tree_score_site_order(uint32_t *order, uint64_t coins, uint64_t set, uint32_t sites)
{
    rng r;
    rng_init(&r, coins, joint_tree_score_mix(set, sites));
    for (uint32_t i = 0; i < sites; i++)
        order[i] = i;
    rng_shuffle(&r, order, sites);
}

uint64_t joint_tree_score_sweep_name(uint32_t sweep, uint32_t leaf)
{
    return joint_tree_score_mix(~(uint64_t)sweep, leaf);
}

/* What a leaf of k records loses by taking the record in: the growth of the cost of its records and
 * the cost of the new one. Stops early beyond `max`. */
static double cost_of_joining(const problem *p, const uint32_t *const *cells, uint32_t record,
                              const uint32_t *closure, double max)
{
    double sum = 0;
    for (uint32_t a = 0; a < p->n_attributes && sum < max; a++) {
        const attribute *of = &p->attributes[a];
        double joined = of->cost[tree_lca(of->tree, closure[a], cells[a][record])];
        sum += joined + p->k * (joined - of->cost[closure[a]]);
    }
    return sum;
}

static bool is_full(joint_tree_full full, uint32_t leaf)
{
    for (uint32_t i = 0; i < full.n; i++)
        if (full.at[i][(size_t)leaf * full.stride])
            return true;
    return false;
}

uint32_t joint_tree_score_nearest_leaf(const problem *p, const uint32_t *const *cells,
                                       uint32_t record, const uint32_t *closure, uint32_t leaves,
                                       joint_tree_full full)
{
    enum { MAX_LOOKED_AT = 4096 };
    const uint32_t step = 1 + leaves / MAX_LOOKED_AT;
    uint32_t best = UINT32_MAX;
    double min_cost = INFINITY;
    uint64_t name = 0;
    for (uint32_t a = 0; a < p->n_attributes; a++)
        name = joint_tree_score_part_name(name, a, cells[a][record]);
    for (uint32_t l = (uint32_t)(name % step); l < leaves; l += step) {
        if (is_full(full, l))
            continue;
        double cost =
            cost_of_joining(p, cells, record, closure + (size_t)l * p->n_attributes, min_cost);
        if (cost < min_cost) {
            min_cost = cost;
            best = l;
        }
    }
    return best;
}

/* --- private choices --- */

joint_tree_draws joint_tree_score_seeded_draws(uint64_t seed, uint32_t self)
{
    joint_tree_draws d;
    const uint64_t words[2] = {seed, self};
    _Static_assert(sizeof words == sizeof d.key, "a key of two words");
    memcpy(d.key, words, sizeof words);
    return d;
}

uint64_t joint_tree_score_draw(const joint_tree_draws *d, uint64_t set, uint32_t row)
{
    const uint64_t words[2] = {set, row};
    unsigned char in[sizeof words], out[crypto_shorthash_BYTES];
    uint64_t drawn;
    memcpy(in, words, sizeof in);
    crypto_shorthash(out, in, sizeof in, d->key);
    memcpy(&drawn, out, sizeof drawn);
    return drawn;
}

bool joint_tree_score_is_lent(uint64_t drawn, uint32_t loan)
{
    ASSERT(loan < JOINT_TREE_LOANS);
    return drawn >> (64 - (JOINT_TREE_LOANS - loan)) == 0;
}

/* --- reweaving --- */

typedef struct closure_order {
    const problem *problem;
    const uint32_t *closure;
    const uint32_t *attributes; /* [n_attributes] those that count most first */
} closure_order;

/* The order of nodes in the hierarchy, from the top down: by first leaf, wider nodes first. */
static int compare_closures(const void *x, const void *y, void *user)
{
    const closure_order *by = user;
    const uint32_t n = by->problem->n_attributes, i = *(const uint32_t *)x,
                   j = *(const uint32_t *)y;
    for (uint32_t s = 0; s < n; s++) {
        const uint32_t a = by->attributes[s];
        const tree *t = by->problem->attributes[a].tree;
        const uint32_t u = by->closure[(size_t)i * n + a], v = by->closure[(size_t)j * n + a];
        if (t->first[u] != t->first[v])
            return t->first[u] < t->first[v] ? -1 : 1;
        if (t->end[u] != t->end[v])
            return t->end[u] > t->end[v] ? -1 : 1;
    }
    return (i > j) - (i < j);
}

kith_status joint_tree_score_leaf_order(uint32_t *order, const problem *p, const uint32_t *closure,
                                        uint32_t leaves, uint32_t round, arena *memory,
                                        kith_error *error)
{
    uint32_t *attributes = TRY_ARRAY(attributes, memory, p->n_attributes, error);
    closure_order by = {p, closure, attributes};
    rng r;
    rng_init(&r, round, 0);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        attributes[a] = a;
    rng_shuffle(&r, attributes, p->n_attributes);
    for (uint32_t i = 0; i < leaves; i++)
        order[i] = i;
    qsort_r(order, leaves, sizeof *order, compare_closures, &by);
    return KITH_OK;
}

uint32_t joint_tree_score_area_end(uint32_t area, uint32_t leaves, uint32_t round)
{
    uint64_t border =
        1 + (uint64_t)round * 7 % JOINT_TREE_AREA_LEAVES + (uint64_t)area * JOINT_TREE_AREA_LEAVES;
    return border < leaves ? (uint32_t)border : leaves;
}

uint64_t joint_tree_score_area_name(uint32_t round, uint32_t area, bool second)
{
    return joint_tree_score_part_name(joint_tree_score_tree_name(JOINT_TREE_MAX_TREES + 1 + round),
                                      second, area);
}

double joint_tree_score_cost(const problem *p, const uint32_t *closure)
{
    double cost = 0;
    for (uint32_t a = 0; a < p->n_attributes; a++)
        cost += p->attributes[a].cost[closure[a]];
    return cost;
}

int64_t joint_tree_score_price(const problem *p, const uint32_t *closure)
{
    return llround(ldexp(joint_tree_score_cost(p, closure), 16));
}
