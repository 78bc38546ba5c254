#include "table/rows/row_spill.h"

#include <string.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/options.h"
#include "core/system/spill_file.h"
#include "table/source.h"
#include "table/table_builder_internal.h"
#include "table/uri.h"

/* Where a block stands, and how many bytes a number of each list takes there. */
typedef struct spill_block {
    uint64_t at;
    const uint8_t *width; /* [n_lists] */
} spill_block;

struct row_spill {
    arena *memory;
    const row_spill_rule *rule;
    spill_file *file;
    uint64_t written; /* bytes */
    uint32_t n_columns;
    uint32_t n_lists; /* n_columns, and one more for the numbers of rows */
    uint32_t **block; /* [n_lists][ROW_SPILL_ROWS] the block that is being filled: codes + 1 in the
                       * order of first sight, 0 for a missing cell */
    uint32_t n_filled;
    uint8_t *packed; /* [n_lists * ROW_SPILL_ROWS * 4] */
    uint32_t *kept;  /* rows of the builder that are kept */
    size_t kept_room;
    spill_block *blocks;
    uint32_t n_blocks, blocks_room;
    uint64_t n_rows, n_read, n_empty;
    uint64_t **seen;       /* [columns][codes] how often a code was seen in rows that are kept */
    uint32_t **seen_first; /* [columns][codes] and where first */
    size_t *seen_room;
    const uint32_t *const *map; /* [columns] from these codes to those of the dictionary */
    const kith_table *table;
    uint64_t **counts; /* [columns][values + 1] */
    uint32_t **first;  /* [columns][values] */
    uint64_t lacking;  /* row, or UINT64_MAX */
    bool *lacks;       /* [columns] which cells of that row are missing and needed */
};

static kith_status write_block(row_spill *s, kith_error *error)
{
    uint8_t *width = TRY_ARRAY(width, s->memory, s->n_lists, error);
    uint8_t *end = s->packed;
    for (uint32_t i = 0; i < s->n_lists; i++) {
        uint32_t max = 0;
        for (uint32_t r = 0; r < s->n_filled; r++)
            max = s->block[i][r] > max ? s->block[i][r] : max;
        width[i] = (uint8_t)bytes_width(max);
        for (uint32_t r = 0; r < s->n_filled; r++)
            end = bytes_put(end, s->block[i][r], width[i]);
    }
    TRY_GROW(s->blocks, s->blocks_room, s->n_blocks + (size_t)1, s->memory, error);
    s->blocks[s->n_blocks++] = (spill_block){s->written, width};
    TRY(spill_file_write(s->file, s->written, s->packed, (size_t)(end - s->packed), error));
    s->written += (uint64_t)(end - s->packed);
    s->n_filled = 0;
    return KITH_OK;
}

static bool means_missing(const column_builder *c, uint32_t code)
{
    bool missing = code == TABLE_MISSING;
    for (size_t m = 0; m < c->n_missing && !missing; m++)
        missing = c->missing[m] == code;
    return missing;
}

static bool lacks_cell(const row_spill *s, const table_builder *b, uint32_t row, uint32_t i)
{
    return s->rule->needed[i] && means_missing(&b->columns[i], b->columns[i].codes[row]);
}

/* Lists the rows that are kept, and returns how many there are. */
static uint32_t choose_rows(row_spill *s, const table_builder *b)
{
    uint32_t n = 0;
    for (uint32_t row = 0; row < b->n_rows; row++) {
        bool empty = s->rule->drop_empty && s->n_columns > 1, lacking = false;
        for (uint32_t i = 0; i < s->n_columns && empty; i++)
            empty = means_missing(&b->columns[i], b->columns[i].codes[row]);
        if (empty) {
            s->n_empty++;
            continue;
        }
        for (uint32_t i = 0; s->rule->needed != NULL && i < s->n_columns && !lacking; i++)
            lacking = lacks_cell(s, b, row, i);
        if (lacking && s->lacking == UINT64_MAX) {
            s->lacking = s->n_read + row;
            for (uint32_t i = 0; i < s->n_columns; i++)
                s->lacks[i] = lacks_cell(s, b, row, i);
        }
        if (!lacking || !s->rule->drop)
            s->kept[n++] = row;
    }
    return n;
}

