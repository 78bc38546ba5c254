/* Tables from and to Arrow streams: 10,000,000 rows x 8 dictionary columns, by default.
 *
 * Prints seconds of one core, and bytes per row: what the process had at most beyond what it had
 * before, and what it keeps. The baseline of the same run gives the same batches, by codes, to a
 * kith_table_builder. Then, for as many rows, columns of int32 and of plain texts, and the way
 * back. Usage: bench_arrow [ROWS] */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kith/kith.h>

#include "core/rng.h"

enum { COLUMNS = 8, BATCH = 65536, VALUES = 1000, TEXT_BYTES = 12 };

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A number of /proc/self/status, in bytes: VmRSS or VmHWM. */
static double memory_of(const char *key)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL)
        exit(5);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            kilobytes = strtod(line + strlen(key) + 1, NULL);
    fclose(file);
    return kilobytes * 1024;
}

/* From here on VmHWM counts anew. */
static void forget_peak(void)
{
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL || fputs("5", file) < 0 || fclose(file) != 0)
        exit(5);
}

/* One batch, given again and again: the producer takes no time and little memory. */
typedef struct producer {
    size_t n_rows, given;
    const char *format, *values_format; /* of every column */
    struct ArrowSchema schemas[COLUMNS], values_schemas[COLUMNS], *schemas_at[COLUMNS];
    struct ArrowArray arrays[COLUMNS], values, *arrays_at[COLUMNS];
    const void *no_buffer[1], *buffers[COLUMNS][3], *values_buffers[3];
    int32_t codes[COLUMNS][BATCH], numbers[COLUMNS][BATCH], offsets[BATCH + 1];
    int32_t values_offsets[VALUES + 1];
    char values_texts[VALUES * TEXT_BYTES], texts[BATCH * TEXT_BYTES];
} producer;

static void keep_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void keep_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static void keep_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    producer *p = stream->private_data;
    static const char *const names[COLUMNS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (size_t i = 0; i < COLUMNS; i++) {
        p->schemas[i] =
            (struct ArrowSchema){.format = p->format, .name = names[i], .release = keep_schema};
        p->values_schemas[i] = (struct ArrowSchema){.format = "u", .release = keep_schema};
        p->schemas[i].dictionary = p->values_format == NULL ? NULL : &p->values_schemas[i];
        p->schemas_at[i] = &p->schemas[i];
    }
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = COLUMNS, .children = p->schemas_at, .release = keep_schema};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    producer *p = stream->private_data;
    const size_t left = p->n_rows - p->given, count = left < BATCH ? left : BATCH;
    *out = (struct ArrowArray){.length = (int64_t)count,
                               .n_buffers = 1,
                               .buffers = p->no_buffer,
                               .n_children = COLUMNS,
                               .children = p->arrays_at,
                               .release = count == 0 ? NULL : keep_array};
    for (size_t i = 0; i < COLUMNS; i++)
        p->arrays[i].length = (int64_t)count;
    p->given += count;
    return 0;
}

static struct ArrowArrayStream open_producer(producer *p, const char *format, const char *values)
{
    p->given = 0;
    p->format = format;
    p->values_format = values;
    p->values = (struct ArrowArray){
        .length = VALUES, .n_buffers = 3, .buffers = p->values_buffers, .release = keep_array};
    const bool text = format[0] == 'u';
    for (size_t i = 0; i < COLUMNS; i++) {
        p->buffers[i][1] = text             ? (const void *)p->offsets
                           : values != NULL ? p->codes[i]
                                            : p->numbers[i];
        p->buffers[i][2] = p->texts;
        p->arrays[i] = (struct ArrowArray){.n_buffers = text ? 3 : 2,
                                           .buffers = p->buffers[i],
                                           .dictionary = values == NULL ? NULL : &p->values,
                                           .release = keep_array};
        p->arrays_at[i] = &p->arrays[i];
    }
    return (struct ArrowArrayStream){
        .get_schema = get_schema, .get_next = get_next, .release = keep_stream, .private_data = p};
}

static void generate(producer *p, size_t n_rows)
{
    rng r;
    rng_init(&r, 1, 0);
    p->n_rows = n_rows;
    for (int32_t i = 0; i < VALUES; i++) {
        char text[32];
        snprintf(text, sizeof text, "value %06d", (int)i);
        memcpy(p->values_texts + (size_t)i * TEXT_BYTES, text, TEXT_BYTES);
        p->values_offsets[i + 1] = (i + 1) * TEXT_BYTES;
    }
    p->values_buffers[1] = p->values_offsets;
    p->values_buffers[2] = p->values_texts;
    for (size_t i = 0; i < COLUMNS; i++)
        for (size_t row = 0; row < BATCH; row++) {
            p->codes[i][row] = (int32_t)rng_below(&r, VALUES);
            p->numbers[i][row] = (int32_t)rng_below(&r, i < 4 ? 100 : 20000);
        }
    for (int32_t row = 0; row < BATCH; row++) {
        memcpy(p->texts + (size_t)row * TEXT_BYTES,
               p->values_texts + (size_t)p->codes[0][row] * TEXT_BYTES, TEXT_BYTES);
        p->offsets[row + 1] = (row + 1) * TEXT_BYTES;
    }
}

