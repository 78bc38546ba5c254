#include "job/profile/description.h"

#include <stdlib.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/sort.h"
#include "core/text.h"
#include "job/profile/dependencies.h"
#include "job/profile/guess.h"
#include "job/profile/class_counter.h"
#include "table/rows/code_numbers.h"
#include "table/rows/row_groups.h"
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
    const locale_t c_locale = text_c_locale();
    *sorted = TRY_ARRAY(*sorted, memory, (size_t)values->count + 1, error);
    *count = 0;
    *n_cells = 0;
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    for (uint32_t i = 0; i < values->count; i++) {
        int64_t whole = 0;
        double decimal = 0;
        if (!typed_value_parse(type, format, c_locale, dictionary_text(values, i),
                               dictionary_length(values, i), &whole, &decimal))
            continue;
        double number = type == KITH_TYPE_DECIMAL ? decimal : (double)whole;
        (*sorted)[(*count)++] = (counted){number, i, (uint32_t)counts[i]};
        *n_cells += counts[i];
    }
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
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        const counted *value = quantile(sorted, count, n_cells, quantiles[i].share);
        if (type == KITH_TYPE_DATE)
            document_put_text(d, node, quantiles[i].key, dictionary_text(values, value->code));
        else
            document_put_number(d, node, quantiles[i].key, value->number);
    }
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

/* By the study, or without one by what its values suggest. Columns that a study does not mention
 * count as identifying, since they are never released. */
static role known_role(const column_profile *p, const kith_study *study)
{
    if (study == NULL)
        return p->role;
    const uint32_t i = study_find_column(study, p->column->name);
    return i == UINT32_MAX ? ROLE_IDENTIFYING : study->columns[i].role;
}

