#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "core/sort.h"

const double statistics_shares[STATISTICS_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

void statistics_make(statistics *s, counted_number *numbers, size_t count)
{
    double sum = 0, squares = 0;
    *s = (statistics){.mean = NAN, .deviation = NAN};
    for (size_t q = 0; q < STATISTICS_QUANTILES; q++)
        s->quantiles[q] = NAN;
    for (size_t i = 0; i < count; i++)
        s->n_records += numbers[i].count;
    if (s->n_records == 0)
        return;
    qsort(numbers, count, sizeof *numbers, sort_double);
    /* Equal numbers become one, so that it does not matter how they were counted. */
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (left > 0 && numbers[left - 1].number == numbers[i].number)
            numbers[left - 1].count += numbers[i].count;
        else
            numbers[left++] = numbers[i];
    /* Two passes: the sum of squares alone would lose the digits of large numbers. */
    for (size_t i = 0; i < left; i++)
        sum += numbers[i].number * (double)numbers[i].count;
    s->mean = sum / (double)s->n_records;
    for (size_t i = 0; i < left; i++) {
        const double off = numbers[i].number - s->mean;
        squares += off * off * (double)numbers[i].count;
    }
    if (s->n_records > 1)
        s->deviation = sqrt(squares / ((double)s->n_records - 1));
    uint64_t below = 0;
    size_t q = 0;
    for (size_t i = 0; i < left && q < STATISTICS_QUANTILES; i++) {
        below += numbers[i].count;
        while (q < STATISTICS_QUANTILES &&
               (double)below >= statistics_shares[q] * (double)s->n_records)
            s->quantiles[q++] = numbers[i].number;
    }
}
