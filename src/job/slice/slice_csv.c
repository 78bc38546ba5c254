#include "job/slice/slice_csv.h"

#include <string.h>
#include <sys/stat.h>

#include "core/bytes.h"
#include "core/run/context.h"
#include "core/error.h"
#include "table/csv/csv_cut.h"
#include "table/csv/csv_pieces.h"
#include "table/text_feed.h"

/* What a file is like; as numbers, so that ranks can add up what each of them has found. */
typedef struct file_facts {
    uint64_t n_bytes;
    uint64_t whole;  /* 1: it cannot be cut */
    uint64_t begins; /* the first byte behind a byte-order mark */
} file_facts;
enum { FACTS = sizeof(file_facts) / sizeof(uint64_t) };

/* A range of a file that other ranks have ranges of, too. */
typedef struct cut {
    uint64_t file;
    csv_cut_range range;
    csv_pieces_end end; /* known when it has been read */
} cut;
enum { MAX_CUTS = 2 }; /* the first file of a rank and its last one */

typedef struct reader {
    const source *s;
    context *c;
    csv_files files;
    file_facts *facts; /* [files.count] */
    csv_header header;
    cut cuts[MAX_CUTS];
    size_t piece_of[MAX_CUTS]; /* the piece that it becomes */
    size_t n_cuts;
    table_piece *pieces;
    csv_pieces_end *ends;
    size_t n_pieces;
    ranks_bytes *all; /* [ranks] their cuts */
} reader;

/* Rank 0 looks for the files: another machine may see a directory later than this one. */
static kith_status agree_files(reader *r, kith_error *error)
{
    arena *memory = r->s->scratch;
    bytes_writer w = {.memory = memory};
    if (ranks_self(r->c->ranks) == 0)
        TRY(csv_files_find(&r->files, memory, r->s->uri, error));
    for (size_t i = 0; i < r->files.count; i++)
        bytes_write(&w, r->files.paths[i], strlen(r->files.paths[i]) + 1);
    TRY(bytes_written(&w, error));
    TRY(ranks_gather(r->c->ranks, w.bytes, w.length, r->all, memory, error));
    const char *text = r->all[0].bytes, *end = text + r->all[0].n_bytes;
    size_t count = 0;
    for (const char *at = text; at < end; at += strlen(at) + 1)
        count++;
    const char **paths = TRY_ALLOC(arena_array(memory, count, sizeof *paths), error);
    r->files = (csv_files){.paths = paths, .several = true};
    for (const char *at = text; at < end; at += strlen(at) + 1)
        paths[r->files.count++] = at;
    return KITH_OK;
}

static kith_status look_at(file_facts *facts, const source *s, const char *path, arena *memory,
                           kith_error *error)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    struct stat status = {0};
    byte_feed bytes, text;
    char head[sizeof mark];
    size_t used = 0;
    /* Before it is opened, which waits for the writer of a pipe. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return error_set(error, KITH_INVALID, "%s is not a file: several processes cannot read it",
                         path);
    TRY(byte_feed_open(&bytes, memory, path, s->run, error));
    TRY(text_feed_open(&text, memory, bytes, s->csv.encoding, path, error));
    for (size_t got = 1; got > 0 && used < sizeof head; used += got)
        TRY(text.read(text.user, head + used, sizeof head - used, &got, error));
    facts->whole = text.cut_bytes == 0;
    facts->n_bytes = facts->whole ? (uint64_t)status.st_size : text.cut_bytes;
    facts->begins = used == sizeof mark && memcmp(head, mark, used) == 0 ? sizeof mark : 0;
    return KITH_OK;
}

/* Every rank looks at some of the files. */
static kith_status agree_facts(reader *r, kith_error *error)
{
    const size_t count = r->files.count;
    r->facts = TRY_ALLOC(arena_zalloc(r->s->scratch, count, sizeof *r->facts), error);
    for (size_t i = ranks_self(r->c->ranks); i < count; i += ranks_count(r->c->ranks)) {
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        TRY(look_at(&r->facts[i], r->s, r->files.paths[i], memory, error));
    }
    return ranks_sum(r->c->ranks, (uint64_t *)(void *)r->facts, count * FACTS, error);
}

static void add_piece(reader *r, size_t file, uint64_t begin, uint64_t end, uint64_t line)
{
    r->pieces[r->n_pieces++] =
        (table_piece){.path = r->files.paths[file], .begin = begin, .end = end, .line = line};
}

/* The slice of a rank: bytes `from` to `to` of all files, one after the other. A file that cannot
 * be cut belongs to the rank that has its beginning. */
typedef struct bounds {
    uint64_t from, to;
    bool last;
} bounds;

static bounds own_bounds(const reader *r)
{
    const uint64_t rank = ranks_self(r->c->ranks), size = ranks_count(r->c->ranks);
    unsigned __int128 total = 0;
    for (size_t i = 0; i < r->files.count; i++)
        total += r->facts[i].n_bytes;
    return (bounds){.from = (uint64_t)(total * rank / size),
                    .to = (uint64_t)(total * (rank + 1) / size),
                    .last = rank + 1 == size};
}

