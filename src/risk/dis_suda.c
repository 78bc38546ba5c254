#include "risk/dis_suda.h"

#include <math.h>

#include "core/check.h"

void dis_suda_assess(dis_suda *result, double *scores, const double *suda, uint32_t n_rows,
                     const dis_suda_file *file)
{
    ASSERT(file->fraction > 0 && file->fraction <= 1);
    const double p = file->fraction, q = 1 + (8.0 - file->n_columns) / 20;
    const double uniques = file->n_singles * p, pairs = file->n_in_pairs * (1 - p);
    const double odds = pairs / p; /* U / DIS - U */
    double all = 0, sum = 0;
    *result = (dis_suda){.dis = file->n_singles > 0 ? uniques / (uniques + pairs) : 0};
    for (uint32_t i = 0; i < n_rows; i++)
        all += suda[i] > 0 ? pow(suda[i], -q) : 0;
    for (uint32_t i = 0; i < n_rows; i++) {
        scores[i] = suda[i] > 0 ? 1 / (1 + odds / (pow(suda[i], q) * all)) : 0;
        result->highest = fmax(result->highest, scores[i]);
        sum += scores[i];
    }
    result->mean = n_rows > 0 ? sum / n_rows : 0;
}
