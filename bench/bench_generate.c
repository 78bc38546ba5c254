/* Making synthetic data: 2,000,000 rows of every profile to /dev/null, on one thread.
 *
 * Prints rows and megabytes per second of processor time and, as the baseline of the same run, how
 * long it takes merely to draw as many random numbers as there are cells. Usage: bench_generate
 * [ROWS] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "core/rng.h"
#include "generate/generate.h"

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double draw_only(uint64_t numbers)
{
    rng r;
    rng_init(&r, 1, 0);
    double begun = cpu_seconds();
    uint64_t sum = 0;
    for (uint64_t i = 0; i < numbers; i++)
        sum += rng_next(&r);
    volatile uint64_t keep = sum; /* so that the loop is not dropped */
    (void)keep;
    return cpu_seconds() - begun;
}

int main(int argc, char **argv)
{
    uint64_t n_rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
    printf("%-10s %12s %8s %18s\n", "profile", "rows/s", "MB/s", "time / drawing");
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const profile *p = generate_profiles[i];
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
        kith_document *summary = NULL;
        kith_error error;
        double begun = cpu_seconds();
        if (kith_generate(&summary,
                          &(kith_generate_options)KITH_OPTIONS(
                              kith_generate_options, .profile = p->name, .n_rows = n_rows,
                              .output = "/dev/null", .overwrite = true),
                          &run, &error) != KITH_OK) {
            fprintf(stderr, "bench_generate: %s\n", error.message);
            return 5;
        }
        double taken = cpu_seconds() - begun;
        double bytes = kith_document_number(summary, "bytes", 0);
        double n_columns = kith_document_number(summary, "columns", 0);
        kith_document_free(summary);
        printf("%-10s %12.0f %8.0f %17.1fx\n", p->name, (double)n_rows / taken, bytes / taken / 1e6,
               taken / draw_only(n_rows * (uint64_t)n_columns));
    }
    return 0;
}
