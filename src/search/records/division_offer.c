/* The splits that attributes offer for a set, and what they are worth. */
#include <math.h>

#include "search/records/division_internal.h"
#include "search/split_score.h"

static double xlogx(double count)
{
    return count > 0 ? count * log2(count) : 0;
}

/* What the split would keep, as the tree of weave rates it. */
static double score(const division_work *w, const division_split *o, uint32_t common,
                    const uint64_t *count, uint64_t set_size)
{
    const attribute *a = &w->p->attributes[o->attribute];
    const double *cost = a->cost + o->first_child;
    const double size = (double)set_size;
    double kept = 0, bits = xlogx(size);
    uint64_t rest = set_size;
    for (uint32_t i = 0; i < o->n_children; i++) {
        if (count[i] < w->min_class)
            continue;
        kept += (double)count[i] * (a->cost[common] - cost[i]);
        bits -= xlogx((double)count[i]);
        rest -= count[i];
    }
    return kept > 0 ? split_score(kept / size, (bits - xlogx((double)rest)) / size) : 0;
}

void division_set_common(const division_work *w, division_set *set, uint32_t a, uint32_t node)
{
    const tree *t = w->plan->trees[a];
    division_split *o = &set->offers[a];
    set->common[a] = node;
    set->counts[a] = NULL;
    *o = (division_split){.attribute = a};
    if (t->level[node] == 0)
        return;
    o->level = t->level[node] - 1u;
    o->first_child = tree_up(t, t->first[node], o->level);
    o->n_children = tree_up(t, t->end[node] - 1, o->level) - o->first_child + 1;
}

void division_rate_offers(const division_work *w, division_set *set)
{
    const uint64_t size = w->plan->nodes[set->node].size;
    for (uint32_t a = 0; a < w->p->n_attributes; a++)
        set->scores[a] = set->counts[a] == NULL
                             ? 0
                             : score(w, &set->offers[a], set->common[a], set->counts[a], size);
}

const division_split *division_best_offer(const division_work *w, const division_set *set)
{
    uint32_t best = 0;
    for (uint32_t a = 1; a < w->p->n_attributes; a++)
        if (set->scores[a] > set->scores[best])
            best = a;
    return set->scores[best] > 0 ? &set->offers[best] : NULL;
}
