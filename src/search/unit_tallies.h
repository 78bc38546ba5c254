/* Counts the units of groups in one pass over their records, in the order of their units: a unit is
 * new to a group if it is not the last one that the group has seen, and so is a value of it. For all
 * groups of a node of a lattice together that is faster than to look at one after the other, because
 * nothing that is read lies far apart, unless there are so many groups that their counts do. */
#ifndef SEARCH_UNIT_TALLIES_H
#define SEARCH_UNIT_TALLIES_H

#include "search/problem.h"

/* The records of a problem, in ascending order of their units. */
typedef struct unit_order {
    uint32_t n_records;
    uint32_t *record, *unit; /* [n_records] */
    uint32_t *tuple;         /* [n_records] or NULL: their places are the tuples */
    uint32_t *times;         /* [n_records] weights; NULL: 1 each */
    uint32_t n_lists;        /* sensitive attributes that a model looks at: */
    uint32_t *sensitive;     /* [n_lists] */
    uint32_t **value;        /* [n_lists][n_records] */
    uint32_t *offset;        /* [n_lists + 1] of the cells of each in a group */
} unit_order;

/* A group, and a value in it. `last`: one more than the last unit; 0: none. */
typedef struct unit_tally {
    uint32_t last, n_last; /* records of the last unit so far */
    uint32_t n_units, n_records, most_records;
} unit_tally;
typedef struct value_tally {
    uint32_t last, n_units, n_records;
} value_tally;

typedef struct unit_tallies {
    const unit_order *order;
    uint32_t room;      /* groups that can be counted */
    unit_tally *group;  /* [room] */
    value_tally *value; /* [room][cells of a group] */
    /* Of the group that is being judged: */
    uint32_t **units;     /* [n_lists][values] */
    histogram *histogram; /* [n_sensitive] */
    uint32_t *most_shown; /* [n_sensitive] */
    class_units found;
} unit_tallies;

/* The sensitive attributes that models look at. */
kith_status unit_order_used(uint32_t **used, uint32_t *n_used, const problem *p, arena *memory,
                            kith_error *error) KITH_MUST_USE;

/* tuple_of[record], or NULL. */
kith_status unit_order_make(unit_order *o, const problem *p, const uint32_t *tuple_of,
                            arena *memory, kith_error *error) KITH_MUST_USE;
kith_status unit_tallies_init(unit_tallies *u, const unit_order *o, const problem *p, arena *memory,
                              kith_error *error) KITH_MUST_USE;

/* Counts n_groups <= room groups; group_of[tuple] is UINT32_MAX where a tuple is in none. */
void unit_tallies_count(unit_tallies *u, const uint32_t *group_of, uint32_t n_groups);
/* Counts one group, as number 0, of the records at these ascending places. */
void unit_tallies_count_one(unit_tallies *u, const uint32_t *place, uint32_t count);
/* A group that has been counted; valid until the next one is asked for. */
class_view unit_tallies_view(unit_tallies *u, uint32_t group, const uint32_t *closure);

#endif
