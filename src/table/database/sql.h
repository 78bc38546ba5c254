/* What databases have in common: names and texts of SQL, and columns of numbers. */
#ifndef TABLE_DATABASE_SQL_H
#define TABLE_DATABASE_SQL_H

#include "table/table.h"

/* A name or a text of SQL: in these quotation marks (" or '), which are doubled in it. NULL: out of
 * memory. */
char *sql_quote(arena *memory, const char *text, size_t length, char mark);

/* Can a column of a release be a column of integers: does a reader get every text back as it was
 * written? Databases print no plus and no leading zeros. `values` may be NULL: then no. */
bool sql_numbers_integers(const dictionary *values);
/* The same for decimals, without exponent. A database that `keeps_zeros` (1.50 stays 1.50) takes
 * any number of digits, another one only fifteen. */
bool sql_numbers_decimals(const dictionary *values, bool keeps_zeros);
/* The same for one that does, whatever the type of the column is; without `fraction` only integers
 * will do. */
bool sql_numbers_plain(const dictionary *values, bool fraction);

#endif
