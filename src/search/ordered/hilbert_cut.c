/* Optimal one-dimensional grouping (SEQ 6.2.3, after Ghinita et al.): the best cut of the first m
 * records ends with a group of k to 2k - 1 of them, behind the best cut of the rest. */
#include "search/ordered/hilbert_cut.h"

#include <math.h>

#include "core/check.h"
#include "core/error.h"
#include "search/unit_marks.h"

enum { PROGRESS_STEPS = 1024 };

/* The best cut of the first `count` records of a sequence. */
typedef struct cut {
    double cost;
    uint32_t last; /* size of the last group; 0: no valid cut */
} cut;

/* The best last group among those of k to 2k - 1 units that end before `end`: the closure grows
 * backwards, record by record. */
static cut best_cut(const problem *p, const uint32_t *order, const cut *before, uint32_t end,
                    uint32_t *node, unit_marks *marks)
{
    cut best = {HUGE_VAL, 0};
    uint64_t n_units = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        node[j] = p->attributes[j].cells[order[end - 1]];
    unit_marks_begin(marks);
    for (uint32_t size = 1; size <= end; size++) {
        double cost = 0;
        n_units += unit_marks_add(marks, order[end - size]);
        if (n_units >= 2 * (uint64_t)p->k)
            break;
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            const attribute *a = &p->attributes[j];
            node[j] = tree_lca(a->tree, node[j], a->cells[order[end - size]]);
            cost += a->cost[node[j]];
        }
        double total = before[end - size].cost + cost * size;
        if (n_units >= p->k && total < best.cost)
            best = (cut){total, size};
    }
    return best;
}

kith_status hilbert_cut_sequence(partition *out, const problem *p, const uint32_t *order,
                                 context *c, kith_error *error)
{
    ASSERT(p->k > 0);
    cut *cuts = TRY_ARRAY(cuts, c->memory, (size_t)p->n_records + 1, error);
    uint32_t *node = TRY_ARRAY(node, c->memory, p->n_attributes, error);
    unit_marks marks;
    TRY(unit_marks_init(&marks, p, c->memory, error));
    cuts[0] = (cut){0, 0};
    for (uint32_t end = 1; end <= p->n_records; end++) {
        cuts[end] = best_cut(p, order, cuts, end, node, &marks);
        if (end % PROGRESS_STEPS == 0 &&
            !context_progress(c, "cutting", (double)end / (double)p->n_records))
            return error_set(error, KITH_CANCELLED, "stopped");
    }
    out->n_classes = 0;
    for (uint32_t end = p->n_records; end > 0; out->n_classes++) {
        uint32_t size = cuts[end].last > 0 ? cuts[end].last : end;
        for (uint32_t i = end - size; i < end; i++)
            out->class_of[order[i]] = out->n_classes;
        end -= size;
    }
    return KITH_OK;
}
