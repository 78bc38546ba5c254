/* The sites of a simulation, each alone: its part of the table, the study as far as it is about
 * that part, and the release that it makes of it. */
#ifndef JOB_SIMULATE_SIMULATE_ALONE_H
#define JOB_SIMULATE_SIMULATE_ALONE_H

#include "job/simulate/simulate.h"

/* Views share the dictionaries of the whole table, so that all sites have the same hierarchies and
 * their labels mean the same. */
typedef struct alone_site {
    kith_study study; /* of its columns only */
    kith_table view;
    kith_table *release; /* rows as in the view; NULL: it has none, or cannot keep the models */
} alone_site;

typedef struct simulate_alone {
    simulation *s;
    arena *memory;
    alone_site *sites;   /* [sites] */
    uint32_t *position;  /* [prepared.n_rows] of a record among those of its part of the rows */
    uint32_t *part_rows; /* [n_row_parts] */
} simulate_alone;

/* Makes views and studies; call simulate_alone_free whatever the outcome. Records that are left out
 * because something is missing are in no view. */
kith_status simulate_alone_make(simulate_alone *a, simulation *s, kith_error *error) KITH_MUST_USE;
void simulate_alone_free(simulate_alone *a);

/* Lets a site anonymize its part, unless it has done so already. */
kith_status simulate_alone_run(simulate_alone *a, uint32_t site, kith_error *error) KITH_MUST_USE;

/* The site that holds a column for a record, and the part of the rows that it is in. */
uint32_t simulate_alone_holder(const simulate_alone *a, uint32_t record, const prepared_column *c);
static inline uint32_t simulate_alone_part(const simulate_alone *a, uint32_t record)
{
    return a->s->split.part_of_row[a->s->prepared.rows[record]];
}

#endif
