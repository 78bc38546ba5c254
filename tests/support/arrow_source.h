/* A producer of Arrow streams that tests fill by hand, buffer by buffer, and that counts what it
 * has handed out and what has been released. Every field may be spoilt before the stream is read.
 */
#ifndef SUPPORT_ARROW_SOURCE_H
#define SUPPORT_ARROW_SOURCE_H

#include <kith/arrow.h>

enum { ARROW_SOURCE_COLUMNS = 24, ARROW_SOURCE_BATCHES = 8, ARROW_SOURCE_BUFFERS = 6 };

typedef struct arrow_source_array {
    struct ArrowArray array, dictionary;
    const void *buffers[ARROW_SOURCE_BUFFERS], *values[ARROW_SOURCE_BUFFERS];
} arrow_source_array;

typedef struct arrow_source {
    struct ArrowSchema schema, columns[ARROW_SOURCE_COLUMNS], values[ARROW_SOURCE_COLUMNS];
    struct ArrowSchema *columns_at[ARROW_SOURCE_COLUMNS];
    struct ArrowArray batches[ARROW_SOURCE_BATCHES];
    const void *batch_buffers[ARROW_SOURCE_BATCHES][1];
    arrow_source_array arrays[ARROW_SOURCE_BATCHES][ARROW_SOURCE_COLUMNS];
    struct ArrowArray *arrays_at[ARROW_SOURCE_BATCHES][ARROW_SOURCE_COLUMNS];
    size_t n_columns, n_batches, next;
    int schema_fails, next_fails; /* what the calls return; the second after the last batch */
    const char *said;             /* what get_last_error returns */
    size_t n_handed_out, n_released, n_streams_released;
} arrow_source;

void arrow_source_init(arrow_source *s);

/* Adds a column; with `values`, the format of a dictionary's values, `format` is that of indices.
 */
void arrow_source_column(arrow_source *s, const char *name, const char *format, const char *values);

/* Adds a batch. Its columns are filled by the next two. */
void arrow_source_batch(arrow_source *s, int64_t length);
/* Column `which` of the last batch: `length` values with up to `n_buffers` buffers, validity first.
 * Null counts are -1 where there is a validity bitmap, else 0. */
void arrow_source_fill(arrow_source *s, size_t which, int64_t length, int64_t n_buffers,
                       const void *const *buffers);
void arrow_source_fill_values(arrow_source *s, size_t which, int64_t length, int64_t n_buffers,
                              const void *const *buffers);

/* The stream, which refers to `s`. */
struct ArrowArrayStream arrow_source_stream(arrow_source *s);

/* Has everything that was handed out been released exactly once? */
bool arrow_source_settled(const arrow_source *s);

#endif
