/* kl over ranks: equal records move to one rank, and so do classes that show the same, before every
 * rank gets all of these. */
#include "core/error.h"
#include "job/parts/parts.h"
#include "measure/kl.h"

/* Boxes as rows of numbers: nodes, then how many records. */
static kith_status rows_of(part_rows *rows, const kl_rows *boxes, const kl_input *in,
                           uint64_t n_records, arena *memory, kith_error *error)
{
    const uint32_t n = in->n_attributes;
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n + (size_t)1, sizeof *n_codes), error);
    *rows =
        (part_rows){.n_rows = boxes->count, .n_columns = n + 1, .n_keys = n, .n_codes = n_codes};
    rows->codes = TRY_ALLOC(arena_array(memory, n + (size_t)1, sizeof *rows->codes), error);
    for (uint32_t j = 0; j < n; j++) {
        rows->codes[j] = boxes->node[j];
        n_codes[j] = in->trees[j]->n_nodes;
    }
    rows->codes[n] = boxes->n;
    n_codes[n] = n_records < UINT32_MAX ? (uint32_t)n_records + 1 : UINT32_MAX;
    return KITH_OK;
}

/* What the classes of the own rows show; equal ones of all ranks on one. */
static kith_status take_boxes(kl_input *in, const prepared *own, const kith_table *texts,
                              const verify_report *report, context *c, kith_error *error)
{
    loss_input losses;
    kl_rows boxes;
    part_rows here, there;
    TRY(assess_loss_input(&losses, own, texts, report, true, c, error));
    TRY(kl_boxes(&boxes, &losses, c->memory, error));
    TRY(rows_of(&here, &boxes, in, prepare_whole_rows(own), c->memory, error));
    TRY(part_rows_exchange(&there, &here, c, c->memory, error));
    in->boxes =
        (kl_rows){.count = there.n_rows, .node = there.codes, .n = there.codes[in->n_attributes]};
    return KITH_OK;
}

static kith_status measure(double *kl, const prepared *own, const kith_table *texts,
                           const verify_report *report, context *c, kith_error *error)
{
    const uint32_t n = own->problem.n_attributes;
    const tree **trees = TRY_ALLOC(arena_array(c->memory, n, sizeof *trees), error);
    kl_input in = {.n_attributes = n, .trees = trees, .ranks = c->crew, .pool = c->pool};
    part_rows records;
    for (uint32_t j = 0; j < n; j++)
        trees[j] = own->problem.attributes[j].tree;
    TRY(take_boxes(&in, own, texts, report, c, error));
    TRY(parts_originals(&records, own, c, c->memory, error));
    in.records = (kl_rows){.count = records.n_rows, .node = records.codes};
    return kl_measure(kl, &in, c->memory, error);
}

kith_status parts_kl(double *kl, const prepared *own, const kith_table *texts,
                     const verify_report *report, context *c, kith_error *error)
{
    context scratch = *c;
    scratch.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = measure(kl, own, texts, report, &scratch, error);
    arena_free(scratch.memory);
    return status;
}
