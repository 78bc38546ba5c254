#include "table/arrow/arrow_values.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

enum { SAFE_DIGITS = 15, MAX_DIGITS = 76, FORMAT_BYTES = 40 };

/* Formats of one letter, and the first ones of those that are refused by name. */
typedef struct plain_format {
    const char *format;
    arrow_type type;
} plain_format;

static const plain_format plain_formats[] = {
    {"n", {.kind = ARROW_KIND_NULL}},
    {"b", {.kind = ARROW_KIND_BOOL}},
    {"c", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 1}},
    {"C", {.kind = ARROW_KIND_INTEGER, .width = 1}},
    {"s", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 2}},
    {"S", {.kind = ARROW_KIND_INTEGER, .width = 2}},
    {"i", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 4}},
    {"I", {.kind = ARROW_KIND_INTEGER, .width = 4}},
    {"l", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 8}},
    {"L", {.kind = ARROW_KIND_INTEGER, .width = 8}},
    {"e", {.kind = ARROW_KIND_FLOAT, .width = 2}},
    {"f", {.kind = ARROW_KIND_FLOAT, .width = 4}},
    {"g", {.kind = ARROW_KIND_FLOAT, .width = 8}},
    {"u", {.kind = ARROW_KIND_TEXT, .is_signed = true, .width = 4}},
    {"U", {.kind = ARROW_KIND_TEXT, .is_signed = true, .width = 8}},
    {"vu", {.kind = ARROW_KIND_VIEW, .width = 16}},
    {"tdD", {.kind = ARROW_KIND_DATE, .is_signed = true, .width = 4, .ticks_per_day = 1}},
    {"tdm",
     {.kind = ARROW_KIND_DATE,
      .is_signed = true,
      .width = 8,
      .ticks_per_day = (int64_t)TYPED_VALUE_DAY * 1000}},
};

static const struct {
    const char *begin, *name;
} refused[] = {
    {"z", "binary"},
    {"Z", "large binary"},
    {"vz", "binary view"},
    {"w:", "fixed-size binary"},
    {"tt", "time of day"},
    {"tD", "duration"},
    {"ti", "interval"},
    {"+l", "list"},
    {"+L", "large list"},
    {"+vl", "list view"},
    {"+vL", "large list view"},
    {"+w:", "fixed-size list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+ud:", "dense union"},
    {"+us:", "sparse union"},
    {"+r", "run-end encoded"},
};

/* A number of a decimal's format; `*at` moves behind it. */
static bool take_number(const char **at, int *value)
{
    char *end;
    if (**at != '-' && (**at < '0' || **at > '9'))
        return false;
    long number = strtol(*at, &end, 10);
    bool good = end != *at && number >= -MAX_DIGITS && number <= 256;
    *at = end;
    *value = (int)number;
    return good;
}

/* d:digits,scale or d:digits,scale,bits */
static bool take_decimal(const char *format, arrow_type *type)
{
    int bits = 128;
    const char *at = format + 2;
    if (!take_number(&at, &type->digits) || *at++ != ',' || !take_number(&at, &type->scale))
        return false;
    if (*at == ',') {
        at++;
        if (!take_number(&at, &bits))
            return false;
    }
    type->kind = ARROW_KIND_DECIMAL;
    type->is_signed = true;
    type->width = (unsigned)bits / 8;
    return *at == '\0' && (bits == 32 || bits == 64 || bits == 128 || bits == 256) &&
           type->digits >= 1 && type->digits <= MAX_DIGITS && type->scale <= MAX_DIGITS;
}

/* ts, a letter for the unit, a colon and the time zone, if there is one */
static bool take_timestamp(const char *format, arrow_type *type)
{
    static const char units[] = "smun";
    const char *unit = strchr(units, format[2]);
    if (format[2] == '\0' || unit == NULL || format[3] != ':')
        return false;
    int64_t ticks = TYPED_VALUE_DAY;
    for (const char *u = units; u < unit; u++)
        ticks *= 1000;
    *type = (arrow_type){.kind = ARROW_KIND_DATE,
                         .is_signed = true,
                         .width = 8,
                         .ticks_per_day = ticks,
                         .timed = true,
                         .zoned = format[4] != '\0'};
    return true;
}

static bool take_format(const char *format, arrow_type *type)
{
    for (size_t i = 0; i < sizeof plain_formats / sizeof *plain_formats; i++)
        if (strcmp(format, plain_formats[i].format) == 0) {
            *type = plain_formats[i].type;
            return true;
        }
    return (strncmp(format, "d:", 2) == 0 && take_decimal(format, type)) ||
           (strncmp(format, "ts", 2) == 0 && take_timestamp(format, type));
}

