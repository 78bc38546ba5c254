/* kith_anonymize: from the data of one table to a verified release. */
#include <kith/anonymize.h>

#include "core/error.h"
#include "core/options.h"
#include "job/pipeline/pipeline.h"
#include "study/memory_size.h"
#include "table/source.h"
#include "table/table_input.h"

kith_status kith_anonymize_table(kith_table **result, kith_document **summary,
                                 const kith_study *study, const kith_table *table,
                                 const kith_run *run, kith_error *error)
{
    const kith_input input = KITH_OPTIONS(kith_input, .table = table);
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = &input, .output_table = result);
    context c CONTEXT_SCOPED = {.run = NULL};
    pipeline p = {.study = study, .options = &options, .table = table, .context = &c};
    TRY(context_init(&c, run, error));
    return pipeline_run(summary, &rows_in_memory, &p, false, error);
}

/* Where the rows are to be: in memory if the table fits there. */
static kith_status choose_place(const rows_place **place, pipeline *p, kith_error *error)
{
    const kith_table_options read = study_table_options(p->study);
    uint64_t n_bytes = 0;
    *place = &rows_over_ranks;
    if (p->context->ranks != NULL)
        return KITH_OK;
    p->memory_bytes = p->options->memory_bytes;
    if (p->memory_bytes == 0 && p->options->input->table == NULL)
        p->memory_bytes = p->study->memory_bytes;
    if (p->memory_bytes > 0)
        TRY(source_bytes(&n_bytes, p->options->input->uri, &read, p->memory_bytes, p->context->run,
                         error));
    *place = n_bytes > p->memory_bytes ? &rows_on_disk : &rows_in_memory;
    return KITH_OK;
}

/* Data and release are under URIs, or both are tables. */
static kith_status check_options(const kith_anonymize_options *o, kith_error *error)
{
    if (o->keep_order && o->shuffle)
        return error_set(error, KITH_INVALID,
                         "rows in the order of the data or in a random one: not both");
    if (o->input->table == NULL)
        TRY(options_need(o->output, "output", error));
    if ((o->input->table != NULL) != (o->output_table != NULL) ||
        (o->output_table != NULL && o->output != NULL))
        return error_set(
            error, KITH_INVALID,
            "a table as options.input and options.output_table belong together, without "
            "options.output");
    if (o->input->table != NULL && o->memory_bytes != 0)
        return error_set(error, KITH_INVALID,
                         "options.memory_bytes is about data that is read, not about a table in "
                         "memory");
    return memory_size_check(o->memory_bytes, error);
}

kith_status kith_anonymize(kith_document **summary, const kith_study *study,
                           const kith_anonymize_options *options, const kith_run *run,
                           kith_error *error)
{
    kith_anonymize_options own;
    kith_input input;
    context c CONTEXT_SCOPED = {.run = NULL};
    const rows_place *place;
    pipeline p = {.study = study, .options = &own, .context = &c};
    TRY(OPTIONS_TAKE(kith_anonymize_options, review_user, &own, options, error));
    TRY(table_input_need(&input, own.input, "input", error));
    own.input = &input;
    TRY(check_options(&own, error));
    TRY(context_init_shared(&c, run, error));
    TRY(choose_place(&place, &p, error));
    return pipeline_run(summary, place, &p, c.ranks == NULL, error);
}
