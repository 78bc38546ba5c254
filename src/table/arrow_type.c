#include "table/arrow_type.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

enum { SAFE_DIGITS = 15, MAX_DIGITS = 76, FORMAT_BYTES = 40 };

/* Formats of one letter, and the first ones of those that are refused by name. */
typedef struct plain_format {
    const char *format;
    arrow_type type;
} plain_format;

static const plain_format plain_formats[] = {
    {"n", {.kind = ARROW_KIND_NULL}},
    {"b", {.kind = ARROW_KIND_BOOL}},
    {"c", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 1}},
    {"C", {.kind = ARROW_KIND_INTEGER, .width = 1}},
    {"s", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 2}},
    {"S", {.kind = ARROW_KIND_INTEGER, .width = 2}},
    {"i", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 4}},
    {"I", {.kind = ARROW_KIND_INTEGER, .width = 4}},
    {"l", {.kind = ARROW_KIND_INTEGER, .is_signed = true, .width = 8}},
    {"L", {.kind = ARROW_KIND_INTEGER, .width = 8}},
    {"e", {.kind = ARROW_KIND_FLOAT, .width = 2}},
    {"f", {.kind = ARROW_KIND_FLOAT, .width = 4}},
    {"g", {.kind = ARROW_KIND_FLOAT, .width = 8}},
    {"u", {.kind = ARROW_KIND_TEXT, .is_signed = true, .width = 4}},
    {"U", {.kind = ARROW_KIND_TEXT, .is_signed = true, .width = 8}},
    {"vu", {.kind = ARROW_KIND_VIEW, .width = 16}},
    {"tdD", {.kind = ARROW_KIND_DATE, .is_signed = true, .width = 4, .ticks_per_day = 1}},
    {"tdm",
     {.kind = ARROW_KIND_DATE,
      .is_signed = true,
      .width = 8,
      .ticks_per_day = (int64_t)TYPED_VALUE_DAY * 1000}},
};

static const struct {
    const char *begin, *name;
} refused[] = {
    {"z", "binary"},
    {"Z", "large binary"},
    {"vz", "binary view"},
    {"w:", "fixed-size binary"},
    {"tt", "time of day"},
    {"tD", "duration"},
    {"ti", "interval"},
    {"+l", "list"},
    {"+L", "large list"},
    {"+vl", "list view"},
    {"+vL", "large list view"},
    {"+w:", "fixed-size list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+ud:", "dense union"},
    {"+us:", "sparse union"},
    {"+r", "run-end encoded"},
};

static void refuse(const char *format, kith_error *error)
{
    char quoted[FORMAT_BYTES];
    text_quote(quoted, sizeof quoted, format, strlen(format));
    const char *name = NULL;
    for (size_t i = 0; i < sizeof refused / sizeof *refused && name == NULL; i++)
        if (strncmp(format, refused[i].begin, strlen(refused[i].begin)) == 0)
            name = refused[i].name;
    if (name == NULL)
        error_set(error, KITH_DATA, "its Arrow type '%s' is unknown", quoted);
    else
        error_set(error, KITH_DATA,
                  "its Arrow type is %s ('%s'), expected text, numbers, booleans, dates or "
                  "timestamps",
                  name, quoted);
}

/* A number of a decimal's format; `*at` moves behind it. */
static bool take_number(const char **at, int *value)
{
    char *end;
    if (**at != '-' && (**at < '0' || **at > '9'))
        return false;
    long number = strtol(*at, &end, 10);
    bool good = end != *at && number >= -MAX_DIGITS && number <= 256;
    *at = end;
    *value = (int)number;
    return good;
}

/* d:digits,scale or d:digits,scale,bits */
static bool take_decimal(const char *format, arrow_type *type)
{
    int bits = 128;
    const char *at = format + 2;
    if (!take_number(&at, &type->digits) || *at++ != ',' || !take_number(&at, &type->scale))
        return false;
    if (*at == ',') {
        at++;
        if (!take_number(&at, &bits))
            return false;
    }
    type->kind = ARROW_KIND_DECIMAL;
    type->is_signed = true;
    type->width = (unsigned)bits / 8;
    return *at == '\0' && (bits == 32 || bits == 64 || bits == 128 || bits == 256) &&
           type->digits >= 1 && type->digits <= MAX_DIGITS && type->scale <= MAX_DIGITS;
}

