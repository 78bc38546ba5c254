#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/intern.h"
#include "table/source.h"
#include "table/text_feed.h"
#include "table/typed_value.h"

enum { ROWS_PER_REPORT = 1 << 14, QUOTE_BYTES = 100 };
enum { BATCHES_PER_REPORT = ROWS_PER_REPORT / BUILDER_BATCH };

/* Which cells go where, and room for a batch of them, column by column. */
typedef struct rows_plan {
    const uint32_t *pick;
    size_t count, width;
    bool nulls;
    bool header; /* there is one, to which messages can refer */
    const char **texts;
    size_t *lengths;
} rows_plan;

/* Puts the place of a cell before a message that has none. */
static kith_status at_cell(const csv *c, const csv_cell *cell, kith_status status,
                           kith_error *error)
{
    if (error == NULL || status != KITH_DATA)
        return status;
    kith_error plain = *error;
    size_t line, character;
    csv_place(c, cell->text - cell->quoted, &line, &character);
    if (c->numbered)
        error_set(error, status, "%s: row %llu: %s", c->file, (unsigned long long)c->n_records,
                  plain.message);
    else
        error_at(error, status, c->file, line, character, "%s", plain.message);
    return plain.hint[0] == '\0' ? status : error_hint(error, status, "%s", plain.hint);
}

/* Names the separator, because a wrong one is the usual reason. */
static kith_status ragged(const csv *c, size_t width, bool header, kith_error *error)
{
    char text[QUOTE_BYTES];
    size_t line, character;
    bool surplus = c->count > width;
    const csv_cell *cell = &c->cells[surplus ? width : c->count - 1];
    text_quote(text, sizeof text, cell->text, cell->length);
    csv_place(c, cell->text - cell->quoted, &line, &character);
    error_at(error, KITH_DATA, c->file, line, character, "%zu cell%s instead of %zu, %s '%s'",
             c->count, c->count == 1 ? "" : "s", width, surplus ? "too many from" : "the last is",
             text);
    return error_hint(error, KITH_DATA,
                      "every line needs as many cells as the %s; the separator is taken to be "
                      "'%s', --separator C sets another",
                      header ? "header" : "first one",
                      c->separator == '\t' ? "tab" : (char[]){c->separator, '\0'});
}

/* Empty lines may end a file, but not stand between its rows. */
static kith_status only_blank_lines(csv *c, size_t width, kith_error *error)
{
    uint64_t line = c->record_line;
    for (bool more = true; more;) {
        TRY(csv_next(c, &more, error));
        if (more && !csv_blank_line(c))
            return error_at(error, KITH_DATA, c->file, line, 0,
                            "an empty line instead of %zu cells", width);
    }
    return KITH_OK;
}

/* The careful way: one cell at a time, so that a message can name the place. */
static kith_status put_row(csv *c, table_builder *b, const rows_plan *p, kith_error *error)
{
    for (size_t i = 0; i < p->count; i++) {
        const csv_cell *cell = &c->cells[p->pick[i]];
        const char *text;
        size_t length;
        TRY(csv_text(c, cell, &text, &length, error));
        if (p->nulls && length == 0 && !cell->quoted)
            text = NULL;
        kith_status status = table_builder_cell(b, i, text, length, error);
        if (status != KITH_OK)
            return at_cell(c, cell, status, error);
    }
    return table_builder_row(b, error);
}

/* Takes up to BUILDER_BATCH records that need no special care, and returns how many. The next one
 * has something about it: it is broken, ragged, has doubled quotes, or is not in the buffer. */
static size_t take_batch(csv *c, const rows_plan *p)
{
    size_t n_rows = 0;
    c->hold = true;
    for (bool simple = true; simple && n_rows < BUILDER_BATCH; n_rows += simple) {
        csv_mark before = csv_here(c);
        bool more;
        simple = csv_next(c, &more, NULL) == KITH_OK && more && c->count == p->width;
        for (size_t i = 0; simple && i < p->count; i++) {
            const csv_cell *cell = &c->cells[p->pick[i]];
            bool null = p->nulls && cell->length == 0 && !cell->quoted;
            p->texts[i * BUILDER_BATCH + n_rows] = null ? NULL : cell->text;
            p->lengths[i * BUILDER_BATCH + n_rows] = cell->length;
            simple = !cell->escaped;
        }
        if (!simple)
            csv_back(c, before);
    }
    c->hold = false;
    return n_rows;
}

/* Column by column: the hash table of a column stays in the cache for a whole batch. Errors are not
 * described here, see quick_rows. */
