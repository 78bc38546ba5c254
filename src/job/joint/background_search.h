/* A search in a thread of its own, while its party keeps answering the others: they would take a
 * silent party for a dead one. */
#ifndef JOB_JOINT_BACKGROUND_SEARCH_H
#define JOB_JOINT_BACKGROUND_SEARCH_H

#include "search/search.h"
#include "wire/party.h"

/* As search_run; progress is reported from the calling thread. If the joint run fails meanwhile,
 * the search is stopped and the error is that of the party. */
kith_status background_search(search_result *result, const algorithm *algorithm,
                              const problem *problem, const search_spec *spec, context *c, party *p,
                              kith_error *error);

#endif
