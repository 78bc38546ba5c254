/* The searched lattice of generalizations as a table of tab-separated values. */
#ifndef JOB_RESULT_LATTICE_FILE_H
#define JOB_RESULT_LATTICE_FILE_H

#include "core/system/output.h"
#include "job/prepare/prepare.h"

/* KITH_INVALID unless the algorithm searches a lattice; the hint names those that do. */
kith_status lattice_file_check(const algorithm *a, kith_error *error);

/* One line per node: the level of each quasi-identifier; satisfied: yes, no or unknown; how that is
 * known: checked, predicted or empty; the loss of those that were checked and satisfy the models,
 * in the unit of the summary's objective. */
void lattice_file_write(output *out, const prepared *p, const searched_lattice *lattice);

#endif
