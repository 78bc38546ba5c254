/* The measure kl. Over ranks equal records move to one rank, and so do classes that show the same,
 * before every rank gets all of these. */
#include "core/error.h"
#include "job/assess/assess_internal.h"
#include "measure/kl.h"

/* Boxes as rows of numbers: nodes, then how many records. */
static kith_status rows_of(code_rows *rows, const kl_rows *boxes, const kl_input *in,
                           uint64_t n_records, arena *memory, kith_error *error)
{
    const uint32_t n = in->n_attributes;
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n + (size_t)1, error);
    *rows =
        (code_rows){.n_rows = boxes->count, .n_columns = n + 1, .n_keys = n, .n_codes = n_codes};
    rows->codes = TRY_ARRAY(rows->codes, memory, n + (size_t)1, error);
    for (uint32_t j = 0; j < n; j++) {
        rows->codes[j] = boxes->node[j];
        n_codes[j] = in->trees[j]->n_nodes;
    }
    rows->codes[n] = boxes->n;
    n_codes[n] = n_records < UINT32_MAX ? (uint32_t)n_records + 1 : UINT32_MAX;
    return KITH_OK;
}

kith_status assess_originals(code_rows *cells, const prepared *own, context *c, kith_error *error)
{
    const uint32_t n = own->problem.n_attributes;
    const bool units = own->problem.unit != NULL;
    uint32_t *n_codes = TRY_ARRAY(n_codes, c->memory, n + (size_t)1, error);
    code_rows out = {
        .n_rows = own->n_rows, .n_columns = n + units, .n_keys = n, .n_codes = n_codes};
    out.codes = TRY_ARRAY(out.codes, c->memory, n + (size_t)1, error);
    out.codes[n] = (uint32_t *)own->problem.unit;
    n_codes[n] = own->problem.n_units + 1;
    for (uint32_t j = 0; j < n; j++) {
        out.codes[j] = (uint32_t *)own->problem.attributes[j].cells;
        n_codes[j] = own->problem.attributes[j].tree->n_nodes;
    }
    return code_rows_exchange(cells, &out, c, c->memory, error);
}

kith_status assess_kl(double *kl, const prepared *own, const loss_input *in, context *c,
                      kith_error *error)
{
    const uint32_t n = in->n_attributes;
    const tree **trees = TRY_ARRAY(trees, c->memory, n, error);
    kl_input all = {.n_attributes = n, .trees = trees, .ranks = c->ranks, .pool = c->pool};
    kl_rows shown;
    code_rows here, there, records;
    for (uint32_t j = 0; j < n; j++)
        trees[j] = in->column[j].tree;
    TRY(kl_boxes(&shown, in, c->memory, error));
    TRY(rows_of(&here, &shown, &all, prepare_whole_rows(own), c->memory, error));
    TRY(code_rows_exchange(&there, &here, c, c->memory, error));
    all.boxes = (kl_rows){.count = there.n_rows, .node = there.codes, .n = there.codes[n]};
    TRY(assess_originals(&records, own, c, error));
    all.records = (kl_rows){.count = records.n_rows, .node = records.codes};
    return kl_measure(kl, &all, c->memory, error);
}
