#include "table/arrow_batch.h"

#include <stdlib.h>
#include <string.h>

void arrow_batch_leave(arrow_shared *shared)
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

/* Numbers or days by code; 0 where a cell is missing. */
static bool fill_numbers(array_state *s, const arrow_form *form, const uint32_t *codes,
                         uint32_t count)
{
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
    return fill_numbers(s, form, codes, count);
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

bool arrow_batch_make(struct ArrowArray *out, arrow_shared *shared, uint32_t first, uint32_t count)
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

bool arrow_batch_schema(struct ArrowSchema *out, const arrow_shared *shared)
{
    if (!begin_schema(out, "+s", ""))
        return false;
    out->flags = 0;
    if (describe_columns(out, shared))
        return true;
    release_schema(out);
    return false;
}
