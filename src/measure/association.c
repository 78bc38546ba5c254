#include "measure/association.h"

#include <math.h>
#include <string.h>

enum { VALUE_BINS = ASSOCIATION_BINS - 1, MISSING_BIN = ASSOCIATION_BINS - 1 };

typedef struct margins {
    double rows[ASSOCIATION_BINS], columns[ASSOCIATION_BINS];
    double total;
    double n_rows, n_columns; /* bins that occur */
} margins;

static margins add_up(const contingency *t)
{
    margins m = {0};
    for (int i = 0; i < ASSOCIATION_BINS; i++)
        for (int j = 0; j < ASSOCIATION_BINS; j++) {
            m.rows[i] += t->counts[i][j];
            m.columns[j] += t->counts[i][j];
            m.total += t->counts[i][j];
        }
    for (int i = 0; i < ASSOCIATION_BINS; i++) {
        m.n_rows += m.rows[i] > 0;
        m.n_columns += m.columns[i] > 0;
    }
    return m;
}

double association_v(const contingency *t)
{
    const margins m = add_up(t);
    double phi = -1; /* chi-squared / n = sum of observed^2 / (row * column) - 1 */
    if (m.total <= 1 || m.n_rows < 2 || m.n_columns < 2)
        return 0;
    for (int i = 0; i < ASSOCIATION_BINS; i++)
        for (int j = 0; j < ASSOCIATION_BINS; j++)
            if (t->counts[i][j] > 0)
                phi += t->counts[i][j] * t->counts[i][j] / (m.rows[i] * m.columns[j]);
    phi -= (m.n_rows - 1) * (m.n_columns - 1) / (m.total - 1);
    const double rows = m.n_rows - (m.n_rows - 1) * (m.n_rows - 1) / (m.total - 1);
    const double columns = m.n_columns - (m.n_columns - 1) * (m.n_columns - 1) / (m.total - 1);
    const double least = fmin(rows, columns) - 1;
    return phi <= 0 || least <= 0 ? 0 : fmin(1, sqrt(phi / least));
}

/* A value goes where the middle of its records is, so that no bin is empty by rounding alone. */
static void equal_bins(uint8_t *bins, const uint64_t *counts, uint32_t n_values)
{
    double total = 0, below = 0;
    for (uint32_t i = 0; i < n_values; i++)
        total += (double)counts[i];
    for (uint32_t i = 0; i < n_values; i++) {
        const double middle = total > 0 ? (below + (double)counts[i] / 2) / total : 0;
        bins[i] = (uint8_t)fmin(VALUE_BINS - 1, VALUE_BINS * middle);
        below += (double)counts[i];
    }
}

static void frequent_bins(uint8_t *bins, const uint64_t *counts, uint32_t n_values)
{
    memset(bins, VALUE_BINS - 1, n_values);
    for (unsigned bin = 0; bin < VALUE_BINS - 1; bin++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < n_values; i++)
            if (bins[i] == VALUE_BINS - 1 && (best == UINT32_MAX || counts[i] > counts[best]))
                best = i;
        if (best != UINT32_MAX)
            bins[best] = (uint8_t)bin;
    }
}

void association_bins(uint8_t *bins, const uint64_t *counts, uint32_t n_values, bool ordered,
                      bool missing_last)
{
    const uint32_t known = n_values - (missing_last && n_values > 0);
    if (ordered)
        equal_bins(bins, counts, known);
    else
        frequent_bins(bins, counts, known);
    if (known < n_values)
        bins[known] = MISSING_BIN;
}
