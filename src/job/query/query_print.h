/* The answer to a query as a text. */
#ifndef JOB_QUERY_QUERY_PRINT_H
#define JOB_QUERY_QUERY_PRINT_H

#include "query/query_answer.h"

typedef enum query_format { QUERY_TABLE, QUERY_CSV, QUERY_JSON } query_format;

/* KITH_INVALID if there is no format of this name; NULL: a table. */
kith_status query_format_find(query_format *format, const char *name,
                              kith_error *error) KITH_MUST_USE;

/* `text` is to be freed. A missing value is "-" in a table, an empty field in CSV, null in JSON. */
kith_status query_print(char **text, const query_answer *a, query_format format, const char *asked,
                        kith_error *error) KITH_MUST_USE;

#endif
