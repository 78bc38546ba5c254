/* Counting the records of a class into what models see of it (class_view). */
#ifndef SEARCH_CLASS_COUNTS_H
#define SEARCH_CLASS_COUNTS_H

#include "core/arena.h"
#include "core/error.h"
#include "search/problem.h"

/* Scratch for one class at a time. Invariant: without records all counts are zero. */
typedef struct class_counts {
    const problem *problem;
    uint32_t n_records;   /* that are counted */
    uint32_t **counts;    /* [n_sensitive][values] records with each value, or units; NULL for
                           * attributes that are not counted */
    histogram *histogram; /* [n_sensitive] shows these to models */
    /* Where records belong to units. */
    uint32_t n_units;
    uint32_t *of_unit;  /* [n_units of the problem] records of each */
    uint32_t **of_pair; /* [n_sensitive][n_pairs] records of each pair of unit and value */
    uint32_t **shown;   /* [n_sensitive][values] records with each value */
    uint32_t *most_shown;
    uint32_t n_most;        /* units that have the largest number of records, */
    uint32_t *n_most_shown; /* [n_sensitive] and values that most records show */
    uint32_t *less_shown;   /* [n_sensitive] most_shown without one record */
    class_units units;      /* shows the others */
} class_counts;

/* `uses` says which sensitive attributes are counted; NULL: all. */
kith_status class_counts_init(class_counts *c, const problem *p, const bool *uses, arena *memory,
                              kith_error *error) KITH_MUST_USE;

/* Adds records, members[0 … size-1] of the problem, with their weights; NULL: record 0 … size-1. */
void class_counts_add(class_counts *c, const uint32_t *members, uint32_t size);
/* Takes a record out once, whatever its weight, and puts it back. */
void class_counts_take_out(class_counts *c, uint32_t record);
void class_counts_put_back(class_counts *c, uint32_t record);
/* Sets the counts back to zero; these are all records that have been added. */
void class_counts_clear(class_counts *c, const uint32_t *members, uint32_t size);

/* The records that are counted, as a class with this closure, which may be NULL; valid until the
 * next change. `members` are all of them, and may have others that were removed again. Cost: where
 * there are units, the members. */
class_view class_counts_view(class_counts *c, const uint32_t *closure, const uint32_t *members,
                             uint32_t size);

/* The same without a record, which has been taken out since the last view of all. Cost: the sensitive
 * attributes. */
class_view class_counts_view_less(class_counts *c, const uint32_t *closure, class_units *less,
                                  uint32_t record);

#if KITH_DEBUG
/* Aborts unless all counts are zero. Cost: units and sensitive values. */
void class_counts_check(const class_counts *c);
#endif

#endif
