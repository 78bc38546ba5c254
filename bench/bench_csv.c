/* Reading CSV: 1,000,000 rows x 10 columns of text and numbers into codes.
 *
 * Prints megabytes per second of processor time on one core, the resident memory per row beyond the
 * dictionaries, and, as the baseline of the same run, a loop over memchr that only finds the line
 * ends of the same file. Usage: bench_csv [ROWS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <malloc.h>

#include "core/rng.h"
#include "table/table.h"

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double resident_bytes(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &pages, &resident) != 2)
        exit(5);
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* A patient register: an identifier of its own for every row, dates, codes and a few words. */
static void generate(FILE *file, unsigned n_rows)
{
    static const char *const jobs[] = {"nurse",    "farmer", "teacher", "clerk, part time",
                                       "engineer", "driver", "cook"};
    static const char *const regions[] = {"Nordrhein-Westfalen", "Bayern", "Saarland", "Hessen"};
    rng r;
    rng_init(&r, 1, 0);
    fprintf(file, "id,age,sex,zip,job,admitted,region,diagnosis,weight,cost\n");
    for (unsigned i = 0; i < n_rows; i++) {
        const char *job = jobs[rng_below(&r, 7)];
        const char *quote = strchr(job, ',') != NULL ? "\"" : "";
        fprintf(file, "P%07u,%u,%s,%05u,%s%s%s,20%02u-%02u-%02u,%s,%c%02u.%u,%u.%u,%u\n", i,
                rng_below(&r, 100), rng_below(&r, 2) != 0 ? "female" : "male",
                rng_below(&r, 8000) * 12 + 1000, quote, job, quote, rng_below(&r, 25),
                1 + rng_below(&r, 12), 1 + rng_below(&r, 28), regions[rng_below(&r, 4)],
                'A' + (char)rng_below(&r, 26), rng_below(&r, 100), rng_below(&r, 10),
                40 + rng_below(&r, 80), rng_below(&r, 10), 100 + rng_below(&r, 20000));
    }
}

static double dictionary_bytes(const kith_table *table)
{
    double bytes = 0;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const dictionary *d = &table->columns[i].values;
        bytes += (double)d->offsets[d->count] + 8.0 * (d->count + 1.0);
    }
    return bytes;
}

static double read_once(const char *path, double size, bool *good)
{
    kith_table *table;
    kith_error error;
    double before = resident_bytes(), start = cpu_seconds();
    *good = kith_table_read(&table, path, NULL, NULL, &error) == KITH_OK;
    if (!*good) {
        fprintf(stderr, "%s\n", error.message);
        return 0;
    }
    double seconds = cpu_seconds() - start;
    double grown = resident_bytes() - before, texts = dictionary_bytes(table);
    printf("kith_table_read  %7.1f MB/s  %.3f s   %.1f bytes/row resident, %.1f of them "
           "dictionaries, %.1f beyond\n",
           size / seconds / 1e6, seconds, grown / table->n_rows, texts / table->n_rows,
           (grown - texts) / table->n_rows);
    kith_table_free(table);
    malloc_trim(0);
    return seconds;
}

static double scan_once(const char *path, double size)
{
    static char buffer[1 << 18];
    FILE *file = fopen(path, "r");
    double start = cpu_seconds();
    size_t n_lines = 0, got;
    setvbuf(file, NULL, _IONBF, 0);
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        for (char *s = buffer; (s = memchr(s, '\n', (size_t)(buffer + got - s))) != NULL; s++)
            n_lines++;
    double seconds = cpu_seconds() - start;
    fclose(file);
    printf("line scan        %7.1f MB/s  %.3f s   (%zu lines)\n", size / seconds / 1e6, seconds,
           n_lines);
    return seconds;
}

int main(int argc, char **argv)
{
    unsigned n_rows = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000000;
    char path[] = "/tmp/kith-bench-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL)
        return 5;
    generate(file, n_rows);
    double size = (double)ftell(file);
    fclose(file);
    printf("%u rows x 10 columns, %.1f MB; seconds of one core\n", n_rows, size / 1e6);
    double best_scan = 1e9, best_read = 1e9;
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        double scan = scan_once(path, size), read = read_once(path, size, &good);
        best_scan = scan < best_scan ? scan : best_scan;
        best_read = read < best_read ? read : best_read;
    }
    if (good)
        printf("best of three: %.1f MB/s, %.1f times the line scan\n", size / best_read / 1e6,
               best_read / best_scan);
    unlink(path);
    return good ? 0 : 5;
}
