/* Problems dealt to several sites, joint runs among threads, and the same in one place. */
#ifndef SUPPORT_DEALT_H
#define SUPPORT_DEALT_H

#include "core/run/context.h"
#include "protocol/rows.h"
#include "support/problems.h"
#include "wire/inproc.h"

enum { DEALT_MAX = 16 };

typedef struct dealt {
    arena *memory;
    problem *all;
    uint32_t m;
    uint64_t seed;
    uint32_t *site;           /* [n_records] who has a record */
    uint32_t *place;          /* [n_records] as which of its own */
    problem *part[DEALT_MAX]; /* of every party */
    kith_run run[DEALT_MAX];  /* threads, progress: zero for the usual */
    context context[DEALT_MAX];
    rows_protocol *protocol;
    bool unseeded; /* choices from the keys, or from the operating system */
    const unsigned char *choices[DEALT_MAX]; /* key of every party's private choices, or NULL */
    search_spec spec;
    protocol_options options;
    rows_result result[DEALT_MAX];
    kith_error error[DEALT_MAX]; /* of the last run */
    uint32_t n_rounds;           /* the most of any party, */
    uint64_t n_calls;            /* of primitives, as every party counts them, */
    uint64_t bytes;              /* sent by all, in the last run */
} dealt;

/* A random problem, its records dealt to m sites: at random, or as share[0 … m-1] says. */
void dealt_deal(dealt *j, const problem_shape *shape, uint32_t m, uint64_t seed,
                const double *share);
/* Runs; `options` and `inproc` may be NULL. Returns the cause if it fails. */
kith_status dealt_run_with(dealt *j, rows_protocol *protocol, const search_spec *spec,
                           const protocol_options *options, const inproc_options *inproc);
kith_status dealt_run(dealt *j, rows_protocol *protocol, const search_spec *spec,
                      const protocol_options *options);
void dealt_wipe(dealt *j);
/* For other ways to run: what dealt_run does before, and what every party does; user is the dealt.
 */
void dealt_prepare(dealt *j, rows_protocol *protocol, const search_spec *spec,
                   const protocol_options *options);
kith_status dealt_sit(party *p, void *user, kith_error *error);

/* All parties have the same classes, whose sizes and closures are those of the records in them, and
 * all models hold. */
void dealt_is_sound(const dealt *j);
/* The same classes as the reference with these sites (reference/rows_plain.h), record by record.
 * Returns what that gave. */
search_result dealt_equals_central(dealt *j, const search_spec *spec);

#endif
