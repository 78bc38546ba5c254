/* Any bytes as an Arrow stream: a good one of the types that the bytes choose, with buffers that
 * are exactly as large as they must be, of which some fields are then spoilt. It becomes a table or
 * is refused with a message; nothing is read outside the buffers, and everything is released once.
 * A table goes through a stream of Kith's own and is the same behind it.
 *
 * The interface does not say how large buffers are: lengths, and last offsets of texts, are never
 * made larger than what is there. */
#include "support/fuzz_input.h"

#include "support/arrow_source.h"

enum { MOST_ROWS = 20, MOST_COLUMNS = 4, MOST_BLOCKS = 200, FORMAT_BYTES = 12, VIEW_BYTES = 16 };

typedef struct maker {
    const uint8_t *data;
    size_t size;
    void *blocks[MOST_BLOCKS];
    size_t n_blocks;
    char formats[MOST_COLUMNS][FORMAT_BYTES];
    const char *values_formats[MOST_COLUMNS];
    arrow_source source;
} maker;

static uint8_t byte(maker *m)
{
    if (m->size == 0)
        return 0;
    m->size--;
    return *m->data++;
}

/* A buffer of this size, with bytes of the input; what it lacks is zero. */
static void *block(maker *m, size_t size)
{
    uint8_t *made = malloc(size);
    require((made != NULL || size == 0) && m->n_blocks < MOST_BLOCKS);
    for (size_t i = 0; i < size; i++)
        made[i] = byte(m);
    m->blocks[m->n_blocks++] = made;
    return made;
}

static size_t width_of(const char *format)
{
    static const struct {
        const char *formats;
        size_t width;
    } widths[] = {{"cC", 1}, {"sSe", 2}, {"iIf", 4}, {"lLg", 8}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (format[0] != '\0' && format[1] == '\0' && strchr(widths[i].formats, format[0]) != NULL)
            return widths[i].width;
    if (format[0] == 'd')
        return 32;
    return strcmp(format, "tdD") == 0 ? 4 : 8;
}

/* Offsets are small numbers in any order, or rising; the last one is the size of the texts. */
static const void *offsets(maker *m, size_t count, size_t width, size_t n_bytes)
{
    const bool rising = (byte(m) & 3) != 0;
    uint8_t *made = block(m, (count + 1) * width);
    int64_t last = 0;
    for (size_t i = 0; i <= count; i++) {
        int64_t at = (int8_t)made[i * width] % 24;
        if (rising && at < last)
            at = last;
        if (i == count || at > (int64_t)n_bytes)
            at = (int64_t)n_bytes;
        last = at;
        const int32_t narrow = (int32_t)at;
        memcpy(made + i * width, width == 8 ? (const void *)&at : &narrow, width);
    }
    return made;
}

/* Views of bytes of two buffers, with or without the right prefix. */
static void views(maker *m, size_t count, const void **buffers)
{
    const int64_t sizes[] = {byte(m) % 40, byte(m) % 40};
    uint8_t *made = block(m, count * VIEW_BYTES);
    buffers[1] = made;
    const uint8_t *texts[] = {block(m, (size_t)sizes[0]), block(m, (size_t)sizes[1])};
    buffers[2] = texts[0];
    buffers[3] = texts[1];
    buffers[4] = memcpy(block(m, sizeof sizes), sizes, sizeof sizes);
    for (size_t i = 0; i < count; i++) {
        uint8_t *view = made + i * VIEW_BYTES;
        const int32_t length = (int8_t)view[0] % 40, which = (int8_t)view[8] % 3,
                      at = (int8_t)view[12] % 48;
        const bool right = which >= 0 && which < 2 && at >= 0 && at + 4 <= sizes[which];
        memcpy(view, &length, sizeof length);
        if (length <= 12)
            continue;
        memcpy(view + 8, &which, sizeof which);
        memcpy(view + 12, &at, sizeof at);
        if (right && view[4] < 200)
            memcpy(view + 4, texts[which] + at, 4);
    }
}

/* The buffers that an array of this format needs for `count` values; returns how many. */
static int64_t make_buffers(maker *m, const char *format, size_t count, const void **buffers)
{
    memset(buffers, 0, ARROW_SOURCE_BUFFERS * sizeof *buffers);
    if (strcmp(format, "n") == 0)
        return 0;
    if (byte(m) & 1)
        buffers[0] = block(m, (count + 7) / 8);
    if (strcmp(format, "vu") == 0) {
        views(m, count, buffers);
        return 5;
    }
    if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0) {
        const size_t n_bytes = byte(m) % 24;
        buffers[1] = offsets(m, count, format[0] == 'u' ? 4 : 8, n_bytes);
        buffers[2] = block(m, n_bytes);
        return 3;
    }
    buffers[1] = block(m, strcmp(format, "b") == 0 ? (count + 7) / 8 : count * width_of(format));
    return 2;
}

