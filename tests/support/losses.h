/* All measures of a release in one part. Header only. */
#ifndef SUPPORT_LOSSES_H
#define SUPPORT_LOSSES_H

#include "measure/kl.h"
#include "measure/loss_counts.h"

/* All but kl. */
static inline kith_status losses_measure(loss_report *report, const loss_input *in, arena *memory)
{
    loss_counts counts;
    kith_status status = loss_counts_init(&counts, in, memory, NULL);
    if (status == KITH_OK)
        status = loss_counts_add_records(&counts, in, NULL);
    if (status == KITH_OK)
        status = loss_counts_add_classes(&counts, in, NULL);
    return status == KITH_OK ? loss_counts_report(report, &counts, NULL, memory, NULL) : status;
}

static inline kith_status losses_kl(double *kl, const loss_input *in, threads *pool, arena *memory)
{
    const uint32_t n = in->n_attributes;
    const tree **trees = arena_array(memory, n, sizeof *trees);
    uint32_t **cells = arena_array(memory, n, sizeof *cells);
    kl_input all = {.n_attributes = n,
                    .trees = trees,
                    .records = {.count = in->n_records, .node = cells},
                    .pool = pool};
    for (uint32_t j = 0; j < n; j++) {
        trees[j] = in->column[j].tree;
        cells[j] = (uint32_t *)in->column[j].cells;
    }
    const kith_status status = kl_boxes(&all.boxes, in, memory, NULL);
    return status == KITH_OK ? kl_measure(kl, &all, memory, NULL) : status;
}

#endif
