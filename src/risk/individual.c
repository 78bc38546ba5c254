#include "risk/individual.h"

#include <math.h>
#include <string.h>

/* With q = 1 - p the risk is p G(f), where G(f) is the integral of (1 - u)^(f - 1) / (1 - q u) over
 * 0 … 1. G(1) = ln(1 / p) / q and G(f + 1) = (1 / f - p G(f)) / q, which loses digits where p > q;
 * there the series in q, whose n-th term is the one before times q n / (f + n), ends soon. */
double individual_risk(uint32_t f, double p)
{
    const double q = 1 - p;
    if (!(q > 0))
        return 1.0 / f;
    if (p > 0.5 || f > 1000) { /* for large f it ends soon, whatever q is */
        double term = 1.0 / f, sum = term;
        for (uint32_t n = 1; term > 1e-17 * sum && n < 100000; n++) {
            term *= q * n / (f + (double)n);
            sum += term;
        }
        return p * sum;
    }
    double g = -log(p) / q;
    for (uint32_t i = 1; i < f; i++)
        g = (1.0 / i - p * g) / q;
    return p * g;
}

void individual_assess(individual_report *report, const uint32_t *class_of, const uint32_t *sizes,
                       uint32_t n_records, uint32_t n_classes, uint32_t left_out,
                       const double *weights, double weight, double threshold, double *sums)
{
    *report = (individual_report){0};
    memset(sums, 0, n_classes * sizeof *sums);
    for (uint32_t i = 0; i < n_records; i++)
        sums[class_of[i]] += weights == NULL ? weight : weights[i];
    for (uint32_t class = 0; class < n_classes; class ++) {
        if (class == left_out)
            continue;
        const double risk = individual_risk(sizes[class], sizes[class] / sums[class]);
        report->highest = fmax(report->highest, risk);
        report->expected += sizes[class] * risk;
        report->n_above += risk > threshold ? sizes[class] : 0;
    }
    report->mean = n_records > 0 ? report->expected / n_records : 0;
}
