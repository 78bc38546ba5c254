#include "core/system/stage.h"

#include "core/check.h"

void stage_add(stage *s, output *file)
{
    if (file == NULL)
        return;
    ASSERT(s->n_files < STAGE_MAX_FILES);
    s->files[s->n_files++] = file;
}

void stage_end_with(stage *s, stage_commit_fn *last, void *self)
{
    ASSERT(s->last == NULL);
    s->last = last;
    s->self = self;
}

kith_status stage_commit(stage *s, kith_error *error)
{
    kith_status status = KITH_OK;
    /* What fails while it is written leaves all files as they were. */
    for (uint32_t i = 0; status == KITH_OK && i < s->n_files; i++)
        status = output_finish(s->files[i], error);
    for (uint32_t i = 0; status == KITH_OK && i < s->n_files; i++)
        status = output_appear(s->files[i], error);
    if (status == KITH_OK && s->last != NULL)
        status = s->last(s->self, error);
    for (uint32_t i = s->n_files; i-- > 0;)
        if (status == KITH_OK)
            output_settle(s->files[i]);
        else
            output_withdraw(s->files[i]);
    return status;
}
