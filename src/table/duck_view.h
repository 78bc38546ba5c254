/* A table as a view in DuckDB, for one statement that reads it. */
#ifndef TABLE_DUCK_VIEW_H
#define TABLE_DUCK_VIEW_H

#include "table/duck_session.h"

/* A schema that was handed out. */
typedef struct duck_schema {
    struct ArrowSchema schema;
    struct duck_schema *next;
} duck_schema;

typedef struct duck_view {
    const duck_session *session;
    const char *name; /* nobody else's, and plain */
    struct ArrowArrayStream rows;
    struct ArrowArrayStream given; /* what DuckDB takes over */
    duck_schema *schemas;
    bool failed; /* memory ran out for what DuckDB asked of the table, whatever it then said */
} duck_view;

/* `types_of` is that of kith_arrow_options. The view must stay where it is until it is closed,
 * whatever the result. */
kith_status duck_view_open(duck_view *view, const duck_session *session, const kith_table *table,
                           const kith_table *types_of, kith_error *error) KITH_MUST_USE;

/* Leaves nothing of it in the database. The second is for views that must go because of an error:
 * the transaction takes them away. */
kith_status duck_view_drop(const duck_view *view, kith_error *error) KITH_MUST_USE;
void duck_view_close(duck_view *view);

#endif
