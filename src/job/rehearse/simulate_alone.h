/* The sites of a simulation, each for itself: its part of the table, the study restricted to that
 * part, and the release that it makes of it. */
#ifndef JOB_REHEARSE_SIMULATE_ALONE_H
#define JOB_REHEARSE_SIMULATE_ALONE_H

#include "job/rehearse/simulate.h"

/* Views share the dictionaries of the whole table, so that all sites have the same hierarchies and
 * their labels mean the same. */
typedef struct alone_site {
    kith_study study; /* of its columns only */
    kith_table view;
    kith_table *release; /* rows as in the view; NULL: no rows, or the models cannot be satisfied */
} alone_site;

typedef struct simulate_alone {
    simulation *s;
    arena *memory;
    alone_site *sites;   /* [n_sites] */
    uint32_t *position;  /* [prepared.n_rows] row of a record in the views of its part */
    uint32_t *part_rows; /* [n_row_parts] rows of each part */
} simulate_alone;

/* Makes views and studies; call simulate_alone_free in any case. Records that the study drops
 * because of a missing value are in no view. */
kith_status simulate_alone_make(simulate_alone *a, simulation *s, kith_error *error) KITH_MUST_USE;
void simulate_alone_free(simulate_alone *a);

/* Anonymizes the part of a site, unless it is done already. A site that cannot satisfy the models
 * is not an error. */
kith_status simulate_alone_run(simulate_alone *a, uint32_t site, kith_error *error) KITH_MUST_USE;

/* The site that holds a column for a record, and the part of the rows that it is in. */
uint32_t simulate_alone_holder(const simulate_alone *a, uint32_t record, const prepared_column *c);
static inline uint32_t simulate_alone_part(const simulate_alone *a, uint32_t record)
{
    return a->s->split.part_of_row[a->s->prepared.rows[record]];
}

#endif
