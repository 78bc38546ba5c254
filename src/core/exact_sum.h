/* Sums of numbers that do not depend on the order of the summands, nor on how they are divided:
 * every bit is kept. */
#ifndef CORE_EXACT_SUM_H
#define CORE_EXACT_SUM_H

#include <stdint.h>

enum { EXACT_SUM_LIMBS = 36 };

/* Digits of 32 bits with room for 2^32 carries each; the first two stand behind the point. Those of
 * several sums may be added up one by one. */
typedef struct exact_sum {
    uint64_t limb[EXACT_SUM_LIMBS];
    uint64_t too_large; /* summands that no double can tell */
} exact_sum;

/* Adds a number that is not negative, up to 2^32 times; bits below 2^-64 are cut off. */
void exact_sum_add(exact_sum *sum, long double value);
void exact_sum_merge(exact_sum *to, const exact_sum *part);
/* Infinite if a summand was too large. */
long double exact_sum_value(const exact_sum *sum);

#endif
