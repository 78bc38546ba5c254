/* Checking many nodes in an order in which each differs little from the one before. */
#include "search/lattice/checker_internal.h"

#include <math.h>
#include <string.h>

/* Judges one group of a sweep. Counts the sensitive values of its tuples for the models, and clears
 * the counts afterwards. */
static model_verdict judge_tuples(const checker *c, checker_scratch *s, const uint32_t *tuple,
                                  uint32_t count, uint32_t size, const uint8_t *levels)
{
    const tuples *t = &c->tuples;
    for (uint32_t q = 0; c->models.values && q < c->problem->n_sensitive; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = t->first[q][tuple[i]]; e < t->first[q][tuple[i] + 1]; e++)
                s->count[q][t->value[q][e]] += t->times[q][e];
    model_verdict v = checker_judge(c, s, tuple[0], size, levels);
    for (uint32_t q = 0; c->models.values && q < c->problem->n_sensitive; q++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = t->first[q][tuple[i]]; e < t->first[q][tuple[i] + 1]; e++)
                s->count[q][t->value[q][e]] = 0;
    return v;
}

/* Judges the groups of a sweep. Counts the cells of those that are kept into s->cells, and returns
 * the sum of their squared sizes. A sweep leaves out groups that are too small, so that what is not
 * kept is found by subtraction only. */
static double judge_swept(const checker *c, checker_scratch *s, const sweep_view *v,
                          const uint8_t *levels, node_value *value)
{
    double squares = 0;
    uint32_t part_kept = 0, kept = 0;
    memset(s->cells, 0, node_loss_count_entries(&c->node_loss) * sizeof *s->cells);
    for (uint32_t g = 0; g < v->n_segments; g++) {
        const uint32_t *tuple = v->tuple + v->start[g];
        uint32_t count = v->start[g + 1] - v->start[g], size = v->size[g];
        model_verdict found = judge_tuples(c, s, tuple, count, size, levels);
        part_kept += found.part_holds ? size : 0;
        if (!found.holds || checker_looks_suppressed(c, tuple[0], levels, size))
            continue;
        kept += size;
        checker_keep_class(value, size);
        squares += (double)size * size;
        if (!c->node_loss.by_leaf)
            checker_count_codes(c, s->cells, levels, tuple[0], size);
        for (uint32_t i = 0; i < count && c->node_loss.by_leaf; i++)
            checker_count_leaves(c, s->cells, tuple[i]);
    }
    value->suppressed = c->tuples.n_records - kept;
    value->possible = c->tuples.n_records - part_kept <= c->problem->may_suppress;
    value->satisfied = value->suppressed <= c->problem->may_suppress;
    return squares;
}

void checker_sweep_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value)
{
    ASSERT(c->sweeping && worker < c->n_workers);
    CHECK(checker_scratch_check(c, worker));
    checker_scratch *s = &c->scratch[worker];
    *value = (node_value){.loss = INFINITY};
    const sweep_view *v = sweep_to(&s->sweep, levels);
    double squares = judge_swept(c, s, v, levels, value);
    if (!value->satisfied) {
        value->smallest = 0;
        return;
    }
    if (value->suppressed > 0)
        checker_complement(c, s->cells, levels);
    value->loss = node_loss_compute(&c->node_loss, levels, value->suppressed, s->cells, squares,
                                    &value->kept);
}
