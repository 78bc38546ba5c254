#include "job/store/store_assess.h"

#include "core/error.h"

kith_status store_assess_init(store_assess *a, store *s, const prepared *values, context *c,
                              kith_error *error)
{
    *a = (store_assess){.store = s, .study = values->study, .whole = values->whole, .context = c};
    return parts_new(&a->parts, values, c, error);
}

kith_status store_assess_originals(store_assess *a, const prepared *piece, arena *memory,
                                   kith_error *error)
{
    const problem *p = &piece->problem;
    uint32_t **cells = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *cells), error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        cells[j] = (uint32_t *)p->attributes[j].cells;
    return parts_add_originals(a->parts, cells, p->n_records, error);
}

static kith_status survey_part(void *to, const store_part *part, kith_error *error)
{
    const store_assess *a = to;
    return parts_survey(a->parts, part->texts, error);
}

static kith_status find_suppressed(void *to, const store_part *part, kith_error *error)
{
    const store_assess *a = to;
    return parts_find_suppressed(a->parts, part->texts, error);
}

static kith_status add_part(store_assess *a, const store_part *part, context *c, kith_error *error)
{
    prepared data;
    uint32_t *labels = NULL;
    TRY(prepare_share(&data, a->study, part->data, a->whole, c, error));
    TRY(parts_add_records(a->parts, &data, part->texts, error));
    if (parts_labels_data(a->parts)) {
        labels = TRY_ALLOC(arena_array(c->memory, data.n_rows, sizeof *labels), error);
        for (uint32_t i = 0; i < data.n_rows; i++)
            labels[i] = parts_label(a->parts, &data, i);
    }
    return parts_add_classes(a->parts, part->texts, labels, error);
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
    TRY(s->parts(s->self, survey_part, a, error));
    TRY(parts_surveyed(a->parts, error));
    if (assess_may_suppress(a->study, a->whole->n_rows) > 0)
        TRY(s->parts(s->self, find_suppressed, a, error));
    TRY(s->parts(s->self, assess_one, a, error));
    TRY(parts_finish(found, a->parts, error));
    return publication_judge_models(&found->verified, a->study, error);
}
