/* From Parquet to a verified release in Parquet, beside anonymizing the same table in memory, which
 * verifies its release, too: weave, quick, 1,000,000 rows of the profile adult by default.
 *
 * Both by turns, REPEATS times; prints the medians of the seconds that passed and of those that
 * all processors worked, and their ratios. The same for CSV. Needs DuckDB's library (make duckdb;
 * KITH_DUCKDB). Usage: bench_parquet [ROWS [REPEATS]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "core/system/remove_tree.h"

enum { MOST_REPEATS = 9 };

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the repeats of one way took. */
typedef struct cost {
    double passed[MOST_REPEATS], processor[MOST_REPEATS];
} cost;

static void begin(cost *c, int i)
{
    c->passed[i] = -seconds_of(CLOCK_MONOTONIC);
    c->processor[i] = -seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void end(cost *c, int i)
{
    c->passed[i] += seconds_of(CLOCK_MONOTONIC);
    c->processor[i] += seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void need(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_parquet: %s\n", error->message);
    exit(5);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    return seconds[count / 2];
}

static const kith_column_spec columns[] = {{.name = "age", .type = KITH_TYPE_INTEGER},
                                           {.name = "workclass"},
                                           {.name = "education"},
                                           {.name = "marital-status"},
                                           {.name = "race"},
                                           {.name = "sex"},
                                           {.name = "hours-per-week", .type = KITH_TYPE_INTEGER},
                                           {.name = "native-country"},
                                           {.name = "salary-class"},
                                           {.name = "occupation"}};

/* With the types that the study gives. */
static kith_table *read_data(const char *path)
{
    kith_error error = {0};
    kith_table *table;
    const kith_table_options wanted = KITH_OPTIONS(kith_table_options, .columns = columns,
                                                   .n_columns = sizeof columns / sizeof *columns);
    need(kith_table_read(&table, path, &wanted, NULL, &error), &error);
    return table;
}

/* The data as CSV and, with its numbers as such, as Parquet; the study with less effort. */
static kith_study *prepare(uint64_t n_rows)
{
    kith_error error = {0};
    kith_study *study;
    const kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 1);
    const kith_generate_options options = KITH_OPTIONS(kith_generate_options, .profile = "adult",
                                                       .n_rows = n_rows, .output = "data.csv");
    need(kith_generate(NULL, &options, &run, &error), &error);
    FILE *file = fopen("data.study.yaml", "a");
    if (file == NULL || fputs("\nalgorithm: weave\neffort: quick\n", file) < 0 || fclose(file) != 0)
        exit(5);
    need(kith_study_read(&study, "data.study.yaml", NULL, &error), &error);
    kith_table *table = read_data("data.csv");
    need(kith_table_write(table, "data.parquet", NULL, &error), &error);
    kith_table_free(table);
    return study;
}

static void in_memory(cost *c, int i, const kith_study *study, const kith_table *table)
{
    kith_error error = {0};
    kith_table *release;
    const kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 1);
    begin(c, i);
    need(kith_anonymize_table(&release, NULL, study, table, &run, &error), &error);
    end(c, i);
    kith_table_free(release);
}

static void by_files(cost *c, int i, const kith_study *study, const char *input, const char *output)
{
    kith_error error = {0};
    const kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 1);
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(input), .output = output,
                     .overwrite = true);
    begin(c, i);
    need(kith_anonymize(NULL, study, &options, &run, &error), &error);
    end(c, i);
}

static void show(const char *what, cost *c, cost *base, int repeats)
{
    const double passed = median(c->passed, repeats), processor = median(c->processor, repeats);
    printf("%-44s %8.2f s passed, times %.2f; %8.2f s of processors, times %.2f\n", what, passed,
           passed / median(base->passed, repeats), processor,
           processor / median(base->processor, repeats));
}

int main(int argc, char **argv)
{
    const uint64_t n_rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    const int asked = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 3;
    const int repeats = asked < 1 ? 1 : asked > MOST_REPEATS ? MOST_REPEATS : asked;
    cost alone, parquet, csv;
    char directory[] = "/tmp/kith-bench-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        return 5;
    kith_study *study = prepare(n_rows);
    for (int i = 0; i < repeats; i++) {
        kith_table *table = read_data("data.parquet");
        in_memory(&alone, i, study, table);
        kith_table_free(table);
        by_files(&parquet, i, study, "data.parquet", "release.parquet");
        by_files(&csv, i, study, "data.csv", "release.csv");
    }
    printf("%llu rows x 10 columns, medians of %d\n", (unsigned long long)n_rows, repeats);
    show("in memory", &alone, &alone, repeats);
    show("from Parquet to Parquet (goal: times 1.30)", &parquet, &alone, repeats);
    show("from CSV to CSV", &csv, &alone, repeats);
    kith_study_free(study);
    remove_tree(directory);
    return 0;
}
