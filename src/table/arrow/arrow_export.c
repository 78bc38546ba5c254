/* kith_table_to_arrow: a table as a stream of record batches.
 *
 * The stream and every array that comes from it own one share of an arrow_shared; the last one
 * frees it, and with it its share of the table. Codes of dictionary columns without missing values
 * are not copied. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "table/arrow/arrow_form.h"

/* What a stream and its arrays share. */
typedef struct arrow_shared {
    atomic_uint owners; /* may be released in any thread */
    arena *memory;
    kith_table *table;
    arrow_form *forms; /* [table->n_columns] */
    size_t batch_rows;
} arrow_shared;

/* One owner fewer; the last one frees it. */
static void arrow_batch_leave(arrow_shared *shared)
{
    if (atomic_fetch_sub(&shared->owners, 1) != 1)
        return;
    kith_table_free(shared->table);
    arena_free(shared->memory);
}

/* What belongs to one array: its share, its buffers, and those of them that are its own. */
typedef struct array_state {
    arrow_shared *shared;
    const void *buffers[3];
    void *own[3];
} array_state;

static void release_array(struct ArrowArray *array)
{
    array_state *s = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        struct ArrowArray *child = array->children[i];
        if (child != NULL && child->release != NULL) /* it may have been moved */
            child->release(child);
    }
    if (array->dictionary != NULL && array->dictionary->release != NULL)
        array->dictionary->release(array->dictionary);
    if (array->n_children > 0)
        free(array->children[0]);
    free(array->children);
    free(array->dictionary);
    for (size_t i = 0; i < sizeof s->own / sizeof *s->own; i++)
        free(s->own[i]);
    arrow_batch_leave(s->shared);
    free(s);
    array->release = NULL;
}

static array_state *begin_array(struct ArrowArray *array, arrow_shared *shared, int64_t length,
                                int64_t n_buffers)
{
    array_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    atomic_fetch_add(&shared->owners, 1);
    s->shared = shared;
    *array = (struct ArrowArray){.length = length,
                                 .n_buffers = n_buffers,
                                 .buffers = s->buffers,
                                 .release = release_array,
                                 .private_data = s};
    return s;
}

/* Memory of an array's own for buffer `which`; never empty, so that NULL means failure. */
static void *own_buffer(array_state *s, size_t which, size_t count, size_t size)
{
    s->own[which] = calloc(count + 1, size);
    s->buffers[which] = s->own[which];
    return s->own[which];
}

/* Counts missing cells, and notes them if there are some. */
static bool note_missing(struct ArrowArray *array, const uint32_t *codes, uint32_t count)
{
    array_state *s = array->private_data;
    for (uint32_t i = 0; i < count; i++)
        array->null_count += codes[i] == TABLE_MISSING;
    if (array->null_count == 0)
        return true;
    uint8_t *valid = own_buffer(s, 0, (size_t)count / 8, 1);
    for (uint32_t i = 0; i < count && valid != NULL; i++)
        valid[i / 8] |= (uint8_t)((codes[i] != TABLE_MISSING) << i % 8);
    return valid != NULL;
}

static bool fill_texts(array_state *s, const arrow_form *form, const uint32_t *codes,
                       uint32_t count)
{
    const dictionary *d = form->values;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += codes[i] == TABLE_MISSING ? 0 : dictionary_length(d, codes[i]);
    const size_t width = form->large ? sizeof(int64_t) : sizeof(int32_t);
    char *offsets = own_buffer(s, 1, count, width), *texts = own_buffer(s, 2, bytes, 1);
    if (offsets == NULL || texts == NULL)
        return false;
    int64_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (codes[i] != TABLE_MISSING) {
            const uint32_t length = dictionary_length(d, codes[i]);
            memcpy(texts + at, dictionary_text(d, codes[i]), length);
            at += length;
        }
        const int32_t small = (int32_t)at;
        memcpy(offsets + (i + 1) * width, form->large ? (const void *)&at : &small, width);
    }
    return true;
}

/* The table's own codes, if none is missing: consumers may look at the index of a missing cell. */
static bool fill_indices(struct ArrowArray *array, const uint32_t *codes, uint32_t count)
{
    array_state *s = array->private_data;
    s->buffers[1] = codes;
    if (array->null_count == 0)
        return true;
    int32_t *indices = own_buffer(s, 1, count, sizeof *indices);
    for (uint32_t i = 0; i < count && indices != NULL; i++)
        indices[i] = codes[i] == TABLE_MISSING ? 0 : (int32_t)codes[i];
    return indices != NULL;
}

static bool add_dictionary(struct ArrowArray *array, arrow_shared *shared, const arrow_form *form)
{
    array->dictionary = calloc(1, sizeof *array->dictionary);
    array_state *s = array->dictionary == NULL
                         ? NULL
                         : begin_array(array->dictionary, shared, form->values->count, 3);
    if (s == NULL)
        return false;
    s->buffers[1] = form->offsets;
    s->buffers[2] = form->texts;
    return true;
}