static kith_status description_put_column(kith_document *d, document_node *columns,
                                          const column_profile *p, const uint64_t *counts,
                                          const kith_study *study, arena *memory, kith_error *error)
{
    const uint32_t n_rows = p->n_rows;
    document_node *node = document_object(d, columns, NULL);
    document_put_text(d, node, "name", p->column->name);
    document_put_text(d, node, "type", guess_type_name(p->type));
    if (p->format != NULL && p->type == KITH_TYPE_DATE)
        document_put_text(d, node, "format", p->format);
    else if (p->format != NULL)
        document_put_text(d, node, "decimal", p->format[0] == ',' ? "comma" : "point");
    if (p->ambiguous)
        document_put_flag(d, node, "format_ambiguous", true);
    document_put_count(d, node, "distinct", p->distinct);
    document_put_count(d, node, "missing", p->missing);
    if (p->top != TABLE_MISSING) {
        document_node *top = document_object(d, node, "most_frequent");
        document_put_text(d, top, "value", dictionary_text(&p->column->values, p->top));
        document_put_count(d, top, "count", p->n_top);
        document_put_number(d, top, "share", (double)p->n_top / n_rows);
    }
    document_put_count(d, node, "unique_records", p->unique);
    document_put_number(d, node, "unique_share", n_rows == 0 ? 0 : (double)p->unique / n_rows);
    if (study != NULL)
        document_put_text(d, node, "role", profile_role_name(known_role(p, study)));
    document_put_text(d, node, "suggested_role", profile_role_name(p->role));
    document_put_text(d, node, "why", p->why);
    /* What the values of a column are like. Of numbers and dates, also those among a few other
     * texts: minimum, q05, q25, median, q75, q95, maximum (numbers; dates as texts), of numbers
     * also the mean; a quantile is a value that occurs, the lowest with at least that share at or
     * below it. "frequent": the ten values that occur most often, at least twice. "spoiled": which
     * texts keep the column from being of a type, and how many cells have them. */
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

static kith_status put_columns(column_profile **profiles, kith_document *d, const kith_table *table,
                               const kith_study *study, context *c, kith_error *error)
{
    const uint32_t n = table->n_columns;
    document_node *columns = document_array(d, document_root(d), "columns");
    *profiles = TRY_ZEROS(*profiles, c->memory, n, error);
    for (uint32_t i = 0; i < n; i++) {
        column_profile *p = &(*profiles)[i];
        uint64_t *counts;
        TRY(profile_counts(&counts, table, i, c, error));
        TRY(profile_column(p, table, i, counts, c, error));
        TRY(description_put_column(d, columns, p, counts, study, c->memory, error));
        profile_release(counts, &table->columns[i], c);
        if (!context_progress(c, "describe", (i + 1.0) / n))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

/* Whose the records are, over all ranks: by the texts of the unit. A record that lacks one is of a
 * person of its own. False: the table lacks a column. */
static kith_status number_persons(code_numbers *persons, bool *known, const kith_table *table,
                                  const kith_study *study, context *c, kith_error *error)
{
    const uint32_t n = study->n_unit, n_ranks = ranks_count(c->ranks), n_rows = table->n_rows;
    uint32_t **codes = TRY_ARRAY(codes, c->memory, n + (size_t)1, error);
    uint32_t *n_codes = TRY_ARRAY(n_codes, c->memory, n + (size_t)1, error);
    uint64_t *rows = TRY_ZEROS(rows, c->memory, n_ranks, error), first = 1, n_all = 0;
    rows[ranks_self(c->ranks)] = n_rows;
    TRY(ranks_sum(c->ranks, rows, n_ranks, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        first += r < ranks_self(c->ranks) ? rows[r] : 0;
        n_all += rows[r];
    }
    codes[n] = TRY_ZEROS(codes[n], c->memory, n_rows, error);
    n_codes[n] = (uint32_t)n_all + 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = table_find(table, study->columns[study->unit[i]].name);
        *known = at != UINT32_MAX;
        if (!*known)
            return KITH_OK;
        codes[i] = table->columns[at].codes;
        n_codes[i] = table->columns[at].values.count + 1;
        for (uint32_t row = 0; row < n_rows; row++)
            if (codes[i][row] == TABLE_MISSING)
                codes[n][row] = (uint32_t)first + row;
    }
    const code_rows keys = {
        .n_rows = n_rows, .n_columns = n + 1, .n_codes = n_codes, .codes = codes};
    return code_numbers_make(persons, &keys, c, c->memory, error);
}

/* The persons of the records that are equal in all of the columns. */
static kith_status put_persons(kith_document *d, document_node *node, const kith_table *table,
                               const kith_study *study, const uint32_t *quasi, uint32_t n_quasi,
                               context *c, kith_error *error)
{
    code_numbers persons;
    kith_table shown = {.n_rows = table->n_rows, .n_columns = n_quasi}, own;
    row_groups classes;
    bool known;
    TRY(number_persons(&persons, &known, table, study, c, error));
    if (!known)
        return KITH_OK;
    uint32_t *all = TRY_ARRAY(all, c->memory, n_quasi, error), *person = persons.of;
    shown.columns = TRY_ARRAY(shown.columns, c->memory, n_quasi, error);
    for (uint32_t i = 0; i < n_quasi; i++) {
        shown.columns[i] = table->columns[quasi[i]];
        all[i] = i;
    }
    TRY(code_rows_exchange_table(&own, &person, &shown, n_quasi, persons.count + 1, c, c->memory,
                                 error));
    TRY(row_groups_by(&classes, c->memory, &own, all, n_quasi, error));
    uint64_t *pair = TRY_ARRAY(pair, c->memory, own.n_rows, error);
    for (uint32_t row = 0; row < own.n_rows; row++)
        pair[row] = (uint64_t)classes.of[row] << 32 | person[row];
    qsort(pair, own.n_rows, sizeof *pair, sort_uint64);
    uint64_t n_alone = 0;
    uint32_t fewest = UINT32_MAX, in_class = 0;
    for (uint32_t i = 0; i < own.n_rows; i++) {
        in_class += i == 0 || pair[i] != pair[i - 1];
        if (i + 1 < own.n_rows && pair[i + 1] >> 32 == pair[i] >> 32)
            continue;
        n_alone += in_class == 1;
        fewest = in_class < fewest ? in_class : fewest;
        in_class = 0;
    }
    double least = -(double)fewest;
    TRY(ranks_sum(c->ranks, &n_alone, 1, error));
    TRY(ranks_largest(c->ranks, &least, 1, c->memory, error));
    document_put_count(d, node, "persons", persons.count);
    document_put_count(d, node, "smallest_class_persons", (uint64_t)-least);
    document_put_count(d, node, "classes_of_one_person", n_alone);
    return KITH_OK;
}

/* The classes of records that are equal in all quasi-identifiers, which are the columns of the
 * counter, and the risk that follows. */
static kith_status put_quasi(kith_document *d, class_counter *counter, const kith_table *table,
                             const kith_study *study, kith_error *error)
{
    const uint32_t count = counter->n_columns, n_rows = counter->n_rows;
    document_node *node = document_object(d, document_root(d), "quasi_identifiers");
    document_node *names = document_array(d, node, "columns");
    for (uint32_t i = 0; i < count; i++)
        document_put_text(d, names, NULL, counter->columns[i]->name);
    document_put_text(d, node, "from", study != NULL ? "study" : "suggestion");
    if (n_rows == 0 || count == 0)
        return KITH_OK;
    uint32_t *all = TRY_ARRAY(all, counter->context->memory, count, error);
    class_counts found;
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    TRY(class_counter_count(counter, all, count, &found, error));
    document_put_count(d, node, "classes", found.classes);
    document_put_count(d, node, "smallest_class", found.smallest);
    document_put_number(d, node, "average_class", (double)n_rows / found.classes);
    document_put_count(d, node, "unique_records", found.unique);
    document_put_number(d, node, "unique_share", (double)found.unique / n_rows);
    for (uint32_t i = 0; i < count; i++)
        all[i] = (uint32_t)(counter->columns[i] - table->columns);
    if (study != NULL && study->n_unit > 0)
        TRY(put_persons(d, node, table, study, all, count, counter->context, error));
    document_node *risk = document_object(d, node, "risk");
    document_put_number(d, risk, "prosecutor_highest", 1.0 / found.smallest);
    document_put_number(d, risk, "prosecutor_average", (double)found.classes / n_rows);
    document_put_number(d, risk, "marketer", (double)found.classes / n_rows);
    return class_counter_put_unique(d, node, counter, error);
}

kith_status description_put(kith_document *d, const kith_table *table, const kith_study *study,
                            context *c, kith_error *error)
{
    column_profile *profiles = NULL;
    class_counter counter;
    document_node *root = document_root(d);
    uint64_t n_rows = table->n_rows;
    uint32_t n_quasi = 0;
    TRY(ranks_sum(c->ranks, &n_rows, 1, error));
    document_put_text(d, root, "data", table->source);
    document_put_count(d, root, "records", n_rows);
    TRY(put_columns(&profiles, d, table, study, c, error));
    if (profile_header_is_data(table, profiles))
        document_put_flag(d, root, "header_looks_like_data", true);
    TRY(dependencies_put(d, table, profiles, c, error));
    const column **quasi = TRY_ARRAY(quasi, c->memory, table->n_columns, error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (known_role(&profiles[i], study) == ROLE_QUASI_IDENTIFYING)
            quasi[n_quasi++] = &table->columns[i];
    TRY(class_counter_init(&counter, quasi, n_quasi, table->n_rows, (uint32_t)n_rows, c, error));
    TRY(put_quasi(d, &counter, table, study, error));
    return document_status(d, error);
}
