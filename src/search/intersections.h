/* Units that are in several classes: who knows that a sensitive value is the same in all records of
 * a unit is left with the values that all these classes show. A problem may ask for a number of
 * them (problem.common). */
#ifndef SEARCH_INTERSECTIONS_H
#define SEARCH_INTERSECTIONS_H

#include "core/run/context.h"
#include "search/partition.h"

/* Unites classes of units that are left with fewer values, those first whose union costs least, and
 * what breaks a model or looks the same after that, until neither is left. Unions show more values,
 * so that the whole table as one class is the worst that can come out. KITH_INFEASIBLE if bounds on
 * levels, or suppressed records, stand in the way. Suppressed records show nothing; they join a
 * class that shows the roots, and cannot be told from its records. Cost: for each unit the square
 * of its classes, and for each class that breaks a model all others. */
kith_status intersections_close(partition *classes, const problem *p, context *c,
                                kith_error *error) KITH_MUST_USE;

#endif