/* Looks at a range of a file that is cut, and keeps a place for the piece that it will be. */
static kith_status scan_cut(reader *r, size_t file, uint64_t begin, uint64_t end, kith_error *error)
{
    const csv_cut_file f = {.path = r->files.paths[file],
                            .separator = r->header.separator,
                            .blanks = r->s->options->trim,
                            .begins = r->facts[file].begins};
    cut *c = &r->cuts[r->n_cuts];
    ASSERT(r->n_cuts < MAX_CUTS);
    *c = (cut){.file = file, .range = {.begin = begin, .end = end}};
    TRY(csv_cut_scan(&c->range, &f, r->s->run, error));
    r->piece_of[r->n_cuts++] = r->n_pieces;
    add_piece(r, file, begin, end, 1);
    return KITH_OK;
}

static kith_status choose_pieces(reader *r, kith_error *error)
{
    const bounds b = own_bounds(r);
    const size_t room = r->files.count + 1;
    uint64_t at = 0;
    r->pieces = TRY_ALLOC(arena_array(r->s->scratch, room, sizeof *r->pieces), error);
    r->ends = TRY_ALLOC(arena_zalloc(r->s->scratch, room, sizeof *r->ends), error);
    for (size_t i = 0; i < r->files.count; i++) {
        const uint64_t n_bytes = r->facts[i].n_bytes, next = at + n_bytes;
        const uint64_t begin = b.from > at ? b.from - at : 0;
        const uint64_t end = b.to < next ? (b.to > at ? b.to - at : 0) : n_bytes;
        const bool begins_here = at >= b.from && (at < b.to || b.last);
        if (r->facts[i].whole != 0 ? begins_here : begin == 0 && end == n_bytes && begins_here)
            add_piece(r, i, 0, UINT64_MAX, 1);
        else if (r->facts[i].whole == 0 && begin < end)
            TRY(scan_cut(r, i, begin, end, error));
        at = next;
    }
    return KITH_OK;
}

/* Cut `which` of all cuts of a file, in the order of ranks; false behind the last one. */
static bool cut_of_file(const reader *r, uint64_t file, size_t which, cut *found)
{
    for (uint32_t rank = 0; rank < ranks_count(r->c->ranks); rank++) {
        const size_t count = r->all[rank].n_bytes / sizeof(cut);
        for (size_t i = 0; i < count; i++) {
            memcpy(found, (const char *)r->all[rank].bytes + i * sizeof(cut), sizeof(cut));
            if (found->file == file && which-- == 0)
                return true;
        }
    }
    return false;
}

/* Where the records of cut `which` of this rank are. */
static kith_status place_cut(reader *r, size_t which, kith_error *error)
{
    const cut *own = &r->cuts[which];
    const size_t room = ranks_count(r->c->ranks);
    csv_cut_range *ranges = TRY_ALLOC(arena_array(r->s->scratch, room, sizeof *ranges), error);
    csv_cut_piece *pieces = TRY_ALLOC(arena_array(r->s->scratch, room, sizeof *pieces), error);
    size_t count = 0, mine = 0;
    for (cut found; cut_of_file(r, own->file, count, &found); count++) {
        ranges[count] = found.range;
        if (found.range.begin == own->range.begin)
            mine = count;
    }
    csv_cut_join(pieces, ranges, count, r->facts[own->file].n_bytes);
    table_piece *p = &r->pieces[r->piece_of[which]];
    p->begin = pieces[mine].begin;
    p->end = pieces[mine].end;
    p->line = pieces[mine].line;
    return KITH_OK;
}

static kith_status gather_cuts(reader *r, kith_error *error)
{
    return ranks_gather(r->c->ranks, r->cuts, r->n_cuts * sizeof *r->cuts, r->all, r->s->scratch,
                        error);
}

static kith_status place_cuts(reader *r, kith_error *error)
{
    TRY(gather_cuts(r, error));
    for (size_t i = 0; i < r->n_cuts; i++)
        TRY(place_cut(r, i, error));
    return KITH_OK;
}

/* Empty lines may end a file, but not a range that has rows behind it. */
static kith_status check_blank_lines(reader *r, kith_error *error)
{
    for (size_t i = 0; i < r->n_cuts; i++)
        r->cuts[i].end = r->ends[r->piece_of[i]];
    TRY(gather_cuts(r, error));
    for (size_t i = 0; i < r->n_cuts; i++) {
        const cut *own = &r->cuts[i];
        cut later;
        for (size_t k = 0; own->end.blank_line > 0 && cut_of_file(r, own->file, k, &later); k++)
            if (later.range.begin > own->range.begin && later.end.has_rows)
                return csv_source_empty_line(r->files.paths[own->file], own->end.blank_line,
                                             r->header.width, error);
    }
    return KITH_OK;
}

/* A rank that finds an error in its pieces still tells the others what it has seen: the file may
 * have one before it, which they would name. */
kith_status slice_csv_read(const source *s, void *user, kith_table **table, kith_error *error)
{
    reader r = {.s = s, .c = user};
    kith_error other = {0};
    r.all = TRY_ALLOC(arena_array(s->scratch, ranks_count(r.c->ranks), sizeof *r.all), error);
    TRY(agree_files(&r, error));
    TRY(agree_facts(&r, error));
    TRY(csv_pieces_header(&r.header, s, r.files.paths[0], error));
    TRY(choose_pieces(&r, error));
    TRY(place_cuts(&r, error));
    const kith_status status =
        csv_pieces_read(s, &r.header, r.pieces, r.n_pieces, r.ends, table, error);
    if (status != KITH_OK && status != KITH_DATA)
        return status;
    const kith_status blank = check_blank_lines(&r, status == KITH_OK ? error : &other);
    return status != KITH_OK ? status : blank;
}