/* Counts the cells of one column, and notes where a value is seen first. */
static kith_status count_cells(row_spill *s, const column_builder *c, uint32_t i, uint32_t n,
                               kith_error *error)
{
    const size_t room = s->seen_room[i];
    if (c->texts.count > room) {
        const size_t more = arena_capacity(room, c->texts.count);
        TRY_RESIZE(s->seen[i], s->memory, room, more, error);
        TRY_RESIZE(s->seen_first[i], s->memory, room, more, error);
        memset(s->seen[i] + room, 0, (more - room) * sizeof **s->seen);
        s->seen_room[i] = more;
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t code = c->codes[s->kept[k]];
        if (code != TABLE_MISSING && s->seen[i][code]++ == 0)
            s->seen_first[i][code] = (uint32_t)(s->n_read + s->kept[k]);
    }
    return KITH_OK;
}

kith_status row_spill_take(row_spill *s, table_builder *b, bool all, kith_error *error)
{
    if (s == NULL || (!all && b->n_rows < ROW_SPILL_ROWS))
        return KITH_OK;
    if (s->block == NULL) {
        const uint32_t n_columns = (uint32_t)b->count;
        s->n_columns = n_columns;
        s->n_lists = n_columns + s->rule->numbered;
        s->block = TRY_ARRAY(s->block, s->memory, s->n_lists, error);
        for (uint32_t i = 0; i < s->n_lists; i++)
            s->block[i] =
                TRY_ALLOC(arena_array(s->memory, ROW_SPILL_ROWS, sizeof **s->block), error);
        s->packed =
            TRY_ALLOC(arena_array(s->memory, s->n_lists, ROW_SPILL_ROWS * sizeof(uint32_t)), error);
        s->lacks = TRY_ZEROS(s->lacks, s->memory, n_columns, error);
        s->seen = TRY_ZEROS(s->seen, s->memory, n_columns, error);
        s->seen_first = TRY_ZEROS(s->seen_first, s->memory, n_columns, error);
        s->seen_room = TRY_ZEROS(s->seen_room, s->memory, n_columns, error);
    }
    TRY_GROW(s->kept, s->kept_room, b->n_rows, s->memory, error);
    const uint32_t n = choose_rows(s, b);
    if (s->n_read + b->n_rows > UINT32_MAX - 1)
        return error_set(error, KITH_DATA, "%s: more than %u rows", b->source, UINT32_MAX - 1);
    for (uint32_t i = 0; i < s->n_columns; i++)
        TRY(count_cells(s, &b->columns[i], i, n, error));
    for (uint32_t done = 0; done < n;) {
        const uint32_t room = ROW_SPILL_ROWS - s->n_filled, left = n - done;
        const uint32_t more = left < room ? left : room;
        for (uint32_t i = 0; i < s->n_columns; i++)
            for (uint32_t k = 0; k < more; k++) /* a missing cell becomes 0 */
                s->block[i][s->n_filled + k] = b->columns[i].codes[s->kept[done + k]] + 1;
        for (uint32_t k = 0; k < more && s->rule->numbered; k++)
            s->block[s->n_columns][s->n_filled + k] = (uint32_t)(s->n_read + s->kept[done + k]);
        s->n_filled += more;
        done += more;
        if (s->n_filled == ROW_SPILL_ROWS)
            TRY(write_block(s, error));
    }
    s->n_rows += n;
    s->n_read += b->n_rows;
    b->budget.earlier = s->n_read;
    b->n_rows = 0;
    return all && s->n_filled > 0 ? write_block(s, error) : KITH_OK;
}

/* Counts and first rows by the codes of the dictionary. */
static kith_status order_counts(row_spill *s, const table_builder *b, kith_error *error)
{
    s->counts = TRY_ARRAY(s->counts, s->memory, s->n_columns, error);
    s->first = TRY_ARRAY(s->first, s->memory, s->n_columns, error);
    const uint32_t **map = TRY_ARRAY(map, s->memory, s->n_columns, error);
    for (uint32_t i = 0; i < s->n_columns; i++) {
        const column_builder *c = &b->columns[i];
        const uint32_t n = s->table->columns[i].values.count;
        uint64_t *counts = arena_zalloc(s->memory, n + (size_t)1, sizeof *counts);
        uint32_t *first = arena_array(s->memory, n, sizeof *first);
        if (counts == NULL || first == NULL)
            return error_nomem(error);
        counts[n] = s->n_rows;
        for (uint32_t code = 0; code < c->n_codes; code++)
            if (c->map[code] != TABLE_MISSING) {
                counts[c->map[code]] = s->seen[i][code];
                counts[n] -= s->seen[i][code];
                first[c->map[code]] = s->seen_first[i][code];
            }
        arena_release(s->memory, s->seen[i], s->seen_room[i] * sizeof **s->seen);
        arena_release(s->memory, s->seen_first[i], s->seen_room[i] * sizeof **s->seen_first);
        s->counts[i] = counts;
        s->first[i] = first;
        map[i] = c->map;
    }
    s->map = map;
    return KITH_OK;
}

