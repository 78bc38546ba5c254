/* What the columns of a table look like, and which role that suggests. Ranks each bring their own
 * rows, with united dictionaries (table_unite), and call the same functions: counts and profiles
 * are those of the whole table, on all of them. */
#ifndef JOB_PROFILE_PROFILE_H
#define JOB_PROFILE_PROFILE_H

#include "core/run/context.h"
#include "job/profile/spoilers.h"
#include "study/study.h"
#include "table/table.h"

typedef struct column_profile {
    const column *column;
    uint32_t n_rows;    /* of the table */
    kith_type type;     /* inferred from the texts */
    const char *format; /* of dates that are not ISO 8601 and numbers that are not plain: as in
                           kith_column_spec, else NULL */
    bool ambiguous;     /* the day could as well be the month, or the decimal comma a group's */
    spoilers spoilers;  /* strings: few texts that are not of a type; count 0: none */
    bool serial;        /* numbers that were given out one by one */
    uint32_t distinct;
    uint32_t missing;
    uint32_t top;    /* code of the commonest value, TABLE_MISSING if there is none */
    uint32_t n_top;  /* how often it occurs */
    uint32_t unique; /* records whose value no other record has */
    uint32_t digits; /* of every value, which has nothing else: a code such as a zip; 0: none */
    role role;       /* suggested */
    const char *why;
} column_profile;

/* Profiles of all columns of a table that was read as strings. */
kith_status profile_table(column_profile **profiles, const kith_table *table, context *c,
                          kith_error *error);

/* How often each value of a column of the table occurs: [values + 1], last: missing. From the
 * context's memory, to which profile_release gives it back. */
kith_status profile_counts(uint64_t **counts, const kith_table *table, uint32_t i, context *c,
                           kith_error *error);
void profile_release(uint64_t *counts, const column *col, context *c);

/* The profile of one column by the counts of its values. */
kith_status profile_column(column_profile *p, const kith_table *table, uint32_t i,
                           const uint64_t *counts, context *c, kith_error *error);

/* suggest_role.c: fills role and why from the name and the statistics; `n_rows` is the table's. */
void profile_suggest(column_profile *profile, uint32_t n_rows);

/* suggest_role.c: does it have numbers of persons, of whom some have several rows? Few values could
 * be groups of persons. */
bool profile_tells_persons(const column_profile *profile);

/* Does the first line of the file look like a row: is the name of a column a number or a date, as
 * its values are? False for tables without a header. */
bool profile_header_is_data(const kith_table *table, const column_profile *profiles);

const char *profile_role_name(role which);

#endif
