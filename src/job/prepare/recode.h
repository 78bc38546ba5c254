/* Changes the values that a study wants changed before anything else: top and bottom coding,
 * rounding, pseudonyms. */
#ifndef JOB_PREPARE_RECODE_H
#define JOB_PREPARE_RECODE_H

#include "study/study.h"
#include "table/table.h"

/* *recoded has the same rows and columns; it is `table` itself if nothing is to be changed. It
 * lives in `memory` and shares what it can with `table`. */
kith_status recode_table(const kith_table **recoded, const kith_study *study,
                         const kith_table *table, arena *memory, kith_error *error) KITH_MUST_USE;

/* Does the changed value have a place in its type? Multiples next to the ends of the range do not,
 * unless top or bottom bring them back. */
bool recode_fits(const recoding *r, const dictionary *values, uint32_t code);
#define RECODE_TOO_LARGE \
    "'%s' cannot be rounded to a multiple of %g: the result is too large for a number (column %s)"

/* The values of one column of numbers, changed; all of them fit. new_codes[values] leads to them.
 */
kith_status recode_numbers(dictionary *to, uint32_t *new_codes, const dictionary *from,
                           const recoding *r, arena *memory, kith_error *error) KITH_MUST_USE;

/* KITH_INVALID if the study changes values, releases means or draws rows, which joint runs cannot
 * do. */
kith_status recode_refuse_joint(const kith_study *study, kith_error *error) KITH_MUST_USE;

/* recode_key.c: a key for pseudonyms. Only its owner may be able to read the file. Wipe it. */
typedef struct recode_key {
    unsigned char bytes[RECODING_MAX_KEY];
    size_t length;
} recode_key;
kith_status recode_key_read(recode_key *key, const char *path, kith_error *error) KITH_MUST_USE;
void recode_key_wipe(recode_key *key);

#endif
