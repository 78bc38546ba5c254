/* What earlier releases showed of the persons in a table: the set of sensitive values in the class
 * of each, its signature. Read from the mappings that were kept of those releases. */
#ifndef JOB_PREPARE_EARLIER_RELEASES_H
#define JOB_PREPARE_EARLIER_RELEASES_H

#include "job/prepare/prepare.h"

/* Earlier signatures of the rows of a table. */
typedef struct signatures {
    uint32_t count;        /* the signature 0 is "in no earlier release" */
    const uint32_t *of;    /* [n_rows] */
    const uint32_t *start; /* [count + 1] */
    const char **texts;    /* the values of signature s are texts[start[s]] … [start[s + 1] - 1];
                             NULL for a missing one */
} signatures;

/* Reads the mappings that the model names; a person in several of them counts as in the last. */
kith_status earlier_releases_read(signatures *s, const prepared *p, const model_spec *m, context *c,
                                  kith_error *error);

/* The same as facts of a model about the column `own`; the signature of each record becomes a
 * sensitive attribute of the problem, the last one. */
kith_status earlier_releases_bind(model_facts *f, prepared *p, const prepared_column *own,
                                  const model_spec *m, context *c, kith_error *error);

#endif
