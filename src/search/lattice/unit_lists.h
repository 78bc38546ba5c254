/* Searches of a lattice count what groups of records add up to, by lists of values and how often
 * they occur. Units of two groups do not add up: a unit of both would count twice. Therefore, where
 * records belong to units, the lists have pairs of a unit and a value, and one more list has the
 * units themselves; what models see is made of these when a class is judged. Where all models ask
 * for k units there is the last list alone, and the records of a class are looked at until k units
 * are seen. */
#ifndef SEARCH_LATTICE_UNIT_LISTS_H
#define SEARCH_LATTICE_UNIT_LISTS_H

#include "search/lattice/tuples.h"
#include "search/problem.h"
#include "search/unit_marks.h"

/* The problem of which lists are made: pairs as the values of its sensitive attributes, and one
 * attribute more, the units; with `only_units` that one alone. It is `p` itself where each record
 * is a unit. */
kith_status unit_lists_problem(const problem **listed, const problem *p, bool only_units,
                               arena *memory, kith_error *error) KITH_MUST_USE;

/* One class at a time. Invariant between classes: all counts are zero. */
typedef struct unit_lists {
    const problem *problem;   /* with the values themselves; NULL: each record is a unit */
    const uint32_t **codes;   /* [n_sensitive + 1] the distinct entries of the class, */
    uint32_t *n_codes;        /* [n_sensitive + 1] how many, */
    uint32_t **times;         /* [n_sensitive + 1] and for each code how often it occurs */
    uint32_t **units, **rows; /* [n_sensitive][values] that show each value */
    histogram *histogram;     /* [n_sensitive] */
    uint32_t *most_shown;     /* [n_sensitive] */
    class_units found;
} unit_lists;

/* `times` is the caller's. */
kith_status unit_lists_init(unit_lists *u, const problem *p, uint32_t **times, arena *memory,
                            kith_error *error) KITH_MUST_USE;

/* The class whose codes and times are set, which has `size` records; valid until it is cleared. */
class_view unit_lists_view(unit_lists *u, uint32_t size, const uint32_t *closure);
void unit_lists_clear(unit_lists *u);

/* How many units of these tuples are new to the present class, or `enough` of them or more: for those
 * who ask for so many only. */
uint32_t unit_lists_count(unit_marks *m, const tuples *t, const uint32_t *tuple, uint32_t count,
                          uint32_t enough);

#endif
