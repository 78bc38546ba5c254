/* Joint dictionaries for a run on rows: before the parties can compare anything, they must give the
 * same value the same code.
 *
 * Columns whose hierarchy is public (a file, a range) have their values there. Where the values
 * come from the data, and in columns that are released as they are, the parties unite their values
 * (smc/sets/mix_union.h): all learn which values occur, the last party also at how many parties, the
 * first one how many values each party has; between two parties it is plain whose a value is. With
 * hide_sizes all parties send the same number of rows, a power of two. A secure OR tells whether
 * any party has a missing value in a column, if the release may show one. */
#ifndef JOB_JOINT_JOINT_DOMAIN_H
#define JOB_JOINT_JOINT_DOMAIN_H

#include "job/prepare/prepare.h"
#include "wire/party.h"

typedef struct joint_domain {
    /* This party's rows, columns in study order, with united dictionaries; columns of the unit stay
     * as they are here. Lives in the context's memory. */
    kith_table *table;
    bool *held;    /* [n_columns of the study] the column is released */
    bool *missing; /* [n_columns of the study] some party has a missing value there */
} joint_domain;

/* Does this column of the study take its values from the data, so that the parties unite them? */
bool joint_domain_unites(const kith_study *study, uint32_t number);

/* A number of rows that no party exceeds, so that nobody tells how many it has: the next power of
 * two after the largest number. The maximum of bit lengths tells less than that of numbers. All
 * parties call it at the same time. */
kith_status joint_domain_capacity(party *p, size_t count, size_t *capacity,
                                  kith_error *error) KITH_MUST_USE;

/* All parties call it at the same time. */
kith_status joint_domain_agree(joint_domain *d, party *p, const kith_study *study,
                               const kith_table *mine, context *c, kith_error *error);

#endif
