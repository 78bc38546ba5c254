#include "verify/exact_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 30, MAX_DECIMALS = 15 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_exponent(exact_number *number, const char *text)
{
    char *end;
    if (!is_digit(text[text[0] == '-' || text[0] == '+']))
        return false;
    number->decimals -= strtol(text, &end, 10);
    return *end == '\0' && labs(number->decimals) < 1000;
}

bool exact_number_read(exact_number *number, const char *text, char mark)
{
    const bool negative = text[0] == '-';
    const char *at = text + (negative || text[0] == '+');
    int count = 0;
    bool any = false, behind = false;
    *number = (exact_number){0, 0};
    for (; *at != '\0' && *at != 'e' && *at != 'E'; at++) {
        if (is_digit(*at)) {
            number->digits = 10 * number->digits + (*at - '0');
            number->decimals += behind;
            any = true;
            if (number->digits > 0 && ++count > MAX_DIGITS)
                return false;
        } else if (*at == (mark == '\0' ? '.' : mark)) {
            if (behind)
                return false;
            behind = true;
        } else if (mark == '\0' || behind) {
            return false; /* only numbers with a mark of their own are grouped */
        }
    }
    if (negative)
        number->digits = -number->digits;
    return any && (*at == '\0' || read_exponent(number, at + 1));
}

/* Dividing by a power of ten up to 10^22 is rounded once: the quotient is the double that is
 * nearest to the decimal number. */
bool exact_number_of(exact_number *number, double value)
{
    double power = 1;
    for (long decimals = 0; decimals <= MAX_DECIMALS; decimals++, power *= 10) {
        const double digits = rint(value * power);
        if (!(fabs(digits) < 1e15))
            return false;
        if (digits / power == value) {
            *number = (exact_number){(__int128)digits, decimals};
            return true;
        }
    }
    return false;
}

bool exact_number_units(__int128 *units, exact_number number, long decimals)
{
    *units = number.digits;
    for (long i = number.decimals; i < decimals && *units != 0; i++) {
        if (*units > (__int128)1 << 110 || *units < -((__int128)1 << 110))
            return false;
        *units *= 10;
    }
    for (long i = decimals; i < number.decimals && *units != 0; i++) {
        if (*units % 10 != 0)
            return false;
        *units /= 10;
    }
    return true;
}

/* From the last digit to the first. */
void exact_number_write(char text[EXACT_NUMBER_BYTES], __int128 units, long decimals, long least,
                        char mark)
{
    const bool negative = units < 0;
    char *const end = text + (EXACT_NUMBER_BYTES - 1), *at = end;
    if (negative)
        units = -units;
    for (; decimals > least && units % 10 == 0; decimals--)
        units /= 10;
    *at = '\0';
    for (long place = 0; units > 0 || place <= decimals; place++) {
        if (place == decimals && place > 0)
            *--at = mark == '\0' ? '.' : mark;
        *--at = (char)('0' + (int)(units % 10));
        units /= 10;
    }
    if (negative)
        *--at = '-';
    memmove(text, at, (size_t)(end - at) + 1);
}
