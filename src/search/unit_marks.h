/* Counting the units of one class at a time. */
#ifndef SEARCH_UNIT_MARKS_H
#define SEARCH_UNIT_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "search/problem.h"

typedef struct unit_marks {
    const uint32_t *unit; /* [n_records] NULL: each record is a unit */
    uint32_t n_units;
    uint32_t class; /* the number of the present class, from 1 */
    uint32_t *seen; /* [n_units] the last class in which each was */
} unit_marks;

kith_status unit_marks_init(unit_marks *m, const problem *p, arena *memory,
                            kith_error *error) KITH_MUST_USE;
void unit_marks_begin(unit_marks *m);

/* Is the unit, or that of a record, the first time in the class? */
static inline bool unit_marks_first(unit_marks *m, uint32_t unit)
{
    const bool first = m->seen[unit] != m->class;
    m->seen[unit] = m->class;
    return first;
}
static inline bool unit_marks_add(unit_marks *m, uint32_t record)
{
    return m->unit == NULL || unit_marks_first(m, m->unit[record]);
}

/* How many units these records have, as a class of their own. */
uint32_t unit_marks_count(unit_marks *m, const uint32_t *members, uint32_t size);

#endif
