#include "hierarchy/leaf_reader.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

kith_status leaf_reader_init(leaf_reader *r, const kith_hierarchy *h, const dictionary *values,
                             kith_error *error)
{
    *r = (leaf_reader){.type = values->type, .mark = values->mark};
    if (values->type != KITH_TYPE_DATE || h->date_format == NULL)
        return KITH_OK;
    r->date_format = h->date_format;
    r->c_locale = text_c_locale();
    return r->c_locale != (locale_t)0 ? KITH_OK : error_nomem(error);
}

bool leaf_reader_read(const leaf_reader *r, const char *label, int64_t *whole, double *decimal)
{
    const size_t length = strlen(label);
    switch (r->type) {
    case KITH_TYPE_INTEGER: return typed_value_integer(label, length, r->mark, whole);
    case KITH_TYPE_DECIMAL: return typed_value_decimal(label, length, r->mark, decimal);
    case KITH_TYPE_DATE:
        return (r->date_format != NULL &&
                typed_value_date(label, length, r->date_format, r->c_locale, whole)) ||
               typed_value_iso_date(label, length, whole);
    case KITH_TYPE_STRING: return false;
    }
    return false;
}
