/* Which character separates the cells of a CSV text. */
#ifndef TABLE_CSV_CSV_SEPARATOR_H
#define TABLE_CSV_CSV_SEPARATOR_H

#include <stdbool.h>
#include <stddef.h>

#define CSV_SEPARATORS ",;\t|"    /* taken wherever a header has them */
#define CSV_RARE_SEPARATORS "^~:" /* taken if the lines below have them, too, and equally often */

/* How often a character is outside quotes in the first line; *complete says whether the text has
 * the end of the line. */
size_t csv_separator_count(const char *text, size_t length, char wanted, bool *complete);

/* The most frequent of CSV_SEPARATORS in the first line outside quotes, else one of
 * CSV_RARE_SEPARATORS, else a comma. Only the header is looked at for the usual ones, since data
 * may contain any character; without a header the lines must agree, and a comma, which may as well
 * be a decimal comma, comes last. */
char csv_separator_guess(const char *text, size_t length, bool header);

#endif
