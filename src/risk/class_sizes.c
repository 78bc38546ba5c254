#include "risk/class_sizes.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"

/* The classes of one size. */
typedef struct same_size {
    uint32_t size, n_classes;
} same_size;

static kith_status take_sizes(class_sizes *s, same_size *all, size_t count, arena *memory,
                              kith_error *error)
{
    *s = (class_sizes){.sizes = arena_array(memory, count, sizeof *s->sizes),
                       .n_classes = arena_array(memory, count, sizeof *s->n_classes)};
    TRY_ALLOC(s->sizes, error);
    TRY_ALLOC(s->n_classes, error);
    if (count > 0)
        qsort(all, count, sizeof *all, sort_uint32);
    for (size_t i = 0; i < count; i++) {
        if (s->count == 0 || s->sizes[s->count - 1] != all[i].size) {
            s->sizes[s->count] = all[i].size;
            s->n_classes[s->count++] = 0;
        }
        s->n_classes[s->count - 1] += all[i].n_classes;
        s->n_all += all[i].n_classes;
        s->n_records += (uint64_t)all[i].size * all[i].n_classes;
        s->n_singles += all[i].size == 1 ? all[i].n_classes : 0;
    }
    return KITH_OK;
}

kith_status class_sizes_make(class_sizes *s, const uint32_t *size_of_class, uint32_t n_classes,
                             uint32_t left_out, arena *memory, kith_error *error)
{
    same_size *all = TRY_ARRAY(all, memory, n_classes, error);
    size_t count = 0;
    for (uint32_t i = 0; i < n_classes; i++)
        if (i != left_out)
            all[count++] = (same_size){size_of_class[i], 1};
    return take_sizes(s, all, count, memory, error);
}

kith_status class_sizes_unite(class_sizes *s, kith_ranks *ranks, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    ranks_bytes *of = TRY_ARRAY(of, memory, n_ranks, error);
    same_size *own = TRY_ARRAY(own, memory, s->count, error);
    size_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        own[i] = (same_size){s->sizes[i], s->n_classes[i]};
    TRY(ranks_gather(ranks, own, s->count * sizeof *own, of, memory, error));
    for (uint32_t r = 0; r < n_ranks; r++)
        count += of[r].n_bytes / sizeof *own;
    same_size *all = TRY_ARRAY(all, memory, count, error);
    count = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        if (of[r].n_bytes > 0)
            memcpy(all + count, of[r].bytes, of[r].n_bytes);
        count += of[r].n_bytes / sizeof *own;
    }
    return take_sizes(s, all, count, memory, error);
}
