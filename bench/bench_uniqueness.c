/* How far the estimates of population uniqueness are from the truth, on synthetic populations of
 * 200,000 people of whom everything is known.
 *
 * Prints for every population and sampling share the people who are unique, and the mean error of
 * each model over ten samples in percent of the truth (+: too many). The baseline of the same run
 * is the naive estimate that the share of unique people is that of the sample. */
#include <stdio.h>

#include "risk/uniqueness.h"
#include "support/populations.h"

enum { PEOPLE = 200000, SAMPLES = 10, ESTIMATES = 5 };

static void print_errors(const char *name, people *p, rng *r)
{
    static const double shares[] = {0.01, 0.05, 0.1, 0.2, 0.5};
    arena *memory = arena_new();
    class_sizes all, sample;
    people_sample(&all, p, p->count, r, memory);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double errors[ESTIMATES] = {0};
        for (int k = 0; k < SAMPLES; k++) {
            uniqueness u;
            people_sample(&sample, p, (uint32_t)(shares[i] * p->count), r, memory);
            uniqueness_estimate(&u, &sample, p->count);
            const double naive = sample.n_singles / shares[i];
            const double found[ESTIMATES] = {naive, u.zayatz, u.pitman, u.snb, u.dankar};
            for (int e = 0; e < ESTIMATES; e++)
                errors[e] += 100 * (found[e] / all.n_singles - 1) / SAMPLES;
        }
        printf("%-22s %5.0f%% %8u", i == 0 ? name : "", 100 * shares[i], all.n_singles);
        for (int e = 0; e < ESTIMATES; e++)
            if (isnan(errors[e])) /* some sample does not fit the model */
                printf(" %9s", "-");
            else
                printf(" %+8.0f%%", errors[e]);
        putchar('\n');
    }
    arena_free(memory);
    people_free(p);
}

int main(void)
{
    static const uint32_t few[] = {80, 2, 50}, usual[] = {80, 2, 300, 12},
                          many[] = {100, 2, 1000, 30, 5};
    rng r;
    rng_init(&r, 1, 0);
    printf("%-22s %6s %8s %9s %9s %9s %9s %9s\n", "population", "share", "unique", "naive",
           "Zayatz", "Pitman", "SNB", "rule");
    people p = people_columns(PEOPLE, few, 3, 1, &r);
    print_errors("3 columns (80,2,50)", &p, &r);
    p = people_columns(PEOPLE, usual, 4, 1, &r);
    print_errors("4 (80,2,300,12)", &p, &r);
    p = people_columns(PEOPLE, many, 5, 0.7, &r);
    print_errors("5 (100,2,1000,30,5)", &p, &r);
    p = people_pitman(PEOPLE, 0.5, 100, &r);
    print_errors("Pitman 0.5, 100", &p, &r);
    p = people_slide(PEOPLE, 2, 6, &r);
    print_errors("slide, shape 2, mean 7", &p, &r);
    return 0;
}
