/* Groups tuples attribute by attribute, and keeps the groups by the first 1, 2, … attributes: a
 * node that agrees with the last one in its first attributes costs only the rest.
 *
 * Invariants: view[d] has the tuples ordered by their codes in the first d axes at the levels of
 * the last call, cut into segments of equal codes. A segment with fewer than `min_class` records is
 * left out: further attributes only split it into classes that are too small as well.
 * The axes begin with the attribute that has the most values, so that segments are short early. */
#ifndef SEARCH_LATTICE_SWEEP_H
#define SEARCH_LATTICE_SWEEP_H

#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/lattice/lattice.h"
#include "search/lattice/tuples.h"

/* Tuples tuple[start[s]] … tuple[start[s + 1] - 1] are segment s, of size[s] records. */
typedef struct sweep_view {
    uint32_t n_segments;
    const uint32_t *tuple, *start, *size;
} sweep_view;

typedef struct sweep {
    const tuples *tuples;
    uint32_t number; /* of these tuples */
    uint32_t min_class;
    const uint32_t *axis;    /* [n_attributes] */
    const uint32_t **column; /* [n_attributes] leaves of all tuples, by attribute */
    uint32_t valid;          /* views up to this depth belong to `levels` */
    uint8_t levels[LATTICE_MAX_ATTRIBUTES];
    sweep_view view[LATTICE_MAX_ATTRIBUTES + 1];
    uint32_t *room[LATTICE_MAX_ATTRIBUTES + 1][3]; /* [0] tuple, [1] start, [2] size of a view */
    uint32_t *code, *other_code, *other;           /* [tuples] scratch */
} sweep;

/* Axes are shared by all sweeps of a search. */
kith_status sweep_axes(const uint32_t **axis, const tuples *t, arena *memory, kith_error *error);
/* For up to `room` tuples. */
kith_status sweep_init(sweep *s, uint32_t room, uint32_t n_attributes, uint32_t min_class,
                       const uint32_t *axis, arena *memory, kith_error *error);

/* The tuples to be grouped from now on, with their columns; nothing changes if they have the same
 * number as before. */
void sweep_attach(sweep *s, const tuples *t, const uint32_t **column, uint32_t number);

/* The groups at `levels`; valid until the next call. */
const sweep_view *sweep_to(sweep *s, const uint8_t *levels);

#if KITH_DEBUG
/* Aborts unless the view of the last call keeps the invariants. Cost: tuples x attributes. */
void sweep_check(const sweep *s);
#endif

#endif
