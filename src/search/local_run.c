#include "search/local_run.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "search/intersections.h"
#include "search/level_bounds.h"
#include "search/suppress.h"

enum { ROUNDS = 4 };

/* One call; `problem` has no lowest levels any more. */
typedef struct local {
    const algorithm *algorithm;
    const problem *problem;
    const search_spec *spec;
    context *context;
    search_result *result;
} local;

/* Searches one group in memory of its own and appends its classes to `to`. */
static kith_status run_group(local *l, partition *to, const uint32_t *records, uint32_t n,
                             context *inner, kith_error *error)
{
    problem part;
    search_result one;
    search_spec spec = *l->spec;
    spec.seconds *= (double)n / l->problem->n_records;
    if (l->problem->may_suppress > 0)
        spec.seconds /= ROUNDS + 1;
    /* The problem of some records, without bounds: they have a common node at every highest level.
     */
    attribute *attributes;
    TRY(problem_take(&part, &attributes, l->problem, records, n, inner->memory, error));
    for (uint32_t j = 0; j < l->problem->n_attributes; j++)
        attributes[j].n_forbidden = 0;
    part.may_suppress = 0;
    part.common = NULL; /* looked at when all classes are there */
    TRY(search_run(&one, l->algorithm, &part, &spec, inner, error));
    for (uint32_t i = 0; i < n; i++)
        to->class_of[records[i]] = to->n_classes + one.partition.class_of[i];
    to->n_classes += one.partition.n_classes;
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
    return error_hint(error, status, "raise max_level, or allow suppression of as many records");
}

/* Searches the records listed, group by group; the others are suppressed, and so are groups that
 * cannot meet the models, as long as no more than may_suppress are. */
static kith_status run_records(local *l, partition *to, const uint32_t *records, uint32_t n,
                               kith_error *error)
{
    context *c = l->context;
    const problem *p = l->problem;
    level_groups groups;
    uint32_t room = p->may_suppress - (p->n_records - n);
    *to = (partition){.n_classes = 0};
    to->class_of = TRY_ARRAY(to->class_of, c->memory, p->n_records, error);
    memset(to->class_of, 0xFF, p->n_records * sizeof *to->class_of);
    TRY(level_bounds_groups(&groups, p, records, n, c->memory, error));
    for (uint32_t g = 0; g < groups.count; g++) {
        uint32_t size = groups.start[g + 1] - groups.start[g];
        kith_error why = {.status = KITH_OK};
        context inner = *c;
        inner.memory = TRY_ALLOC(arena_new_like(c->memory), error);
        kith_status status = run_group(l, to, groups.order + groups.start[g], size, &inner, &why);
        c->cancelled = inner.cancelled;
        arena_free(inner.memory);
        if (status == KITH_INFEASIBLE && size <= room && groups.count > 1)
            room -= size;
        else if (status != KITH_OK)
            return blame_bounds(l, size, status, &why, error);
    }
    return partition_close(to, p, c->memory, error);
}

/* Searches again without the first `n` records of `list`. False if that does not cost less. */
static kith_status try_without(local *l, partition *best, double *cost, const uint32_t *list,
                               uint32_t n, bool *better, kith_error *error)
{
    const problem *p = l->problem;
    arena *memory = l->context->memory;
    partition next;
    uint32_t n_kept = 0;
    bool *gone = TRY_ZEROS(gone, memory, p->n_records, error);
    uint32_t *kept = TRY_ARRAY(kept, memory, p->n_records, error);
    *better = false;
    for (uint32_t i = 0; i < n; i++)
        gone[list[i]] = true;
    for (uint32_t i = 0; i < p->n_records; i++)
        if (!gone[i] && best->class_of[i] != PARTITION_SUPPRESSED)
            kept[n_kept++] = i;
    kith_error why = {.status = KITH_OK};
    kith_status status = run_records(l, &next, kept, n_kept, &why);
    if (status == KITH_INFEASIBLE || status == KITH_CANCELLED)
        return KITH_OK;
    if (status != KITH_OK && error != NULL)
        *error = why;
    TRY(status);
    TRY(suppress_readmit(&next, p, memory, error));
    double next_cost = suppress_cost(&next, p);
    if (next_cost >= *cost)
        return KITH_OK;
    *better = true;
    *best = next;
    *cost = next_cost;
    return KITH_OK;
}

