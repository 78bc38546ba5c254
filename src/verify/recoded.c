#include "verify/recoded.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "verify/exact_number.h"

/* A text with what it is sorted by. */
typedef struct entry {
    long double number;
    const char *text;
    uint32_t at;
} entry;

static int by_number(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(((const entry *)left)->text, ((const entry *)right)->text);
}

/* The whole text as a number. Digits alone are read with all of them. */
static bool read_number(const char *text, long double *number)
{
    char *end;
    if (text[0] == '\0' || text[strspn(text, "+-0123456789.eE")] != '\0')
        return false;
    *number = strtold(text, &end);
    return *end == '\0' && isfinite(*number);
}

/* The steps of a decimal in whole numbers, digit by digit; false if they are too long. */
static bool count_steps(double *steps, double value, double whole, double parts)
{
    enum { MAX_DECIMALS = 21 }; /* 2 * 2^53 * 10^21 fits */
    char text[32];
    exact_number number;
    __int128 unit = (__int128)whole;
    text_format_decimal(text, value);
    if (parts > 1e15 || !exact_number_read(&number, text, '\0') || number.decimals > MAX_DECIMALS)
        return false;
    for (; number.decimals < 0; number.decimals++)
        number.digits *= 10;
    for (; number.decimals > 0; number.decimals--)
        unit *= 10;
    const __int128 twice = 2 * number.digits * (__int128)parts + unit;
    const __int128 below = twice / (2 * unit) - (twice % (2 * unit) < 0);
    *steps = (double)below;
    return true;
}

static double rounded_decimal(double value, double to)
{
    const double whole = to < 1 ? 1 : to, parts = to < 1 ? nearbyint(1 / to) : 1;
    double steps = floor(value * parts / whole + 0.5);
    if (fabs(steps) < 0x1p52 && !count_steps(&steps, value, whole, parts))
        steps = (double)floorl((long double)value * parts / whole + 0.5L);
    return steps * whole / parts;
}

/* The definition of table/recoding.h, for integers and, in the precision of the data, decimals. */
static long double expected_number(const recoding *r, kith_type type, long double value)
{
    if (type == KITH_TYPE_INTEGER && r->round > 0) {
        long double rest = fmodl(value, (long double)r->round);
        rest += rest < 0 ? (long double)r->round : 0;
        value += 2 * rest >= (long double)r->round ? (long double)r->round - rest : -rest;
    } else if (r->round > 0) {
        value = rounded_decimal((double)value, r->round);
    }
    if (r->has_top)
        value = fminl(value, r->top);
    if (r->has_bottom)
        value = fmaxl(value, r->bottom);
    return value;
}

bool recoded_number(long double *number, const cover_recoding *r, const char *text)
{
    const kith_type type = r->original->values.type;
    if (!read_number(text, number))
        return false;
    if (type == KITH_TYPE_DECIMAL)
        *number = strtod(text, NULL); /* as the data has it */
    *number = expected_number(r->how, type, *number);
    return true;
}

static void find_number(uint32_t *found, const cover_recoding *r, const char *text,
                        const entry *entries, size_t n)
{
    long double value;
    size_t low = 0, high = n;
    if (!recoded_number(&value, r, text))
        return;
    while (low < high) { /* the first that is not smaller */
        const size_t middle = low + (high - low) / 2;
        if (entries[middle].number < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < n && entries[low].number == value)
        *found = entries[low].at;
}

static void find_pseudonym(uint32_t *found, const cover_recoding *r, const char *text,
                           const entry *entries, size_t n)
{
    unsigned char hash[RECODING_HASH_BYTES];
    char hex[2 * RECODING_HASH_BYTES + 1];
    crypto_generichash_state state;
    crypto_generichash_init(&state, r->key, r->key_length, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)text, strlen(text));
    crypto_generichash_final(&state, hash, sizeof hash);
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    const entry wanted = {0, hex, 0};
    const entry *at = n == 0 ? NULL : bsearch(&wanted, entries, n, sizeof *entries, by_text);
    if (at != NULL)
        *found = at->at;
}

kith_status recoded_find(uint32_t *found, const cover_recoding *r, const char *const *texts,
                         uint32_t n_texts, uint32_t absent, arena *memory, kith_error *error)
{
    const dictionary *values = &r->original->values;
    const bool numbers = r->how->key_file == NULL;
    entry *entries = TRY_ARRAY(entries, memory, n_texts, error);
    size_t n = 0;
    for (uint32_t i = 0; i < n_texts; i++) {
        entries[n] = (entry){0, texts[i], i};
        if (!numbers || (values->type == KITH_TYPE_DECIMAL
                             ? read_number(texts[i], &entries[n].number) &&
                                   ((entries[n].number = strtod(texts[i], NULL)), true)
                             : read_number(texts[i], &entries[n].number)))
            n++;
    }
    if (n > 0)
        qsort(entries, n, sizeof *entries, numbers ? by_number : by_text);
    for (uint32_t code = 0; code < values->count; code++) {
        found[code] = absent;
        if (numbers)
            find_number(&found[code], r, dictionary_text(values, code), entries, n);
        else
            find_pseudonym(&found[code], r, dictionary_text(values, code), entries, n);
    }
    return KITH_OK;
}
