/* The answer to a query as a document: {"columns": ["…"], "rows": [[…], …]}. */
#ifndef JOB_VIRTUAL_VIRTUAL_ANSWER_H
#define JOB_VIRTUAL_VIRTUAL_ANSWER_H

#include "core/document.h"
#include "query/query_answer.h"

/* Adds it under `key`. `exact`: the answer comes from data that is not generalized, so the three
 * numbers of an aggregate are one, and it has one column. */
void virtual_answer_put(kith_document *d, document_node *parent, const char *key,
                        const query_plan *plan, const query_answer *answer, bool exact);

#endif
