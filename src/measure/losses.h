/* The measures that are not sums of node costs. */
#ifndef MEASURE_LOSSES_H
#define MEASURE_LOSSES_H

#include "core/exact_sum.h"
#include "measure/loss.h"
#include "measure/pmi_pairs.h"

/* The sum of the ambiguities of records. */
void am_add(exact_sum *sum, const loss_input *in);
/* Their mean; NaN if a double cannot tell it. */
double am_mean(const exact_sum *sum, uint64_t n_records);

/* From the attributes' `arx` shares. */
double arx_loss_aggregate(const loss_cells *attributes, uint32_t n_attributes);

/* The information about the sensitive attribute, summed over the records with one label. */
typedef struct pmi_label {
    double before, after;
} pmi_label;

/* Fills labels[label] for the labels that occur in the pairs of an attribute; there[node] counts
 * the cells of all records. */
kith_status pmi_measure_labels(pmi_label *labels, const pmi_pairs *pairs, const tree *t,
                               const uint64_t *there, uint64_t n_records, arena *memory,
                               kith_error *error) KITH_MUST_USE;
/* Fills pmi and pmi_utility of every attribute, the means, and the other two norms, from
 * labels[n_attributes * n_labels]. */
void pmi_report(loss_report *report, const pmi_label *labels, uint32_t n_labels,
                uint32_t n_attributes, uint64_t n_records);
/* Says that they are not known. */
void pmi_unknown(loss_report *report, uint32_t n_attributes);

#endif
