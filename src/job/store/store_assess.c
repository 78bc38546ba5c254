#include "job/store/store_assess.h"

#include "core/error.h"

kith_status store_assess_originals(store_assess *a, const prepared *piece, context *c,
                                   kith_error *error)
{
    return risk_add_data(&a->before, piece, c, error);
}

static kith_status find_suppressed(void *to, const store_part *part, kith_error *error)
{
    store_assess *a = to;
    return assess_find_suppressed(&a->shown, &a->task, part->texts, a->context, error);
}

static kith_status add_part(store_assess *a, const store_part *part, context *c, kith_error *error)
{
    prepared data;
    a->shown.counts = part->counts;
    TRY(prepare_share(&data, a->task.study, part->data, a->values->whole, c, error));
    return assess_add(&a->sums, &data, part->texts, c, error);
}

static kith_status assess_one(void *to, const store_part *part, kith_error *error)
{
    store_assess *a = to;
    context own = *a->context;
    own.memory = TRY_ALLOC(arena_new_like(a->context->memory), error);
    const kith_status status = add_part(a, part, &own, error);
    arena_free(own.memory);
    return status;
}

kith_status store_assess_release(assessment *found, store_assess *a, kith_error *error)
{
    store *s = a->store;
    a->task = (assess_task){.study = a->values->study,
                            .data = a->values,
                            .in_order = true,
                            .made = true,
                            .before = &a->before};
    a->shown = (assess_whole){.n_rows = a->values->whole->n_rows};
    if (assess_may_suppress(a->task.study, a->shown.n_rows) > 0)
        TRY(store_parts(s, find_suppressed, a, error));
    TRY(assess_open(&a->sums, &a->task, &a->shown, a->context, error));
    TRY(store_parts(s, assess_one, a, error));
    return assess_finish(found, &a->sums, error);
}