static void make_columns(maker *m)
{
    static const char *const names[MOST_COLUMNS] = {"a", "b", "c", "d"};
    static const char *const known[] = {"u",    "U",        "vu",       "n",       "b",
                                        "c",    "C",        "s",        "S",       "i",
                                        "I",    "l",        "L",        "e",       "f",
                                        "g",    "tdD",      "tdm",      "tss:",    "tsm:UTC",
                                        "tsu:", "tsn:",     "d:10,2",   "d:38,-5", "d:76,9,256",
                                        "+l",   "d:9,2,32", "d:18,0,64"};
    const size_t n_columns = 1 + byte(m) % MOST_COLUMNS, n_known = sizeof known / sizeof *known;
    for (size_t i = 0; i < n_columns; i++) {
        const uint8_t which = byte(m);
        const char *values = which & 128 ? known[byte(m) % n_known] : NULL;
        snprintf(m->formats[i], FORMAT_BYTES, "%s", known[(which & 127) % n_known]);
        for (size_t k = 0; (which & 127) == 127 && k + 1 < FORMAT_BYTES; k++)
            m->formats[i][k] = (char)byte(m);
        m->formats[i][FORMAT_BYTES - 1] = '\0';
        m->values_formats[i] = values;
        arrow_source_column(&m->source, names[i], m->formats[i], values);
    }
}

static void make_batches(maker *m)
{
    arrow_source *s = &m->source;
    const void *buffers[ARROW_SOURCE_BUFFERS];
    const size_t n_batches = byte(m) % 4;
    for (size_t i = 0; i < n_batches; i++) {
        const size_t n_rows = byte(m) % MOST_ROWS, skip = byte(m) % 3;
        arrow_source_batch(s, (int64_t)n_rows);
        s->batches[i].offset = (int64_t)skip;
        for (size_t k = 0; k < s->n_columns; k++) {
            const size_t before = byte(m) % 4;
            int64_t n = make_buffers(m, m->formats[k], before + skip + n_rows, buffers);
            arrow_source_fill(s, k, (int64_t)(skip + n_rows), n, buffers);
            s->arrays[i][k].array.offset = (int64_t)before;
            if (s->columns[k].dictionary == NULL)
                continue;
            const size_t n_values = byte(m) % 6;
            n = make_buffers(m, s->values[k].format, n_values, buffers);
            arrow_source_fill_values(s, k, (int64_t)n_values, n, buffers);
        }
    }
}

static void spoil_array(maker *m, struct ArrowArray *a, size_t n_buffers, bool buffers_count)
{
    static struct ArrowArray released;
    const uint8_t what = byte(m), how = byte(m);
    switch (what % 10) {
    case 0: a->length = -(int64_t)(how + 1); break;
    case 1: a->length = a->length > how ? how : a->length; break;
    case 2: a->offset = how & 1 ? INT64_MAX - how : -(int64_t)how; break;
    case 3: a->null_count = (int8_t)how; break;
    case 4:
        if (buffers_count)
            a->n_buffers = (int8_t)how;
        break;
    case 5: a->n_children = (int8_t)how; break;
    case 6: a->buffers = how & 1 ? NULL : a->buffers; break;
    case 7:
        if (a->buffers != NULL)
            a->buffers[how % n_buffers] = NULL;
        break;
    case 8: a->dictionary = how & 1 ? NULL : &released; break;
    default: a->release = NULL; break;
    }
}

