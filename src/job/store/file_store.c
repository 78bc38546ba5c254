#include "job/store/file_store.h"

#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "job/result/path_conflicts.h"
#include "job/store/file_store_internal.h"
#include "table/csv_files.h"
#include "table/uri.h"

/* What a table in memory takes is about this many times the size of its file, from the measurements
 * in docs/benchmarks.md; a packed file is as much smaller. */
enum { MEMORY_PER_BYTE = 2, PACKED = 6 };

static bool is_csv(const char *uri)
{
    return uri_which(uri) == URI_CSV;
}

static bool is_packed(const char *uri)
{
    const char *dot = strrchr(uri, '.');
    return dot != NULL && (strcmp(dot, ".gz") == 0 || strcmp(dot, ".zst") == 0);
}

/* What one file has; UINT64_MAX if nobody knows. A file that is not there has nothing: reading it
 * tells why. */
static uint64_t bytes_of(const char *path)
{
    struct stat file;
    if (strcmp(path, "-") == 0)
        return UINT64_MAX;
    if (stat(path, &file) != 0)
        return 0;
    if (!S_ISREG(file.st_mode)) /* a pipe */
        return UINT64_MAX;
    return (uint64_t)file.st_size * (is_packed(path) ? PACKED : 1);
}

bool file_store_needed(const char *uri, uint64_t memory_bytes, arena *memory)
{
    csv_files files;
    uint64_t all = 0;
    if (!is_csv(uri) || csv_files_find(&files, memory, uri, NULL) != KITH_OK)
        return false;
    for (size_t i = 0; i < files.count && all <= memory_bytes / MEMORY_PER_BYTE; i++) {
        const uint64_t one = bytes_of(files.paths[i]);
        all = one < UINT64_MAX - all ? all + one : UINT64_MAX;
    }
    return all > memory_bytes / MEMORY_PER_BYTE;
}

/* Missing cells of quasi-identifying and sensitive columns matter (kept_rows.h). */
static kith_status find_needed(file_store *f, const kith_table_options *options, kith_error *error)
{
    const missing_policy policy = f->study->missing;
    f->rule.drop = policy == MISSING_DROP;
    f->rule.drop_empty = true;
    if (policy != MISSING_DROP && policy != MISSING_REJECT)
        return KITH_OK;
    bool *needed =
        TRY_ALLOC(arena_zalloc(f->context->memory, options->n_columns, sizeof *needed), error);
    for (size_t i = 0; i < options->n_columns; i++)
        for (uint32_t k = 0; k < f->study->n_columns; k++) {
            const study_column *c = &f->study->columns[k];
            if (strcmp(c->name, options->columns[i].name) == 0)
                needed[i] = c->role == ROLE_QUASI_IDENTIFYING || c->role == ROLE_SENSITIVE;
        }
    f->rule.needed = needed;
    return KITH_OK;
}

/* The message of a table in memory, with the line of the row. */
static kith_status check_missing(const file_store *f, kith_error *error)
{
    uint32_t row, where;
    if (f->study->missing != MISSING_REJECT || !row_spill_lacks(f->data, &row, &where))
        return KITH_OK;
    kith_table one = *row_spill_table(f->data);
    one.n_rows = 1;
    one.source_rows = &row;
    return prepare_reject_missing(&one, 0, one.columns[where].name, error);
}

static kith_status survey(void *self, const kith_table **table, prepare_whole *whole,
                          kith_error *error)
{
    file_store *f = self;
    kith_table_options options = study_table_options(f->study);
    options.separator = f->options->separator;
    options.csv = f->options->csv;
    TRY(find_needed(f, &options, error));
    TRY(row_spill_read(&f->data, f->options->input, &options, &f->rule, f->options->output,
                       f->context->run, f->context->memory, error));
    TRY(check_missing(f, error));
    TRY(row_spill_room(f->data, &f->block, f->context->memory, error));
    *table = row_spill_table(f->data);
    *whole = (prepare_whole){.n_rows = row_spill_rows(f->data),
                             .dropped = row_spill_dropped(f->data),
                             .empty = row_spill_empty(f->data),
                             .counts = row_spill_counts(f->data)};
    f->store->first = row_spill_first(f->data);
    return KITH_OK;
}