static kith_status without_dictionary(arrow_type **type, arena *memory,
                                      const struct ArrowSchema *schema, kith_error *error)
{
    arrow_type found = {0};
    if (schema->release == NULL || schema->format == NULL)
        return error_set(error, KITH_DATA, "its Arrow schema %s",
                         schema->release == NULL ? "has been released" : "has no format");
    if (!take_format(schema->format, &found)) {
        const char *format = schema->format;
        char quoted[FORMAT_BYTES];
        text_quote(quoted, sizeof quoted, format, strlen(format));
        const char *name = NULL;
        for (size_t i = 0; i < sizeof refused / sizeof *refused && name == NULL; i++)
            if (strncmp(format, refused[i].begin, strlen(refused[i].begin)) == 0)
                name = refused[i].name;
        if (name == NULL)
            error_set(error, KITH_DATA, "its Arrow type '%s' is unknown", quoted);
        else
            error_set(error, KITH_DATA,
                      "its Arrow type is %s ('%s'), expected text, numbers, booleans, dates or "
                      "timestamps",
                      name, quoted);
        return KITH_DATA;
    }
    if (schema->n_children != 0)
        return error_set(error, KITH_DATA, "its Arrow schema has children, expected none");
    *type = TRY_ALLOC(arena_alloc(memory, sizeof **type), error);
    **type = found;
    return KITH_OK;
}

kith_status arrow_type_of(const arrow_type **type, arena *memory, const struct ArrowSchema *schema,
                          kith_error *error)
{
    arrow_type *own = NULL, *values = NULL;
    TRY(without_dictionary(&own, memory, schema, error));
    *type = own;
    if (schema->dictionary == NULL)
        return KITH_OK;
    if (own->kind != ARROW_KIND_INTEGER)
        return error_set(error, KITH_DATA, "the indices of its Arrow dictionary are no integers");
    TRY(without_dictionary(&values, memory, schema->dictionary, error));
    if (schema->dictionary->dictionary != NULL)
        return error_set(error, KITH_DATA, "its Arrow dictionary has a dictionary itself");
    own->values = values;
    return KITH_OK;
}

/* Numbers that a double or an int64 cannot hold exactly stay texts, since two of them could become
 * one value. */
kith_type arrow_type_nearest(const arrow_type *type)
{
    if (type->values != NULL)
        return arrow_type_nearest(type->values);
    switch (type->kind) {
    case ARROW_KIND_INTEGER:
        return type->width == 8 && !type->is_signed ? KITH_TYPE_STRING : KITH_TYPE_INTEGER;
    case ARROW_KIND_FLOAT: return KITH_TYPE_DECIMAL;
    case ARROW_KIND_DECIMAL:
        return type->digits <= SAFE_DIGITS && type->scale >= 0 && type->scale <= SAFE_DIGITS
                   ? KITH_TYPE_DECIMAL
                   : KITH_TYPE_STRING;
    case ARROW_KIND_DATE: return type->timed ? KITH_TYPE_STRING : KITH_TYPE_DATE;
    case ARROW_KIND_NULL:
    case ARROW_KIND_BOOL:
    case ARROW_KIND_TEXT:
    case ARROW_KIND_VIEW: break;
    }
    return KITH_TYPE_STRING;
}

enum { MAX_WIDTH = 32, VIEW_INLINE = 12, VIEW_BYTES = 16 };

static kith_status check_array(const arrow_type *type, const struct ArrowArray *a,
                               kith_error *error)
{
    const bool view = type->kind == ARROW_KIND_VIEW;
    const int64_t n_buffers = type->kind == ARROW_KIND_NULL           ? 0
                              : view || type->kind == ARROW_KIND_TEXT ? 3
                                                                      : 2;
    if (a == NULL || a->release == NULL)
        return error_set(error, KITH_DATA, "its Arrow array %s",
                         a == NULL ? "is NULL" : "has been released");
    if (a->length < 0 || a->offset < 0 || a->length > INT64_MAX / MAX_WIDTH - 1 ||
        a->offset > INT64_MAX / MAX_WIDTH - 1 - a->length)
        return error_set(error, KITH_DATA,
                         "its Arrow array has length %lld and offset %lld, which cannot be",
                         (long long)a->length, (long long)a->offset);
    if (a->null_count < -1 || a->null_count > a->length)
        return error_set(error, KITH_DATA, "its Arrow array has %lld nulls among %lld values",
                         (long long)a->null_count, (long long)a->length);
    /* Views have as many buffers more as they need. Some producers give the null type a buffer. */
    const int64_t more = view ? INT64_MAX : n_buffers == 0 ? 1 : n_buffers;
    if (a->n_buffers < n_buffers || a->n_buffers > more)
        return error_set(error, KITH_DATA, "its Arrow array has %lld buffers, expected %lld",
                         (long long)a->n_buffers, (long long)n_buffers);
    if (a->n_children != 0)
        return error_set(error, KITH_DATA, "its Arrow array has children, expected none");
    if ((a->dictionary == NULL) != (type->values == NULL))
        return error_set(error, KITH_DATA, "its Arrow array has %s dictionary",
                         a->dictionary == NULL ? "no" : "an unexpected");
    if (a->n_buffers > 0 && a->buffers == NULL)
        return error_set(error, KITH_DATA, "its Arrow array has no buffers");
    return KITH_OK;
}

