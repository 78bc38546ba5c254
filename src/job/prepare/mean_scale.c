#include "job/prepare/mean_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/mean_form.h"

/* Digits behind the decimal mark, as the number is written: 2 of 12.50, 3 of 1e-3. */
static long decimals_of(const char *text, char mark)
{
    const char *at = strchr(text, mark), *exponent = strpbrk(text, "eE");
    long count = at == NULL ? 0 : (long)strspn(at + 1, "0123456789");
    if (exponent != NULL)
        count -= strtol(exponent + 1, NULL, 10);
    return count > 0 ? count : 0;
}

static kith_status too_long(const dictionary *values, uint32_t code, long decimals,
                            const char *name, kith_error *error)
{
    char quoted[80];
    text_quote(quoted, sizeof quoted, dictionary_text(values, code),
               dictionary_length(values, code));
    error_set(error, KITH_DATA,
              "column %s: means are computed from numbers of up to %d digits; '%s' has more, with "
              "the %ld decimals of the column",
              name, MEAN_FORM_DIGITS, quoted, decimals);
    return error_hint(error, KITH_DATA,
                      "round: 0.01 in the study makes them shorter; without microaggregate the "
                      "column shows labels");
}

kith_status mean_scale_find(uint32_t *decimals, const dictionary *values, const char *name,
                            kith_error *error)
{
    const char mark = values->mark != '\0' ? values->mark : '.';
    long most = 0;
    uint32_t longest = 0;
    *decimals = 0;
    if (values->type != KITH_TYPE_DECIMAL) /* integers are exact as they are */
        return KITH_OK;
    for (uint32_t code = 0; code < values->count; code++) {
        const long count = decimals_of(dictionary_text(values, code), mark);
        if (count > most) {
            most = count;
            longest = code;
        }
    }
    if (most > MEAN_FORM_DIGITS)
        return too_long(values, longest, most, name, error);
    const double limit = pow(10, MEAN_FORM_DIGITS - (double)most);
    for (uint32_t code = 0; code < values->count; code++)
        if (!(fabs(values->decimal[code]) < limit))
            return too_long(values, code, most, name, error);
    *decimals = (uint32_t)most;
    return KITH_OK;
}

/* Numbers of so few digits are the nearest multiples to their doubles, also after one more
 * rounding. */
int64_t mean_scale_units(const dictionary *values, uint32_t code, uint32_t decimals)
{
    return values->whole != NULL ? values->whole[code]
                                 : llround(values->decimal[code] * pow(10, decimals));
}
