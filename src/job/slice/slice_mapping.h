/* The mapping of a release over ranks: the one file of one process (mapping_file.h), which the
 * first rank writes. */
#ifndef JOB_SLICE_SLICE_MAPPING_H
#define JOB_SLICE_SLICE_MAPPING_H

#include "job/result/mapping_file.h"

/* The number that each own class has among those of all ranks, in the order of their first records.
 * Lives in `memory`. */
kith_status slice_mapping_classes(uint32_t **number, const partition *own, const problem *p,
                                  context *c, arena *memory, kith_error *error) KITH_MUST_USE;

/* Writes this rank's records, and then those of the other ranks in their order. `to` has a file on
 * the first rank only. */
kith_status slice_mapping_write(mapping_file *to, const mapping_records *own, context *c,
                                kith_error *error) KITH_MUST_USE;

#endif
