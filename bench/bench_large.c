/* Large inputs: a column of millions of distinct values with a mask or intervals, a hierarchy file
 * of a million leaves, hundreds of quasi-identifiers.
 *
 * Each case is anonymized from file to verified release in a process of its own, whose processor
 * time and peak memory are compared with those of merely reading the same file in the same run.
 * Usage: bench_large [VALUES [LEAVES [COLUMNS]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kith/kith.h>

#include "core/rng.h"

enum { LEAF_ROWS = 20000, WIDE_ROWS = 2000 };

typedef struct sizes {
    uint32_t n_values, n_leaves, n_columns;
} sizes;

typedef struct cost {
    double seconds, megabytes;
} cost;

static FILE *create(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(5);
    }
    return file;
}

static void finish(FILE *file)
{
    if (fclose(file) != 0) {
        perror("bench_large");
        exit(5);
    }
}

/* Distinct numbers of eight digits: multiplying by an odd number permutes residues, here those
 * below 2^26. */
static void write_values(uint32_t n_values)
{
    FILE *file = create("values.csv");
    fprintf(file, "number,sex,disease\n");
    for (uint32_t i = 0; i < n_values; i++) {
        const uint32_t number = 10000000 + (uint32_t)(((uint64_t)i * 40503029) % (1U << 26));
        fprintf(file, "%u,%c,%c\n", number, "fm"[i % 2], "abcdef"[i % 6]);
    }
    finish(file);
}

static void write_leaves(uint32_t n_leaves)
{
    rng r;
    FILE *file = create("leaves.csv");
    rng_init(&r, 1, 0);
    for (uint32_t i = 0; i < n_leaves; i++)
        fprintf(file, "v%07u;g%u;h%u;*\n", i, i / 10, i / 1000);
    finish(file);
    file = create("codes.csv");
    fprintf(file, "code,sex,disease\n");
    for (uint32_t i = 0; i < LEAF_ROWS; i++)
        fprintf(file, "v%07u,%c,%c\n", rng_below(&r, n_leaves), "fm"[i % 2], "abcdef"[i % 6]);
    finish(file);
}

static void write_wide(uint32_t n_columns)
{
    rng r;
    FILE *file = create("wide.csv");
    rng_init(&r, 1, 0);
    for (uint32_t j = 0; j < n_columns; j++)
        fprintf(file, "q%u,", j);
    fprintf(file, "disease\n");
    for (uint32_t i = 0; i < WIDE_ROWS; i++) {
        for (uint32_t j = 0; j < n_columns; j++)
            fprintf(file, "%u,", rng_below(&r, 10));
        fprintf(file, "%c\n", "abcdef"[rng_below(&r, 6)]);
    }
    finish(file);
}

static void write_study(const char *path, const char *columns)
{
    FILE *file = create(path);
    fprintf(file,
            "study: large\ncolumns:\n%s"
            "  - {name: disease, role: sensitive}\n"
            "privacy:\n  - {model: k-anonymity, k: 5}\n",
            columns);
    finish(file);
}

static void write_studies(uint32_t n_columns)
{
#define SEX "  - {name: sex, role: quasi-identifying}\n"
    write_study("mask.yaml",
                "  - {name: number, role: quasi-identifying, hierarchy: {mask: right}}\n" SEX);
    write_study("intervals.yaml", "  - {name: number, role: quasi-identifying, type: integer, "
                                  "hierarchy: {intervals: [10, 100, 1000, 10000, 100000]}}\n" SEX);
    write_study("leaves.yaml", "  - {name: code, role: quasi-identifying, "
                               "hierarchy: {file: leaves.csv, separator: \";\"}}\n" SEX);
    char *columns = malloc(64 * (size_t)n_columns + 1);
    size_t used = 0;
    for (uint32_t j = 0; columns != NULL && j < n_columns; j++)
        used += (size_t)sprintf(columns + used, "  - {name: q%u, role: quasi-identifying}\n", j);
    write_study("wide.yaml", columns == NULL ? "" : columns);
    free(columns);
}

static kith_status read_table(const char *data, kith_error *error)
{
    kith_table *table;
    kith_status status = kith_table_read(&table, data, NULL, NULL, error);
    if (status == KITH_OK)
        kith_table_free(table);
    return status;
}

static kith_status anonymize(const char *study_path, const char *data, kith_error *error)
{
    kith_study *study;
    kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 1);
    kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(data), .output = "release.csv",
                     .overwrite = true);
    kith_status status = kith_study_read(&study, study_path, NULL, error);
    if (status != KITH_OK)
        return status;
    status = kith_anonymize(NULL, study, &options, &run, error);
    kith_study_free(study);
    return status;
}

/* What a child costs that anonymizes the data, or, without a study, only reads it. */
static cost measure(const char *study, const char *data)
{
    struct rusage used;
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        kith_error error = {0};
        if ((study == NULL ? read_table(data, &error) : anonymize(study, data, &error)) == KITH_OK)
            _exit(0);
        fprintf(stderr, "bench_large: %s\n", error.message);
        _exit(1);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0)
        exit(1);
    return (cost){(double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                      1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec),
                  (double)used.ru_maxrss / 1024};
}

/* `large` is the file that is merely read: the data, or the hierarchy if that is what is large. */
static void compare(const char *name, const char *study, const char *data, const char *large)
{
    const cost read = measure(NULL, large), whole = measure(study, data);
    printf("%-34s %8.2f s %7.0f MB   reading %6.2f s %6.0f MB   times %5.1f and %4.1f\n", name,
           whole.seconds, whole.megabytes, read.seconds, read.megabytes,
           whole.seconds / read.seconds, whole.megabytes / read.megabytes);
}

static uint32_t number(int argc, char **argv, int at, uint32_t otherwise)
{
    return argc > at ? (uint32_t)strtoul(argv[at], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    const sizes n = {number(argc, argv, 1, 1000000), number(argc, argv, 2, 1000000),
                     number(argc, argv, 3, 500)};
    char directory[] = "/tmp/kith-bench-XXXXXX", label[64];
    static const char *const files[] = {
        "values.csv",     "leaves.csv",  "codes.csv", "wide.csv",    "mask.yaml",
        "intervals.yaml", "leaves.yaml", "wide.yaml", "release.csv", "release.csv.meta.json"};
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        return 5;
    write_values(n.n_values);
    write_leaves(n.n_leaves);
    write_wide(n.n_columns);
    write_studies(n.n_columns);
    printf("processor time of all threads, peak memory\n");
    snprintf(label, sizeof label, "%u values, mask", n.n_values);
    compare(label, "mask.yaml", "values.csv", "values.csv");
    snprintf(label, sizeof label, "%u values, intervals", n.n_values);
    compare(label, "intervals.yaml", "values.csv", "values.csv");
    snprintf(label, sizeof label, "%u leaves, %u rows", n.n_leaves, (unsigned)LEAF_ROWS);
    compare(label, "leaves.yaml", "codes.csv", "leaves.csv");
    snprintf(label, sizeof label, "%u columns, %u rows", n.n_columns, (unsigned)WIDE_ROWS);
    compare(label, "wide.yaml", "wide.csv", "wide.csv");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    if (chdir("/tmp") == 0)
        rmdir(directory);
    return 0;
}
