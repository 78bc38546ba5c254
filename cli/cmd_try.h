/* The table of kith try, for people and as CSV. */
#ifndef CMD_TRY_H
#define CMD_TRY_H

#include "cli.h"

/* A text or number of a row (from 0); "" or NaN if it has none. */
const char *try_text(const kith_document *d, size_t row, const char *key);
double try_number(const kith_document *d, size_t row, const char *key);

/* `studies`: name the study of each row; `pareto`: mark rows that none beats; `seeded`: the user
 * knows the seed. */
void try_print(const kith_document *d, bool studies, bool pareto, bool seeded);
/* Complete or not at all; returns the exit status. */
int try_save_csv(const kith_document *d, const char *path);

#endif
