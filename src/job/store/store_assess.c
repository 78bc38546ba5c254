#include "core/error.h"
#include "job/assess/assess.h"
#include "job/store/store_internal.h"

/* One assessment. */
typedef struct assessing {
    const store *store;
    assess_task task;
    assess_whole shown;
    assess_sums sums;
} assessing;

static kith_status find_suppressed(void *to, const store_part *part, kith_error *error)
{
    assessing *a = to;
    return assess_find_suppressed(&a->shown, &a->task, part->texts, a->store->context, error);
}

static kith_status add_part(void *to, const store_part *part, kith_error *error)
{
    assessing *a = to;
    prepared data;
    context own = *a->store->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    own.memory = memory;
    a->shown.counts = part->counts;
    TRY(prepare_share(&data, a->task.study, part->data, &a->store->values.whole, &own, error));
    return assess_add(&a->sums, &data, part->texts, &own, error);
}

kith_status store_assess(store *s, const risk *before, assessment *found, kith_error *error)
{
    assessing a = {.store = s, .shown = {.n_rows = s->values.whole.n_rows}};
    a.task = (assess_task){.study = s->study,
                           .data = &s->values.prepared,
                           .in_order = true,
                           .made = true,
                           .before = before};
    if (assess_may_suppress(s->study, a.shown.n_rows) > 0)
        TRY(store_parts(s, find_suppressed, &a, error));
    TRY(assess_open(&a.sums, &a.task, &a.shown, s->context, error));
    TRY(store_parts(s, add_part, &a, error));
    return assess_finish(found, &a.sums, error);
}
