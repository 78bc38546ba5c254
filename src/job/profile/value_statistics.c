#include "job/profile/value_statistics.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/sort.h"
#include "job/profile/guess_type.h"
#include "table/typed_value.h"

enum { FREQUENT = 10 };

typedef struct counted {
    double number; /* days for dates */
    uint32_t code, count;
} counted;

/* The most frequent first; of equally frequent ones the first by bytes. */
static bool more_frequent(const counted *a, const counted *b)
{
    return a->count != b->count ? a->count > b->count : a->code < b->code;
}

static void put_frequent(kith_document *d, document_node *node, const column_profile *p,
                         const uint64_t *counts)
{
    const dictionary *values = &p->column->values;
    counted best[FREQUENT + 1];
    size_t kept = 0;
    for (uint32_t code = 0; code < values->count; code++) {
        counted made = {0, code, (uint32_t)counts[code]};
        if (made.count < 2 || (kept == FREQUENT && !more_frequent(&made, &best[kept - 1])))
            continue;
        size_t place = kept < FREQUENT ? kept++ : FREQUENT - 1;
        for (; place > 0 && more_frequent(&made, &best[place - 1]); place--)
            best[place] = best[place - 1];
        best[place] = made;
    }
    document_node *list = document_array(d, node, "frequent");
    for (size_t i = 0; i < kept; i++) {
        document_node *item = document_object(d, list, NULL);
        document_put_text(d, item, "value", dictionary_text(values, best[i].code));
        document_put_count(d, item, "count", best[i].count);
        document_put_number(d, item, "share", (double)best[i].count / p->n_rows);
    }
}

/* The values that are of the type, ascending; `*n_cells` have one. */
static kith_status sort_numbers(counted **sorted, size_t *count, uint64_t *n_cells,
                                const column_profile *p, kith_type type, const char *format,
                                const uint64_t *counts, arena *memory, kith_error *error)
{
    const dictionary *values = &p->column->values;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *sorted = arena_array(memory, (size_t)values->count + 1, sizeof **sorted);
    *count = 0;
    *n_cells = 0;
    for (uint32_t i = 0; *sorted != NULL && c_locale != (locale_t)0 && i < values->count; i++) {
        int64_t whole = 0;
        double decimal = 0;
        if (!typed_value_parse(type, format, c_locale, dictionary_text(values, i),
                               dictionary_length(values, i), &whole, &decimal))
            continue;
        double number = type == KITH_TYPE_DECIMAL ? decimal : (double)whole;
        (*sorted)[(*count)++] = (counted){number, i, (uint32_t)counts[i]};
        *n_cells += counts[i];
    }
    bool failed = *sorted == NULL || c_locale == (locale_t)0;
    if (c_locale != (locale_t)0)
        freelocale(c_locale);
    if (failed)
        return error_nomem(error);
    qsort(*sorted, *count, sizeof **sorted, sort_double_uint32);
    return KITH_OK;
}

/* The lowest value with at least this share of the cells at or below it. */
static const counted *quantile(const counted *sorted, size_t count, uint64_t n_cells, double share)
{
    uint64_t below = 0;
    size_t i = 0;
    for (; i + 1 < count; i++) {
        below += sorted[i].count;
        if ((double)below >= share * (double)n_cells)
            break;
    }
    return &sorted[i];
}

static void put_value(kith_document *d, document_node *node, const char *key,
                      const dictionary *values, const counted *value, kith_type type)
{
    if (type == KITH_TYPE_DATE)
        document_put_text(d, node, key, dictionary_text(values, value->code));
    else
        document_put_number(d, node, key, value->number);
}

static void put_numbers(kith_document *d, document_node *node, const dictionary *values,
                        const counted *sorted, size_t count, uint64_t n_cells, kith_type type)
{
    static const struct {
        const char *key;
        double share;
    } quantiles[] = {{"minimum", 0}, {"q05", 0.05}, {"q25", 0.25}, {"median", 0.5},
                     {"q75", 0.75},  {"q95", 0.95}, {"maximum", 1}};
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sorted[i].number * sorted[i].count;
    if (type != KITH_TYPE_DATE)
        document_put_number(d, node, "mean", sum / (double)n_cells);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        put_value(d, node, quantiles[i].key, values,
                  quantile(sorted, count, n_cells, quantiles[i].share), type);
}

static void put_spoiled(kith_document *d, document_node *node, const column_profile *p)
{
    const spoilers *s = &p->spoilers;
    document_node *spoiled = document_object(d, node, "spoiled");
    document_put_text(d, spoiled, "type", guess_type_name(s->type));
    if (s->type == KITH_TYPE_STRING)
        document_put_count(d, spoiled, "digits", s->digits);
    document_put_count(d, spoiled, "cells", s->n_cells);
    document_node *list = document_array(d, spoiled, "values");
    for (uint32_t i = 0; i < s->count; i++)
        document_put_text(d, list, NULL, dictionary_text(&p->column->values, s->codes[i]));
    document_put_flag(d, spoiled, "missing_values", s->missing);
}

kith_status value_statistics_put(kith_document *d, document_node *node, const column_profile *p,
                                 const uint64_t *counts, arena *memory, kith_error *error)
{
    const dictionary *values = &p->column->values;
    bool spoiled = p->spoilers.count > 0;
    kith_type type = spoiled ? p->spoilers.type : p->type;
    if (type != KITH_TYPE_STRING && values->count > 0) {
        counted *sorted = NULL;
        size_t count = 0;
        uint64_t n_cells = 0;
        TRY(sort_numbers(&sorted, &count, &n_cells, p, type,
                         spoiled ? p->spoilers.format : p->format, counts, memory, error));
        if (n_cells > 0)
            put_numbers(d, node, values, sorted, count, n_cells, type);
        arena_release(memory, sorted, ((size_t)values->count + 1) * sizeof *sorted);
    }
    put_frequent(d, node, p, counts);
    if (spoiled)
        put_spoiled(d, node, p);
    return KITH_OK;
}
