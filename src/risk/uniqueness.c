#include "risk/uniqueness.h"

#include <math.h>
#include <stdbool.h>

/* Up to this share of the population the rule of Dankar et al. takes Pitman's model. */
static const double small_share = 0.1;

/* The chance that a class of x people has one record in the sample is hypergeometric,
 *     x (n / N) (1 - (n - 1) / (N - 1)) … (1 - (n - 1) / (N - x + 1)),
 * and Bayes' rule asks how likely x = 1 was. */
double uniqueness_zayatz_chance(const class_sizes *s, double population)
{
    const double n = (double)s->n_records;
    double product = 1, sum = 0;
    uint32_t x = 1;
    if (s->n_singles == 0)
        return 0;
    for (uint32_t i = 0; i < s->count; i++) {
        for (; x < s->sizes[i]; x++)
            product *= fmax(0, 1 - (n - 1) / (population - x));
        sum += s->n_classes[i] * x * product;
    }
    return s->n_singles / sum;
}

/* --- Pitman --- */

enum { STEPS = 80 };

/* The parameters are looked for in these bounds; theta + alpha by its logarithm. */
static const double min_alpha = 1e-6, max_alpha = 1 - 1e-6;
static const double min_log = -14, max_log = 26;

double pitman_log_likelihood(const class_sizes *s, double alpha, double theta)
{
    const double n = (double)s->n_records, u = s->n_all;
    /* sum of log(theta + i alpha), i < u, minus that of log(theta + i), i < n, both from 1 on */
    double sum = (u - 1) * log(alpha) + lgamma(theta / alpha + u) - lgamma(theta / alpha + 1);
    sum -= lgamma(theta + n) - lgamma(theta + 1);
    for (uint32_t i = 0; i < s->count; i++) /* and log(j - alpha), j < size, for every class */
        sum += s->n_classes[i] * (lgamma(s->sizes[i] - alpha) - lgamma(1 - alpha));
    return sum;
}

/* What is to be maximized, of one variable. */
typedef struct profile {
    const class_sizes *s;
    double alpha;
} profile;

static double by_theta(const profile *p, double logarithm)
{
    return pitman_log_likelihood(p->s, p->alpha, exp(logarithm) - p->alpha);
}

/* Golden section: the place of the largest value between low and high. */
static double maximize(double (*value)(const profile *p, double at), const profile *p, double low,
                       double high)
{
    const double ratio = (sqrt(5) - 1) / 2;
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = value(p, left), at_right = value(p, right);
    for (int i = 0; i < STEPS; i++)
        if (at_left < at_right) {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = value(p, right);
        } else {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = value(p, left);
        }
    return (low + high) / 2;
}

static double best_theta(const profile *p)
{
    return exp(maximize(by_theta, p, min_log, max_log)) - p->alpha;
}

/* The largest likelihood that any theta gives. */
static double by_alpha(const profile *p, double alpha)
{
    const profile fixed = {p->s, alpha};
    return pitman_log_likelihood(p->s, alpha, best_theta(&fixed));
}

pitman_fit pitman_estimate(const class_sizes *s)
{
    const profile free_alpha = {s, 0};
    if (s->n_all < 2 || s->n_singles == s->n_records)
        return (pitman_fit){NAN, NAN};
    const double alpha = maximize(by_alpha, &free_alpha, min_alpha, max_alpha);
    const profile fixed = {s, alpha};
    const double theta = best_theta(&fixed);
    if (alpha > max_alpha - 1e-6 || log(theta + alpha) > max_log - 1e-3)
        return (pitman_fit){NAN, NAN};
    return (pitman_fit){alpha, theta};
}

/* N Γ(θ+1) Γ(θ+α+N-1) / (Γ(θ+α) Γ(θ+N)), of which Hoshino has the limit N^α Γ(θ+1) / Γ(θ+α). */
double pitman_uniques(pitman_fit fit, double population)
{
    if (isnan(fit.alpha))
        return NAN;
    const double a = fit.alpha, t = fit.theta;
    return exp(log(population) + lgamma(t + 1) - lgamma(t + a) + lgamma(t + a + population - 1) -
               lgamma(t + population));
}

