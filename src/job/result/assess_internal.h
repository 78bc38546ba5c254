/* Shared by the files of the assessment. */
#ifndef JOB_RESULT_ASSESS_INTERNAL_H
#define JOB_RESULT_ASSESS_INTERNAL_H

#include "job/result/assess.h"
#include "verify/cover_cells.h"

/* A column as src/verify wants it: data, release, hierarchy and order of its leaves. */
kith_status assess_cover_column(cover_column *to, const prepared_column *from,
                                const kith_table *texts, kith_error *error) KITH_MUST_USE;

/* KITH_DATA, with line and text: the cell of a row is no label of the column's hierarchy. */
kith_status assess_refuse_label(const kith_table *texts, uint32_t row, const column *c,
                                kith_error *error) KITH_MUST_USE;

/* assess_means.c, for columns that show means. `shown` has been made for attribute j. */

/* For classes that show a mean, sets[classes] becomes what they would show instead. KITH_DATA
 * unless the rows are in the order of the records. */
kith_status assess_mean_sets(cell_set *sets, const prepared *p, uint32_t j,
                             const cover_cells *shown, const verify_report *report, bool in_order,
                             const kith_table *texts, kith_error *error) KITH_MUST_USE;

/* For classes that show a mean, cells[classes] becomes the value nearest to it. */
kith_status assess_nearest(query_cell *cells, const prepared *p, uint32_t j,
                           const cover_cells *shown, const kith_table *texts,
                           const verify_report *report, context *c,
                           kith_error *error) KITH_MUST_USE;

#endif