static kith_status open_release(void *self, const publication_columns *columns, kith_error *error)
{
    file_store *f = self;
    const kith_anonymize_options *o = f->options;
    const char separator = o->separator != 0 ? o->separator : row_spill_table(f->data)->separator;
    return publication_open(&f->publication, o->output, separator, o->overwrite, columns->names,
                            columns->whole, columns->from, columns->count, error);
}

static kith_status scan(void *self, store_visit visit, void *to, kith_error *error)
{
    file_store *f = self;
    const store_block block = {.rows = &f->block};
    for (uint32_t i = 0; i < row_spill_blocks(f->data); i++) {
        TRY(row_spill_block(f->data, i, &f->block, error));
        TRY(visit(to, &block, error));
    }
    return KITH_OK;
}

/* Rows of one block go to their pieces. */
typedef struct dealer {
    file_store *to;
    const store_pieces *pieces;
    uint32_t *piece_of; /* [ROW_SPILL_ROWS] */
    uint32_t row;       /* of the whole table */
} dealer;

static kith_status deal_block(void *to, const store_block *block, kith_error *error)
{
    dealer *d = to;
    TRY(d->pieces->of(d->pieces->user, block, d->piece_of, error));
    TRY(row_buckets_deal(&d->to->pieces, block->rows, d->piece_of, d->row, error));
    d->row += block->rows->n_rows;
    return KITH_OK;
}

static kith_status divide(void *self, const store_pieces *pieces, kith_error *error)
{
    file_store *f = self;
    arena *memory = f->pieces_memory;
    f->values = pieces->values;
    TRY(row_buckets_open(&f->pieces, &f->block, true, pieces->count, f->buffer_bytes,
                         f->options->output, memory, error));
    dealer d = {.to = f, .pieces = pieces};
    d.piece_of = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *d.piece_of), error);
    return scan(f, deal_block, &d, error);
}

static kith_status fetch(void *self, uint32_t piece, kith_table *rows, arena *memory,
                         kith_error *error)
{
    file_store *f = self;
    return row_buckets_read(&f->pieces, piece, rows, &f->places, memory, error);
}

static kith_status companion(void *self, const kith_document *meta, kith_error *error)
{
    file_store *f = self;
    return publication_document(f->publication.meta, meta, error);
}

static kith_status commit(void *self, kith_error *error)
{
    file_store *f = self;
    return publication_commit(&f->publication, error);
}

static void free_memories(void *object)
{
    file_store *f = object;
    arena_free(f->pieces_memory);
    arena_free(f->shown_memory);
    arena_free(f->pairs_memory);
}

static kith_status check_files(const kith_anonymize_options *o, kith_error *error)
{
    const bool reads = is_csv(o->input), writes = is_csv(o->output);
    if (reads && writes && path_conflicts_is_file(o->output))
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s: tables that do not fit into memory are %s CSV files only",
              reads ? o->output : o->input, reads ? "written to" : "read from");
    return error_hint(error, KITH_INVALID, "allow more memory, or convert it");
}

kith_status file_store_open(store *s, const kith_study *study,
                            const kith_anonymize_options *options, uint64_t memory_bytes,
                            context *c, kith_error *error)
{
    TRY(check_files(options, error));
    file_store *f = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *f), error);
    *f = (file_store){.store = s,
                      .study = study,
                      .options = options,
                      .buffer_bytes = memory_bytes / 8,
                      .context = c,
                      .publication = {.context = c}};
    if (!arena_defer(c->memory, free_memories, f))
        return error_nomem(error);
    f->pieces_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    f->shown_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    f->pairs_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    *s = (store){.self = f,
                 .survey = survey,
                 .open = open_release,
                 .scan = scan,
                 .divide = divide,
                 .fetch = fetch,
                 .put = file_store_put,
                 .finish = file_store_finish,
                 .parts = file_store_parts,
                 .companion = companion,
                 .commit = commit};
    return KITH_OK;
}
