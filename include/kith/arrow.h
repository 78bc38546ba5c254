/* Tables from and to other systems in memory, by the Arrow C data interface: no copy through text,
 * and no Arrow library. docs/arrow.md lists the types. */
#ifndef KITH_ARROW_H
#define KITH_ARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/run.h>
#include <kith/status.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* These three structs are those of the specification (arrow.apache.org, "The Arrow C data
 * interface" and "The Arrow C stream interface"), with its guards, so that a program may have them
 * from several headers. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* Makes a table of all record batches of a stream. Codes of dictionaries are replaced, their texts
 * are read once. The schema and everything in the buffers is checked as far as the interface allows,
 * which does not say how large a buffer is.
 * Returns: KITH_OK, KITH_DATA if the stream breaks the interface, KITH_IO if it fails, with what it
 * says. Out: *table, freed by kith_table_free. In: `stream`, which is taken over: it has been
 * released when the call returns, whatever the result; `options` (may be NULL), where NULL columns
 * mean all columns, each with the type that is nearest to its own; `run` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_table_from_arrow(kith_table **table,
                                                         struct ArrowArrayStream *stream,
                                                         const kith_table_options *options,
                                                         const kith_run *run, kith_error *error);

/* KITH_INIT(kith_arrow_options), like NULL, means: numbers and dates as such where no text is lost,
 * other columns as texts with a dictionary. */
typedef struct kith_arrow_options {
    size_t size;
    /* A table with columns of these names, whose types are meant: releases are all texts, and the
     * table from which one was made knows the types. NULL: the types of the table itself. */
    const kith_table *types_of;
    size_t batch_rows;  /* rows of a record batch; 0: 65,536 */
    bool all_texts;     /* numbers and dates as texts, too */
    bool no_dictionary; /* texts as they are, without dictionary */
} kith_arrow_options;

/* Fills `*stream`, which the consumer releases. The stream and all that comes from it stay valid
 * when the table is freed: its memory goes with the last of them. */
KITH_API KITH_MUST_USE kith_status kith_table_to_arrow(struct ArrowArrayStream *stream,
                                                       const kith_table *table,
                                                       const kith_arrow_options *options,
                                                       kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
