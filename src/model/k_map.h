/* k-map counts the people of a population that a class may stand for. */
#ifndef MODEL_K_MAP_H
#define MODEL_K_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "hierarchy/tree.h"
#include "model/model.h"

/* Rows of a population as leaves of the quasi-identifiers. */
struct population {
    uint32_t n_rows;
    uint32_t n_attributes;
    const tree *const *tree; /* [n_attributes] */
    const uint32_t *
        cells; /* [n_rows * n_attributes] lowest node that stands for the value: a leaf, or above */
    const uint32_t *weight; /* [n_rows] how many people look like this */
    uint64_t people;
    /* Rows by attribute, in the order of the first leaves below their nodes: those with one of the
     * leaves a … b-1 of attribute j are sorted[j][start[j][a]] … sorted[j][start[j][b] - 1]. Rows
     * at the root are left out. */
    const uint32_t *const *start;  /* [n_attributes][leaves + 1] */
    const uint32_t *const *sorted; /* [n_attributes][n_rows] */
};

/* Fills start and sorted from the rest. */
kith_status k_map_population_index(population *p, arena *memory, kith_error *error);

/* People of the population that a class with this closure could be. */
uint64_t k_map_population_covered(const population *p, const uint32_t *closure);
/* Are these at least k? Faster. */
bool k_map_population_reaches(const population *p, const uint32_t *closure, uint32_t k);

#endif
