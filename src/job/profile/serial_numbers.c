#include "job/profile/serial_numbers.h"

#include "core/error.h"
#include "core/text.h"

enum { MIN_ROWS = 20, LONG_DIGITS = 9 };

/* The chance that so many draws do not repeat is below e^-5, less than one in a hundred. */
static const double MIN_REPEATS = 5;

kith_status serial_numbers_monotone(bool *monotone, const void *table, const column *c,
                                    const int64_t *value, kith_error *error)
{
    const uint32_t n_rows = ((const kith_table *)table)->n_rows;
    bool rises = true, falls = true, first = true;
    int64_t before = 0;
    (void)error;
    for (uint32_t row = 0; row < n_rows && (rises || falls); row++) {
        if (c->codes[row] == TABLE_MISSING)
            continue;
        int64_t now = value[c->codes[row]];
        rises = rises && (first || now > before);
        falls = falls && (first || now < before);
        before = now;
        first = false;
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

static bool long_codes(const dictionary *d)
{
    uint32_t length = dictionary_length(d, 0);
    for (uint32_t i = 1; i < d->count; i++)
        if (dictionary_length(d, i) != length)
            return false;
    return length >= LONG_DIGITS;
}

kith_status serial_numbers_look(bool *serial, const column *c, uint32_t n_cells,
                                const serial_order *order, arena *memory, kith_error *error)
{
    const dictionary *d = &c->values;
    *serial = false;
    if (d->count < MIN_ROWS)
        return KITH_OK;
    if (n_cells != d->count)
        return KITH_OK; /* some value occurs twice */
    int64_t *value = TRY_ALLOC(arena_array(memory, d->count, sizeof *value), error);
    bool whole = true;
    for (uint32_t i = 0; i < d->count && whole; i++)
        whole = text_integer(dictionary_text(d, i), dictionary_length(d, i), &value[i]);
    *serial = whole && (too_dense(value, d->count) || long_codes(d));
    kith_status status = KITH_OK;
    if (whole && !*serial)
        status = order->monotone(serial, order->rows, c, value, error);
    arena_release(memory, value, d->count * sizeof *value);
    return status;
}
