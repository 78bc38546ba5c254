#include "generate/generate.h"

#include <kith/generate.h>
#include <kith/kith.h>
#include <string.h>

#include "core/run/context.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "core/text.h"

/* A block of rows has a random stream of its own, whichever thread makes it: the bytes depend on
 * the seed alone, not on the number of threads. A batch is what the threads make before it is
 * written out in order. */
enum { BLOCK_ROWS = 4096, BATCH_MAX = 64 };
/* Far more than a disk holds; keeps the arithmetic on rows and bytes away from overflow. */
static const uint64_t rows_max = 1000000000000;

const profile *const generate_profiles[] = {&profile_hospital, &profile_adult, &profile_survey,
                                            NULL};

/* The blocks that are made at the same time, each into a buffer of its own. */
typedef struct batch {
    const network *net;
    uint64_t seed;
    uint64_t n_rows;      /* of the whole table */
    uint64_t first_block; /* of this batch */
    char *bytes[BATCH_MAX];
    size_t used[BATCH_MAX];
} batch;

static void make_block(void *user, size_t index, unsigned worker)
{
    (void)worker;
    batch *b = user;
    uint64_t block = b->first_block + index;
    uint64_t end = (block + 1) * BLOCK_ROWS < b->n_rows ? (block + 1) * BLOCK_ROWS : b->n_rows;
    rng r;
    rng_init(&r, b->seed, block);
    char *out = b->bytes[index];
    for (uint64_t row = block * BLOCK_ROWS; row < end; row++)
        out = network_row(b->net, &r, row, out);
    b->used[index] = (size_t)(out - b->bytes[index]);
}

/* Returns the number of bytes, which the summary reports. */
static size_t write_header(output *out, const network *net)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < network_n_columns(net); i++) {
        const char *name = network_column(net, i);
        output_text(out, i == 0 ? "" : ",");
        output_text(out, name);
        bytes += strlen(name) + 1;
    }
    output_text(out, "\n");
    return bytes;
}

/* Makes a batch of blocks in parallel, writes it, and goes on with the next one. Memory is bounded
 * by the batch, not by the table. Twice as many blocks as threads keep all threads busy although
 * blocks take different times. */
