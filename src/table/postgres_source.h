/* Reading a table of a PostgreSQL server, or a part of it, from a snapshot that several connections
 * may share. */
#ifndef TABLE_POSTGRES_SOURCE_H
#define TABLE_POSTGRES_SOURCE_H

#include "table/postgres.h"
#include "table/source.h"

/* Some rows of a table, as conditions of SQL. */
typedef struct postgres_part {
    const char *where;  /* " WHERE …"; "": all rows */
    const char *before; /* " WHERE …": those of the parts before it; "": there are none */
} postgres_part;

/* A reading that has begun: the server shows one snapshot until `s->scratch` is freed. */
typedef struct postgres_reading {
    const source *s;
    postgres *db;
    const kith_column_spec *specs; /* [count] the columns that are wanted */
    uint32_t *pick;                /* [count] their places in the table */
    size_t count;
    bool by_pages;        /* rows come as the table stores them, page by page */
    uint64_t n_pages;     /* of such a table */
    const char *snapshot; /* by which other connections see the same rows; NULL: there is none */
    bool refused;         /* the server does not show the snapshot that was asked for */
} postgres_reading;

typedef enum postgres_view {
    POSTGRES_OWN,    /* of nobody else */
    POSTGRES_GIVEN,  /* that others can see, too, if the server allows it */
    POSTGRES_ANOTHER /* the one of r->snapshot */
} postgres_view;

/* Of *r only the snapshot is looked at. A reading that is refused is good for nothing else. */
kith_status postgres_reading_open(postgres_reading *r, const source *s, postgres_view view,
                                  kith_error *error) KITH_MUST_USE;
/* A message about a row has its number in the whole table. */
kith_status postgres_reading_rows(const postgres_reading *r, const postgres_part *part,
                                  kith_table **table, kith_error *error) KITH_MUST_USE;

#endif
