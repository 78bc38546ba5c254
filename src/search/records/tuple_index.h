/* Distinct rows of numbers, found by their contents. */
#ifndef SEARCH_RECORDS_TUPLE_INDEX_H
#define SEARCH_RECORDS_TUPLE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

/* Invariants: row i is rows[i * width] and what follows; no two rows are equal; table[] has the
 * number of each row once, and UINT32_MAX at free places, at least half of all. */
typedef struct tuple_index {
    arena *memory;
    uint32_t width;
    uint32_t count;
    size_t room; /* rows that fit */
    uint32_t *rows;
    size_t n_places; /* a power of two, or 0 */
    uint32_t *table; /* [n_places] */
} tuple_index;

/* Without rows; everything will live in `memory`. */
void tuple_index_init(tuple_index *x, uint32_t width, arena *memory);

/* The number of a row, which is added unless it is there; numbers count up from 0. */
kith_status tuple_index_add(tuple_index *x, const uint32_t *row, uint32_t *number,
                            kith_error *error) KITH_MUST_USE;

/* The same for `n` rows that follow each other: the number of row i is of[i]. */
kith_status tuple_index_add_all(tuple_index *x, const uint32_t *rows, uint32_t n, uint32_t *of,
                                kith_error *error) KITH_MUST_USE;

/* UINT32_MAX: there is no such row. */
uint32_t tuple_index_find(const tuple_index *x, const uint32_t *row);

static inline const uint32_t *tuple_index_row(const tuple_index *x, uint32_t number)
{
    return x->rows + (size_t)number * x->width;
}

/* Once all rows are there: gives back the memory that only looking for them needs. */
void tuple_index_close(tuple_index *x);

/* Gives all memory back. */
void tuple_index_release(tuple_index *x);

#endif
