/* Sums of portions, which are numbers of 0 to 1: the sum depends neither on the order of the
 * summands nor on how they are divided among ranks. */
#ifndef CORE_PORTION_SUM_H
#define CORE_PORTION_SUM_H

#include <stdint.h>

/* Units of 2^-62, of which `low` counts single ones and `high` those of 2^32. Both are added up
 * modulo 2^64, so that what was added may be taken off again in any order. Two numbers without
 * padding: an array of sums is an array of twice as many numbers to ranks_sum. */
typedef struct portion_sum {
    uint64_t high, low;
} portion_sum;

/* Adds a portion several times; at most UINT32_MAX are there at the end. Bits below 2^-62 are cut
 * off. */
static inline void portion_sum_add(portion_sum *sum, double portion, uint32_t times)
{
    const uint64_t units = (uint64_t)(portion * 0x1p62);
    sum->high += (units >> 32) * times;
    sum->low += (units & UINT32_MAX) * times;
}

static inline void portion_sum_subtract(portion_sum *sum, double portion, uint32_t times)
{
    const uint64_t units = (uint64_t)(portion * 0x1p62);
    sum->high -= (units >> 32) * times;
    sum->low -= (units & UINT32_MAX) * times;
}

static inline void portion_sum_merge(portion_sum *to, const portion_sum *part)
{
    to->high += part->high;
    to->low += part->low;
}

static inline double portion_sum_value(const portion_sum *sum)
{
    const uint64_t high = sum->high + (sum->low >> 32), low = sum->low & UINT32_MAX;
    return (double)high * 0x1p-30 + (double)low * 0x1p-62;
}

#endif
