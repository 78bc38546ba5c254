#include "job/profile/guess_type.h"

#include "table/typed_value.h"

bool guess_type_fits(const char *text, size_t length, kith_type type, const char *format,
                     locale_t c_locale)
{
    int64_t whole;
    double decimal;
    return typed_value_parse(type, format, c_locale, text, length, &whole, &decimal);
}

bool guess_type_leading_zero(const char *text, size_t length)
{
    return length > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

static bool all_fit(const dictionary *values, kith_type type)
{
    for (uint32_t i = 0; i < values->count; i++) {
        const char *text = dictionary_text(values, i);
        size_t length = dictionary_length(values, i);
        if (!guess_type_fits(text, length, type, NULL, (locale_t)0) ||
            (type != KITH_TYPE_DATE && guess_type_leading_zero(text, length)))
            return false;
    }
    return values->count > 0;
}

kith_type guess_type(const dictionary *values)
{
    static const kith_type narrowest_first[] = {KITH_TYPE_INTEGER, KITH_TYPE_DECIMAL,
                                                KITH_TYPE_DATE};
    for (size_t i = 0; i < 3; i++)
        if (all_fit(values, narrowest_first[i]))
            return narrowest_first[i];
    return KITH_TYPE_STRING;
}

const char *guess_type_name(kith_type type)
{
    static const char *const names[] = {
        [KITH_TYPE_STRING] = "string",
        [KITH_TYPE_INTEGER] = "integer",
        [KITH_TYPE_DECIMAL] = "decimal",
        [KITH_TYPE_DATE] = "date",
    };
    return names[type];
}