static kith_status put_batch(table_builder *b, const rows_plan *p, size_t n_rows)
{
    for (size_t i = 0; i < p->count; i++)
        TRY(table_builder_cells(b, i, p->texts + i * BUILDER_BATCH, p->lengths + i * BUILDER_BATCH,
                                n_rows, NULL));
    table_builder_rows(b, n_rows);
    return KITH_OK;
}

/* One record, with all checks. */
static kith_status careful_row(csv *c, table_builder *b, const rows_plan *p, bool *more,
                               kith_error *error)
{
    TRY(csv_next(c, more, error));
    if (!*more)
        return KITH_OK;
    if (c->count == p->width)
        return put_row(c, b, p, error);
    *more = false;
    return csv_blank_line(c) ? only_blank_lines(c, p->width, error)
                             : ragged(c, p->width, p->header, error);
}

/* Batches as long as they are full. If one fails, its rows are read again one by one, because the
 * message must name the first cell that is wrong. */
static kith_status quick_rows(const source *s, csv *c, table_builder *b, const rows_plan *p,
                              kith_error *error)
{
    for (size_t n_rows = BUILDER_BATCH, batch = 1; n_rows == BUILDER_BATCH; batch++) {
        csv_mark before = csv_here(c);
        n_rows = take_batch(c, p);
        TRY(table_builder_reserve(b, n_rows + 1, error));
        if (put_batch(b, p, n_rows) != KITH_OK) {
            csv_back(c, before);
            for (bool more = true; more && n_rows > 0; n_rows--)
                TRY(careful_row(c, b, p, &more, error));
        }
        if (batch % BATCHES_PER_REPORT == 0)
            TRY(source_progress(s, c->feed.done(c->feed.user), error));
    }
    return KITH_OK;
}

kith_status csv_source_rows(const source *s, csv *c, table_builder *b, const uint32_t *pick,
                            size_t count, size_t width, bool nulls, kith_error *error)
{
    rows_plan p = {
        .pick = pick, .count = count, .width = width, .nulls = nulls, .header = !s->csv.no_header};
    p.texts = TRY_ALLOC(arena_array(s->scratch, count, BUILDER_BATCH * sizeof *p.texts), error);
    p.lengths = TRY_ALLOC(arena_array(s->scratch, count, BUILDER_BATCH * sizeof *p.lengths), error);
    uint64_t reported = c->n_records;
    for (bool more = true; more;) {
        TRY(quick_rows(s, c, b, &p, error));
        TRY(careful_row(c, b, &p, &more, error));
        if (c->n_records - reported >= ROWS_PER_REPORT) {
            reported = c->n_records;
            TRY(source_progress(s, c->feed.done(c->feed.user), error));
        }
    }
    return source_progress(s, 1, error);
}

/* The name of a column, copied, since the next record overwrites the buffer. */
static kith_status header_name(const source *s, csv *c, const csv_cell *cell, const char **name,
                               kith_error *error)
{
    const char *text;
    size_t length;
    char quoted[QUOTE_BYTES];
    TRY(csv_text(c, cell, &text, &length, error));
    if (s->options->trim)
        typed_value_trim(&text, &length);
    if (text_utf8_error(text, length) < length || memchr(text, '\0', length) != NULL) {
        text_quote(quoted, sizeof quoted, text, length);
        error_set(error, KITH_DATA, "'%s' is not valid UTF-8 (a column name)", quoted);
        error_hint(error, KITH_DATA, TEXT_FEED_HINT);
        return at_cell(c, cell, KITH_DATA, error);
    }
    *name = TRY_ALLOC(arena_strndup(s->scratch, text, length), error);
    return KITH_OK;
}

/* Two columns of one name: a study could not say which it means. */
static kith_status twice(const csv *c, const char *const *names, size_t first, size_t second,
                         kith_error *error)
{
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, names[second], strlen(names[second]));
    error_set(error, KITH_DATA, "the column name '%s' appears twice (columns %zu and %zu)", quoted,
              first + 1, second + 1);
    return at_cell(c, &c->cells[second], KITH_DATA, error);
}

