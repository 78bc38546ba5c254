/* Searches of a lattice count what groups of records add up to, by lists of values and how often
 * they occur. Units of two groups do not add up: a unit of both would count twice. Therefore, where
 * records belong to units, groups have lists of their tuples, and tuples lists of pairs of a unit
 * and a value, for each sensitive attribute that a model looks at, and of units. A class is counted
 * from these: marks tell which units and pairs have been seen in it. Where all models ask for k
 * units, its records are looked at until k units are seen. */
#ifndef SEARCH_LATTICE_UNIT_LISTS_H
#define SEARCH_LATTICE_UNIT_LISTS_H

#include "search/lattice/tuples.h"
#include "search/problem.h"
#include "search/unit_marks.h"

/* The problem that lists are made for: pairs, and units, as the values of its sensitive attributes.
 * It is `p` itself where each record is a unit. */
kith_status unit_lists_problem(const problem **listed, const problem *p, arena *memory,
                               kith_error *error) KITH_MUST_USE;

typedef struct unit_mark {
    uint32_t class, n_records; /* the last class in which it was, and its records there */
} unit_mark;

typedef struct pair_mark {
    uint32_t value, class; /* the last class in which it was */
} pair_mark;

/* One class at a time, of a number from 1. */
typedef struct unit_lists {
    const problem *problem; /* with the values themselves; NULL: each record is a unit */
    uint32_t class;
    uint32_t n_lists;         /* of pairs; one more has units */
    uint32_t *sensitive;      /* [n_lists] whose pairs they are */
    unit_mark *unit;          /* [n_units] */
    pair_mark **pair;         /* [n_lists][n_pairs] */
    uint32_t **units, **rows; /* [n_sensitive][values] of the class that show each value */
    uint32_t **shown;         /* [n_lists][n_shown] the values that are not at zero */
    uint32_t *n_shown;
    histogram *histogram; /* [n_sensitive] */
    uint32_t *most_shown; /* [n_sensitive] */
    uint32_t n_units;
    class_units found;
} unit_lists;

kith_status unit_lists_init(unit_lists *u, const problem *p, arena *memory,
                            kith_error *error) KITH_MUST_USE;
void unit_lists_begin(unit_lists *u);
void unit_lists_add(unit_lists *u, const tuples *t, const uint32_t *tuple, uint32_t count);
/* The class; valid until the next one begins. */
class_view unit_lists_view(const unit_lists *u, const uint32_t *closure);

/* How many units of these tuples are new to the present class of `m`, or `enough` of them or more:
 * for those who ask for so many only. */
uint32_t unit_lists_count(unit_marks *m, const tuples *t, const uint32_t *tuple, uint32_t count,
                          uint32_t enough);

#endif
