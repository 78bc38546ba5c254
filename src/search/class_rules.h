/* The conditions that models put on classes while a search forms them: may these records be a class
 * (but for its size, which the search itself watches), may one leave, may one join? */
#ifndef SEARCH_CLASS_RULES_H
#define SEARCH_CLASS_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/problem.h"

typedef struct class_rules {
    const problem *problem;
    uint32_t n_conditions;
    const model_spec **conditions; /* [n_conditions] all models but k-anonymity, without their k */
    bool frequencies;              /* all of them are l-diversity by frequency */
    bool closures;                 /* some of them look at closures */
    uint32_t *count;               /* scratch: all zero between calls */
    bool *uses_sensitive;          /* [n_sensitive] by some condition */
    uint32_t **counts;             /* [n_sensitive] scratch of those: all zero between calls */
    histogram *histogram;          /* [n_sensitive] shows counts */
    uint32_t *closure;             /* [n_attributes] scratch */
} class_rules;

kith_status class_rules_init(class_rules *a, const problem *p, arena *memory, kith_error *error);

/* Cost of all: conditions x size. Without conditions they say yes at once. */
bool class_rules_allow(const class_rules *a, const uint32_t *members, uint32_t size);
/* `record` is one of the members; the last one may always leave. */
bool class_rules_leave(const class_rules *a, const uint32_t *members, uint32_t size,
                       uint32_t record);
bool class_rules_join(const class_rules *a, const uint32_t *members, uint32_t size,
                      uint32_t record);
/* The same, faster, for members that satisfy the conditions already: then only the record's own
 * value can become too frequent. */
bool class_rules_join_valid(const class_rules *a, const uint32_t *members, uint32_t size,
                            uint32_t record);

/* Smallest number of records that any class must have for these models: k, l rounded up, … */
uint32_t class_rules_min_size(const problem *p);

/* The sensitive attribute whose condition leaves the least room in this table, UINT32_MAX if there
 * is no condition: the one that splits are arranged by. */
uint32_t class_rules_tightest(const class_rules *a);
/* The same for a table of which this is known. */
uint32_t class_rules_tightest_of(const class_rules *a, const class_view *all);

#endif
