/* A table distributed to two parties, and runs of the ID-based protocol on it. */
#ifndef SUPPORT_ID_BASED_JOB_H
#define SUPPORT_ID_BASED_JOB_H

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "protocol/id_based/id_based.h"
#include "reference/id_based_plain.h"
#include "support/session.h"

enum { ID_BASED_JOB_ROWS = 4096 };

typedef struct id_based_job {
    uint32_t k, lists, max_rows;
    bool hashing;
    uint64_t seed; /* of Alice's choices; the parties know it */
    uint32_t n_rows[2], n_values;
    uint32_t value[2][ID_BASED_JOB_ROWS]; /* the quasi-identifier of each row */
    /* Keys of a generator, or NULL. */
    const ibe_parameters *parameters;
    const ibe_identity *identities; /* [2] */
    const ibe_key *keys;            /* [2] */
    /* results */
    bool suppressed[2][ID_BASED_JOB_ROWS];
    bool already[2];
    uint32_t alice[2];
    protocol_report report[2];
} id_based_job;

/* Without the run id names are the same in all runs, so that tests can tell them. */
static inline void id_based_job_name(id_based_name *name, uint32_t value)
{
    memset(name, 0, sizeof *name);
    for (int i = 0; i < 4; i++) /* in the order of the values */
        name->bytes[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A job without rows. */
static inline void id_based_job_begin(id_based_job *j, uint32_t k, uint32_t lists)
{
    memset(j, 0, sizeof *j);
    j->k = k;
    j->lists = lists;
    j->hashing = true;
    j->seed = 5;
}

static inline id_based_job *id_based_job_new(uint32_t k, uint32_t lists)
{
    id_based_job *j = malloc(sizeof *j);
    if (j == NULL)
        abort();
    id_based_job_begin(j, k, lists);
    return j;
}

/* Value v has `a` more rows at the first party and `b` at the second one. */
static inline void id_based_job_put(id_based_job *j, uint32_t v, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < a; i++)
        j->value[0][j->n_rows[0]++] = v;
    for (uint32_t i = 0; i < b; i++)
        j->value[1][j->n_rows[1]++] = v;
    if (v >= j->n_values)
        j->n_values = v + 1;
}

static inline kith_status id_based_job_party(id_based_job *j, party *p, context *c,
                                             kith_error *error)
{
    const uint32_t self = party_self(p), n = j->n_rows[self];
    const protocol_options options = {
        .lists = j->lists, .max_rows = j->max_rows, .hashing = j->hashing};
    id_based_result result;
    id_based_name *names = malloc((n + (size_t)1) * sizeof *names);
    if (names == NULL)
        return KITH_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        id_based_job_name(&names[i], j->value[self][i]);
    const id_based_task task = {.n_rows = n,
                                .names = names,
                                .k = j->k,
                                .options = &options,
                                .context = c,
                                .seeded = true,
                                .seed = j->seed,
                                .parameters = j->parameters,
                                .identities = j->identities,
                                .key = j->keys == NULL ? NULL : &j->keys[self]};
    kith_status status = id_based_run(&result, p, &task, error);
    if (status == KITH_OK) {
        memcpy(j->suppressed[self], result.suppressed, n * sizeof *result.suppressed);
        j->already[self] = result.already;
        j->alice[self] = result.alice;
        j->report[self] = result.report;
    }
    free(names);
    return status;
}

static inline kith_status id_based_job_fn(party *p, void *user, kith_error *error)
{
    context c;
    kith_status status = context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), error);
    if (status != KITH_OK)
        return status;
    status = id_based_job_party(user, p, &c, error);
    context_wipe(&c);
    return status;
}

#endif
