#include "table/csv/csv_header.h"

#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "table/intern.h"
#include "table/source.h"
#include "table/text_feed.h"
#include "table/typed_value.h"

enum { QUOTE_BYTES = 100 };

kith_status csv_header_open(csv *c, const source *s, byte_feed bytes, const char *file,
                            char separator, kith_error *error)
{
    byte_feed text;
    TRY(text_feed_open(&text, s->scratch, bytes, s->csv.encoding, file, error));
    TRY(csv_open(c, s->scratch, text, file, separator, !s->csv.no_header, s->options->trim, error));
    if (c->end - c->at >= 3 && memcmp(c->at, "\xef\xbb\xbf", 3) == 0) /* a byte-order mark */
        c->at += 3;
    return KITH_OK;
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
        return csv_source_at_cell(c, cell, KITH_DATA, error);
    }
    *name = TRY_ALLOC(arena_strndup(s->scratch, text, length), error);
    return KITH_OK;
}

/* Of two columns of one name a study could not say which it means. Columns without a name are left
 * out: they may be many, and a study cannot ask for them. */
static kith_status all_different(const source *s, const csv *c, const char *const *names,
                                 size_t width, kith_error *error)
{
    uint32_t no_rows = 0;
    memory_budget budget;
    intern seen;
    size_t *place = TRY_ARRAY(place, s->scratch, width, error);
    memory_budget_init(&budget, s->name, &no_rows);
    TRY(intern_init(&seen, s->scratch, &budget, error));
    for (size_t i = 0; i < width; i++) {
        uint32_t code, known = seen.count;
        if (names[i][0] == '\0')
            continue;
        TRY(intern_add(&seen, names[i], strlen(names[i]), &code, error));
        if (code < known) {
            char quoted[QUOTE_BYTES];
            text_quote(quoted, sizeof quoted, names[i], strlen(names[i]));
            error_set(error, KITH_DATA, "the column name '%s' appears twice (columns %zu and %zu)",
                      quoted, place[code] + 1, i + 1);
            return csv_source_at_cell(c, &c->cells[i], KITH_DATA, error);
        }
        place[code] = i;
    }
    return KITH_OK;
}

kith_status csv_header_read(csv_header *h, const source *s, csv *c, kith_error *error)
{
    bool more;
    *h = (csv_header){.file = c->file, .separator = c->separator};
    TRY(csv_next(c, &more, error));
    if (!more) {
        error_set(error, KITH_DATA, "%s: the file is empty", c->file);
        return s->csv.no_header
                   ? KITH_DATA
                   : error_hint(error, KITH_DATA, "the first line must name the columns");
    }
    h->width = c->count;
    const char **names = TRY_ARRAY(names, s->scratch, h->width, error);
    h->names = names;
    if (s->csv.no_header) { /* the columns are called c1, c2, …, and the first record is a row */
        for (size_t i = 0; i < h->width; i++)
            names[i] = TRY_ALLOC(arena_printf(s->scratch, "c%zu", i + 1), error);
        csv_back(c, (csv_mark){.at = c->record, .line = c->record_line});
        return KITH_OK;
    }
    for (size_t i = 0; i < h->width; i++)
        TRY(header_name(s, c, &c->cells[i], &names[i], error));
    /* "sep=;" before the header tells Excel the separator. */
    const size_t width = h->width;
    static const char key[] = "sep=";
    const size_t length = strlen(key);
    const bool apart = width == 2 && strcasecmp(names[0], key) == 0 && names[1][0] == '\0';
    const bool whole =
        width == 1 && strlen(names[0]) == length + 1 && strncasecmp(names[0], key, length) == 0;
    if (apart || whole) {
        error_at(error, KITH_DATA, c->file, 1, 0, "'%s%s' is a line for Excel, not the header",
                 names[0], apart ? (char[]){c->separator, '\0'} : "");
        return error_hint(error, KITH_DATA, "remove the first line of the file");
    }
    return all_different(s, c, names, h->width, error);
}

kith_status csv_header_pick(csv_header *h, const source *s, kith_error *error)
{
    return source_pick(s, h->names, h->width, &h->specs, &h->pick, &h->count, error);
}

kith_status csv_header_same(const csv_header *h, const csv_header *other, kith_error *error)
{
    char here[QUOTE_BYTES], there[QUOTE_BYTES];
    if (h->width != other->width)
        return error_at(error, KITH_DATA, h->file, 1, 0, "%zu column%s, but %zu in %s", h->width,
                        h->width == 1 ? "" : "s", other->width, other->file);
    for (size_t i = 0; i < h->width; i++)
        if (strcmp(h->names[i], other->names[i]) != 0) {
            text_quote(here, sizeof here, h->names[i], strlen(h->names[i]));
            text_quote(there, sizeof there, other->names[i], strlen(other->names[i]));
            return error_at(error, KITH_DATA, h->file, 1, 0, "column %zu is '%s', but '%s' in %s",
                            i + 1, here, there, other->file);
        }
    return KITH_OK;
}

kith_status csv_header_finish(const csv_header *h, const source *s, table_builder *b,
                              kith_table **table, kith_error *error)
{
    TRY(source_finish(s, b, h->pick, table, error));
    (*table)->separator = h->separator;
    (*table)->trim = s->options->trim;
    (*table)->no_header = s->csv.no_header;
    if (s->csv.encoding != NULL)
        (*table)->encoding = TRY_ALLOC(arena_strdup(s->memory, s->csv.encoding), error);
    return KITH_OK;
}