kith_status arrow_values_of(arrow_values *values, const arrow_type *type,
                            const struct ArrowArray *array, int64_t skip, int64_t length,
                            kith_error *error)
{
    *values = (arrow_values){.type = type};
    TRY(check_array(type, array, error));
    if (skip > array->length || length > array->length - skip)
        return error_set(error, KITH_DATA, "its Arrow array has %lld values, expected %lld",
                         (long long)array->length, (long long)(skip + length));
    values->first = array->offset + skip;
    values->length = length;
    /* Buffers that an array without values need not have are ignored. */
    if (values->type->kind == ARROW_KIND_NULL || array->length == 0)
        return KITH_OK;
    values->buffers = array->buffers;
    values->n_buffers = array->n_buffers;
    values->validity = array->null_count == 0 ? NULL : array->buffers[0];
    values->data = array->buffers[1];
    if (array->null_count > 0 && values->validity == NULL)
        return error_set(error, KITH_DATA, "its Arrow array has nulls, and no validity bitmap");
    if (values->data == NULL)
        return error_set(error, KITH_DATA, "a buffer of its Arrow array is NULL");
    if (values->type->kind == ARROW_KIND_VIEW) {
        if (values->n_buffers > 3 && array->buffers[values->n_buffers - 1] == NULL)
            return error_set(error, KITH_DATA, "the sizes of its Arrow buffers are NULL");
    } else if (values->type->kind == ARROW_KIND_TEXT) {
        values->texts = array->buffers[2];
        values->texts_end = (int64_t)arrow_values_load(values, array->offset + array->length);
    }
    return KITH_OK;
}

/* A long view has its first four bytes, the number of a buffer, and a place in it. */
static kith_status long_view(const arrow_values *v, const uint8_t *view, size_t length,
                             const char **text, kith_error *error)
{
    int32_t which, at;
    int64_t size;
    memcpy(&which, view + 8, sizeof which);
    memcpy(&at, view + 12, sizeof at);
    if (which < 0 || which >= v->n_buffers - 3)
        return error_set(error, KITH_DATA, "an Arrow view into buffer %d of %lld", (int)which,
                         (long long)(v->n_buffers - 3));
    const uint8_t *sizes = v->buffers[v->n_buffers - 1];
    memcpy(&size, sizes + (size_t)which * sizeof size, sizeof size);
    const char *buffer = v->buffers[which + 2];
    if (at < 0 || buffer == NULL || size < at || size - at < (int64_t)length)
        return error_set(error, KITH_DATA, "an Arrow view of bytes %d to %lld in a buffer of %lld",
                         (int)at, (long long)(at + (int64_t)length),
                         buffer == NULL ? 0 : (long long)size);
    if (memcmp(buffer + at, view + 4, 4) != 0)
        return error_set(error, KITH_DATA, "an Arrow view whose prefix is not that of its text");
    *text = buffer + at;
    return KITH_OK;
}

kith_status arrow_values_text(const arrow_values *v, int64_t index, const char **text,
                              size_t *length, size_t *readable, kith_error *error)
{
    if (v->type->kind == ARROW_KIND_TEXT) {
        const int64_t begin = (int64_t)arrow_values_load(v, index),
                      end = (int64_t)arrow_values_load(v, index + 1);
        if (begin < 0 || end < begin || end > v->texts_end)
            return error_set(error, KITH_DATA, "Arrow offsets %lld, %lld (the last is %lld)",
                             (long long)begin, (long long)end, (long long)v->texts_end);
        if (v->texts == NULL && end > begin)
            return error_set(error, KITH_DATA, "the texts of its Arrow array are NULL");
        *text = v->texts == NULL ? "" : v->texts + begin;
        *length = (size_t)(end - begin);
        *readable = v->texts == NULL ? 0 : (size_t)(v->texts_end - begin);
        return KITH_OK;
    }
    const uint8_t *view = v->data + index * VIEW_BYTES;
    int32_t bytes;
    memcpy(&bytes, view, sizeof bytes);
    if (bytes < 0)
        return error_set(error, KITH_DATA, "an Arrow view of %d bytes", (int)bytes);
    *length = (size_t)bytes;
    *text = (const char *)view + 4;
    *readable = bytes <= VIEW_INLINE ? VIEW_INLINE : (size_t)bytes;
    return bytes <= VIEW_INLINE ? KITH_OK : long_view(v, view, *length, text, error);
}
