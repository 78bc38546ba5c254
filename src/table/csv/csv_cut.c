#include "table/csv/csv_cut.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/check.h"
#include "core/error.h"

enum { BLOCK_BYTES = 1 << 18 };

/* Invariant: bytes[-1] is the byte before the block, if there is one. */
typedef struct scanner {
    const csv_cut_file *file;
    csv_cut_range *range;
    int descriptor;
    uint64_t at;       /* place of the block in the file */
    const char *bytes; /* [n] the block */
    size_t n;
    bool cell_begins; /* a cell begins at the block, or only blanks are between */
    csv_cut_state state[CSV_CUT_STATES];
    char room[BLOCK_BYTES + 1];
} scanner;

static bool is_blank(const scanner *s, char c)
{
    return s->file->blanks && (c == ' ' || c == '\t') && c != s->file->separator;
}

static bool is_stop(const scanner *s, char c)
{
    return c == s->file->separator || c == '\n' || c == '\r';
}

/* Does a cell begin at byte i of the block, or before blanks that end there? */
static bool cell_begins(const scanner *s, size_t i)
{
    while (i > 0 && s->at + i > s->file->begins && is_blank(s, s->bytes[i - 1]))
        i--;
    if (s->at + i <= s->file->begins)
        return true;
    return i == 0 ? s->cell_begins : is_stop(s, s->bytes[i - 1]);
}

/* Does a line begin at byte i? Between CR and LF none does. */
static inline bool line_begins(const char *bytes, size_t i)
{
    const char before = *(bytes + i - 1);
    return before == '\n' || (before == '\r' && bytes[i] != '\n');
}

/* How often a byte occurs. Sums of a byte's size let the compiler compare many at once. */
static uint64_t count_byte(const char *bytes, size_t n, char wanted)
{
    enum { AT_ONCE = 128 };
    uint64_t count = 0;
    for (; n >= AT_ONCE; n -= AT_ONCE, bytes += AT_ONCE) {
        uint8_t some = 0;
        for (size_t i = 0; i < AT_ONCE; i++)
            some += bytes[i] == wanted;
        count += some;
    }
    for (size_t i = 0; i < n; i++)
        count += bytes[i] == wanted;
    return count;
}

/* Lines that begin at bytes before `end`; the first byte of a file has nothing before it. */
static uint64_t count_lines(const scanner *s, size_t end)
{
    const size_t first = s->at == 0;
    uint64_t n_lines = 0;
    if (end <= first)
        return 0;
    if (memchr(s->bytes + first - 1, '\r', end - first) == NULL)
        return count_byte(s->bytes + first - 1, end - first, '\n');
    for (size_t i = first; i < end; i++)
        n_lines += line_begins(s->bytes, i);
    return n_lines;
}

/* The first line that begins outside quotes is the first record. */
static void find_record(scanner *s, unsigned from_state, size_t from, size_t end)
{
    csv_cut_range *r = s->range;
    for (size_t i = from + (s->at + from == 0); i < end; i++)
        if (line_begins(s->bytes, i)) {
            r->first[from_state] = s->at + i;
            r->lines[from_state] = r->n_lines + count_lines(s, i + 1);
            return;
        }
}

/* Bytes from `from` to `to` have no quotes; what is at `to` is one, or the end of the block. */
static void pass(scanner *s, size_t from, size_t to)
{
    for (unsigned k = 0; k < CSV_CUT_STATES; k++) {
        csv_cut_state state = s->state[k];
        size_t at = from;
        if (state == CSV_CUT_QUOTE && from < to)
            state = CSV_CUT_BEHIND;
        if (state == CSV_CUT_BEHIND) {
            while (at < to && is_blank(s, s->bytes[at]))
                at++;
            if (at < to)
                state = is_stop(s, s->bytes[at]) ? CSV_CUT_OUTSIDE : CSV_CUT_BROKEN;
        }
        if (state == CSV_CUT_OUTSIDE && s->range->first[k] == CSV_CUT_NONE)
            find_record(s, k, at, to < s->n ? to + 1 : to);
        s->state[k] = state;
    }
}

