/* Decimal numbers of any length that a table may have, digit by digit, for means that are computed
 * without rounding errors. */
#ifndef VERIFY_EXACT_NUMBER_H
#define VERIFY_EXACT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* digits * 10^-decimals */
typedef struct exact_number {
    __int128 digits;
    long decimals; /* below 0 for 1e3 */
} exact_number;

/* Reads a number with this decimal mark (0 is a point); what else stands between its digits groups
 * them and is left out. False for other texts, and for more than 30 digits. */
bool exact_number_read(exact_number *number, const char *text, char mark);

/* The number that a double is nearest to, with as few decimals as possible. False if it has more
 * than 15 digits. */
bool exact_number_of(exact_number *number, double value);

/* In units of 10^-decimals; false if it is no multiple of them, or too large. */
bool exact_number_units(__int128 *units, exact_number number, long decimals);

/* Writes units of 10^-decimals; zeros at the end are left out down to `least` decimals. */
enum { EXACT_NUMBER_BYTES = 64 };
void exact_number_write(char text[EXACT_NUMBER_BYTES], __int128 units, long decimals, long least,
                        char mark);

#endif
