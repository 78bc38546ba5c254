#include "job/profile/serial_numbers.h"

#include "core/error.h"
#include "core/text.h"

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
    const uint32_t n_ranks = crew_size(c->crew);
    bool rises = true, falls = true;
    const run_of_numbers *before = NULL;
    crew_bytes *all = TRY_ALLOC(arena_array(c->memory, n_ranks, sizeof *all), error);
    TRY(crew_gather(c->crew, own, sizeof *own, all, c->memory, error));
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

kith_status serial_numbers_look(bool *serial, const column *col, uint32_t n_rows, uint32_t n_cells,
                                context *c, kith_error *error)
{
    const dictionary *d = &col->values;
    *serial = false;
    if (d->count < MIN_ROWS || n_cells != d->count) /* some value occurs twice */
        return KITH_OK;
    int64_t *value = TRY_ALLOC(arena_array(c->memory, d->count, sizeof *value), error);
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
