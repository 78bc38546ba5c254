/* The interface of protocols for columns at several sites: the task and the result.
 *
 * All parties call the protocol at the same time. They have the same records in the same order
 * (columns_align.h), each with its own attributes and sensitive attributes; models and k
 * are the same at all parties. A party may have no attributes at all. */
#ifndef PROTOCOL_COLUMNS_H
#define PROTOCOL_COLUMNS_H

#include "core/run/context.h"
#include "protocol/options.h"
#include "protocol/report.h"
#include "search/search.h"
#include "wire/party.h"

typedef struct columns_task {
    /* All common records. Models that look at sensitive values are bound at the pivot only. */
    const problem *mine;
    const search_spec *spec;         /* block, finish, max_passes, … as the study says */
    const protocol_options *options; /* noise */
    context *context;
    /* The joint tree: numbers of this party's attributes among those of all parties, which are
     * n_all; and the unit of scores, public, near the largest cost of a cell. */
    const uint32_t *numbers; /* [mine->n_attributes] */
    uint32_t n_all;
    double unit;
    uint32_t
        pivot; /* the same at all parties: the holder of what the models look at, else any party */
    const unsigned char *choices; /* key of private choices (private_choices.h), or NULL */
    /* Equivalence tests and benchmarks only: all parties know the pivot's choices. */
    bool seeded;
    uint64_t seed;
} columns_task;

/* The classes, known to all parties record by record; closures of one's own attributes. Classes are
 * in the same order everywhere and none is empty. */
typedef struct columns_result {
    uint32_t n_classes;
    uint32_t *class_of; /* [mine->n_records] */
    uint32_t *closure;  /* [n_classes * own n_attributes] nodes */
    uint64_t *size;     /* [n_classes] */
    protocol_report report;
} columns_result;

typedef kith_status columns_protocol(columns_result *result, party *p, const columns_task *task,
                                     kith_error *error);

#endif