static double report(const char *what, size_t n_rows, double seconds, double before,
                     double baseline)
{
    const double rows = (double)n_rows;
    printf("%-34s %7.3f s  %5.1f ns/cell  %5.1f bytes/row at most, %5.1f kept", what, seconds,
           1e9 * seconds / rows / COLUMNS, (memory_of("VmHWM:") - before) / rows,
           (memory_of("VmRSS:") - before) / rows);
    if (baseline > 0)
        printf("  %.2f times the builder", seconds / baseline);
    printf("\n");
    return seconds;
}

static void check(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(5);
}

/* The baseline: the batches of dictionary columns by hand. */
static double by_builder(producer *p)
{
    static const kith_column_spec specs[COLUMNS] = {{.name = "a"}, {.name = "b"}, {.name = "c"},
                                                    {.name = "d"}, {.name = "e"}, {.name = "f"},
                                                    {.name = "g"}, {.name = "h"}};
    static const char *values[VALUES];
    static size_t lengths[VALUES];
    kith_error error;
    kith_table_builder *builder;
    kith_table *table;
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = p->values_texts + i * TEXT_BYTES;
        lengths[i] = TEXT_BYTES;
    }
    forget_peak();
    const double before = memory_of("VmRSS:"), start = cpu_seconds();
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = COLUMNS);
    check(kith_table_builder_new(&builder, &options, &error), &error);
    for (size_t given = 0; given < p->n_rows; given += BATCH)
        for (size_t i = 0; i < COLUMNS; i++)
            check(
                kith_table_builder_add_codes(builder, i, (const uint32_t *)p->codes[i],
                                             p->n_rows - given < BATCH ? p->n_rows - given : BATCH,
                                             values, lengths, VALUES, &error),
                &error);
    check(kith_table_builder_finish(&table, builder, &error), &error);
    const double seconds = cpu_seconds() - start;
    kith_table_builder_free(builder);
    report("kith_table_builder_add_codes", p->n_rows, seconds, before, 0);
    kith_table_free(table);
    return seconds;
}

static kith_table *from_arrow(producer *p, const char *what, const char *format, const char *values,
                              double baseline)
{
    kith_table *table;
    kith_error error;
    struct ArrowArrayStream stream = open_producer(p, format, values);
    forget_peak();
    const double before = memory_of("VmRSS:"), start = cpu_seconds();
    check(kith_table_from_arrow(&table, &stream, NULL, NULL, &error), &error);
    report(what, p->n_rows, cpu_seconds() - start, before, baseline);
    return table;
}

/* Every batch is made and released. */
static void to_arrow(const kith_table *table, const char *what, bool no_dictionary, double baseline)
{
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    kith_error error;
    forget_peak();
    const double before = memory_of("VmRSS:"), start = cpu_seconds();
    const kith_arrow_options options =
        KITH_OPTIONS(kith_arrow_options, .no_dictionary = no_dictionary);
    check(kith_table_to_arrow(&stream, table, &options, &error), &error);
    while (stream.get_next(&stream, &batch) == 0 && batch.release != NULL)
        batch.release(&batch);
    report(what, kith_table_n_rows(table), cpu_seconds() - start, before, baseline);
    stream.release(&stream);
}

int main(int argc, char **argv)
{
    const size_t n_rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
    producer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return 5;
    generate(p, n_rows);
    printf("%zu rows x %d columns, batches of %d; seconds of one core\n", n_rows, COLUMNS, BATCH);
    const double baseline = by_builder(p);
    kith_table *table = from_arrow(p, "from Arrow, dictionaries", "i", "u", baseline);
    to_arrow(table, "to Arrow, dictionaries", false, baseline);
    to_arrow(table, "to Arrow, plain texts", true, baseline);
    kith_table_free(table);
    table = from_arrow(p, "from Arrow, int32", "i", NULL, baseline);
    to_arrow(table, "to Arrow, int64", false, baseline);
    kith_table_free(table);
    table = from_arrow(p, "from Arrow, plain texts", "u", NULL, baseline);
    kith_table_free(table);
    free(p);
    return 0;
}
