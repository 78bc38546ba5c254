#include "core/exact_sum.h"

#include <float.h>
#include <math.h>

void exact_sum_add(exact_sum *sum, long double value)
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
    /* The mantissa counts units of 2^(exponent - 64); it takes three digits. */
    const uint32_t at = (uint32_t)exponent / 32, shift = (uint32_t)exponent % 32;
    const uint64_t low = (mantissa & UINT32_MAX) << shift, high = (mantissa >> 32) << shift;
    sum->limb[at] += low & UINT32_MAX;
    sum->limb[at + 1] += (low >> 32) + (high & UINT32_MAX);
    sum->limb[at + 2] += high >> 32;
}

void exact_sum_merge(exact_sum *to, const exact_sum *part)
{
    for (uint32_t i = 0; i < EXACT_SUM_LIMBS; i++)
        to->limb[i] += part->limb[i];
    to->too_large += part->too_large;
}

long double exact_sum_value(const exact_sum *sum)
{
    uint64_t digit[EXACT_SUM_LIMBS], carry = 0;
    if (sum->too_large > 0)
        return HUGE_VALL;
    for (uint32_t i = 0; i < EXACT_SUM_LIMBS; i++) {
        digit[i] = (sum->limb[i] & UINT32_MAX) + (carry & UINT32_MAX);
        carry = (sum->limb[i] >> 32) + (carry >> 32) + (digit[i] >> 32);
        digit[i] &= UINT32_MAX;
    }
    long double total = (long double)carry;
    for (uint32_t i = EXACT_SUM_LIMBS; i-- > 0;)
        total = total * 0x1p32L + (long double)digit[i];
    return ldexpl(total, -64);
}
