/* Columns that would have a type but for a few texts: numbers with NA among them. */
#ifndef JOB_PROFILE_SPOILERS_H
#define JOB_PROFILE_SPOILERS_H

#include <locale.h>

#include "table/table.h"

enum { SPOILERS = 5 }; /* different texts that may spoil a type */

typedef struct spoilers {
    uint32_t count;           /* 0: the column has no type even without a few texts */
    uint32_t codes[SPOILERS]; /* ascending */
    kith_type type;           /* of all other values */
    const char *format;       /* as in kith_column_spec; NULL: the usual one */
    bool missing;             /* none of them has a digit: they probably mean missing */
    uint32_t n_cells;         /* that have one of them; filled by the profile */
} spoilers;

/* Looks for a type that all but one to SPOILERS values have, of at least ten; integers with leading
 * zeros are codes and have none. Texts that usually mean missing need fewer values beside them.
 * `semicolons` says how a comma is read, as for guess_format_number. */
spoilers spoilers_find(const dictionary *values, bool semicolons, locale_t c_locale);

#endif
