/* The measures that are not sums of node costs, one file each. */
#ifndef MEASURE_LOSSES_H
#define MEASURE_LOSSES_H

#include "measure/loss.h"

double am_measure(const loss_input *in);
/* From the attributes' `arx` shares. */
double arx_loss_aggregate(const loss_cells *attributes, uint32_t n_attributes);

/* Fills pmi and pmi_utility of every attribute, the means, and the other two norms. */
kith_status pmi_measure(loss_report *report, const loss_input *in, arena *memory,
                        kith_error *error);

kith_status kl_measure(double *kl, const loss_input *in, arena *memory, kith_error *error);

#endif
