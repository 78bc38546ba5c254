/* Persons whose sensitive value does not change, and who are in several classes: who knows both is
 * left with the values that all these classes show. Shares nothing with what the search does about
 * it. */
#ifndef VERIFY_CROSSINGS_H
#define VERIFY_CROSSINGS_H

#include "verify/classes.h"
#include "verify/persons.h"

/* How many persons of several classes are left with fewer than `needed` values; rows of the class
 * `suppressed` show nothing (UINT32_MAX: there is none). 0 if some person has several values: then
 * it cannot be said that the value does not change. */
kith_status crossings_count(uint32_t *n_persons, const verify_persons *persons,
                            const classes *grouping, uint32_t suppressed,
                            const verify_values *values, uint32_t n_rows, uint32_t needed,
                            arena *memory, kith_error *error) KITH_MUST_USE;

#endif
