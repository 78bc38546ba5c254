#include <math.h>
#include <stdbool.h>

#include "risk/uniqueness.h"

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
