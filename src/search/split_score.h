/* How good it is to split a set of records: what the split keeps per bit of fragmentation. */
#ifndef SEARCH_SPLIT_SCORE_H
#define SEARCH_SPLIT_SCORE_H

#include <math.h>

/* For a split that keeps so much cost per record and fragments the set by so many bits. A small
 * number of bits is added, so that splits that fragment nothing have a finite score. */
static inline double split_score(double kept, double bits)
{
    return kept / pow(fmax(bits, 0) + 0.001, 0.3);
}

#endif
