/* What clients of the virtual database get to know of a release: what it shows.
 *
 * Parties know the values of all columns, since they united them before the run. A client does not.
 * Where the study itself says which values a quasi-identifier may have (a range, a hierarchy file),
 * a client has them from the study; where they come from the data, it gets the labels of the
 * release instead, and these are the values of the column for its queries. */
#ifndef JOB_QUERY_VIRTUAL_LABELS_H
#define JOB_QUERY_VIRTUAL_LABELS_H

#include "job/query/virtual_table.h"

/* Is this column one whose values are not for clients? */
bool virtual_labels_needed(const kith_study *study, const char *name);

/* Fills in what the texts of a domain, labels of a release, stand for: by the texts and the study
 * alone, so that sites and client get the same. A column of numbers or dates becomes one of texts
 * if something that it shows is no number. */
kith_status virtual_labels_read(query_domain *d, const kith_study *study, arena *memory,
                                kith_error *error) KITH_MUST_USE;

/* The table as clients get to know it, with an id of its own; it shares rows and cells with `mine`,
 * and lives in `memory`. */
kith_status virtual_labels_view(virtual_table **view, const virtual_table *mine,
                                const kith_study *study, arena *memory,
                                kith_error *error) KITH_MUST_USE;

#endif
