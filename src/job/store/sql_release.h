/* A release that is a table of a PostgreSQL server, and is judged there without being read as a
 * whole: its rows come twice, the second time in the order of their classes, and few of them are in
 * memory at a time. Only the texts of the columns that models look at are kept. */
#ifndef JOB_STORE_SQL_RELEASE_H
#define JOB_STORE_SQL_RELEASE_H

#include "job/result/verdict.h"

typedef struct sql_release sql_release;

/* Connects. *columns is a table without rows that has the columns of the release. KITH_INVALID
 * names what in the study cannot be judged in this way. Everything lives in c->memory. */
kith_status sql_release_open(sql_release **r, const kith_table **columns, const kith_study *study,
                             const char *uri, context *c, kith_error *error) KITH_MUST_USE;

/* Checks the models; the release has all columns that these look at. The report has no grouping.
 * The row of verdict i is row i of *examples, which has the quasi-identifiers of the worst class:
 * where it is in the release is not known. Of equally bad classes it is the first one in the
 * order of the server. */
kith_status sql_release_judge(verify_report *report, verdict_rows *examples, sql_release *r,
                              kith_error *error) KITH_MUST_USE;

#endif
