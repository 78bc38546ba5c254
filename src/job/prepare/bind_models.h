/* Models bound to a table: what each must know of the whole of it. */
#ifndef JOB_PREPARE_BIND_MODELS_H
#define JOB_PREPARE_BIND_MODELS_H

#include "job/prepare/prepare.h"

/* Replaces p->problem.model by copies with their facts. Reads the population of k-map and the
 * mappings of m-invariance, which adds a secret to the problem. Rows, columns and secrets of `p`
 * are there, and hierarchies bound. Fails with KITH_DATA where a subset is empty or everything. */
kith_status bind_models(prepared *p, context *c, kith_error *error);

/* Fills in how often each value of a sensitive attribute occurs in the whole table, the first thing
 * that a model of this attribute must know. `f` is zero-initialised. */
kith_status bind_models_count_values(model_facts *f, const sensitive_attribute *s,
                                     uint32_t n_records, arena *memory, kith_error *error);

/* Reads the quasi-identifiers of a table of people as a study describes them. Free it. */
kith_status bind_models_read_people(kith_table **people, const kith_study *study, const char *path,
                                    context *c, kith_error *error);

#endif