/* Columns without a name are left out: they may be many, and a study cannot ask for them. */
static kith_status all_different(const source *s, const csv *c, const char *const *names,
                                 size_t width, kith_error *error)
{
    uint32_t no_rows = 0;
    memory_budget budget;
    intern seen;
    size_t *place = TRY_ALLOC(arena_array(s->scratch, width, sizeof *place), error);
    memory_budget_init(&budget, s->name, &no_rows);
    TRY(intern_init(&seen, s->scratch, &budget, error));
    for (size_t i = 0; i < width; i++) {
        uint32_t code, known = seen.count;
        if (names[i][0] == '\0')
            continue;
        TRY(intern_add(&seen, names[i], strlen(names[i]), &code, error));
        if (code < known)
            return twice(c, names, place[code], i, error);
        place[code] = i;
    }
    return KITH_OK;
}

/* Without a header the columns are called c1, c2, …, and the first record is a row. */
static kith_status number_columns(const source *s, csv *c, const char **names, kith_error *error)
{
    for (size_t i = 0; i < c->count; i++)
        names[i] = TRY_ALLOC(arena_printf(s->scratch, "c%zu", i + 1), error);
    csv_back(c, (csv_mark){.at = c->record, .line = c->record_line});
    return KITH_OK;
}

/* The first record names the columns. */
static kith_status read_header(const source *s, csv *c, const char ***names, size_t *width,
                               kith_error *error)
{
    bool more;
    TRY(csv_next(c, &more, error));
    if (!more) {
        error_set(error, KITH_DATA, "%s: the file is empty", c->file);
        return s->csv.no_header
                   ? KITH_DATA
                   : error_hint(error, KITH_DATA, "the first line must name the columns");
    }
    *width = c->count;
    *names = arena_array(s->scratch, *width, sizeof **names);
    TRY_ALLOC(*names, error);
    if (s->csv.no_header)
        return number_columns(s, c, *names, error);
    for (size_t i = 0; i < *width; i++)
        TRY(header_name(s, c, &c->cells[i], &(*names)[i], error));
    return all_different(s, c, *names, *width, error);
}

kith_status csv_source_parse(const source *s, byte_feed bytes, kith_table **table,
                             kith_error *error)
{
    csv c;
    table_builder *b;
    const char **names = NULL;
    const kith_column_spec *specs;
    uint32_t *pick;
    size_t width = 0, count = 0;
    const kith_table_options *options = s->options;
    byte_feed text;
    TRY(text_feed_open(&text, s->scratch, bytes, s->csv.encoding, s->name, error));
    TRY(csv_open(&c, s->scratch, text, s->name, options->separator, !s->csv.no_header,
                 options->trim, error));
    csv_skip_mark(&c);
    TRY(read_header(s, &c, &names, &width, error));
    TRY(source_pick(s, names, width, &specs, &pick, &count, error));
    TRY(table_builder_new(&b, s->memory, s->name, specs, count, options, error));
    TRY(csv_source_rows(s, &c, b, pick, count, width, false, error));
    TRY(source_finish(b, pick, table, error));
    (*table)->separator = c.separator;
    (*table)->trim = options->trim;
    (*table)->no_header = s->csv.no_header;
    if (s->csv.encoding != NULL)
        (*table)->encoding = TRY_ALLOC(arena_strdup(s->memory, s->csv.encoding), error);
    return KITH_OK;
}

kith_status csv_source_read(const source *s, kith_table **table, kith_error *error)
{
    byte_feed bytes;
    TRY(byte_feed_open(&bytes, s->scratch, s->uri, s->run, error));
    return csv_source_parse(s, bytes, table, error);
}

/* Counts records again from the start. Messages are rare; keeping a line for every row would cost
 * memory for all tables. */
static uint64_t line_of_record(arena *scratch, const kith_table *table, uint64_t record)
{
    byte_feed bytes, text;
    csv c;
    bool more = true;
    if (byte_feed_open(&bytes, scratch, table->source, NULL, NULL) != KITH_OK ||
        text_feed_open(&text, scratch, bytes, table->encoding, table->source, NULL) != KITH_OK ||
        csv_open(&c, scratch, text, table->source, table->separator, true, table->trim, NULL) !=
            KITH_OK)
        return 0;
    csv_skip_mark(&c);
    for (uint64_t i = 0; i <= record && more; i++)
        if (csv_next(&c, &more, NULL) != KITH_OK)
            return 0;
    return more ? c.record_line : 0;
}

uint64_t csv_source_line(const kith_table *table, uint32_t row)
{
    if (strcmp(table->source, "standard input") == 0)
        return 0; /* it is gone */
    arena *scratch = arena_new();
    if (scratch == NULL)
        return 0;
    uint64_t line = line_of_record(scratch, table, (uint64_t)row + !table->no_header);
    arena_free(scratch);
    return line;
}
