#include "table/arrow_values.h"

#include "core/error.h"

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

/* Buffers that an array without values need not have are not looked at. */
static kith_status take_buffers(arrow_values *v, const struct ArrowArray *a, kith_error *error)
{
    if (v->type->kind == ARROW_KIND_NULL || a->length == 0)
        return KITH_OK;
    v->buffers = a->buffers;
    v->n_buffers = a->n_buffers;
    v->validity = a->null_count == 0 ? NULL : a->buffers[0];
    v->data = a->buffers[1];
    if (a->null_count > 0 && v->validity == NULL)
        return error_set(error, KITH_DATA, "its Arrow array has nulls, and no validity bitmap");
    if (v->data == NULL)
        return error_set(error, KITH_DATA, "a buffer of its Arrow array is NULL");
    if (v->type->kind == ARROW_KIND_VIEW) {
        if (v->n_buffers > 3 && a->buffers[v->n_buffers - 1] == NULL)
            return error_set(error, KITH_DATA, "the sizes of its Arrow buffers are NULL");
    } else if (v->type->kind == ARROW_KIND_TEXT) {
        v->texts = a->buffers[2];
        v->texts_end = (int64_t)arrow_values_load(v, a->offset + a->length);
    }
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
    return take_buffers(values, array, error);
}

static kith_status plain_text(const arrow_values *v, int64_t index, const char **text,
                              size_t *length, size_t *readable, kith_error *error)
{
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
    if (v->type->kind == ARROW_KIND_TEXT)
        return plain_text(v, index, text, length, readable, error);
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
