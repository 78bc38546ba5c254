#include "job/prepare/recode.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

enum { NUMBER_BYTES = 40, HEX_BYTES = 2 * RECODING_HASH_BYTES + 1 };

/* In whole numbers, so that large ones keep their digits. False if the result is none. */
static bool change_whole(const recoding *r, int64_t value, int64_t *changed)
{
    __int128 to = value; /* multiples next to the ends of the range lie beyond them */
    if (r->round > 0) {
        const int64_t n = (int64_t)r->round, rest = (value % n + n) % n;
        to -= rest;
        to += rest >= n - rest ? n : 0;
    }
    if (r->has_top && to > (int64_t)r->top)
        to = (int64_t)r->top;
    if (r->has_bottom && to < (int64_t)r->bottom)
        to = (int64_t)r->bottom;
    *changed = (int64_t)to;
    return to >= INT64_MIN && to <= INT64_MAX;
}

static double change_decimal(const recoding *r, double value)
{
    if (r->round > 0) {
        /* To the next multiple, halves up; not finite if the product is too large. A half is a
         * quotient of whole numbers, and its double is that of its decimal text, as the value is.
         * The first guess may be wrong next to a half: 0.285 * 100 is less than 28.5. */
        const double to = r->round;
        const double whole = to < 1 ? 1 : to, parts = to < 1 ? nearbyint(1 / to) : 1;
        double n = floor(value * parts / whole + 0.5);
        if (fabs(n) < 0x1p52) { /* beyond, 2n + 1 has no double */
            if (value < (2 * n - 1) * whole / (2 * parts))
                n--;
            else if (value >= (2 * n + 1) * whole / (2 * parts))
                n++;
        }
        value = n * whole / parts;
    }
    if (r->has_top && value > r->top)
        value = r->top;
    if (r->has_bottom && value < r->bottom)
        value = r->bottom;
    return value == 0 ? 0 : value; /* no minus zero */
}

bool recode_fits(const recoding *r, const dictionary *values, uint32_t code)
{
    int64_t whole;
    return values->whole != NULL ? change_whole(r, values->whole[code], &whole)
                                 : isfinite(change_decimal(r, values->decimal[code]));
}

/* A dictionary that grows at its end. */
typedef struct growing {
    dictionary *to;
    uint64_t *offsets;
    char *bytes;
    int64_t *whole;
    double *decimal;
} growing;

static kith_status growing_init(growing *g, dictionary *to, const dictionary *from,
                                size_t text_bytes, arena *memory, kith_error *error)
{
    const size_t n = from->count + (size_t)1;
    *g = (growing){.to = to};
    g->offsets = TRY_ALLOC(arena_array(memory, n, sizeof *g->offsets), error);
    g->bytes = TRY_ALLOC(arena_array(memory, n, text_bytes), error);
    g->whole = TRY_ALLOC(arena_array(memory, n, sizeof *g->whole), error);
    g->decimal = TRY_ALLOC(arena_array(memory, n, sizeof *g->decimal), error);
    g->offsets[0] = 0;
    *to = (dictionary){.offsets = g->offsets,
                       .bytes = g->bytes,
                       .type = from->type,
                       .whole = from->whole == NULL ? NULL : g->whole,
                       .decimal = from->decimal == NULL ? NULL : g->decimal};
    return KITH_OK;
}

static uint32_t growing_add(growing *g, const char *text, int64_t whole, double decimal)
{
    const uint32_t at = g->to->count++;
    const size_t length = strlen(text) + 1;
    memcpy(g->bytes + g->offsets[at], text, length);
    g->offsets[at + 1] = g->offsets[at] + length;
    g->whole[at] = whole;
    g->decimal[at] = decimal;
    return at;
}

/* Changed numbers are in the order of the old ones, so that equal ones follow each other. */
kith_status recode_numbers(dictionary *to, uint32_t *new_codes, const dictionary *from,
                           const recoding *r, arena *memory, kith_error *error)
{
    growing g;
    char text[NUMBER_BYTES];
    TRY(growing_init(&g, to, from, NUMBER_BYTES, memory, error));
    for (uint32_t code = 0; code < from->count; code++) {
        int64_t whole = 0;
        double decimal = 0;
        ASSERT(recode_fits(r, from, code));
        if (from->whole != NULL)
            change_whole(r, from->whole[code], &whole);
        else
            decimal = change_decimal(r, from->decimal[code]);
        const uint32_t last = to->count - 1;
        if (to->count > 0 &&
            (from->whole != NULL ? g.whole[last] == whole : g.decimal[last] == decimal)) {
            new_codes[code] = last;
            continue;
        }
        if (from->whole != NULL)
            snprintf(text, sizeof text, "%" PRId64, whole);
        else
            text_format_decimal(text, decimal);
        new_codes[code] = growing_add(&g, text, whole, decimal);
    }
    return KITH_OK;
}

