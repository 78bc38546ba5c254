#include "job/profile/profile.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/profile/guess_format.h"
#include "job/profile/guess_type.h"
#include "job/profile/serial_numbers.h"

/* The type of the values and how they are written; where they have none, what spoils it. */
static void look_at(column_profile *p, bool semicolons, locale_t c_locale)
{
    const dictionary *values = &p->column->values;
    p->distinct = values->count;
    p->digits = spoilers_digits(values, NULL);
    p->type = guess_type(values);
    if (p->type != KITH_TYPE_STRING || values->count == 0 || p->digits > 0)
        return;
    p->format = guess_format_date(values, &p->ambiguous);
    if (p->format != NULL) {
        p->type = KITH_TYPE_DATE;
        return;
    }
    p->format = guess_format_number(values, semicolons, &p->ambiguous);
    if (p->format != NULL)
        p->type = guess_format_whole(values, p->format) ? KITH_TYPE_INTEGER : KITH_TYPE_DECIMAL;
    else
        p->spoilers = spoilers_find(values, semicolons, c_locale);
}

kith_status profile_counts(uint64_t **counts, const kith_table *table, uint32_t i, context *c,
                           kith_error *error)
{
    const column *col = &table->columns[i];
    const size_t n = col->values.count + (size_t)1;
    *counts = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof **counts), error);
    for (uint32_t row = 0; row < table->n_rows; row++)
        (*counts)[col->codes[row] == TABLE_MISSING ? col->values.count : col->codes[row]]++;
    return crew_sum(c->crew, *counts, n, error);
}

void profile_release(uint64_t *counts, const column *col, context *c)
{
    arena_release(c->memory, counts, (col->values.count + (size_t)1) * sizeof *counts);
}

/* How often values occur: the missing, the unique and the most frequent one. */
static void look_at_counts(column_profile *p, const uint64_t *count)
{
    const column *c = p->column;
    uint64_t n_rows = count[c->values.count];
    p->missing = (uint32_t)n_rows;
    p->top = TABLE_MISSING;
    for (uint32_t i = 0; i < c->values.count; i++) {
        n_rows += count[i];
        p->unique += count[i] == 1;
        if (count[i] > p->n_top) {
            p->top = i;
            p->n_top = (uint32_t)count[i];
        }
    }
    p->n_rows = (uint32_t)n_rows;
    for (uint32_t i = 0; i < p->spoilers.count; i++)
        p->spoilers.n_cells += (uint32_t)count[p->spoilers.codes[i]];
}

kith_status profile_column(column_profile *p, const kith_table *table, uint32_t i,
                           const uint64_t *counts, context *c, kith_error *error)
{
    const column *col = &table->columns[i];
    const locale_t c_locale = text_c_locale();
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    *p = (column_profile){.column = col};
    look_at(p, table->separator == ';', c_locale);
    look_at_counts(p, counts);
    TRY(serial_numbers_look(&p->serial, col, table->n_rows, p->n_rows - p->missing, c, error));
    profile_suggest(p, p->n_rows);
    return KITH_OK;
}

kith_status profile_table(column_profile **profiles, const kith_table *table, context *c,
                          kith_error *error)
{
    *profiles = arena_zalloc(c->memory, table->n_columns, sizeof **profiles);
    TRY_ALLOC(*profiles, error);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        uint64_t *counts;
        TRY(profile_counts(&counts, table, i, c, error));
        TRY(profile_column(&(*profiles)[i], table, i, counts, c, error));
        profile_release(counts, &table->columns[i], c);
        if (!context_progress(c, "describe", (i + 1.0) / table->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

bool profile_header_is_data(const kith_table *table, const column_profile *profiles)
{
    if (table->separator == '\0' || table->no_header)
        return false; /* a database names its columns */
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;
        int64_t days;
        double value;
        size_t length = strlen(name);
        if (profiles[i].type == KITH_TYPE_DATE
                ? text_date(name, length, &days)
                : profiles[i].type != KITH_TYPE_STRING && text_decimal(name, length, &value))
            return true;
    }
    return false;
}

const char *profile_role_name(role which)
{
    static const char *const names[] = {
        [ROLE_IDENTIFYING] = "identifying",
        [ROLE_QUASI_IDENTIFYING] = "quasi-identifying",
        [ROLE_SENSITIVE] = "sensitive",
        [ROLE_INSENSITIVE] = "insensitive",
    };
    return names[which];
}