static void pass_block(scanner *s)
{
    size_t at = 0;
    for (;;) {
        const char *quote = at < s->n ? memchr(s->bytes + at, '"', s->n - at) : NULL;
        const size_t to = quote == NULL ? s->n : (size_t)(quote - s->bytes);
        pass(s, at, to);
        if (quote == NULL)
            break;
        const bool opens = cell_begins(s, to);
        for (unsigned k = 0; k < CSV_CUT_STATES; k++)
            switch (s->state[k]) {
            case CSV_CUT_OUTSIDE: s->state[k] = opens ? CSV_CUT_INSIDE : CSV_CUT_OUTSIDE; break;
            case CSV_CUT_INSIDE: s->state[k] = CSV_CUT_QUOTE; break;
            case CSV_CUT_QUOTE: s->state[k] = CSV_CUT_INSIDE; break;
            case CSV_CUT_BEHIND:
            case CSV_CUT_BROKEN: s->state[k] = CSV_CUT_BROKEN; break;
            }
        at = to + 1;
    }
    s->range->n_lines += count_lines(s, s->n);
    s->cell_begins = cell_begins(s, s->n);
}

/* Reads `size` bytes at `at`, or fewer at the end of the file. */
static kith_status read_at(const scanner *s, char *to, size_t size, uint64_t at, size_t *got,
                           kith_error *error)
{
    for (*got = 0; *got < size;) {
        const ssize_t n = pread(s->descriptor, to + *got, size - *got, (off_t)(at + *got));
        if (n < 0 && errno != EINTR)
            return error_errno(error, errno, "read", s->file->path);
        if (n == 0)
            break;
        *got += n > 0 ? (size_t)n : 0;
    }
    return KITH_OK;
}

static kith_status scan(scanner *s, const kith_run *run, kith_error *error)
{
    const csv_cut_range *r = s->range;
    /* What is before the range: the byte before it, and whether a cell begins behind that. */
    char before = '\0';
    uint64_t at = s->range->begin;
    bool blank = true;
    while (blank && at > s->file->begins) {
        size_t got;
        TRY(read_at(s, &before, 1, at - 1, &got, error));
        if (at == s->range->begin)
            s->room[0] = before;
        blank = is_blank(s, before);
        at--;
    }
    s->cell_begins = blank || is_stop(s, before);
    for (s->at = r->begin; s->at < r->end; s->at += s->n) {
        const uint64_t left = r->end - s->at;
        s->bytes = s->room + 1;
        TRY(read_at(s, s->room + 1, left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES, s->at, &s->n,
                    error));
        if (s->n == 0)
            return error_set(error, KITH_IO, "%s became shorter while it was read", s->file->path);
        pass_block(s);
        s->room[0] = s->bytes[s->n - 1];
        if (run != NULL && run->progress != NULL && !run->progress(run->user, "load", -1))
            return error_set(error, KITH_CANCELLED, "interrupted while reading %s", s->file->path);
    }
    return KITH_OK;
}

kith_status csv_cut_scan(csv_cut_range *range, const csv_cut_file *file, const kith_run *run,
                         kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    scanner *s = TRY_ALLOC(arena_alloc(memory, sizeof *s), error);
    *s = (scanner){.file = file, .range = range};
    range->n_lines = 0;
    for (unsigned k = 0; k < CSV_CUT_STATES; k++) {
        range->first[k] = CSV_CUT_NONE;
        range->lines[k] = 0;
        s->state[k] = (csv_cut_state)k;
    }
    s->descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
    if (s->descriptor < 0)
        return error_errno(error, errno, "read", file->path);
    const kith_status status = scan(s, run, error);
    for (unsigned k = 0; k < CSV_CUT_STATES; k++)
        range->becomes[k] = s->state[k];
    close(s->descriptor);
    return status;
}

void csv_cut_join(csv_cut_piece *pieces, const csv_cut_range *ranges, size_t count, uint64_t size)
{
    uint32_t state = CSV_CUT_OUTSIDE;
    uint64_t line = 1;
    for (size_t i = 0; i < count; i++) {
        const csv_cut_range *r = &ranges[i];
        ASSERT(r->begin == (i == 0 ? 0 : ranges[i - 1].end));
        pieces[i] = (csv_cut_piece){.begin = CSV_CUT_NONE};
        if (i == 0)
            pieces[i] = (csv_cut_piece){.begin = 0, .line = 1};
        else if (state != CSV_CUT_BROKEN && r->first[state] != CSV_CUT_NONE)
            pieces[i] = (csv_cut_piece){.begin = r->first[state], .line = line + r->lines[state]};
        state = state == CSV_CUT_BROKEN ? state : r->becomes[state];
        line += r->n_lines;
    }
    for (size_t i = count; i > 0; i--) {
        csv_cut_piece *p = &pieces[i - 1];
        p->begin = p->begin == CSV_CUT_NONE ? size : p->begin;
        p->end = size;
        size = p->begin;
    }
}
