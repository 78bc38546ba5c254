#include "job/profile/profile.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/profile/guess.h"

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
    *counts = TRY_ZEROS(*counts, c->memory, n, error);
    for (uint32_t row = 0; row < table->n_rows; row++)
        (*counts)[col->codes[row] == TABLE_MISSING ? col->values.count : col->codes[row]]++;
    return ranks_sum(c->ranks, *counts, n, error);
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

enum { MIN_ROWS = 20, LONG_DIGITS = 9 };

/* The chance that so many draws do not repeat is below e^-5, less than one in a hundred. */
static const double MIN_REPEATS = 5;

/* What one rank tells about the order of its numbers. */
typedef struct run_of_numbers {
    int64_t first, last;
    bool rises, falls, any;
} run_of_numbers;

static run_of_numbers find_run(const column *c, uint32_t n_rows, const int64_t *value)
{
    run_of_numbers run = {.rises = true, .falls = true};
    for (uint32_t row = 0; row < n_rows && (run.rises || run.falls); row++) {
        if (c->codes[row] == TABLE_MISSING)
            continue;
        const int64_t now = value[c->codes[row]];
        run.rises = run.rises && (!run.any || now > run.last);
        run.falls = run.falls && (!run.any || now < run.last);
        run.first = run.any ? run.first : now;
        run.last = now;
        run.any = true;
    }
    return run;
}

/* Do the numbers rise strictly, or fall strictly, from rank to rank, too? */
static kith_status look_at_order(bool *monotone, const run_of_numbers *own, context *c,
                                 kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    bool rises = true, falls = true;
    const run_of_numbers *before = NULL;
    ranks_bytes *all = TRY_ARRAY(all, c->memory, n_ranks, error);
    TRY(ranks_gather(c->ranks, own, sizeof *own, all, c->memory, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        const run_of_numbers *one = all[r].bytes;
        if (!one->any)
            continue;
        rises = rises && one->rises && (before == NULL || one->first > before->last);
        falls = falls && one->falls && (before == NULL || one->first < before->last);
        before = one;
    }
    *monotone = rises || falls;
    return KITH_OK;
}

/* How many pairs would agree if the values were drawn from their range. */
static bool too_dense(const int64_t *value, uint32_t count)
{
    int64_t low = value[0], high = value[0];
    for (uint32_t i = 1; i < count; i++) {
        low = value[i] < low ? value[i] : low;
        high = value[i] > high ? value[i] : high;
    }
    double range = (double)high - (double)low + 1;
    return (double)count * (count - 1.0) / 2 / range >= MIN_REPEATS;
}

/* Numbers that were given out one by one, of patients, cases, customers: are the values of a column
 * that was read as strings whole numbers, none of which occurs twice, and regular? That is: they
 * rise or fall from row to row, or are so dense that some would occur twice if they were
 * measured, or all have the same number of digits, nine or more. At least twenty rows are needed to
 * tell; `n_cells` of them have a value. All ranks together; `n_rows` are here. */
static kith_status look_for_serial(bool *serial, const column *col, uint32_t n_rows,
                                   uint32_t n_cells, context *c, kith_error *error)
{
    const dictionary *d = &col->values;
    *serial = false;
    if (d->count < MIN_ROWS || n_cells != d->count) /* some value occurs twice */
        return KITH_OK;
    int64_t *value = TRY_ARRAY(value, c->memory, d->count, error);
    bool whole = true, long_codes = dictionary_length(d, 0) >= LONG_DIGITS;
    for (uint32_t i = 0; i < d->count && whole; i++) {
        whole = text_integer(dictionary_text(d, i), dictionary_length(d, i), &value[i]);
        long_codes = long_codes && dictionary_length(d, i) == dictionary_length(d, 0);
    }
    *serial = whole && (too_dense(value, d->count) || long_codes);
    kith_status status = KITH_OK;
    if (whole && !*serial) {
        const run_of_numbers own = find_run(col, n_rows, value);
        status = look_at_order(serial, &own, c, error);
    }
    arena_release(c->memory, value, d->count * sizeof *value);
    return status;
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
    TRY(look_for_serial(&p->serial, col, table->n_rows, p->n_rows - p->missing, c, error));
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
