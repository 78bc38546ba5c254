/* Ambiguity metric (SEQ eq. 4): how many original records a released one may stand for, on average.
 * A cell that was above the leaves in the original was ambiguous before: the number of values that
 * it covered then is divided out. */
#include <float.h>
#include <math.h>

#include "measure/losses.h"

void am_add(exact_sum *sum, const loss_input *in)
{
    for (uint32_t i = 0; i < in->n_records; i++) {
        const uint32_t class = in->class_of[i];
        long double product = 1; /* original records that this one may stand for */
        for (uint32_t j = 0; j < in->n_attributes; j++) {
            const loss_column *column = &in->column[j];
            uint32_t node = class == LOSS_SUPPRESSED
                                ? tree_root(column->tree)
                                : in->closure[(size_t) class * in->n_attributes + j];
            product *= (long double)tree_size(column->tree, node) /
                       (long double)tree_size(column->tree, column->cells[i]);
        }
        exact_sum_add(sum, product);
    }
}

double am_mean(const exact_sum *sum, uint64_t n_records)
{
    const long double mean = n_records > 0 ? exact_sum_value(sum) / (long double)n_records : 0;
    return mean < DBL_MAX ? (double)mean : NAN; /* more than a number can tell */
}