kith_status row_spill_finish(row_spill *s, table_builder *b, kith_table **table, kith_error *error)
{
    TRY(row_spill_take(s, b, true, error));
    for (uint32_t i = 0; i < s->n_columns; i++)
        b->columns[i].seen = s->seen[i]; /* values that stay: only these are sorted */
    b->keeps_maps = true;
    TRY(table_builder_finish(b, table, error));
    s->table = *table;
    return order_counts(s, b, error);
}

kith_status row_spill_new(row_spill **spill, const row_spill_rule *rule, const char *beside,
                          arena *memory, kith_error *error)
{
    row_spill *s = TRY_ZEROS(s, memory, 1, error);
    s->memory = memory;
    s->rule = rule;
    s->lacking = UINT64_MAX;
    *spill = s;
    return spill_file_open(&s->file, memory, beside, error);
}

kith_status row_spill_read(row_spill **spill, const char *uri, const kith_table_options *options,
                           const row_spill_rule *rule, const char *beside, const kith_run *run,
                           arena *memory, kith_error *error)
{
    TRY(row_spill_new(spill, rule, beside, memory, error));
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_table_options own;
    source from = {.uri = uri,
                   .options = &own,
                   .memory = (*spill)->memory,
                   .scratch = scratch,
                   .spill = *spill};
    kith_run own_run;
    kith_table *table;
    TRY(table_take_options(&own, options, error));
    TRY(OPTIONS_TAKE(kith_csv_options, no_header, &from.csv, own.csv, error));
    TRY(options_take_run(&own_run, run, error));
    from.run = &own_run;
    from.name = TRY_ALLOC(uri_shown(scratch, uri), error);
    return source_read_whole(&from, &table, error);
}

const kith_table *row_spill_table(const row_spill *s)
{
    return s->table;
}

uint64_t row_spill_rows(const row_spill *s)
{
    return s->n_rows;
}

uint64_t row_spill_dropped(const row_spill *s)
{
    return s->n_read - s->n_rows - s->n_empty;
}

uint64_t row_spill_empty(const row_spill *s)
{
    return s->n_empty;
}

uint32_t row_spill_blocks(const row_spill *s)
{
    return s->n_blocks;
}

const uint64_t *const *row_spill_counts(const row_spill *s)
{
    return (const uint64_t *const *)s->counts;
}

const uint32_t *const *row_spill_first(const row_spill *s)
{
    return (const uint32_t *const *)s->first;
}

bool row_spill_lacks(const row_spill *s, uint32_t *row, uint32_t *where)
{
    *row = (uint32_t)s->lacking;
    *where = UINT32_MAX;
    if (s->lacking == UINT64_MAX)
        return false;
    for (uint32_t i = 0; i < s->n_columns; i++)
        if (s->lacks[i] &&
            (*where == UINT32_MAX || s->table->columns[i].place < s->table->columns[*where].place))
            *where = i;
    return true;
}

kith_status row_spill_room(const row_spill *s, kith_table *rows, arena *memory, kith_error *error)
{
    return table_room(rows, s->table, ROW_SPILL_ROWS, memory, error);
}

kith_status row_spill_block(row_spill *s, uint32_t block, kith_table *rows, kith_error *error)
{
    const spill_block *at = &s->blocks[block];
    const uint64_t before = (uint64_t)block * ROW_SPILL_ROWS, left = s->n_rows - before;
    const uint32_t n = left < ROW_SPILL_ROWS ? (uint32_t)left : ROW_SPILL_ROWS;
    size_t n_bytes = 0;
    for (uint32_t i = 0; i < s->n_lists; i++)
        n_bytes += (size_t)at->width[i] * n;
    TRY(spill_file_read(s->file, at->at, s->packed, n_bytes, error));
    const uint8_t *from = s->packed;
    for (uint32_t i = 0; i < s->n_columns; i++) {
        uint32_t *codes = rows->columns[i].codes;
        for (uint32_t r = 0; r < n; r++, from += at->width[i]) {
            const uint32_t code = (uint32_t)bytes_get(from, at->width[i]);
            codes[r] = code == 0 ? TABLE_MISSING : s->map[i][code - 1];
        }
    }
    if (s->rule->numbered) {
        uint32_t *numbers = s->block[s->n_columns];
        for (uint32_t r = 0; r < n; r++, from += at->width[s->n_columns])
            numbers[r] = (uint32_t)bytes_get(from, at->width[s->n_columns]);
        rows->source_rows = numbers;
    }
    rows->n_rows = n;
    return KITH_OK;
}

void row_spill_forget(row_spill *s)
{
    spill_file_empty(s->file);
}
