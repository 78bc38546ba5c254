/* Drawing from a finite distribution in constant time (Walker's alias method), built from integer
 * weights with integer arithmetic alone, so that a seed gives the same draws on every machine. */
#ifndef GENERATE_ALIAS_H
#define GENERATE_ALIAS_H

#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"

typedef struct alias_cell {
    uint32_t threshold; /* a coin below it keeps the cell's own value */
    uint32_t other;     /* what the cell yields otherwise; its own value if it is never otherwise */
} alias_cell;

/* Fills cells[count] from weights[count], whose sum must be positive and below 2^32; 0 if it is
 * not. `scratch` has room for 3 x count numbers. */
int alias_build(alias_cell *cells, const uint32_t *weights, uint32_t count, uint64_t *scratch);

/* One random word serves for both decisions: its upper half chooses the cell, its lower half is the
 * coin. */
static inline uint32_t alias_draw(const alias_cell *cells, uint32_t count, rng *r)
{
    uint64_t bits = rng_next(r);
    uint32_t cell = (uint32_t)(((bits >> 32) * count) >> 32);
    return (uint32_t)bits < cells[cell].threshold ? cell : cells[cell].other;
}

#endif
