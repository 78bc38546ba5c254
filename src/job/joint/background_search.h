/* A search in a thread of its own, while the party that runs it keeps talking. */
#ifndef JOB_JOINT_BACKGROUND_SEARCH_H
#define JOB_JOINT_BACKGROUND_SEARCH_H

#include "search/search.h"
#include "wire/party.h"

/* As search_run, with the context's progress reported from this thread. Fails with the party's
 * failure if the run ends meanwhile; the search is stopped then. */
kith_status background_search(search_result *result, const algorithm *algorithm,
                              const problem *problem, const search_spec *spec, context *c, party *p,
                              kith_error *error);

#endif
