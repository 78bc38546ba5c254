/* Who holds which column, where columns lie at several parties. */
#ifndef STUDY_HOLDERS_H
#define STUDY_HOLDERS_H

#include "study/study.h"

#define HOLDERS_NONE UINT32_MAX

/* Is this column part of a joint release? Identifying ones never are, insensitive ones only if the
 * study publishes them. */
bool holders_release(const kith_study *study, uint32_t number);

/* Does the study itself say all values of a column, by a range or a file? */
bool holders_is_public(const study_column *c);
/* The same of a quasi-identifying column. */
bool holders_public_values(const kith_study *study, uint32_t number);

/* May the release show that a cell of this column is missing? The study may drop or reject rows
 * that lack a cell which models look at. */
bool holders_may_miss(const kith_study *study, uint32_t number);

/* Is this an insensitive column that a joint release leaves out? */
bool holders_leave_out(const kith_study *study, uint32_t number);

/* The number of the party with this name; KITH_INVALID if the study has none. */
kith_status holders_find(uint32_t *number, const kith_study *study, const char *name,
                         kith_error *error) KITH_MUST_USE;

/* Does the party hold the column? A party without a list holds all. */
bool holders_have(const study_party *p, uint32_t number);

/* The party with all columns that are released as they are, without generalization: in a vertical
 * clustering one must have them all, since their cells stay together. HOLDERS_NONE if there are no
 * such columns. False if several parties have some: *one and *other are two of these columns. */
bool holders_of_cells(const kith_study *study, uint32_t *holder, uint32_t *one, uint32_t *other);

#endif
