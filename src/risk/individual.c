#include "risk/individual.h"

#include <math.h>

#include "core/error.h"
#include "core/exact_sum.h"

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

kith_status individual_assess(individual_report *report, const individual_task *task, arena *memory,
                              kith_error *error)
{
    enum { RECORDS, ABOVE, COUNTS };
    uint64_t counts[COUNTS] = {[RECORDS] = task->n_records};
    exact_sum expected = {0};
    *report = (individual_report){0};
    /* The weights of each class are added up in the order of its records. */
    double *sums = TRY_ZEROS(sums, memory, task->n_classes, error);
    for (uint32_t i = 0; i < task->n_records; i++)
        sums[task->class_of[i]] +=
            task->weights == NULL ? task->weight : task->weights[task->weight_of[i]];
    for (uint32_t class = 0; class < task->n_classes; class ++) {
        const uint32_t size = task->sizes[class];
        if (class == task->left_out)
            continue;
        const double risk = individual_risk(size, size / sums[class]);
        report->highest = fmax(report->highest, risk);
        exact_sum_add(&expected, (long double)size * risk);
        counts[ABOVE] += risk > task->threshold ? size : 0;
    }
    TRY(ranks_largest(task->ranks, &report->highest, 1, memory, error));
    TRY(ranks_sum(task->ranks, counts, COUNTS, error));
    TRY(ranks_sum(task->ranks, expected.limb, EXACT_SUM_LIMBS, error));
    report->n_above = counts[ABOVE];
    report->expected = (double)exact_sum_value(&expected);
    report->mean = counts[RECORDS] > 0 ? report->expected / (double)counts[RECORDS] : 0;
    return KITH_OK;
}
