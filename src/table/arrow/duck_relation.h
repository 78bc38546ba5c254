/* What a source is in DuckDB. */
#ifndef TABLE_ARROW_DUCK_RELATION_H
#define TABLE_ARROW_DUCK_RELATION_H

#include "table/arrow/duck_session.h"
#include "table/source.h"

/* Something that FROM takes, and its columns. */
typedef struct duck_relation {
    const char *sql;
    const char **names; /* [width] */
    int *types;         /* [width] those of DuckDB */
    size_t width;
    const char *const *paths; /* [n_paths] of files, in the order of their rows */
    size_t n_paths;
    const char *files; /* 'a', 'b': these paths for DuckDB */
} duck_relation;

/* *r must be zero. The session lives in s->scratch. */
kith_status duck_relation_open(duck_relation *r, duck_session **session, const source *s,
                               kith_error *error) KITH_MUST_USE;

/* What follows FROM for s->rows (source_cut); NULL if out of memory. LIMIT and OFFSET would do, but
 * read all rows before; the numbers of rows in tables and in Parquet files lead DuckDB to the row
 * groups that have them. */
const char *duck_relation_from(const source *s, const duck_relation *r);

#endif
