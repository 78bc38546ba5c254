/* Ambiguity metric (SEQ eq. 4): how many original records a released one may stand for, on average.
 * A cell that was above the leaves in the original was ambiguous before: the number of values that
 * it covered then is divided out. */
#include <float.h>
#include <math.h>

#include "measure/losses.h"

/* How many original records a released record may stand for. */
static long double product(const loss_input *in, uint32_t record)
{
    uint32_t class = in->class_of[record];
    long double all = 1;
    for (uint32_t j = 0; j < in->n_attributes; j++) {
        const loss_column *column = &in->column[j];
        uint32_t node = class == LOSS_SUPPRESSED
                            ? tree_root(column->tree)
                            : in->closure[(size_t) class * in->n_attributes + j];
        all *= (long double)tree_size(column->tree, node) /
               (long double)tree_size(column->tree, column->cells[record]);
    }
    return all;
}

/* Adds 64 bits to three digits; what is below 2^-64 is cut off. */
static void add_exactly(am_sum *sum, long double value)
{
    int exponent;
    if (value > DBL_MAX) {
        sum->too_large++;
        return;
    }
    const long double fraction = frexpl(value, &exponent); /* value = fraction * 2^exponent */
    if (value <= 0 || exponent <= -64)
        return;
    uint64_t mantissa = (uint64_t)ldexpl(fraction, 64);
    if (exponent < 0) {
        mantissa >>= -exponent;
        exponent = 0;
    }
    /* The mantissa counts units of 2^(exponent - 64). */
    const uint32_t at = (uint32_t)exponent / 32, shift = (uint32_t)exponent % 32;
    const uint64_t low = (mantissa & UINT32_MAX) << shift, high = (mantissa >> 32) << shift;
    sum->limb[at] += low & UINT32_MAX;
    sum->limb[at + 1] += (low >> 32) + (high & UINT32_MAX);
    sum->limb[at + 2] += high >> 32;
}

void am_add(am_sum *sum, const loss_input *in)
{
    for (uint32_t i = 0; i < in->n_records; i++)
        add_exactly(sum, product(in, i));
}

double am_mean(const am_sum *sum, uint64_t n_records)
{
    uint64_t digit[AM_LIMBS], carry = 0;
    if (sum->too_large > 0)
        return NAN;
    for (uint32_t i = 0; i < AM_LIMBS; i++) {
        digit[i] = (sum->limb[i] & UINT32_MAX) + (carry & UINT32_MAX);
        carry = (sum->limb[i] >> 32) + (carry >> 32) + (digit[i] >> 32);
        digit[i] &= UINT32_MAX;
    }
    long double total = (long double)carry;
    for (uint32_t i = AM_LIMBS; i-- > 0;)
        total = total * 0x1p32L + (long double)digit[i];
    total = n_records > 0 ? ldexpl(total, -64) / (long double)n_records : 0;
    return total < DBL_MAX ? (double)total : NAN; /* more than a number can tell */
}
