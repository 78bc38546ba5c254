#include "table/database/sql.h"

#include <string.h>

enum { DOUBLE_DIGITS = 15 };

char *sql_quote(arena *memory, const char *text, size_t length, char mark)
{
    char *quoted = arena_alloc(memory, 2 * length + 3), *to = quoted;
    if (quoted == NULL)
        return NULL;
    *to++ = mark;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == mark)
            *to++ = mark;
        *to++ = text[i];
    }
    *to++ = mark;
    *to = '\0';
    return quoted;
}

/* [-]digits[.digits], without leading zeros, and no minus zero. */
static bool is_plain(const char *text, bool fraction_allowed, bool keeps_zeros)
{
    static const char digits[] = "0123456789";
    bool negative = text[0] == '-';
    const char *whole = text + negative;
    size_t count = strspn(whole, digits), fraction = 0;
    if (count == 0 || (count > 1 && whole[0] == '0'))
        return false;
    if (whole[count] == '.' && fraction_allowed) {
        fraction = strspn(whole + count + 1, digits);
        if (fraction == 0)
            return false;
    }
    size_t length = count + (fraction > 0 ? fraction + 1 : 0);
    if (whole[length] != '\0' || (negative && strspn(whole, "0.") == length))
        return false;
    return keeps_zeros || fraction == 0 ||
           (whole[length - 1] != '0' && count + fraction <= DOUBLE_DIGITS);
}

static bool all_plain(const dictionary *values, bool fraction_allowed, bool keeps_zeros)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (!is_plain(dictionary_text(values, i), fraction_allowed, keeps_zeros))
            return false;
    return true;
}

bool sql_numbers_plain(const dictionary *values, bool fraction)
{
    return all_plain(values, fraction, true);
}

bool sql_numbers_integers(const dictionary *values)
{
    return values != NULL && values->type == KITH_TYPE_INTEGER && all_plain(values, false, true);
}

bool sql_numbers_decimals(const dictionary *values, bool keeps_zeros)
{
    return values != NULL && values->type == KITH_TYPE_DECIMAL &&
           all_plain(values, true, keeps_zeros);
}
