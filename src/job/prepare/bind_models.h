/* Binds models to a table: computes what each model must know about the whole table. */
#ifndef JOB_PREPARE_BIND_MODELS_H
#define JOB_PREPARE_BIND_MODELS_H

#include "job/prepare/prepare.h"

/* Replaces p->problem.models by copies with their facts. Reads the population of k-map and the
 * mappings of m-invariance, which adds a sensitive attribute to the problem. Rows, columns,
 * hierarchies and sensitive attributes of `p` must be ready. Fails with KITH_DATA if the subset of
 * delta-presence is empty or the whole table. */
kith_status bind_models(prepared *p, context *c, kith_error *error);

/* Fills in how often each value of a sensitive attribute occurs in the whole table, the first thing
 * that a model of this attribute must know: among records, or, where the attribute has pairs, among
 * units, of which there are `n_records`. `f` is zero-initialised. */
kith_status bind_models_count_values(model_facts *f, const sensitive_attribute *s,
                                     uint32_t n_records, arena *memory, kith_error *error);

/* Reads the quasi-identifiers of a table of people as a study describes them. *people has the
 * values that the study makes of them; the caller frees *read, with which it shares memory. */
kith_status bind_models_read_people(kith_table **read, const kith_table **people,
                                    const kith_study *study, const char *path, context *c,
                                    kith_error *error);

#endif
