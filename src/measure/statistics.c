#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "core/sort.h"

const double statistics_shares[STATISTICS_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

/* Two passes: the sum of squares alone would lose the digits of large numbers. */
static void moments(statistics *s, const counted_number *numbers, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i].number * (double)numbers[i].count;
    s->mean = sum / (double)s->n_records;
    for (size_t i = 0; i < count; i++) {
        const double off = numbers[i].number - s->mean;
        squares += off * off * (double)numbers[i].count;
    }
    s->deviation = s->n_records > 1 ? sqrt(squares / ((double)s->n_records - 1)) : NAN;
}

/* Equal numbers become one, so that it does not matter how they were counted. Returns how many are
 * left. */
static size_t merge_equal(counted_number *sorted, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (left > 0 && sorted[left - 1].number == sorted[i].number)
            sorted[left - 1].count += sorted[i].count;
        else
            sorted[left++] = sorted[i];
    return left;
}

void statistics_make(statistics *s, counted_number *numbers, size_t count)
{
    *s = (statistics){.mean = NAN, .deviation = NAN};
    for (size_t q = 0; q < STATISTICS_QUANTILES; q++)
        s->quantiles[q] = NAN;
    for (size_t i = 0; i < count; i++)
        s->n_records += numbers[i].count;
    if (s->n_records == 0)
        return;
    qsort(numbers, count, sizeof *numbers, sort_double);
    count = merge_equal(numbers, count);
    moments(s, numbers, count);
    uint64_t below = 0;
    size_t q = 0;
    for (size_t i = 0; i < count && q < STATISTICS_QUANTILES; i++) {
        below += numbers[i].count;
        while (q < STATISTICS_QUANTILES &&
               (double)below >= statistics_shares[q] * (double)s->n_records)
            s->quantiles[q++] = numbers[i].number;
    }
}