/* --- slide negative binomial --- */

/* Sizes of classes are 1 + a negative binomial number with shape a and mean m. A record is in the
 * sample with probability p. With r = a / (a + m p), a class is
 *     not in the sample with probability       (1 - p) r^a,
 *     there with one record with probability   p r^a (1 + (1 - p) a m / (a + m p)),
 * and unique in the population with probability (a / (a + m))^a. There are N / (1 + m) classes. */
typedef struct shape {
    double n, p, a;
} shape;

static double expected_classes(const shape *s, double m)
{
    return s->n / (1 + m) * (1 - (1 - s->p) * exp(-s->a * log1p(m * s->p / s->a)));
}

static double expected_singles(const shape *s, double m)
{
    return s->n / (1 + m) * s->p * exp(-s->a * log1p(m * s->p / s->a)) *
           (1 + (1 - s->p) * s->a * m / (s->a + m * s->p));
}

/* The mean that gives so many classes; their expected number falls as the mean grows. */
static double find_mean(const shape *s, double n_classes)
{
    double low = 0, high = s->n;
    for (int i = 0; i < 120; i++) {
        const double middle = (low + high) / 2;
        if (expected_classes(s, middle) > n_classes)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* How many singles too many there would be with this shape and the right number of classes. */
static double excess(shape *s, double log_a, const class_sizes *sample)
{
    s->a = exp(log_a);
    return expected_singles(s, find_mean(s, sample->n_all)) - sample->n_singles;
}

/* Finds the shape that gives the right number of singles too, between two that give too few and too
 * many. */
static double bisect(shape *s, double low, double high, const class_sizes *sample)
{
    const bool below = excess(s, low, sample) < 0;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if ((excess(s, middle, sample) < 0) == below)
            low = middle;
        else
            high = middle;
    }
    return exp(low);
}

double slide_binomial_uniques(const class_sizes *sample, double population)
{
    shape s = {population, (double)sample->n_records / population, 1};
    const double first = -12, last = 12, step = 0.25; /* logarithms of shapes */
    if (sample->n_all == sample->n_records)
        return NAN; /* all records are unique: every shape fits */
    const bool below = excess(&s, first, sample) < 0;
    double low = first;
    while (low < last && (excess(&s, low + step, sample) < 0) == below)
        low += step;
    if (low >= last)
        return NAN;
    s.a = bisect(&s, low, low + step, sample);
    const double m = find_mean(&s, sample->n_all);
    return population / (1 + m) * exp(-s.a * log1p(m / s.a));
}

/* --- all of them --- */

static bool usable(double estimate)
{
    return isfinite(estimate) && estimate > 0;
}

void uniqueness_estimate(uniqueness *u, const class_sizes *s, double population)
{
    *u = (uniqueness){.dankar_took = "zayatz"};
    if (s->n_singles == 0)
        return; /* no person is unique in the sample, so no model sees a unique one */
    const double share = (double)s->n_records / population;
    /* So many of the sample's uniques are unique in the population; it has n / N of those. */
    u->zayatz =
        uniqueness_zayatz_chance(s, population) * s->n_singles * population / (double)s->n_records;
    if (share >= 1) { /* the sample is the population */
        u->pitman = u->snb = u->zayatz = s->n_singles;
    } else {
        u->pitman = pitman_uniques(pitman_estimate(s), population);
        u->snb = slide_binomial_uniques(s, population);
    }
    u->dankar = u->zayatz;
    u->dankar_took = "zayatz";
    if (share <= small_share && usable(u->pitman)) {
        u->dankar = u->pitman;
        u->dankar_took = "pitman";
    } else if (share > small_share && usable(u->snb) && u->snb <= u->zayatz) {
        u->dankar = u->snb;
        u->dankar_took = "snb";
    }
}
