/* Drafts that are trees already, leaf by leaf. */
#include "core/error.h"
#include "hierarchy/draft.h"

/* The leaves that have a label: first to end - 1. */
typedef struct run {
    uint32_t first, end; /* end 0: not met yet */
} run;

/* The run of a label ends before this leaf. False if it had another run before. */
static bool close_run(run *runs, uint32_t code, uint32_t first, uint32_t end)
{
    run *r = &runs[code];
    if (r->end == 0)
        *r = (run){first, end};
    return r->first == first && r->end == end;
}

/* Where a label changes, those of all levels below must change as well. */
static bool go_through(const draft *d, run *runs)
{
    const uint32_t n_levels = d->n_levels;
    uint32_t first[HIERARCHY_MAX_LEVELS] = {0};
    for (uint32_t leaf = 1; leaf <= d->n_leaves; leaf++) {
        const uint32_t *before = d->cell + (uint64_t)(leaf - 1) * n_levels;
        bool changed = leaf == d->n_leaves;
        for (uint32_t level = n_levels; level-- > 0;) {
            const bool changes = leaf == d->n_leaves || before[level] != before[n_levels + level];
            if (changed && !changes)
                return false;
            if (!changes)
                continue;
            changed = true;
            if (!close_run(runs, before[level], first[level], leaf))
                return false;
            first[level] = leaf;
        }
    }
    return true;
}

kith_status draft_in_order(bool *in_order, const draft *d, kith_error *error)
{
    run *runs = TRY_ALLOC(arena_zalloc(d->scratch, draft_n_labels(d), sizeof *runs), error);
    *in_order = go_through(d, runs);
    const uint32_t root = draft_cell(d, 0, d->n_levels - 1);
    *in_order = *in_order && runs[root].first == 0 && runs[root].end == d->n_leaves;
    arena_release(d->scratch, runs, draft_n_labels(d) * sizeof *runs);
    return KITH_OK;
}
