/* Problems distributed to several sites, joint runs among threads, and the same in one place. */
#ifndef SUPPORT_DISTRIBUTED_H
#define SUPPORT_DISTRIBUTED_H

#include "core/run/context.h"
#include "protocol/rows.h"
#include "support/problems.h"
#include "wire/inproc.h"

enum { DISTRIBUTED_MAX = 16 };

typedef struct distributed {
    arena *memory;
    problem *all;
    uint32_t m;
    uint64_t seed;
    uint32_t *site;                 /* [n_records] who has a record */
    uint32_t *place;                /* [n_records] as which of its own */
    problem *part[DISTRIBUTED_MAX]; /* of every party */
    kith_run run[DISTRIBUTED_MAX];  /* threads, progress: zero for the usual */
    context context[DISTRIBUTED_MAX];
    rows_protocol *protocol;
    bool unseeded; /* choices from the keys, or from the operating system */
    const unsigned char
        *choices[DISTRIBUTED_MAX]; /* key of every party's private choices, or NULL */
    search_spec spec;
    protocol_options options;
    rows_result result[DISTRIBUTED_MAX];
    kith_error error[DISTRIBUTED_MAX]; /* of the last run */
    uint32_t n_rounds;                 /* the most of any party, */
    uint64_t n_calls;                  /* of primitives, as every party counts them, */
    uint64_t bytes;                    /* sent by all, in the last run */
} distributed;

/* A random problem, its records distributed to m sites: at random, or as share[0 … m-1] says. */
void distributed_init(distributed *j, const problem_shape *shape, uint32_t m, uint64_t seed,
                      const double *share);
/* Runs; `options` and `inproc` may be NULL. Returns the cause if it fails. */
kith_status distributed_run_with(distributed *j, rows_protocol *protocol, const search_spec *spec,
                                 const protocol_options *options, const inproc_options *inproc);
kith_status distributed_run(distributed *j, rows_protocol *protocol, const search_spec *spec,
                            const protocol_options *options);
void distributed_wipe(distributed *j);
/* For other ways to run: what distributed_run does before, and what every party does; user is the
 * distributed. */
void distributed_prepare(distributed *j, rows_protocol *protocol, const search_spec *spec,
                         const protocol_options *options);
kith_status distributed_take_part(party *p, void *user, kith_error *error);

/* All parties have the same classes, whose sizes and closures are those of the records in them, and
 * all models hold. */
void distributed_is_sound(const distributed *j);
/* The same classes as the reference with these sites (reference/rows_plain.h), record by record.
 * Returns what that gave. */
search_result distributed_equals_central(distributed *j, const search_spec *spec);

#endif
