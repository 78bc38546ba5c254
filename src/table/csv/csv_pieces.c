#include "table/csv/csv_pieces.h"

#include <string.h>
#include <sys/stat.h>

#include "core/error.h"

/* A feed whose share counts among those of all pieces. */
typedef struct counted_feed {
    byte_feed bytes;
    size_t which, count;
} counted_feed;

static kith_status counted_read(void *user, char *buffer, size_t size, size_t *got,
                                kith_error *error)
{
    const counted_feed *f = user;
    return f->bytes.read(f->bytes.user, buffer, size, got, error);
}

static double counted_done(void *user)
{
    const counted_feed *f = user;
    const double done = f->bytes.done(f->bytes.user);
    return ((double)f->which + (done > 0 ? done : 0)) / (double)f->count;
}

static kith_status open_bytes(byte_feed *bytes, arena *scratch, const table_piece *p,
                              const kith_run *run, kith_error *error)
{
    return p->begin == 0 && p->end == UINT64_MAX
               ? byte_feed_open(bytes, scratch, p->path, run, error)
               : byte_feed_open_range(bytes, scratch, p->path, p->begin, p->end, run, error);
}

/* Marks of an encoding or of a kind of file are looked for at the start of a file only. */
static kith_status open_piece(csv *c, const source *s, byte_feed bytes, const table_piece *p,
                              char separator, kith_error *error)
{
    if (p->begin == 0)
        return csv_header_open(c, s, bytes, p->path, separator, error);
    TRY(csv_open(c, s->scratch, bytes, p->path, separator, true, s->options->trim, error));
    c->line = p->line;
    return KITH_OK;
}

/* One piece. What reading it takes is given back at once: there may be thousands. */
static kith_status read_piece(const source *s, const csv_header *h, const table_piece *p,
                              counted_feed *feed, table_builder *b, csv_pieces_end *end,
                              kith_error *error)
{
    csv c;
    TRY(open_bytes(&feed->bytes, s->scratch, p, s->run, error));
    const byte_feed bytes = {.read = counted_read, .done = counted_done, .user = feed};
    TRY(open_piece(&c, s, bytes, p, h->separator, error));
    if (p->begin == 0) {
        csv_header own;
        TRY(csv_header_read(&own, s, &c, error));
        if (!s->csv.no_header)
            TRY(csv_header_same(&own, h, error));
    }
    const kith_status status = csv_source_rows(s, &c, b, h, false, error);
    *end = (csv_pieces_end){.blank_line = c.blank_line, .has_rows = c.has_rows};
    return status;
}

kith_status csv_pieces_header(csv_header *h, const source *s, const char *path, kith_error *error)
{
    csv c;
    byte_feed bytes;
    TRY(byte_feed_open(&bytes, s->scratch, path, s->run, error));
    TRY(csv_header_open(&c, s, bytes, path, s->options->separator, error));
    TRY(csv_header_read(h, s, &c, error));
    return csv_header_pick(h, s, error);
}

kith_status csv_pieces_read(const source *s, const csv_header *h, const table_piece *pieces,
                            size_t count, csv_pieces_end *ends, kith_table **table,
                            kith_error *error)
{
    table_builder *b;
    table_piece *own = TRY_ARRAY(own, s->memory, count, error);
    TRY(table_builder_new(&b, s->memory, s->name, h->specs, h->count, s->options, error));
    for (size_t i = 0; i < count; i++) {
        counted_feed feed = {.which = i, .count = count};
        source piece = *s;
        own[i] = pieces[i];
        own[i].first_row = table_builder_n_rows(b);
        own[i].path = TRY_ALLOC(arena_strdup(s->memory, pieces[i].path), error);
        piece.scratch = TRY_ALLOC(arena_new(), error);
        const kith_status status = read_piece(&piece, h, &own[i], &feed, b, &ends[i], error);
        arena_free(piece.scratch);
        TRY(status);
    }
    TRY(source_progress(s, 1, error));
    TRY(csv_header_finish(h, s, b, table, error));
    (*table)->pieces = own;
    (*table)->n_pieces = count;
    return KITH_OK;
}

/* A pipe is gone once it has been read; opening it again waits for ever. */
static bool can_be_read_again(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

kith_status csv_pieces_read_files(const source *s, const csv_files *files, kith_table **table,
                                  kith_error *error)
{
    csv_header h;
    table_piece *pieces = TRY_ARRAY(pieces, s->scratch, files->count, error);
    csv_pieces_end *ends = TRY_ZEROS(ends, s->scratch, files->count, error);
    if (!can_be_read_again(files->paths[0]))
        return error_set(error, KITH_INVALID,
                         "%s is not a file: the first of several is read twice", files->paths[0]);
    TRY(csv_pieces_header(&h, s, files->paths[0], error));
    for (size_t i = 0; i < files->count; i++)
        pieces[i] = (table_piece){.path = files->paths[i], .end = UINT64_MAX, .line = 1};
    return csv_pieces_read(s, &h, pieces, files->count, ends, table, error);
}

/* Counts records again. Messages are rare; keeping a line for every row would cost memory for all
 * tables. */
uint64_t csv_pieces_line(const kith_table *table, uint32_t row)
{
    arena *scratch = arena_new();
    const table_piece p = table_piece_of(table, row);
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .trim = table->trim);
    const source s = {.options = &options,
                      .csv = {.encoding = table->encoding, .no_header = table->no_header},
                      .scratch = scratch};
    const uint64_t record = (uint64_t)row - p.first_row + (p.begin == 0 && !table->no_header);
    byte_feed bytes;
    csv c;
    bool more = true;
    /* Standard input is gone. */
    bool good = scratch != NULL && strcmp(p.path, "standard input") != 0 &&
                can_be_read_again(p.path) &&
                open_bytes(&bytes, scratch, &p, NULL, NULL) == KITH_OK &&
                open_piece(&c, &s, bytes, &p, table->separator, NULL) == KITH_OK;
    for (uint64_t i = 0; good && more && i <= record; i++)
        good = csv_next(&c, &more, NULL) == KITH_OK;
    const uint64_t line = good && more ? c.record_line : 0;
    arena_free(scratch);
    return line;
}