static kith_status refuse_large(const study_column *s, const dictionary *values, kith_error *error)
{
    for (uint32_t code = 0; code < values->count; code++) {
        if (recode_fits(&s->recoding, values, code))
            continue;
        error_set(error, KITH_DATA, RECODE_TOO_LARGE, dictionary_text(values, code),
                  s->recoding.round, s->name);
        return error_hint(error, KITH_DATA, "'kith study check STUDY DATA' names its line");
    }
    return KITH_OK;
}

typedef struct pseudonym {
    char hex[HEX_BYTES];
    uint32_t code;
} pseudonym;

static int recode_compare(const void *left, const void *right)
{
    return strcmp(((const pseudonym *)left)->hex, ((const pseudonym *)right)->hex);
}

static kith_status make_pseudonyms(dictionary *to, uint32_t *new_codes, const dictionary *from,
                                   const recode_key *key, arena *memory, kith_error *error)
{
    growing g;
    pseudonym *all = TRY_ALLOC(arena_array(memory, from->count, sizeof *all), error);
    TRY(growing_init(&g, to, from, HEX_BYTES, memory, error));
    for (uint32_t code = 0; code < from->count; code++) {
        unsigned char hash[RECODING_HASH_BYTES];
        crypto_generichash(hash, sizeof hash, (const unsigned char *)dictionary_text(from, code),
                           dictionary_length(from, code), key->bytes, key->length);
        sodium_bin2hex(all[code].hex, sizeof all[code].hex, hash, sizeof hash);
        all[code].code = code;
    }
    if (from->count > 0)
        qsort(all, from->count, sizeof *all, recode_compare);
    for (uint32_t i = 0; i < from->count; i++)
        new_codes[all[i].code] = growing_add(&g, all[i].hex, 0, 0);
    return KITH_OK;
}

static kith_status recode_column(column *c, const study_column *s, uint32_t n_rows, arena *memory,
                                 kith_error *error)
{
    const recoding *r = &s->recoding;
    const column from = *c;
    uint32_t *new_codes = TRY_ARRAY(new_codes, memory, from.values.count, error);
    if (r->key_file != NULL) {
        recode_key key;
        TRY(recode_key_read(&key, r->key_file, error));
        kith_status status =
            make_pseudonyms(&c->values, new_codes, &from.values, &key, memory, error);
        recode_key_wipe(&key);
        TRY(status);
    } else {
        TRY(refuse_large(s, &from.values, error));
        TRY(recode_numbers(&c->values, new_codes, &from.values, r, memory, error));
    }
    c->codes = TRY_ALLOC(arena_array(memory, n_rows, sizeof *c->codes), error);
    for (uint32_t row = 0; row < n_rows; row++)
        c->codes[row] =
            from.codes[row] == TABLE_MISSING ? TABLE_MISSING : new_codes[from.codes[row]];
    return KITH_OK;
}

kith_status recode_table(const kith_table **recoded, const kith_study *study,
                         const kith_table *table, arena *memory, kith_error *error)
{
    kith_table *copy = NULL;
    *recoded = table;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *s = &study->columns[i];
        const uint32_t at = table_find(table, s->name);
        /* A column that was read with another type is reported when the table is prepared. */
        if (!recoding_is_any(&s->recoding) || at == UINT32_MAX ||
            table->columns[at].values.type != s->type)
            continue;
        if (copy == NULL)
            TRY(table_copy(&copy, table, memory, error));
        TRY(recode_column(&copy->columns[at], s, table->n_rows, memory, error));
    }
    if (copy != NULL) {
        CHECK(table_check(copy));
        *recoded = copy;
    }
    return KITH_OK;
}

kith_status recode_refuse_joint(const kith_study *study, kith_error *error)
{
    if (study->sample > 0)
        return error_set(error, KITH_INVALID, "sample is not available in joint runs");
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (recoding_is_any(&study->columns[i].recoding)) {
            error_set(error, KITH_INVALID, "column %s: %s is not available in joint runs",
                      study->columns[i].name,
                      study->columns[i].recoding.key_file != NULL ? "pseudonym"
                                                                  : "top, bottom or round");
            return error_hint(error, KITH_INVALID, "change the values before the run");
        }
        if (study->columns[i].mean) {
            error_set(error, KITH_INVALID,
                      "column %s: microaggregate is not available in joint runs",
                      study->columns[i].name);
            return error_hint(error, KITH_INVALID, "leave it out: the column then shows labels");
        }
    }
    return KITH_OK;
}