static bool make_column(struct ArrowArray *array, arrow_shared *shared, uint32_t which,
                        uint32_t first, uint32_t count)
{
    const arrow_form *form = &shared->forms[which];
    const uint32_t *codes = shared->table->columns[which].codes + first;
    array_state *s =
        begin_array(array, shared, (int64_t)count, form->kind == ARROW_FORM_TEXT ? 3 : 2);
    if (s == NULL || !note_missing(array, codes, count))
        return false;
    switch (form->kind) {
    case ARROW_FORM_TEXT: return fill_texts(s, form, codes, count);
    case ARROW_FORM_DICTIONARY:
        return fill_indices(array, codes, count) && add_dictionary(array, shared, form);
    case ARROW_FORM_INTEGER:
    case ARROW_FORM_DECIMAL:
    case ARROW_FORM_FIXED:
    case ARROW_FORM_DATE: break;
    }
    /* Numbers or days by code; 0 where a cell is missing. */
    const bool wide = form->kind == ARROW_FORM_FIXED;
    const size_t width = form->kind == ARROW_FORM_DATE ? 4 : wide ? 16 : 8;
    const char *from = form->kind == ARROW_FORM_DATE      ? (const char *)form->days
                       : wide                             ? (const char *)form->fixed
                       : form->kind == ARROW_FORM_INTEGER ? (const char *)form->integers
                                                          : (const char *)form->decimals;
    char *to = own_buffer(s, 1, count, width);
    for (uint32_t i = 0; i < count && to != NULL; i++)
        if (codes[i] != TABLE_MISSING)
            memcpy(to + i * width, from + codes[i] * width, width);
    return to != NULL;
}

static bool make_columns(struct ArrowArray *array, arrow_shared *shared, uint32_t first,
                         uint32_t count)
{
    const uint32_t width = shared->table->n_columns;
    if (width == 0)
        return true;
    struct ArrowArray *all = calloc(width, sizeof *all);
    array->children = calloc(width, sizeof *array->children);
    if (all == NULL || array->children == NULL) {
        free(all);
        return false;
    }
    for (uint32_t i = 0; i < width; i++)
        array->children[i] = &all[i];
    array->n_children = width;
    for (uint32_t i = 0; i < width; i++)
        if (!make_column(&all[i], shared, i, first, count))
            return false;
    return true;
}

/* Rows `first` … `first + count - 1`. */
static bool arrow_batch_make(struct ArrowArray *out, arrow_shared *shared, uint32_t first,
                             uint32_t count)
{
    if (begin_array(out, shared, count, 1) == NULL)
        return false;
    if (make_columns(out, shared, first, count))
        return true;
    release_array(out);
    return false;
}

/* Frees the texts, children and dictionary of a schema. */
static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        struct ArrowSchema *child = schema->children[i];
        if (child != NULL && child->release != NULL) /* it may have been moved */
            child->release(child);
    }
    if (schema->dictionary != NULL && schema->dictionary->release != NULL)
        schema->dictionary->release(schema->dictionary);
    if (schema->n_children > 0)
        free(schema->children[0]);
    free(schema->children);
    free(schema->dictionary);
    free((void *)schema->format);
    free((void *)schema->name);
    schema->release = NULL;
}

/* Schemas may outlive everything else. */
static bool begin_schema(struct ArrowSchema *schema, const char *format, const char *name)
{
    *schema = (struct ArrowSchema){.format = strdup(format),
                                   .name = strdup(name),
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = release_schema};
    if (schema->format != NULL && schema->name != NULL)
        return true;
    release_schema(schema);
    return false;
}

static bool describe_column(struct ArrowSchema *schema, const arrow_form *form, const char *name)
{
    if (!begin_schema(schema, form->format, name))
        return false;
    if (form->values_format == NULL)
        return true;
    schema->dictionary = calloc(1, sizeof *schema->dictionary);
    return schema->dictionary != NULL && begin_schema(schema->dictionary, form->values_format, "");
}

static bool describe_columns(struct ArrowSchema *schema, const arrow_shared *shared)
{
    const kith_table *table = shared->table;
    const size_t width = table->n_columns;
    if (width == 0)
        return true;
    struct ArrowSchema *all = calloc(width, sizeof *all);
    schema->children = calloc(width, sizeof *schema->children);
    if (all == NULL || schema->children == NULL) {
        free(all);
        return false;
    }
    for (size_t i = 0; i < width; i++)
        schema->children[i] = &all[i];
    schema->n_children = (int64_t)width;
    for (size_t i = 0; i < width; i++)
        if (!describe_column(&all[i], &shared->forms[i], table->columns[i].name))
            return false;
    return true;
}

/* Both fill `out`, whose release callback then frees what belongs to it; children and dictionaries
 * may be moved out of it, as the specification allows. False if out of memory: `out` is released
 * then. */
static bool arrow_batch_schema(struct ArrowSchema *out, const arrow_shared *shared)
{
    if (!begin_schema(out, "+s", ""))
        return false;
    out->flags = 0;
    if (describe_columns(out, shared))
        return true;
    release_schema(out);
    return false;
}

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
