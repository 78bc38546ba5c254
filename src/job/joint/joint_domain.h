/* One table of values for all parties of a joint run on rows: before they can compare anything, the
 * parties must give the same value the same number.
 *
 * Values of columns whose hierarchy is public (a file, a range) have their leaves there. Where the
 * values come from the data, and in columns that are released as they are, the parties unite what
 * they have (smc/mix_union.h): all learn which values occur, not where. Whether some party has a
 * missing value is asked by OR. */
#ifndef JOB_JOINT_JOINT_DOMAIN_H
#define JOB_JOINT_JOINT_DOMAIN_H

#include "job/prepare/prepare.h"
#include "wire/party.h"

typedef struct joint_domain {
    kith_table *table; /* this party's rows, columns in study order, with united dictionaries; lives
                        * in the context's memory */
    bool *held;        /* [n_columns of the study] those that are released */
    bool *missing;     /* [n_columns of the study] some party has a missing value there */
} joint_domain;

kith_status joint_domain_agree(joint_domain *d, party *p, const kith_study *study,
                               const kith_table *mine, context *c, kith_error *error);

#endif
