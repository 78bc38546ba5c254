/* A query on the virtual anonymized database: all sites and the party that asks.
 *
 * Each site answers on its own generalized rows; the answers are joined without telling who has
 * what.
 *
 *     step                                           function
 *     1  the querier tells the query                 tell_query
 *     2  all say on which release they answer        compare_releases
 *     3  a client gets what the release shows         virtual_domains_tell
 *     4  counts and sums are added up                add_vectors
 *     5  or rows are united                          unite_rows
 *
 * From:   DMV sections 1 and 4 (queries on the virtual database by secure unions and sums).
 * Model:  that of sum.h, and of mix_union.h for rows. A query is a computation on the release, so
 *         its answer is as anonymous as that; predicates on original values do not exist.
 * Output: at the querier: "sum" (aggregate), the numbers of query_plan.h, whose length depends on
 *         the query and on public domains; or, for rows, "rows" (release), the rows of the release
 *         that may satisfy the condition. What a record adds to a number is rounded by itself, so no
 *         number depends on which site has which records.
 * Leaks:  to all others "query" (choice): what is asked, by whom. To a client, which has no rows,
 *         "domains" (release): the labels that the release shows, values of columns that it shows
 *         as they are, and values that the study itself says; no others (virtual_labels.h), and
 *         the sites answer from these alone. For rows, to all parties "union" (aggregate): how many
 *         rows there are, each sealed for the querier. With two sites of which one asks, the answer
 *         without its own rows is the other's.
 * Cost:   query.text (choice), query.release (control), query.domains (release); sum.share
 *         (masked); or query.key (control), union.key (control), union.size (aggregate),
 *         union.boxes (blinded), union.rows (aggregate). */
#ifndef JOB_QUERY_VIRTUAL_QUERY_H
#define JOB_QUERY_VIRTUAL_QUERY_H

#include "job/query/virtual_table.h"
#include "query/query_answer.h"
#include "wire/party.h"

/* What a client was sent of a column: how many labels of the release, or values. */
typedef struct virtual_left_domain {
    const char *column;
    uint32_t labels;
} virtual_left_domain;

/* What left a site in a query. */
typedef struct virtual_left {
    bool rows;      /* rows, or numbers */
    uint64_t count; /* of the site's own rows, or of the numbers, which are masked */
    uint32_t n_domains;
    const virtual_left_domain *domains; /* of the site that sends them to a client; lives in the
                                         * memory of the run */
} virtual_left;

typedef struct virtual_query {
    const kith_study *study;
    uint32_t querier;          /* index of the party that asks */
    const char *text;          /* at the querier; others receive it */
    const virtual_table *mine; /* own rows; NULL at a querier that is no site */
    bool rows_allowed;         /* may rows be asked for, or only numbers? */
    bool querier_is_site;      /* the querier has rows, too */
    virtual_left *left;        /* filled before anything leaves; may be NULL */
} virtual_query;

/* What is known before anyone is called: parses the text and checks names and types against the
 * study. KITH_INVALID with the place in the text. */
kith_status virtual_query_check(const char *text, const kith_study *study, bool rows_allowed,
                                kith_error *error) KITH_MUST_USE;

/* All parties call it at the same time. `answer` is filled at the querier and lives in `memory`;
 * `asked` (may be NULL) receives the text at all parties. */
kith_status virtual_query_run(query_answer *answer, const char **asked, party *p,
                              const virtual_query *q, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
