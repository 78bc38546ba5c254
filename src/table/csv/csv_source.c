
#include "core/error.h"
#include "core/text.h"
#include "table/csv/csv_files.h"
#include "table/csv/csv_pieces.h"
#include "table/source.h"

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

kith_status csv_source_at_cell(const csv *c, const csv_cell *cell, kith_status status,
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

kith_status csv_source_empty_line(const char *file, uint64_t line, size_t width, kith_error *error)
{
    return error_at(error, KITH_DATA, file, line, 0, "an empty line instead of %zu cells", width);
}

/* Empty lines may end a file, but not stand between its rows. */
static kith_status only_blank_lines(csv *c, size_t width, kith_error *error)
{
    c->blank_line = c->record_line;
    for (bool more = true; more;) {
        TRY(csv_next(c, &more, error));
        if (more && !csv_blank_line(c)) {
            c->has_rows = true;
            return csv_source_empty_line(c->file, c->blank_line, width, error);
        }
    }
    return KITH_OK;
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
    c->has_rows = c->has_rows || n_rows > 0;
    return n_rows;
}

/* One record, with all checks. */
static kith_status careful_row(csv *c, table_builder *b, const rows_plan *p, bool *more,
                               kith_error *error)
{
    TRY(csv_next(c, more, error));
    if (!*more)
        return KITH_OK;
    const bool blank = csv_blank_line(c) && p->width != 1;
    c->has_rows = c->has_rows || !blank;
    if (c->count == p->width) {
        /* The careful way: one cell at a time, so that a message can name the place. */
        for (size_t i = 0; i < p->count; i++) {
            const csv_cell *cell = &c->cells[p->pick[i]];
            const char *text;
            size_t length;
            TRY(csv_text(c, cell, &text, &length, error));
            if (p->nulls && length == 0 && !cell->quoted)
                text = NULL;
            kith_status status = table_builder_cell(b, i, text, length, error);
            if (status != KITH_OK)
                return csv_source_at_cell(c, cell, status, error);
        }
        return table_builder_row(b, error);
    }
    *more = false;
    return blank ? only_blank_lines(c, p->width, error) : ragged(c, p->width, p->header, error);
}

/* Batches as long as they are full, column by column: the hash table of a column stays in the cache
 * for a whole batch. If one fails, its rows are read again one by one, because the message must
 * name the first cell that is wrong. */
static kith_status quick_rows(const source *s, csv *c, table_builder *b, const rows_plan *p,
                              kith_error *error)
{
    for (size_t n_rows = BUILDER_BATCH, batch = 1; n_rows == BUILDER_BATCH; batch++) {
        csv_mark before = csv_here(c);
        n_rows = take_batch(c, p);
        TRY(table_builder_reserve(b, n_rows + 1, error));
        kith_status status = KITH_OK;
        for (size_t i = 0, at = 0; i < p->count && status == KITH_OK; i++, at += BUILDER_BATCH)
            status = table_builder_cells(b, i, 0, p->texts + at, p->lengths + at, n_rows, NULL);
        if (status == KITH_OK) {
            table_builder_rows(b, n_rows);
        } else {
            csv_back(c, before);
            for (bool more = true; more && n_rows > 0; n_rows--)
                TRY(careful_row(c, b, p, &more, error));
        }
        if (batch % BATCHES_PER_REPORT != 0)
            continue;
        TRY(row_spill_take(s->spill, b, false, error));
        TRY(source_progress(s, c->feed.done(c->feed.user), error));
    }
    return KITH_OK;
}

kith_status csv_source_rows(const source *s, csv *c, table_builder *b, const csv_header *from,
                            bool nulls, kith_error *error)
{
    rows_plan p = {.pick = from->pick,
                   .count = from->count,
                   .width = from->width,
                   .nulls = nulls,
                   .header = !s->csv.no_header};
    p.texts = TRY_ALLOC(arena_array(s->scratch, p.count, BUILDER_BATCH * sizeof *p.texts), error);
    p.lengths =
        TRY_ALLOC(arena_array(s->scratch, p.count, BUILDER_BATCH * sizeof *p.lengths), error);
    uint64_t reported = c->n_records;
    for (bool more = true; more;) {
        TRY(quick_rows(s, c, b, &p, error));
        TRY(careful_row(c, b, &p, &more, error));
        if (c->n_records - reported >= ROWS_PER_REPORT) {
            reported = c->n_records;
            TRY(row_spill_take(s->spill, b, false, error));
            TRY(source_progress(s, c->feed.done(c->feed.user), error));
        }
    }
    return KITH_OK;
}

kith_status csv_source_parse(const source *s, byte_feed bytes, kith_table **table,
                             kith_error *error)
{
    csv c;
    csv_header header;
    table_builder *b;
    TRY(csv_header_open(&c, s, bytes, s->name, s->options->separator, error));
    TRY(csv_header_read(&header, s, &c, error));
    TRY(csv_header_pick(&header, s, error));
    TRY(table_builder_new(&b, s->memory, s->name, header.specs, header.count, s->options, error));
    TRY(csv_source_rows(s, &c, b, &header, false, error));
    TRY(source_progress(s, 1, error));
    return csv_header_finish(&header, s, b, table, error);
}

kith_status csv_source_read(const source *s, kith_table **table, kith_error *error)
{
    byte_feed bytes;
    csv_files files;
    TRY(csv_files_find(&files, s->scratch, s->uri, error));
    if (files.several)
        return csv_pieces_read_files(s, &files, table, error);
    TRY(byte_feed_open(&bytes, s->scratch, s->uri, s->run, error));
    return csv_source_parse(s, bytes, table, error);
}
