/* The answer to a query as Arrow arrays, chunk by chunk: rows are never text on their way. */
#ifndef TABLE_DUCK_STREAM_H
#define TABLE_DUCK_STREAM_H

#include "table/duck_session.h"
#include "table/source.h"

enum { DUCK_STREAM_REASON = 400 };

typedef struct duck_stream {
    const duck_session *session;
    duck_prepared statement;
    duck_arrow_options options;
    duck_result result;
    bool has_result;
    char reason[DUCK_STREAM_REASON]; /* why DuckDB failed; empty: it did not */
} duck_stream;

/* Begins the query for a source, whose caller is asked meanwhile whether to stop. `self` must live
 * longer than the stream. */
kith_status duck_stream_open(struct ArrowArrayStream *stream, duck_stream *self, const source *s,
                             const duck_session *session, duck_prepared statement,
                             kith_error *error) KITH_MUST_USE;

#endif
