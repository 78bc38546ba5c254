/* needs: weave */
#include "audit_trim.h"

#include <math.h>
#include <stdlib.h>

#include "protocol/joint_rules/joint_tree_score.h"

audit_trim audit_trim_new(arena *memory, uint32_t n_parties, uint32_t k, double l)
{
    return (audit_trim){.memory = memory,
                        .n_parties = n_parties,
                        .min_most = (uint32_t)ceil(k / l) - 1,
                        .max_most = joint_tree_score_max_count(k, l)};
}

void audit_trim_opened(void *user, const joint_tree_opened *what)
{
    audit_trim *a = user;
    if (what->event != JOINT_TREE_KEPT)
        return;
    if (what->bit) {
        a->n_refused += what->min_size < what->n_rows;
        return;
    }
    if (a->n_pairs == a->room) {
        const size_t room = 2 * a->room + 64;
        a->pairs =
            arena_resize(a->memory, a->pairs, a->room * sizeof *a->pairs, room * sizeof *a->pairs);
        if (a->pairs == NULL)
            abort();
        a->room = room;
    }
    a->pairs[a->n_pairs++] = (audit_trim_pair){.set = what->set,
                                               .value = what->node,
                                               .own = what->n_rows,
                                               .kept = what->min_size,
                                               .first = what->a == 0,
                                               .last = what->a + 1 == a->n_parties};
}

/* The pairs of one leaf. */
static void deduce_leaf(const audit_trim *a, audit_trim_pair *pairs, size_t n, uint32_t k,
                        audit_trim_finding *f)
{
    uint32_t low = a->min_most, high = a->max_most; /* of T */
    for (size_t i = 0; i < n; i++) {
        low = pairs[i].kept > low ? pairs[i].kept : low;
        if (pairs[i].first && pairs[i].kept < pairs[i].own && pairs[i].kept < high)
            high = pairs[i].kept;
    }
    f->most_known += low == high;
    f->wrong += low > high;
    for (size_t i = 0; i < n; i++) {
        audit_trim_pair *p = &pairs[i];
        const bool over = p->kept < p->own;
        p->low = over ? low - p->kept : 0;
        p->high = over || p->last ? high - p->kept : high;
        f->over += over;
        f->none += p->high == 0;
        f->some += p->low > 0 && p->high < k;
        f->one += p->low == 1 && p->high == 1;
    }
}

audit_trim_finding audit_trim_deduce(audit_trim *a, uint32_t k)
{
    audit_trim_finding f = {.n_pairs = a->n_pairs};
    for (size_t i = 0, end; i < a->n_pairs; i = end) {
        for (end = i + 1; end < a->n_pairs && a->pairs[end].set == a->pairs[i].set; end++)
            ;
        deduce_leaf(a, a->pairs + i, end - i, k, &f);
    }
    return f;
}
