/* Attribute disclosure: what an attacker who finds a person's class learns of a sensitive value
 * without knowing which record is the person's. */
#ifndef RISK_DISCLOSURE_H
#define RISK_DISCLOSURE_H

#include "core/run/ranks.h"
#include "table/rows/row_groups.h"

typedef struct disclosure {
    double highest;     /* the largest share that a value has in any class */
    double mean;        /* how often the most frequent value of the class is right */
    uint64_t n_certain; /* records in classes that have one value only */
    double overall;     /* the share of the most frequent value in all classes together */
} disclosure;

/* `classes` groups the rows; missing is a value. Rows of the class `left_out` do not count. Other
 * ranks have other classes, each complete on one of them, and the same dictionary; NULL: there are
 * none. */
kith_status disclosure_assess(disclosure *d, const row_groups *classes, uint32_t left_out,
                              const column *sensitive, kith_ranks *ranks,
                              kith_error *error) KITH_MUST_USE;

#endif
