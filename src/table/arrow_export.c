/* kith_table_to_arrow: a table as a stream of record batches.
 *
 * The stream and every array that comes from it own one share of an arrow_shared; the last one
 * frees it, and with it its share of the table. Codes of dictionary columns without missing values
 * are not copied. */
#include <errno.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/options.h"
#include "table/arrow_batch.h"

enum { BATCH_ROWS = 65536 };

typedef struct stream_state {
    arrow_shared *shared;
    uint32_t next_row;
    const char *said; /* about the last call, or NULL */
} stream_state;

static int answer(stream_state *s, bool good)
{
    s->said = good ? NULL : "out of memory";
    return good ? 0 : ENOMEM;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    stream_state *s = stream->private_data;
    return answer(s, arrow_batch_schema(out, s->shared));
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    stream_state *s = stream->private_data;
    const uint32_t left = s->shared->table->n_rows - s->next_row;
    const uint32_t count = left < s->shared->batch_rows ? left : (uint32_t)s->shared->batch_rows;
    out->release = NULL;
    if (count == 0)
        return answer(s, true);
    const bool good = arrow_batch_make(out, s->shared, s->next_row, count);
    s->next_row += good ? count : 0;
    return answer(s, good);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((const stream_state *)stream->private_data)->said;
}

static void release(struct ArrowArrayStream *stream)
{
    stream_state *s = stream->private_data;
    arrow_batch_leave(s->shared);
    free(s);
    stream->release = NULL;
}

/* How each column is given, by its own type or that of the column of its name in options->types_of.
 */
static kith_status make_forms(arrow_shared *s, const kith_table *table,
                              const kith_arrow_options *options, kith_error *error)
{
    s->forms = TRY_ARRAY(s->forms, s->memory, table->n_columns, error);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const column *c = &table->columns[i];
        const kith_table *other = options->types_of;
        const uint32_t found = other == NULL ? UINT32_MAX : table_find(other, c->name);
        const kith_type type =
            found == UINT32_MAX ? c->values.type : other->columns[found].values.type;
        TRY(arrow_form_of(&s->forms[i], s->memory, &c->values, type, options, error));
    }
    return KITH_OK;
}

/* One owner: the caller. */
static kith_status share(arrow_shared **shared, const kith_table *table,
                         const kith_arrow_options *options, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new(), error);
    arrow_shared *s = arena_zalloc(memory, 1, sizeof *s);
    kith_status status = KITH_NOMEM;
    if (s == NULL) {
        error_nomem(error);
    } else {
        *s = (arrow_shared){.memory = memory, .batch_rows = options->batch_rows};
        atomic_init(&s->owners, 1);
        status = make_forms(s, table, options, error);
    }
    if (status != KITH_OK) {
        arena_free(memory);
        return status;
    }
    s->table = table_share(table);
    *shared = s;
    return KITH_OK;
}

kith_status kith_table_to_arrow(struct ArrowArrayStream *stream, const kith_table *table,
                                const kith_arrow_options *options, kith_error *error)
{
    kith_arrow_options own;
    stream->release = NULL;
    TRY(OPTIONS_TAKE(kith_arrow_options, no_dictionary, &own, options, error));
    if (own.batch_rows == 0)
        own.batch_rows = BATCH_ROWS;
    stream_state *s = TRY_ALLOC(calloc(1, sizeof *s), error);
    kith_status status = share(&s->shared, table, &own, error);
    if (status != KITH_OK) {
        free(s);
        return status;
    }
    *stream = (struct ArrowArrayStream){.get_schema = get_schema,
                                        .get_next = get_next,
                                        .get_last_error = get_last_error,
                                        .release = release,
                                        .private_data = s};
    return KITH_OK;
}