/* ts, a letter for the unit, a colon and the time zone, if there is one */
static bool take_timestamp(const char *format, arrow_type *type)
{
    static const char units[] = "smun";
    const char *unit = strchr(units, format[2]);
    if (format[2] == '\0' || unit == NULL || format[3] != ':')
        return false;
    int64_t ticks = TYPED_VALUE_DAY;
    for (const char *u = units; u < unit; u++)
        ticks *= 1000;
    *type = (arrow_type){.kind = ARROW_KIND_DATE,
                         .is_signed = true,
                         .width = 8,
                         .ticks_per_day = ticks,
                         .timed = true,
                         .zoned = format[4] != '\0'};
    return true;
}

static bool take_format(const char *format, arrow_type *type)
{
    for (size_t i = 0; i < sizeof plain_formats / sizeof *plain_formats; i++)
        if (strcmp(format, plain_formats[i].format) == 0) {
            *type = plain_formats[i].type;
            return true;
        }
    return (strncmp(format, "d:", 2) == 0 && take_decimal(format, type)) ||
           (strncmp(format, "ts", 2) == 0 && take_timestamp(format, type));
}

static kith_status without_dictionary(arrow_type **type, arena *memory,
                                      const struct ArrowSchema *schema, kith_error *error)
{
    arrow_type found = {0};
    if (schema->release == NULL || schema->format == NULL)
        return error_set(error, KITH_DATA, "its Arrow schema %s",
                         schema->release == NULL ? "has been released" : "has no format");
    if (!take_format(schema->format, &found)) {
        refuse(schema->format, error);
        return KITH_DATA;
    }
    if (schema->n_children != 0)
        return error_set(error, KITH_DATA, "its Arrow schema has children, expected none");
    *type = TRY_ALLOC(arena_alloc(memory, sizeof **type), error);
    **type = found;
    return KITH_OK;
}

kith_status arrow_type_of(const arrow_type **type, arena *memory, const struct ArrowSchema *schema,
                          kith_error *error)
{
    arrow_type *own = NULL, *values = NULL;
    TRY(without_dictionary(&own, memory, schema, error));
    *type = own;
    if (schema->dictionary == NULL)
        return KITH_OK;
    if (own->kind != ARROW_KIND_INTEGER)
        return error_set(error, KITH_DATA, "the indices of its Arrow dictionary are no integers");
    TRY(without_dictionary(&values, memory, schema->dictionary, error));
    if (schema->dictionary->dictionary != NULL)
        return error_set(error, KITH_DATA, "its Arrow dictionary has a dictionary itself");
    own->values = values;
    return KITH_OK;
}

/* Numbers that a double or an int64 cannot hold exactly stay texts, since two of them could become
 * one value. */
kith_type arrow_type_nearest(const arrow_type *type)
{
    if (type->values != NULL)
        return arrow_type_nearest(type->values);
    switch (type->kind) {
    case ARROW_KIND_INTEGER:
        return type->width == 8 && !type->is_signed ? KITH_TYPE_STRING : KITH_TYPE_INTEGER;
    case ARROW_KIND_FLOAT: return KITH_TYPE_DECIMAL;
    case ARROW_KIND_DECIMAL:
        return type->digits <= SAFE_DIGITS && type->scale >= 0 && type->scale <= SAFE_DIGITS
                   ? KITH_TYPE_DECIMAL
                   : KITH_TYPE_STRING;
    case ARROW_KIND_DATE: return type->timed ? KITH_TYPE_STRING : KITH_TYPE_DATE;
    case ARROW_KIND_NULL:
    case ARROW_KIND_BOOL:
    case ARROW_KIND_TEXT:
    case ARROW_KIND_VIEW: break;
    }
    return KITH_TYPE_STRING;
}
