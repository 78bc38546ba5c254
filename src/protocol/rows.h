/* The interface of protocols for rows at several sites: the task and the result.
 *
 * All parties call the protocol at the same time. Only the records in `mine` differ between the
 * parties: trees, costs, weights, numbers of sensitive values, models and k are the same. A party
 * may have no records at all. */
#ifndef PROTOCOL_ROWS_H
#define PROTOCOL_ROWS_H

#include "core/run/context.h"
#include "protocol/options.h"
#include "protocol/report.h"
#include "search/search.h"
#include "wire/party.h"

typedef struct rows_task {
    const problem *mine;             /* this party's own records */
    const search_spec *spec;         /* block, finish, max_passes, … as the study says */
    const protocol_options *options; /* with the models about sites */
    context *context;                /* memory, progress */
    const unsigned char *choices;    /* key of private choices (private_choices.h), or NULL */
    uint64_t coins;                  /* public random choices, the same at all parties */
    /* Equivalence tests and benchmarks only: all parties know each other's choices. With a seed the
     * choices of the party with index i come from (seed, i), and the seed is the public coins. */
    bool seeded;
    uint64_t seed;
    bool enough; /* all records have been asked about already: joint_rules/joint_tree_feasible.h */
} rows_task;

/* The classes of the union, known to all parties; and those of one's own records. Classes are in
 * the same order everywhere and none is empty. */
typedef struct rows_result {
    uint32_t n_classes;
    uint32_t *closure;    /* [n_classes * n_attributes] nodes */
    uint64_t *size;       /* [n_classes] records of all parties together */
    uint32_t *class_of;   /* [mine->n_records] */
    uint32_t *low, *high; /* [n_classes * n_attributes] leaves of ranges (search.h), or NULL */
    protocol_report report;
} rows_result;

typedef kith_status rows_protocol(rows_result *result, party *p, const rows_task *task,
                                  kith_error *error);

#endif
