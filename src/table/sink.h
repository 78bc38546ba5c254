/* The sinks behind a writer. */
#ifndef TABLE_SINK_H
#define TABLE_SINK_H

#include "core/system/output.h"
#include "table/table.h"

/* A sink implements the functions of writer.h; `self` is its own. */
typedef struct sink {
    kith_status (*row)(void *self, const char *const *cells, kith_error *error);
    kith_status (*finish)(void *self, kith_error *error); /* NULL: rows are where they belong */
    /* Finishes the table and begins another one beside it; NULL: a file holds one table only. */
    kith_status (*next)(void *self, const char *suffix, const char *const *names, size_t n_columns,
                        kith_error *error);
    /* Either a file, which can be read before it appears, or a database that commits. */
    output *file;
    kith_status (*commit)(void *self, kith_error *error);
    void (*keep_private)(void *self); /* a database that is a file; NULL: another sink */
    void *self;
} sink;

/* What every sink needs to begin. */
typedef struct sink_request {
    arena *memory;
    const char *uri;
    const char *shown; /* the URI without a password */
    char separator;
    bool overwrite;
    const char *const *names;
    const dictionary *const *whole; /* [n_columns] the values of columns whose cells are all of
                                       them; NULL, or a NULL in it: texts */
    const kith_table *types_of;     /* columns of its names and types are meant; NULL: texts */
    size_t n_columns;
    const kith_run *run; /* polled while waiting for a server; may be NULL */
} sink_request;

kith_status csv_sink_open(sink *s, const sink_request *request, kith_error *error);
kith_status sqlite_sink_open(sink *s, const sink_request *request, kith_error *error);
kith_status postgres_sink_open(sink *s, const sink_request *request, kith_error *error);
kith_status duck_sink_open(sink *s, const sink_request *request, kith_error *error);

#endif
