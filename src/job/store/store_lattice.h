/* Searches of a lattice on a table that lies in a store. They need no rows, only the distinct
 * combinations of quasi-identifying values, with how often each occurs and, where models look at
 * them, with which sensitive values: these are in memory. What becomes of each combination says
 * later what the rows show, piece by piece. */
#ifndef JOB_STORE_STORE_LATTICE_H
#define JOB_STORE_STORE_LATTICE_H

#include "core/context.h"
#include "job/prepare/prepare.h"
#include "job/result/explain.h"
#include "search/records/record_scan.h"
#include "search/search.h"

typedef struct store_lattice store_lattice;

/* Is it such a search that the study asks for? */
bool store_lattice_asked(const kith_study *study);

/* Searches the records that `scan` shows; `p` has trees, costs and models of the whole table, and
 * has been checked (search_check_whole); its records are not looked at. *result says what was
 * found, without a partition; `e` gets the classes, unless it is NULL. Lives in c->memory. */
kith_status store_lattice_search(store_lattice **l, search_result *result, explanation *e,
                                 const algorithm *a, const problem *p, const search_spec *spec,
                                 const record_scan *scan, context *c,
                                 kith_error *error) KITH_MUST_USE;

/* The classes of some records of the table, with what all records of each show. Suppressed ones are
 * a class that shows the roots, as readers of a release see it. *numbers says which class of the
 * whole table each is, or PARTITION_SUPPRESSED. */
kith_status store_lattice_recode(partition *classes, const uint32_t **numbers, store_lattice *l,
                                 const problem *some, arena *memory,
                                 kith_error *error) KITH_MUST_USE;

#endif
