#include "job/profile/spoilers.h"

#include <string.h>
#include <strings.h>

#include "job/profile/guess.h"

enum { MIN_VALUES = 10, MIN_DIGITS = 3 };

/* Texts that mean missing in many tables; case does not matter. They need no crowd of numbers. */
static const char *const missing_words[] = {
    "na",        "n/a",         "#n/a",  "nan", "null",         "none",
    "-",         "--",          ".",     "?",   "missing",      "unknown",
    "unbekannt", "k.a.",        "k. a.", "ka",  "keine angabe", "#nv",
    "nv",        "inconnu",     "n.d.",  "nd",  "onbekend",     "desconocido",
    "s/d",       "sconosciuto", NULL};

/* What is tried, the narrowest first. Strings are codes: digits, with a zero in front somewhere. */
typedef struct candidate {
    kith_type type;
    const char *format;
} candidate;

static const candidate candidates[] = {
    {KITH_TYPE_STRING, NULL},     {KITH_TYPE_INTEGER, NULL},    {KITH_TYPE_DECIMAL, NULL},
    {KITH_TYPE_DECIMAL, ","},     {KITH_TYPE_DECIMAL, "."},     {KITH_TYPE_DATE, NULL},
    {KITH_TYPE_DATE, "%d.%m.%Y"}, {KITH_TYPE_DATE, "%d/%m/%Y"}, {KITH_TYPE_DATE, "%m/%d/%Y"},
    {KITH_TYPE_DATE, "%d-%m-%Y"}, {KITH_TYPE_DATE, "%Y/%m/%d"}, {KITH_TYPE_DATE, "%Y.%m.%d"},
    {KITH_TYPE_DATE, "%d.%m.%y"},
};

static bool all_missing_words(const spoilers *s, const dictionary *d)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const char *const *w = missing_words;
        while (*w != NULL && strcasecmp(*w, dictionary_text(d, s->codes[i])) != 0)
            w++;
        if (*w == NULL)
            return false;
    }
    return true;
}

static bool fits(const dictionary *d, uint32_t code, const candidate *c, locale_t c_locale)
{
    const char *text = dictionary_text(d, code);
    uint32_t length = dictionary_length(d, code);
    if (c->type == KITH_TYPE_STRING)
        return strspn(text, "0123456789") == length;
    if (!guess_type_fits(text, length, c->type, c->format, c_locale))
        return false;
    return c->type == KITH_TYPE_DATE || !guess_type_leading_zero(text, length);
}

uint32_t spoilers_digits(const dictionary *values, const spoilers *without)
{
    uint32_t digits = 0, n_left_out = 0;
    for (uint32_t i = 0; i < values->count; i++) {
        if (without != NULL && n_left_out < without->count && without->codes[n_left_out] == i) {
            n_left_out++;
            continue;
        }
        const uint32_t length = dictionary_length(values, i);
        if (length < MIN_DIGITS || (digits != 0 && length != digits) ||
            strspn(dictionary_text(values, i), "0123456789") != length)
            return 0;
        digits = length;
    }
    return digits;
}

/* Stops as soon as there are too many. */
static bool spoiled_by_few(spoilers *s, const dictionary *d, const candidate *c, locale_t c_locale)
{
    *s = (spoilers){.type = c->type, .format = c->format, .missing = true};
    bool leading_zero = false;
    for (uint32_t i = 0; i < d->count; i++) {
        leading_zero =
            leading_zero || guess_type_leading_zero(dictionary_text(d, i), dictionary_length(d, i));
        if (fits(d, i, c, c_locale))
            continue;
        if (s->count == SPOILERS)
            return false;
        s->missing = s->missing && strpbrk(dictionary_text(d, i), "0123456789") == NULL;
        s->codes[s->count++] = i;
    }
    s->digits = spoilers_digits(d, s);
    if (c->type == KITH_TYPE_STRING && (s->digits == 0 || !leading_zero))
        return false;
    return s->count > 0 && d->count >= s->count + 2 &&
           (d->count >= MIN_VALUES || all_missing_words(s, d));
}

/* The first candidate that leaves the fewest texts. A comma is a decimal comma where semicolons
 * separate the cells, unless only groups of digits explain it. */
static bool better(const spoilers *s, const spoilers *than, bool semicolons)
{
    if (than->count == 0 || s->count != than->count)
        return than->count == 0 || s->count < than->count;
    return !semicolons && than->format != NULL && strcmp(than->format, ",") == 0 &&
           s->format != NULL && strcmp(s->format, ".") == 0;
}

spoilers spoilers_find(const dictionary *values, bool semicolons, locale_t c_locale)
{
    spoilers s = {.count = 0}, found = {.count = 0};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (spoiled_by_few(&s, values, &candidates[i], c_locale) && better(&s, &found, semicolons))
            found = s;
    return found;
}