/* Leaves out what widens classes most, in parts, because every part changes what comes next. */
static kith_status leave_out(local *l, partition *best, kith_error *error)
{
    const problem *p = l->problem;
    arena *memory = l->context->memory;
    double cost = suppress_cost(best, p);
    for (uint32_t round = 0; round < ROUNDS && !l->context->cancelled; round++) {
        uint32_t room = p->may_suppress - suppress_count(best, p->n_records), count;
        bool better = false;
        room = round + 1 < ROUNDS ? room - room / 2 : room;
        uint32_t *list = TRY_ARRAY(list, memory, room, error);
        TRY(suppress_candidates(list, &count, room, best, p, memory, error));
        if (count > 0)
            TRY(try_without(l, best, &cost, list, count, &better, error));
        if (!better)
            break;
    }
    return suppress_peel(best, p->may_suppress - suppress_count(best, p->n_records), p, memory,
                         error);
}

/* The class that shows the root everywhere, or n_classes. */
static uint32_t root_class(const partition *best, const problem *p)
{
    uint32_t class = 0;
    for (; class < best->n_classes; class ++) {
        uint32_t j = 0;
        while (j < p->n_attributes && best->closure[(size_t) class * p->n_attributes + j] ==
                                          tree_root(p->attributes[j].tree))
            j++;
        if (j == p->n_attributes)
            break;
    }
    return class;
}

/* Without what is left out, two classes may look alike: they are one in a release, which must be a
 * good one. */
static kith_status unite_equal(partition *best, const problem *p, arena *memory, bool *good,
                               kith_error *error)
{
    bool united = false;
    uint32_t model, class;
    if (models_closed(p->models, p->n_models))
        return KITH_OK;
    TRY(partition_unite_equal(best, p, memory, &united, error));
    if (!united || partition_holds(best, p, memory, &model, &class))
        return KITH_OK;
    *good = false;
    return model == UINT32_MAX ? error_nomem(error) : KITH_OK;
}

kith_status local_run_unite_roots(partition *best, const problem *p, arena *memory, bool *good,
                                  kith_error *error)
{
    uint32_t class = root_class(best, p), model, violating;
    uint32_t suppressed = suppress_count(best, p->n_records), size = 0;
    *good = true;
    if (suppressed == 0 || class == best->n_classes)
        return KITH_OK;
    for (uint32_t i = 0; i < p->n_records; i++)
        size += best->class_of[i] == class;
    bool few = size + suppressed <= p->may_suppress;
    for (uint32_t i = 0; i < p->n_records; i++)
        if (few && best->class_of[i] == class)
            best->class_of[i] = PARTITION_SUPPRESSED;
        else if (!few && best->class_of[i] == PARTITION_SUPPRESSED)
            best->class_of[i] = class;
    TRY(partition_close(best, p, memory, error));
    if (few)
        return KITH_OK;
    *good = partition_holds(best, p, memory, &model, &violating);
    return !*good && model == UINT32_MAX ? error_nomem(error) : KITH_OK;
}

static kith_status run_local(local *l, kith_error *error)
{
    const problem *p = l->problem;
    arena *memory = l->context->memory;
    partition first, best;
    bool good = true;
    uint32_t *all = TRY_ARRAY(all, memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        all[i] = i;
    TRY(run_records(l, &first, all, p->n_records, error));
    best = first;
    if (p->may_suppress > 0) {
        best.class_of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *all), error);
        memcpy(best.class_of, first.class_of, p->n_records * sizeof *all);
        TRY(leave_out(l, &best, error));
        TRY(local_run_unite_roots(&best, p, memory, &good, error));
        TRY(unite_equal(&best, p, memory, &good, error));
    }
    if (!good && suppress_count(&first, p->n_records) > 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the records that have to be suppressed make up a class that breaks a "
                         "model, together with others that show nothing");
    l->result->partition = good ? best : first;
    return KITH_OK;
}

kith_status local_run(search_result *result, const algorithm *a, const problem *p,
                      const search_spec *spec, context *c, kith_error *error)
{
    problem cut;
    ASSERT(!spec->ranges); /* a range is not a node */
    TRY(level_bounds_cut(&cut, p, c->memory, error));
    local l = {.algorithm = a, .problem = &cut, .spec = spec, .context = c, .result = result};
    if (!a->cuts && (level_bounds_high(p) || p->may_suppress > 0))
        TRY(run_local(&l, error));
    else
        TRY(search_run(result, a, &cut, spec, c, error));
    if (p->common != NULL && !a->cuts)
        TRY(intersections_close(&result->partition, &cut, c, error));
    level_bounds_restore(result->partition.closure, result->partition.n_classes, p);
    level_bounds_restore(result->recoded, p->n_records, p);
    return KITH_OK;
}
