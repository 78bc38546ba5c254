#include "risk/class_sizes.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static int compare(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

kith_status class_sizes_make(class_sizes *s, const uint32_t *size_of_class, uint32_t n_classes,
                             uint32_t left_out, arena *memory, kith_error *error)
{
    *s = (class_sizes){.sizes = arena_array(memory, n_classes, sizeof *s->sizes),
                       .n_classes = arena_array(memory, n_classes, sizeof *s->n_classes)};
    TRY_ALLOC(s->sizes, error);
    TRY_ALLOC(s->n_classes, error);
    for (uint32_t i = 0; i < n_classes; i++)
        if (i != left_out)
            s->sizes[s->n_all++] = size_of_class[i];
    if (s->n_all > 0)
        qsort(s->sizes, s->n_all, sizeof *s->sizes, compare);
    for (uint32_t i = 0; i < s->n_all; i++) {
        const uint32_t size = s->sizes[i];
        if (s->count == 0 || s->sizes[s->count - 1] != size) {
            s->sizes[s->count] = size;
            s->n_classes[s->count++] = 0;
        }
        s->n_classes[s->count - 1]++;
        s->n_records += size;
        s->n_singles += size == 1;
    }
    return KITH_OK;
}
