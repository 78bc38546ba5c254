/* DIS-SUDA: scores of special uniques as chances that a match is the right person.
 *
 * Data intrusion simulation (DIS) takes the data for a sample of a share p of the population and
 * estimates how often a unique match of the data with another source is correct. Of U unique
 * records and P records that are in pairs,
 *
 *     DIS = U p / (U p + P (1 - p)).
 *
 * That is one number for the file; SUDA scores S > 0 of A columns share it out:
 *
 *     1 / (1 + (U / DIS - U) / (S^q F)),    F = sum of S^-q over all records with S > 0,
 *                                           q = 1 + (8 - A) / 20.
 *
 *   C. Skinner, M. Elliot, A measure of disclosure risk for microdata, Journal of the Royal
 *   Statistical Society B 64, 2002; M. Elliot, A. Manning, Using DIS to modify the classification
 *   of special uniques, 2003. The exponent is that of sdcMicro. */
#ifndef RISK_DIS_SUDA_H
#define RISK_DIS_SUDA_H

#include <stdint.h>

/* Of DIS, where the share of the population that the data has is not given: the default of
 * sdcMicro. */
#define DIS_SUDA_FRACTION 0.01

typedef struct dis_suda_file {
    uint32_t n_columns;  /* A */
    uint32_t n_singles;  /* U, by all columns */
    uint32_t n_in_pairs; /* P */
    double fraction;     /* p, above 0 and at most 1 */
} dis_suda_file;

typedef struct dis_suda {
    double dis;           /* of the file; 0 if no record is unique */
    double highest, mean; /* of the scores; the mean is over all records */
} dis_suda;

/* Fills scores[n_rows]; `suda` are the scores of special_uniques.h. */
void dis_suda_assess(dis_suda *result, double *scores, const double *suda, uint32_t n_rows,
                     const dis_suda_file *file);

#endif
