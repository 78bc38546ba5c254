/* A table of a PostgreSQL server that is being written within a transaction. It has a name of its
 * own until it is complete, so that those who read the table that it replaces need not wait: the
 * old one is dropped just before the commit. */
#ifndef TABLE_POSTGRES_STAGING_H
#define TABLE_POSTGRES_STAGING_H

#include "table/postgres.h"
#include "table/table.h"

typedef struct postgres_staging {
    const char *quoted; /* where rows go, for statements */
    const char *table;  /* what it will be called, with its schema if the address has one */
    const char *name;   /* the same without */
    bool overwrite;
} postgres_staging;

/* The columns of a table that is to be made. They are text, since released labels such as 20-24
 * have no other type, unless they are numbers that were not generalized: whole[i] is then their
 * dictionary. */
typedef struct postgres_columns {
    const char *const *names;
    const dictionary *const *whole; /* NULL, or a NULL in it: text */
    size_t count;
} postgres_columns;

/* Creates the table that will be the one of `db`. That this one cannot be made, because it exists
 * and must not be replaced, say, or because something depends on the old one, is an error already
 * here, unless the old one is being used at the moment. */
kith_status postgres_staging_create(postgres_staging *s, const postgres *db, arena *memory,
                                    const postgres_columns *columns, bool overwrite,
                                    kith_error *error) KITH_MUST_USE;

/* Gives it its name; the commit should follow. Waits for those who are using the old one. */
kith_status postgres_staging_publish(const postgres_staging *s, const postgres *db, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

#endif
