#include "support/arrow_source.h"

#include <stdlib.h>
#include <string.h>

/* Children and dictionaries are released with their parents: nobody else may call this. */
static void no_schema_release(struct ArrowSchema *schema)
{
    (void)schema;
    abort();
}

static void no_array_release(struct ArrowArray *array)
{
    (void)array;
    abort();
}

void arrow_source_init(arrow_source *s)
{
    memset(s, 0, sizeof *s);
    s->schema.format = "+s";
    s->schema.name = "";
    s->schema.children = s->columns_at;
}

void arrow_source_column(arrow_source *s, const char *name, const char *format, const char *values)
{
    struct ArrowSchema *c = &s->columns[s->n_columns], *d = &s->values[s->n_columns];
    *c = (struct ArrowSchema){
        .format = format, .name = name, .flags = ARROW_FLAG_NULLABLE, .release = no_schema_release};
    if (values != NULL) {
        *d = (struct ArrowSchema){.format = values, .release = no_schema_release};
        c->dictionary = d;
    }
    s->columns_at[s->n_columns++] = c;
    s->schema.n_children = (int64_t)s->n_columns;
}

void arrow_source_batch(arrow_source *s, int64_t length)
{
    const size_t which = s->n_batches++;
    s->batches[which] = (struct ArrowArray){.length = length,
                                            .n_buffers = 1,
                                            .buffers = s->batch_buffers[which],
                                            .n_children = (int64_t)s->n_columns,
                                            .children = s->arrays_at[which]};
    for (size_t i = 0; i < s->n_columns; i++)
        s->arrays_at[which][i] = &s->arrays[which][i].array;
}

static void fill(struct ArrowArray *array, const void **own, int64_t length, int64_t n_buffers,
                 const void *const *buffers)
{
    *array = (struct ArrowArray){.length = length,
                                 .null_count = n_buffers > 0 && buffers[0] != NULL ? -1 : 0,
                                 .n_buffers = n_buffers,
                                 .buffers = own,
                                 .release = no_array_release};
    for (int64_t i = 0; i < n_buffers; i++)
        own[i] = buffers[i];
}

void arrow_source_fill(arrow_source *s, size_t which, int64_t length, int64_t n_buffers,
                       const void *const *buffers)
{
    arrow_source_array *a = &s->arrays[s->n_batches - 1][which];
    fill(&a->array, a->buffers, length, n_buffers, buffers);
}

void arrow_source_fill_values(arrow_source *s, size_t which, int64_t length, int64_t n_buffers,
                              const void *const *buffers)
{
    arrow_source_array *a = &s->arrays[s->n_batches - 1][which];
    fill(&a->dictionary, a->values, length, n_buffers, buffers);
    a->array.dictionary = &a->dictionary;
}

static void release_schema(struct ArrowSchema *schema)
{
    ((arrow_source *)schema->private_data)->n_released++;
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    ((arrow_source *)array->private_data)->n_released++;
    array->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    ((arrow_source *)stream->private_data)->n_streams_released++;
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    arrow_source *s = stream->private_data;
    if (s->schema_fails != 0)
        return s->schema_fails;
    *out = s->schema;
    out->release = release_schema;
    out->private_data = s;
    s->n_handed_out++;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    arrow_source *s = stream->private_data;
    if (s->next == s->n_batches) {
        out->release = NULL;
        return s->next_fails;
    }
    *out = s->batches[s->next++];
    out->release = release_array;
    out->private_data = s;
    s->n_handed_out++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((arrow_source *)stream->private_data)->said;
}

struct ArrowArrayStream arrow_source_stream(arrow_source *s)
{
    s->next = s->n_handed_out = s->n_released = s->n_streams_released = 0;
    return (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = s};
}

bool arrow_source_settled(const arrow_source *s)
{
    return s->n_released == s->n_handed_out && s->n_streams_released == 1;
}
