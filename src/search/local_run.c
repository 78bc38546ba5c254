#include "search/local_run.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "search/level_bounds.h"

/* One call; `problem` has no lowest levels any more. */
typedef struct local {
    const algorithm *algorithm;
    const problem *problem;
    const search_spec *spec;
    context *context;
    search_result *result;
} local;

/* The problem of some records, without bounds: they have a common node at every highest level. */
static kith_status take_records(problem *part, const problem *p, const uint32_t *records,
                                uint32_t n, arena *memory, kith_error *error)
{
    attribute *attributes =
        TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *attributes), error);
    sensitive_attribute *sensitive =
        TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *sensitive), error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        uint32_t *cells = TRY_ALLOC(arena_array(memory, n, sizeof *cells), error);
        for (uint32_t i = 0; i < n; i++)
            cells[i] = p->attributes[j].cells[records[i]];
        attributes[j] = p->attributes[j];
        attributes[j].cells = cells;
        attributes[j].n_forbidden = 0;
    }
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        uint32_t *values = TRY_ALLOC(arena_array(memory, n, sizeof *values), error);
        for (uint32_t i = 0; i < n; i++)
            values[i] = p->sensitive[s].values[records[i]];
        sensitive[s] = (sensitive_attribute){values, p->sensitive[s].count};
    }
    *part = *p;
    part->n_records = n;
    part->may_suppress = 0;
    part->attributes = attributes;
    part->sensitive = sensitive;
    return KITH_OK;
}

/* Searches one group in memory of its own and appends its classes to the result. */
static kith_status run_group(local *l, const uint32_t *records, uint32_t n, context *inner,
                             kith_error *error)
{
    partition *all = &l->result->partition;
    problem part;
    search_result one;
    search_spec spec = *l->spec;
    spec.seconds *= (double)n / l->problem->n_records;
    TRY(take_records(&part, l->problem, records, n, inner->memory, error));
    TRY(search_run(&one, l->algorithm, &part, &spec, inner, error));
    for (uint32_t i = 0; i < n; i++)
        all->class_of[records[i]] = all->n_classes + one.partition.class_of[i];
    all->n_classes += one.partition.n_classes;
    l->result->n_passes += one.n_passes;
    l->result->n_questions += one.n_questions;
    l->result->put_off += one.put_off;
    l->result->stopped = one.stopped;
    l->result->interrupted |= one.interrupted;
    return KITH_OK;
}

/* What is infeasible for a group is so because of the bounds: all others may have joined it. */
static kith_status blame_bounds(const local *l, uint32_t n, kith_status status,
                                const kith_error *why, kith_error *error)
{
    if (status != KITH_INFEASIBLE || n == l->problem->n_records) {
        if (error != NULL)
            *error = *why;
        return status;
    }
    error_set(error, status, "max_level keeps a group of %u record%s apart from all others: %s", n,
              n == 1 ? "" : "s", why->message);
    return error_hint(error, status, "raise max_level");
}

static kith_status run_groups(local *l, kith_error *error)
{
    context *c = l->context;
    const problem *p = l->problem;
    level_groups groups;
    uint32_t *records = TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof *records), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        records[i] = i;
    TRY(level_bounds_groups(&groups, p, records, p->n_records, c->memory, error));
    l->result->partition.class_of =
        TRY_ALLOC(arena_array(c->memory, p->n_records, sizeof *records), error);
    for (uint32_t g = 0; g < groups.count; g++) {
        uint32_t n = groups.start[g + 1] - groups.start[g];
        kith_error why = {.status = KITH_OK};
        context inner = *c;
        inner.memory = TRY_ALLOC(arena_new_like(c->memory), error);
        kith_status status = run_group(l, groups.order + groups.start[g], n, &inner, &why);
        c->cancelled = inner.cancelled;
        arena_free(inner.memory);
        if (status != KITH_OK)
            return blame_bounds(l, n, status, &why, error);
    }
    return partition_close(&l->result->partition, p, c->memory, error);
}

/* From nodes of the cut trees to those of the original ones. */
static void restore_nodes(uint32_t *nodes, size_t n_rows, const problem *p)
{
    for (size_t i = 0; nodes != NULL && i < n_rows; i++)
        for (uint32_t j = 0; j < p->n_attributes; j++)
            if (p->attributes[j].min_level > 0)
                nodes[i * p->n_attributes + j] =
                    level_bounds_node(&p->attributes[j], nodes[i * p->n_attributes + j]);
}

kith_status local_run(search_result *result, const algorithm *a, const problem *p,
                      const search_spec *spec, context *c, kith_error *error)
{
    problem cut;
    ASSERT(!spec->ranges); /* a range is not a node */
    TRY(level_bounds_cut(&cut, p, c->memory, error));
    local l = {.algorithm = a, .problem = &cut, .spec = spec, .context = c, .result = result};
    if (!a->cuts && level_bounds_high(p))
        TRY(run_groups(&l, error));
    else
        TRY(search_run(result, a, &cut, spec, c, error));
    restore_nodes(result->partition.closure, result->partition.n_classes, p);
    restore_nodes(result->recoded, p->n_records, p);
    return KITH_OK;
}
