/* The conditions that models put on classes while a search forms them: may these records be a
 * class, may one leave, may one join? The search itself watches the number of records. */
#ifndef SEARCH_CLASS_RULES_H
#define SEARCH_CLASS_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/class_counts.h"
#include "search/problem.h"
#include "search/uncertain_values.h"

typedef struct class_rules {
    const problem *problem;
    uint32_t n_conditions;
    /* [n_conditions] all models except k-anonymity, without their k; where units are counted, all
     * models with their k */
    const model_spec **conditions;
    bool by_units;               /* records belong to units */
    uint32_t k;                  /* units that they ask for then */
    bool only_units;             /* and all conditions are k-anonymity */
    bool frequencies;            /* all conditions are l-diversity by frequency, of records */
    bool grows;                  /* what satisfies the conditions does so whichever record joins */
    bool closures;               /* some conditions look at closures */
    uint32_t *count;             /* scratch: all zero between calls */
    bool *uses_sensitive;        /* [n_sensitive] does a condition look at it? */
    class_counts *counts;        /* scratch for those: all zero between calls */
    uint32_t *closure;           /* [n_attributes] scratch */
    uncertain_values *uncertain; /* NULL: all members of a class are counted */
} class_rules;

kith_status class_rules_init(class_rules *a, const problem *p, arena *memory, kith_error *error);
/* The same without k-anonymity, for searches that watch the number of units, too. */
kith_status class_rules_init_any_size(class_rules *a, const problem *p, arena *memory,
                                      kith_error *error);
/* Then class_rules_allow looks at few members of most classes, or counts less of them, where models
 * allow that; its answers are the same. Cost: records and units of the problem, once. */
kith_status class_rules_expect_large(class_rules *a, arena *memory, kith_error *error);

/* Each costs conditions x size. Without conditions the answer is yes. */
bool class_rules_allow(const class_rules *a, const uint32_t *members, uint32_t size);
/* The same for a class of which the models see counts and, where some look at it, the closure. */
bool class_rules_allow_view(const class_rules *a, const class_view *view);
/* `record` is one of the members; the last one may always leave. */
bool class_rules_leave(const class_rules *a, const uint32_t *members, uint32_t size,
                       uint32_t record);
bool class_rules_join(const class_rules *a, const uint32_t *members, uint32_t size,
                      uint32_t record);
/* The same, faster, for members that satisfy the conditions already: only the record's own value
 * can become too frequent then. */
bool class_rules_join_valid(const class_rules *a, const uint32_t *members, uint32_t size,
                            uint32_t record);

/* Smallest number of records that any class must have for these models: k, l rounded up, … Where
 * units are counted, a class of so many may still have too few. */
uint32_t class_rules_min_size(const problem *p);
/* The same for a table of so many records. */
uint32_t class_rules_min_size_of(const problem *p, uint64_t n_records);

/* The sensitive attribute whose condition leaves the least room in this table, UINT32_MAX without
 * conditions. Searches spread its values evenly when they split records at random. */
uint32_t class_rules_tightest(const class_rules *a);
/* The same for a table with these counts. */
uint32_t class_rules_tightest_of(const class_rules *a, const class_view *all);

#if KITH_DEBUG
/* Aborts unless the scratch is all zero. Cost: sensitive values. */
void class_rules_check(const class_rules *a);
#endif

#endif
