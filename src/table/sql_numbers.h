/* Which columns of a release can be columns of numbers in a database: those that a reader gets back
 * as they were written. */
#ifndef TABLE_SQL_NUMBERS_H
#define TABLE_SQL_NUMBERS_H

#include "table/table.h"

/* Is every text an integer as databases print them: no plus, no leading zeros? `values` may be
 * NULL: then no. */
bool sql_numbers_integers(const dictionary *values);
/* The same, whatever the type of the column is. */
bool sql_numbers_plain_integers(const dictionary *values);

/* Is every text a decimal as databases print them, without exponent? A database that `keeps_zeros`
 * (1.50 stays 1.50) takes any number of digits, another one only fifteen. */
bool sql_numbers_decimals(const dictionary *values, bool keeps_zeros);
/* The same for one that does, whatever the type of the column is. */
bool sql_numbers_plain_decimals(const dictionary *values);

#endif