static kith_status generate_write_rows(context *c, const network *net, uint64_t n_rows, output *out,
                                       uint64_t *bytes, kith_error *error)
{
    batch b = {.net = net, .seed = c->seed, .n_rows = n_rows};
    uint64_t n_blocks = (n_rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    uint64_t width = 2 * (uint64_t)threads_count(c->pool);
    width = width > BATCH_MAX ? BATCH_MAX : width > n_blocks ? n_blocks : width;
    for (uint64_t i = 0; i < width; i++)
        b.bytes[i] = TRY_ALLOC(arena_array(c->memory, BLOCK_ROWS, network_row_bytes(net)), error);
    *bytes = write_header(out, net);
    for (; b.first_block < n_blocks; b.first_block += width) {
        if (!context_progress(c, "generate", (double)b.first_block / (double)n_blocks))
            return error_set(error, KITH_CANCELLED, "interrupted");
        uint64_t left = n_blocks - b.first_block;
        size_t count = (size_t)(left < width ? left : width);
        threads_run(c->pool, count, make_block, &b);
        for (size_t i = 0; i < count; i++) {
            output_write(out, b.bytes[i], b.used[i]);
            *bytes += b.used[i];
        }
        TRY(output_status(out, error));
    }
    return KITH_OK;
}

/* A name that is at most two edits away is suggested. */
static kith_status find_profile(const profile **found, const char *name, kith_error *error)
{
    for (size_t i = 0; generate_profiles[i] != NULL; i++)
        if (strcmp(generate_profiles[i]->name, name) == 0) {
            *found = generate_profiles[i];
            return KITH_OK;
        }
    char quoted[80];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    error_set(error, KITH_INVALID, "there is no profile '%s': expected hospital, adult or survey",
              quoted);
    const char *near = NULL;
    for (size_t i = 0, best = 3; generate_profiles[i] != NULL; i++) {
        size_t distance = text_distance(name, generate_profiles[i]->name);
        if (distance < best) {
            best = distance;
            near = generate_profiles[i]->name;
        }
    }
    return near == NULL ? KITH_INVALID : error_hint(error, KITH_INVALID, "did you mean %s?", near);
}

/* Elsewhere in Kith these names mean a compressed file, another format or a database; here they
 * would become CSV files with a misleading name. */
static kith_status check_output(const char *path, kith_error *error)
{
    if (path[0] == '\0' || path[strlen(path) - 1] == '/')
        return error_set(error, KITH_INVALID, "'%s' names no file to write", path);
    static const char *const endings[] = {".gz", ".zst", ".parquet", ".json", ".ndjson", ".jsonl"};
    static const char *const prefixes[] = {"sqlite:", "duckdb:", "postgresql:"};
    bool other = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        other = other || text_ends(path, endings[i]);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        other = other || strncmp(path, prefixes[i], strlen(prefixes[i])) == 0;
    if (other)
        return error_set(error, KITH_INVALID, "%s: generate writes plain CSV files only", path);
    return KITH_OK;
}

/* What a run has made. */
typedef struct made_files {
    const profile *profile;
    network *net;   /* of the profile */
    uint64_t bytes; /* of the data */
    companions *beside;
    double begun; /* seconds */
} made_files;

/* The JSON document about a run, as of all commands. */
static kith_status summarize(kith_document **summary, const context *c,
                             const kith_generate_options *o, const made_files *m, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "command", "generate");
    document_put_text(d, root, "profile", m->profile->name);
    if (c->run->seeded)
        document_put_count(d, root, "seed", c->seed);
    else
        document_put_null(d, root, "seed");
    document_put_count(d, root, "records", o->n_rows);
    document_put_count(d, root, "columns", network_n_columns(m->net));
    document_put_count(d, root, "bytes", m->bytes);
    document_put_text(d, root, "output", o->output);
    document_node *files = document_array(d, root, "beside");
    for (size_t i = 0; write_companions_path(m->beside, i) != NULL; i++)
        document_put_text(d, files, NULL, write_companions_path(m->beside, i));
    document_node *seconds = document_object(d, root, "seconds");
    document_put_number(d, seconds, "total", context_seconds() - m->begun);
    return document_finish(summary, d, error);
}

kith_status kith_generate(kith_document **summary, const kith_generate_options *options,
                          const kith_run *run, kith_error *error)
{
    kith_generate_options own;
    context c CONTEXT_SCOPED = {.run = NULL};
    if (summary != NULL)
        *summary = NULL;
    TRY(OPTIONS_TAKE(kith_generate_options, overwrite, &own, options, error));
    TRY(options_need(own.profile, "profile", error));
    TRY(options_need(own.output, "output", error));
    TRY(context_init(&c, run, error));
    /* Everything is written to temporary files first; they get their names together at the end, so
     * that a failure leaves no half of a data set behind. */
    made_files m = {.begun = context_seconds()};
    TRY(find_profile(&m.profile, own.profile, error));
    if (own.n_rows == 0 || own.n_rows > rows_max)
        return error_set(error, KITH_INVALID, "cannot generate %llu rows: expected 1 to 10^12",
                         (unsigned long long)own.n_rows);
    TRY(check_output(own.output, error));
    output *out = NULL;
    TRY(output_open(&out, c.memory, own.output, own.overwrite, error));
    bool stream = output_temporary(out) == NULL; /* has no place for companions */
    TRY(network_new(&m.net, c.memory, m.profile, error));
    TRY(write_companions(&m.beside, c.memory, m.profile, m.net, stream ? "-" : own.output,
                         own.overwrite, error));
    TRY(generate_write_rows(&c, m.net, own.n_rows, out, &m.bytes, error));
    TRY(output_finish(out, error));
    /* The summary is made before any file appears, and the data appears last: a data file that
     * exists is complete, and so are its companions. */
    kith_document *made = NULL;
    if (summary != NULL)
        TRY(summarize(&made, &c, &own, &m, error));
    kith_status status = write_companions_commit(m.beside, error);
    if (status == KITH_OK)
        status = output_commit(out, error);
    return document_hand_over(summary, made, status);
}
