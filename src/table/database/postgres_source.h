/* Reading a table of a PostgreSQL server, or a part of it, from a snapshot that several connections
 * may share. */
#ifndef TABLE_DATABASE_POSTGRES_SOURCE_H
#define TABLE_DATABASE_POSTGRES_SOURCE_H

#include "table/database/postgres.h"
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
    POSTGRES_OWN,    /* this one's alone */
    POSTGRES_GIVEN,  /* that others can see, too, if the server allows it */
    POSTGRES_ANOTHER /* the one of r->snapshot */
} postgres_view;

#define POSTGRES_UNCOUNTED UINT64_MAX

/* postgres_parts.c: cuts the table into parts, which several connections read. Together they have
 * the rows of a single reading, in its order. A plain table without an order in its address is cut
 * by the pages in which it is stored. Where there is an order the server takes a sample, and parts
 * are ranges of it: rows that are equal in all columns of the order stay together, whatever their
 * types, collations and NULLs are.
 *
 * (*parts)[n_parts], in the arena of the reading; NULL if the rows have no order, as those of a
 * view. *n_rows: how many they have together, POSTGRES_UNCOUNTED if a missing one could not be
 * noticed. */
kith_status postgres_parts_cut(postgres_part **parts, uint64_t *n_rows, const postgres_reading *r,
                               uint32_t n_parts, kith_error *error) KITH_MUST_USE;

/* Of *r only the snapshot is looked at. A reading that is refused is good for nothing else. */
kith_status postgres_reading_open(postgres_reading *r, const source *s, postgres_view view,
                                  kith_error *error) KITH_MUST_USE;
/* A message about a row has its number in the whole table. */
kith_status postgres_reading_rows(const postgres_reading *r, const postgres_part *part,
                                  kith_table **table, kith_error *error) KITH_MUST_USE;

#endif
