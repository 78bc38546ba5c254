#include "core/sort.h"

#include <stdint.h>
#include <string.h>

#define BY_ONE(name, type)                 \
    int name(const void *a, const void *b) \
    {                                      \
        const type *x = a, *y = b;         \
        return (*x > *y) - (*x < *y);      \
    }

BY_ONE(sort_uint32, uint32_t)
BY_ONE(sort_uint64, uint64_t)
BY_ONE(sort_int64, int64_t)
BY_ONE(sort_double, double)

/* The second member lies right behind the first one, since it is no larger. */
#define BY_TWO(name, by_first, type)                                                       \
    int name(const void *a, const void *b)                                                 \
    {                                                                                      \
        const int order = by_first;                                                        \
        return order != 0 ? order : sort_uint32((const type *)a + 1, (const type *)b + 1); \
    }

BY_TWO(sort_uint32_uint32, sort_uint32(a, b), uint32_t)
BY_TWO(sort_uint64_uint32, sort_uint64(a, b), uint64_t)
BY_TWO(sort_int64_uint32, sort_int64(a, b), int64_t)
BY_TWO(sort_double_uint32, sort_double(a, b), double)
BY_TWO(sort_uint32_down_uint32, sort_uint32(b, a), uint32_t)
BY_TWO(sort_uint64_down_uint32, sort_uint64(b, a), uint64_t)
BY_TWO(sort_double_down_uint32, sort_double(b, a), double)

int sort_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int sort_32_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 32);
}
