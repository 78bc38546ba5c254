/* Columns that would have a type but for a few texts: numbers with NA among them. */
#ifndef JOB_PROFILE_SPOILERS_H
#define JOB_PROFILE_SPOILERS_H

#include <locale.h>

#include "table/table.h"

enum { SPOILERS = 5 }; /* different texts that may spoil a type */

typedef struct spoilers {
    uint32_t count;           /* 0: the column has no type even without a few texts */
    uint32_t codes[SPOILERS]; /* ascending */
    kith_type type;           /* of all other values; string: they are codes of digits */
    const char *format;       /* as in kith_column_spec; NULL: the usual one */
    uint32_t digits;          /* of each other value, if all have equally many; 0: they have not */
    bool missing;             /* none of them has a digit: they probably mean missing */
    uint32_t n_cells;         /* that have one of them; filled by the profile */
} spoilers;

/* How many digits every value consists of, at least three, but for those of `without` (may be
 * NULL); 0: they differ, or have other characters. Two digits may as well be ages. */
uint32_t spoilers_digits(const dictionary *values, const spoilers *without);

/* Looks for a type that all but one to SPOILERS values have, of at least ten. Numbers with leading
 * zeros are codes: strings, if all have equally many digits. Texts that usually mean missing need
 * fewer values beside them. `semicolons` says how a comma is read, as for guess_format_number. */
spoilers spoilers_find(const dictionary *values, bool semicolons, locale_t c_locale);

#endif
