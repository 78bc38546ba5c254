/* needs: weave */
#include "reference/column_tree_plain_audit.h"

#include "core/error.h"
#include "protocol/column_tree/column_tree_score.h"

kith_status column_tree_plain_audit_begin(column_tree_plain_audit *a, const problem *p,
                                          arena *memory, kith_error *error)
{
    const size_t d = p->n_attributes;
    *a = (column_tree_plain_audit){.p = p};
    a->known = TRY_ALLOC(arena_array(memory, p->n_records * d, sizeof *a->known), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        for (uint32_t j = 0; j < d; j++)
            a->known[i * d + j] = tree_root(p->attributes[j].tree);
    return KITH_OK;
}

/* Takes note of a node, if it says more. */
static void learn(uint32_t *known, const tree *t, uint32_t node)
{
    if (tree_size(t, node) < tree_size(t, *known))
        *known = node;
}

void column_tree_plain_audit_split(void *user, const column_tree_split *what)
{
    column_tree_plain_audit *a = user;
    const size_t d = a->p->n_attributes;
    for (uint32_t i = 0; i < what->size; i++)
        if (what->nodes[i] != COLUMN_TREE_REST)
            learn(&a->known[what->members[i] * d + what->attribute],
                  a->p->attributes[what->attribute].tree, what->nodes[i]);
}

/* How many records may be the one with these nodes? */
static uint32_t count_fitting(const problem *p, const uint32_t *known)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        bool fits = true;
        for (uint32_t j = 0; fits && j < p->n_attributes; j++)
            fits = tree_covers(p->attributes[j].tree, known[j], p->attributes[j].cells[i]);
        count += fits;
    }
    return count;
}

column_tree_plain_audit_figures column_tree_plain_audit_end(column_tree_plain_audit *a,
                                                            const partition *release)
{
    const problem *p = a->p;
    const size_t d = p->n_attributes;
    column_tree_plain_audit_figures f = {0};
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t *known = &a->known[i * d], n_finer = 0;
        const uint32_t *shown = &release->closure[release->class_of[i] * d];
        for (uint32_t j = 0; j < d; j++) {
            const attribute *of = &p->attributes[j];
            n_finer += tree_size(of->tree, known[j]) < tree_size(of->tree, shown[j]);
            learn(&known[j], of->tree, shown[j]);
            f.loss += of->cost[known[j]] / ((double)p->n_records * d);
        }
        if (n_finer == 0)
            continue;
        const uint32_t fitting = count_fitting(p, known);
        f.n_finer++;
        f.cells += n_finer;
        f.n_few += fitting < p->k;
        f.n_alone += fitting == 1;
    }
    f.cells = f.n_finer > 0 ? f.cells / f.n_finer : 0;
    return f;
}
