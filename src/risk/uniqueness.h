/* How many people of a population are unique in it, estimated from a sample.
 *
 * Someone who is unique in a sample may have a double in the population. An attacker who cannot
 * know whether a person is in the sample has found that person only if there is no double. The
 * models differ in what they assume about the sizes of classes in the population:
 *
 * Zayatz: the population has classes of the same sizes, in the same proportions, as the sample.
 *   L. Zayatz, Estimation of the percent of unique population elements on a microdata file using
 *   the sample, 1991.
 * Pitman: a random partition with two parameters (the Ewens-Pitman sampling formula), estimated by
 *   maximum likelihood.  N. Hoshino, Applying Pitman's sampling formula to microdata disclosure
 *   risk assessment, Journal of Official Statistics 17, 2001.
 * Slide negative binomial: sizes are 1 + a negative binomial number, estimated by moments.
 *   G. Chen, S. Keller-McNulty, Estimation of identification disclosure risk in microdata, Journal
 *   of Official Statistics 14, 1998.
 * Which of them is the most accurate depends on the share of the population that the sample has:
 *   F. Dankar, K. El Emam, A. Neisa, T. Roffey, Estimating the re-identification risk of clinical
 *   data sets, BMC Medical Informatics and Decision Making 12, 2012. */
#ifndef RISK_UNIQUENESS_H
#define RISK_UNIQUENESS_H

#include "risk/class_sizes.h"

/* Numbers of unique people in the population; NaN where a model does not fit the sample. */
typedef struct uniqueness {
    double zayatz, pitman, snb;
    double dankar;           /* one of them, chosen by the rule */
    const char *dankar_took; /* "pitman", "zayatz" or "snb" */
} uniqueness;

/* `population` is at least the number of records. */
void uniqueness_estimate(uniqueness *u, const class_sizes *s, double population);

/* Of a sample record that is unique in the sample: the probability that it is unique in the
 * population, by Zayatz. */
double uniqueness_zayatz_chance(const class_sizes *s, double population);

/* The two parameters that give the expected numbers of classes and of singles
 * that the sample has, and what follows from them. */
double slide_binomial_uniques(const class_sizes *s, double population);

typedef struct pitman_fit {
    double alpha, theta; /* NaN if the likelihood has no maximum */
} pitman_fit;
pitman_fit pitman_estimate(const class_sizes *s);
/* Up to a constant; 0 < alpha < 1, theta > -alpha. */
double pitman_log_likelihood(const class_sizes *s, double alpha, double theta);
/* Expected number of unique people among `population`. */
double pitman_uniques(pitman_fit fit, double population);

#endif
