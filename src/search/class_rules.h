/* The conditions that models put on classes while a search forms them: may these records be a class
 * (but for its size, which the search itself watches), may one leave, may one join? */
#ifndef SEARCH_CLASS_RULES_H
#define SEARCH_CLASS_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/problem.h"

typedef struct admit {
    const problem *problem;
    uint32_t conditions;
    const model_spec **condition; /* [conditions] all models but k-anonymity, without their k */
    bool frequencies;             /* all of them are l-diversity by frequency */
    bool closures;                /* some of them look at closures */
    uint32_t *count;              /* scratch: all zero between calls */
    bool *looked_at;              /* [secrets] by some condition */
    uint32_t **counts;            /* [secrets] scratch of those: all zero between calls */
    histogram *histogram;         /* [secrets] shows counts */
    uint32_t *closure;            /* [attributes] scratch */
} admit;

kith_status admit_init(admit *a, const problem *p, arena *memory, kith_error *error);

/* Cost of all: conditions x size. Without conditions they say yes at once. */
bool admit_class(const admit *a, const uint32_t *members, uint32_t size);
/* `record` is one of the members; the last one may always leave. */
bool admit_leave(const admit *a, const uint32_t *members, uint32_t size, uint32_t record);
bool admit_join(const admit *a, const uint32_t *members, uint32_t size, uint32_t record);
/* The same, faster, for members that satisfy the conditions already: then only the record's own
 * value can become too frequent. */
bool admit_join_sound(const admit *a, const uint32_t *members, uint32_t size, uint32_t record);

/* Smallest number of records that any class must have for these models: k, l rounded up, … */
uint32_t admit_minimum_size(const problem *p);

/* The sensitive attribute whose condition leaves the least room in this table, UINT32_MAX if there
 * is no condition: the one that splits are arranged by. */
uint32_t admit_tightest(const admit *a);
/* The same for a table of which this is known. */
uint32_t admit_tightest_of(const admit *a, const class_view *all);

#endif
