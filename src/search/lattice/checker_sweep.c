/* Checking many nodes in an order in which each differs little from the one before. */
#include "search/lattice/checker_internal.h"

#include <string.h>

/* Judges one group of a sweep. Counts the sensitive values of its tuples for the models, and clears
 * the counts afterwards. */
static model_verdict judge_tuples(const checker *c, checker_scratch *s, const uint32_t *tuple,
                                  uint32_t count, uint32_t size, const uint8_t *levels)
{
    const tuples *t = s->sweep.tuples;
    if (c->models.only_units) {
        const uint32_t k = c->problem->k;
        unit_marks_begin(&s->marks);
        const bool enough = unit_lists_count(&s->marks, t, tuple, count, k) >= k;
        return (model_verdict){enough, enough};
    }
    if (c->by_units != NULL) {
        unit_lists_begin(&s->units);
        unit_lists_add(&s->units, t, tuple, count);
    }
    for (uint32_t q = 0; c->lists_values && q < c->problem->n_sensitive; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = t->first[q][tuple[i]]; e < t->first[q][tuple[i] + 1]; e++)
                s->count[q][t->value[q][e]] += t->times[q][e];
    model_verdict v = checker_judge(c, s, tuples_row(t, tuple[0]), size, levels);
    for (uint32_t q = 0; c->lists_values && q < c->problem->n_sensitive; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = t->first[q][tuple[i]]; e < t->first[q][tuple[i] + 1]; e++)
                s->count[q][t->value[q][e]] = 0;
    return v;
}

/* Counts the units of all groups; what a sweep leaves out is in none. */
static void tally_units(checker_scratch *s, const tuples *t, const sweep_view *v)
{
    memset(s->group_of, 0xff, t->count * sizeof *s->group_of);
    for (uint32_t g = 0; g < v->n_segments; g++)
        for (uint32_t i = v->start[g]; i < v->start[g + 1]; i++)
            s->group_of[v->tuple[i]] = g;
    unit_tallies_count(&s->tallies, s->group_of, v->n_segments);
}

/* A sweep leaves out groups that are too small, so that what is not kept is found by subtraction
 * only. */
void checker_sweep_part(checker *c, unsigned worker, const distribution *e, const uint8_t *levels,
                        node_part *part)
{
    ASSERT(c->sweeping && worker < c->n_workers && e->column != NULL);
    CHECK(checker_scratch_check(c, worker));
    checker_scratch *s = &c->scratch[worker];
    const tuples *t = &e->tuples;
    sweep_attach(&s->sweep, t, e->column, e->number);
    const sweep_view *v = sweep_to(&s->sweep, levels);
    uint32_t part_kept = 0, kept = 0;
    *part = (node_part){.cells_kept = true};
    memset(s->cells, 0, node_loss_count_entries(&c->node_loss) * sizeof *s->cells);
    const bool tallied = c->tallies_units && v->n_segments <= s->tallies.room;
    if (tallied)
        tally_units(s, t, v);
    for (uint32_t g = 0; g < v->n_segments; g++) {
        const uint32_t *tuple = v->tuple + v->start[g], *row = tuples_row(t, tuple[0]);
        uint32_t count = v->start[g + 1] - v->start[g], size = v->size[g];
        const model_verdict found = tallied ? checker_judge_tallied(c, s, g, row, levels)
                                            : judge_tuples(c, s, tuple, count, size, levels);
        part_kept += found.part_holds ? size : 0;
        if (!found.holds || checker_looks_suppressed(c, row, levels, size))
            continue;
        kept += size;
        checker_keep_class(part, size);
        if (!c->node_loss.by_leaf)
            checker_count_codes(c, s->cells, levels, row, size);
        for (uint32_t i = 0; i < count && c->node_loss.by_leaf; i++)
            checker_count_leaves(c, s->cells, t, tuple[i]);
    }
    part->suppressed = t->n_own - kept;
    part->part_violating = t->n_own - part_kept;
}
