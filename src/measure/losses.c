/* Measures of whole releases. */
#include "measure/losses.h"

#include <float.h>
#include <math.h>

/* Ambiguity metric (SEQ eq. 4): how many original records a released one may stand for, on average.
 * A cell that was above the leaves in the original was ambiguous before: the number of values that
 * it covered then is divided out. */
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

/* ARX puts attributes together by the geometric mean of (share + 1), minus 1. */
double arx_loss_aggregate(const loss_cells *attributes, uint32_t n_attributes)
{
    double sum = 0;
    for (uint32_t j = 0; j < n_attributes; j++)
        sum += log1p(attributes[j].arx);
    return n_attributes > 0 ? expm1(sum / n_attributes) : 0;
}