static void spoil_schema(maker *m, struct ArrowSchema *s)
{
    switch (byte(m) % 5) {
    case 0: s->format = NULL; break;
    case 1: s->name = byte(m) & 1 ? NULL : "\xff"; break;
    case 2: s->n_children = (int8_t)byte(m); break;
    case 3: s->dictionary = byte(m) & 1 ? NULL : s; break;
    default: s->release = NULL; break;
    }
}

/* A view's sizes stand in its last buffer, wherever that is: their number is not spoilt. Neither is
 * that of a batch's columns made larger. */
static void spoil(maker *m)
{
    arrow_source *s = &m->source;
    const uint8_t where = byte(m);
    const size_t k = byte(m) % s->n_columns, i = s->n_batches == 0 ? 0 : byte(m) % s->n_batches;
    if (where % 8 == 0)
        spoil_schema(m, &s->columns[k]);
    else if (where % 8 == 1)
        spoil_schema(m, &s->values[k]);
    else if (where % 8 == 2)
        s->schema.format = byte(m) & 1 ? NULL : "+l";
    else if (where % 8 == 3 && s->n_batches > 0)
        spoil_array(m, &s->batches[i], 1, true);
    else if (where % 8 == 4 && s->n_batches > 0)
        s->arrays_at[i][k] = NULL;
    else if (where % 8 == 5)
        s->schema_fails = byte(m);
    else if (where % 8 == 6 && s->n_batches > 0 && m->values_formats[k] != NULL)
        spoil_array(m, &s->arrays[i][k].dictionary, 3, strcmp(m->values_formats[k], "vu") != 0);
    else if (s->n_batches > 0)
        spoil_array(m, &s->arrays[i][k].array, 3, strcmp(m->formats[k], "vu") != 0);
}

static kith_table *read_stream(struct ArrowArrayStream *stream, const kith_table_options *options)
{
    kith_table *table = NULL;
    kith_error error = {0};
    const kith_status status = kith_table_from_arrow(&table, stream, options, NULL, &error);
    require(stream->release == NULL && (status == KITH_OK) == (table != NULL));
    require(status == KITH_OK || (error.message[0] != '\0' && status != KITH_BUG));
    return table;
}

static bool same_cell(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Empty texts are cells here, so that every cell comes back. */
static void there_and_back(const kith_table *table, uint8_t choice)
{
    struct ArrowArrayStream stream;
    const kith_table_options as_it_is =
        KITH_OPTIONS(kith_table_options, .missing_values = (const char *const[]){NULL});
    const kith_arrow_options options =
        KITH_OPTIONS(kith_arrow_options, .batch_rows = choice % 8, .all_texts = (choice & 8) != 0,
                     .no_dictionary = (choice & 16) != 0);
    require(kith_table_to_arrow(&stream, table, &options, NULL) == KITH_OK);
    kith_table *back = read_stream(&stream, &as_it_is);
    require(back != NULL && kith_table_n_rows(back) == kith_table_n_rows(table));
    for (size_t i = 0; i < kith_table_n_columns(table); i++)
        for (size_t row = 0; row < kith_table_n_rows(table); row++)
            require(same_cell(kith_table_cell(table, row, i), kith_table_cell(back, row, i)));
    kith_table_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static maker m;
    m.data = data;
    m.size = size;
    m.n_blocks = 0;
    const uint8_t choice = byte(&m), n_spoilt = byte(&m) % 4;
    arrow_source_init(&m.source);
    make_columns(&m);
    make_batches(&m);
    for (uint8_t i = 0; i < n_spoilt; i++)
        spoil(&m);
    const kith_column_spec wanted[] = {{"a", (kith_type)(choice & 3), NULL},
                                       {"b", KITH_TYPE_DATE, "%d.%m.%Y"}};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .trim = (choice & 32) != 0,
                     .columns = (choice & 64) != 0 ? wanted : NULL, .n_columns = 1 + (choice >> 7));
    struct ArrowArrayStream stream = arrow_source_stream(&m.source);
    kith_table *table = read_stream(&stream, &options);
    require(arrow_source_settled(&m.source));
    if (table != NULL)
        there_and_back(table, choice);
    kith_table_free(table);
    for (size_t i = 0; i < m.n_blocks; i++)
        free(m.blocks[i]);
    return 0;
}
