#include <math.h>

#include "risk/uniqueness.h"

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
