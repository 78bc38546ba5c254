/* The joint release of a simulation: what all sites published, put together and judged against the
 * whole table. */
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "job/simulate/simulate.h"
#include "table/table_writer.h"

/* The releases of all parties that have one. */
typedef struct collection {
    uint32_t count;
    uint32_t of[64]; /* the party of each */
    kith_table *releases[64];
} collection;

static void free_collection(void *object)
{
    collection *c = object;
    for (uint32_t i = 0; i < c->count; i++)
        kith_table_free(c->releases[i]);
}

static const char *path_in(const simulation *s, uint32_t party_index, const char *name)
{
    return arena_printf(s->context.memory, "%s/%s", s->seats[party_index].directory, name);
}

static kith_status read_releases(collection *c, const simulation *s, const kith_run *run,
                                 kith_error *error)
{
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const char *path = TRY_ALLOC(path_in(s, i, "release.csv"), error);
        if (access(path, F_OK) != 0)
            continue;
        TRY(kith_table_read(&c->releases[c->count], path, &options, run, error));
        c->of[c->count++] = i;
    }
    if (c->count == 0)
        return error_set(error, KITH_BUG, "no party has a release");
    for (uint32_t i = 1; i < c->count; i++)
        for (uint32_t j = 0; j < c->releases[0]->n_columns; j++)
            if (c->releases[i]->n_columns != c->releases[0]->n_columns ||
                strcmp(c->releases[i]->columns[j].name, c->releases[0]->columns[j].name) != 0)
                return error_set(error, KITH_BUG, "%s and %s released other columns",
                                 s->parties[c->of[0]].name, s->parties[c->of[i]].name);
    return KITH_OK;
}

/* A sum of keyed hashes of the rows, whatever their order. */
typedef struct fingerprint {
    uint64_t sum[2];
} fingerprint;

static fingerprint take_fingerprint(const kith_table *t, const unsigned char *key)
{
    fingerprint f = {{0, 0}};
    for (uint32_t row = 0; row < t->n_rows; row++) {
        crypto_generichash_state state;
        uint64_t hash[2];
        crypto_generichash_init(&state, key, crypto_generichash_KEYBYTES, sizeof hash);
        for (uint32_t j = 0; j < t->n_columns; j++) {
            const char *text = kith_table_cell(t, row, j);
            const unsigned char *bytes = (const unsigned char *)(text == NULL ? "" : text);
            unsigned char present = text != NULL;
            crypto_generichash_update(&state, &present, 1);
            crypto_generichash_update(&state, bytes, strlen((const char *)bytes) + 1);
        }
        crypto_generichash_final(&state, (unsigned char *)hash, sizeof hash);
        f.sum[0] += hash[0];
        f.sum[1] += hash[1];
    }
    return f;
}

/* All parties have the same rows. */
static kith_status compare(const collection *c, const simulation *s, kith_error *error)
{
    unsigned char key[crypto_generichash_KEYBYTES];
    randombytes_buf(key, sizeof key);
    fingerprint first = take_fingerprint(c->releases[0], key);
    for (uint32_t i = 1; i < c->count; i++) {
        fingerprint other = take_fingerprint(c->releases[i], key);
        if (c->releases[i]->n_rows != c->releases[0]->n_rows ||
            memcmp(&first, &other, sizeof first) != 0)
            return error_set(error, KITH_BUG, "the releases of %s and %s differ",
                             s->parties[c->of[0]].name, s->parties[c->of[i]].name);
    }
    return KITH_OK;
}

/* One row of the collection. */
typedef struct row_place {
    uint32_t table, row;
} row_place;

static kith_status choose_rows(row_place **rows, uint64_t *count, const collection *c,
                               uint32_t n_tables, arena *memory, kith_error *error)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < n_tables; i++)
        all += c->releases[i]->n_rows;
    if (all > UINT32_MAX)
        return error_set(error, KITH_DATA, "the joint release has too many rows");
    *rows = arena_array(memory, all, sizeof **rows);
    TRY_ALLOC(*rows, error);
    *count = 0;
    for (uint32_t i = 0; i < n_tables; i++)
        for (uint32_t row = 0; row < c->releases[i]->n_rows; row++)
            (*rows)[(*count)++] = (row_place){i, row};
    for (uint64_t i = all; i > 1; i--) { /* shuffled: whose row it is must not show */
        uint32_t j = randombytes_uniform((uint32_t)i);
        row_place moved = (*rows)[j];
        (*rows)[j] = (*rows)[i - 1];
        (*rows)[i - 1] = moved;
    }
    return KITH_OK;
}

/* The first `n_tables` releases as one file. */
static kith_status write_joint(const char *path, simulate_result *r, const simulation *s,
                               const collection *c, uint32_t n_tables, arena *memory,
                               kith_error *error)
{
    table_writer *w;
    row_place *rows;
    uint64_t count = 0;
    uint32_t n_columns = c->releases[0]->n_columns;
    const char **cells = TRY_ALLOC(arena_array(memory, n_columns, sizeof *cells), error);
    TRY(choose_rows(&rows, &count, c, n_tables, memory, error));
    r->site_of = n_tables < 2 ? NULL : arena_array(s->context.memory, count, sizeof *r->site_of);
    if (n_tables >= 2)
        TRY_ALLOC(r->site_of, error);
    for (uint64_t i = 0; i < count && r->site_of != NULL; i++)
        r->site_of[i] = c->of[rows[i].table];
    for (uint32_t j = 0; j < n_columns; j++)
        cells[j] = c->releases[0]->columns[j].name;
    TRY(table_writer_open(&w, memory, path, ',', true, cells, n_columns, error));
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < n_columns; j++)
            cells[j] = kith_table_cell(c->releases[rows[i].table], rows[i].row, j);
        TRY(table_writer_row(w, cells, error));
    }
    return table_writer_commit(w, error);
}

static kith_status judge(simulate_result *r, simulation *s, kith_error *error)
{
    prepared part;
    context *c = &s->context;
    TRY(assess_part(&part, &s->prepared, r->release, c, error));
    TRY(assess_models(&r->verified, s->study, &part, false, r->release, c, error));
    if (!r->verified.holds)
        return error_set(error, KITH_BUG,
                         "the joint release breaks a privacy model; nothing is written");
    TRY(simulate_site_models_check(r, s, error));
    TRY(assess_cover(&r->cover, &part, r->release, c, error));
    if (!r->cover.holds)
        return error_set(error, KITH_BUG,
                         "the joint release does not cover the data; nothing is written");
    TRY(assess_loss(&r->loss, &part, r->release, &r->verified, false, false, c, error));
    return risk_assess(&r->risks, &part, &r->verified, r->release, c, error);
}

static kith_status put_together(simulate_result *r, simulation *s, collection *c, arena *memory,
                                kith_error *error)
{
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    simulate_phase phase;
    simulate_phase_begin(&phase, s, "verify");
    bool own_rows = s->site_study->joint.own_rows;
    const char *path = TRY_ALLOC(arena_printf(memory, "%s/release.csv", s->files.stage), error);
    TRY(read_releases(c, s, &phase.run, error));
    if (!own_rows)
        TRY(compare(c, s, error));
    TRY(write_joint(path, r, s, c, own_rows ? c->count : 1, memory, error));
    return kith_table_read(&r->release, path, &options, &phase.run, error);
}

kith_status simulate_collect(simulate_result *r, simulation *s, kith_error *error)
{
    collection c = {.count = 0};
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = put_together(r, s, &c, memory, error);
    free_collection(&c);
    arena_free(memory);
    return status == KITH_OK ? judge(r, s, error) : status;
}
