/* One run of a search for the experiments: what a study asks for, without writing a release.
 *
 * usage: seq_run STUDY DATA
 *
 * Prints one line, separated by tabs: records, attributes, classes, lm, seconds, passes, diversity,
 * entropy, weighted entropy. Seconds are processor time of the search alone, on one thread, so that
 * other work on the machine does not count. Diversity and entropy (bits) are those of the first
 * sensitive column: the smallest size / largest count of a class, the mean over classes, and the
 * mean over records. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <kith/kith.h>

#include "core/run/context.h"
#include "job/prepare/prepare.h"
#include "measure/loss_counts.h"

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "seq_run: %s\n", error->message);
    exit(1);
}

static void *need(void *pointer)
{
    if (pointer == NULL)
        exit(5);
    return pointer;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double loss_of(const problem *p, const partition *found, arena *memory)
{
    loss_column *columns = need(arena_array(memory, p->n_attributes, sizeof *columns));
    for (uint32_t j = 0; j < p->n_attributes; j++)
        columns[j] = (loss_column){p->attributes[j].tree, p->attributes[j].cells};
    loss_input in = {.n_records = p->n_records,
                     .n_attributes = p->n_attributes,
                     .column = columns,
                     .n_classes = found->n_classes,
                     .class_of = found->class_of,
                     .closure = found->closure};
    loss_report report;
    loss_counts counts;
    kith_error error;
    stop_on(loss_counts_init(&counts, &in, memory, &error), &error);
    stop_on(loss_counts_add_records(&counts, &in, &error), &error);
    stop_on(loss_counts_add_classes(&counts, &in, &error), &error);
    stop_on(loss_counts_report(&report, &counts, NULL, memory, &error), &error);
    return report.all.lm;
}

typedef struct variety {
    double diversity, entropy, weighted;
} variety;

/* Counts of the first sensitive column, class by class. */
static variety variety_of(const problem *p, const partition *found, arena *memory)
{
    const sensitive_attribute *s = &p->sensitive[0];
    uint32_t *count =
        need(arena_zalloc(memory, (size_t)found->n_classes * s->count, sizeof *count));
    for (uint32_t i = 0; i < p->n_records; i++)
        count[(size_t)found->class_of[i] * s->count + s->values[i]]++;
    variety v = {HUGE_VAL, 0, 0};
    for (uint32_t c = 0; c < found->n_classes; c++) {
        double size = 0, max_count = 0, entropy = 0;
        for (uint32_t y = 0; y < s->count; y++) {
            double n = count[(size_t)c * s->count + y];
            size += n;
            max_count = fmax(max_count, n);
            entropy += n > 0 ? n * log2(n) : 0;
        }
        entropy = log2(size) - entropy / size;
        v.diversity = fmin(v.diversity, size / max_count);
        v.entropy += entropy / found->n_classes;
        v.weighted += entropy * size / p->n_records;
    }
    return v;
}

int main(int argc, char **argv)
{
    kith_error error;
    kith_study *study;
    kith_table *table;
    context c;
    prepared ready;
    search_result result;
    if (argc < 3) {
        fputs("usage: seq_run STUDY DATA\n", stderr);
        return 2;
    }
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    stop_on(kith_study_read(&study, argv[1], NULL, &error), &error);
    kith_table_options options = study_table_options(study);
    stop_on(kith_table_read(&table, argv[2], &options, &run, &error), &error);
    stop_on(context_init(&c, &run, &error), &error);
    stop_on(prepare_table(&ready, study, table, &c, &error), &error);
    problem *p = &ready.problem;
    double start = processor_seconds();
    stop_on(search_run(&result, search_find(study->algorithm), p, &study->search, &c, &error),
            &error);
    double seconds = processor_seconds() - start;
    const partition *found = &result.partition;
    printf("%u\t%u\t%u\t%.4f\t%.3f\t%u", p->n_records, p->n_attributes, found->n_classes,
           loss_of(p, found, c.memory), seconds, result.n_passes);
    variety v = p->n_sensitive > 0 ? variety_of(p, found, c.memory) : (variety){1, 0, 0};
    printf("\t%.4f\t%.4f\t%.4f\n", v.diversity, v.entropy, v.weighted);
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
    return 0;
}
