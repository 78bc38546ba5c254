/* What a site has answered: a file with one JSON object per line, in the order of time.
 *
 *     {"when":"2026-11-17T10:33:32Z","who":"alice","query":"SELECT …","left":"numbers","count":3,
 *      "domains":[{"column":"age","labels":9}],"outcome":"complete"}
 *
 * "domains" is there if this site told a client what the release shows. Only its owner can read it.
 * It also says how many queries a querier may still have today, so it is read when a site begins to
 * serve, and one process at a time writes it. */
#ifndef JOB_QUERY_LEDGER_H
#define JOB_QUERY_LEDGER_H

#include <time.h>

#include "job/query_endpoint.h"

typedef struct query_ledger query_ledger;

/* Opens or makes the file. KITH_DATA for a file with other lines, KITH_INVALID if another process
 * writes it. Closed with the arena. */
kith_status query_ledger_open(query_ledger **l, arena *memory, const char *path,
                              kith_error *error) KITH_MUST_USE;

/* Adds a line. `failure` NULL: the query was answered. */
kith_status query_ledger_add(query_ledger *l, time_t when, const char *who,
                             const query_result *result, const kith_error *failure,
                             kith_error *error) KITH_MUST_USE;

/* When the querier `who`, who may ask `per_day` queries in 24 hours, may ask the next one: `now`,
 * or later. */
time_t query_ledger_next(const query_ledger *l, const char *who, uint32_t per_day, time_t now);

/* Whether a file is such a ledger, as far as its first bytes tell; an empty one is. */
bool query_ledger_is(const char *path);

/* The ledger in sentences: {"kind": "queries", "file", "entries": [{"when", "who", "query", "left",
 * "count", "says", "domains": "…", "outcome"}], "queries", "failed", "first", "last", "queriers":
 * [{"name", "queries", "failed", "numbers", "rows"}]}. KITH_DATA with the line for a file with
 * other lines.
 */
kith_status query_ledger_describe(kith_document **document, const char *path,
                                  kith_error *error) KITH_MUST_USE;

#endif
