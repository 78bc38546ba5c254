/* The joint release of a simulation: what all sites published, put together and assessed against
 * the whole table. */
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "job/simulate/simulate.h"
#include "wire/party.h"

/* The releases of all parties that have one. */
typedef struct collection {
    const simulation *simulation;
    simulate_result *result;
    uint32_t count;
    uint32_t of[PARTY_MAX]; /* the party of each */
    kith_table *releases[PARTY_MAX];
} collection;

static void free_releases(collection *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        kith_table_free(c->releases[i]);
    c->count = 0;
}

static const char *path_in(const simulation *s, uint32_t party_index, const char *name)
{
    return arena_printf(s->context.memory, "%s/%s", s->seats[party_index].directory, name);
}

/* Reads the releases of all parties; those without one, such as an external master, are skipped.
 * All must have the same columns. */
static kith_status read_releases(collection *c, const simulation *s, const kith_run *run,
                                 kith_error *error)
{
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    for (uint32_t i = 0; i < s->n_parties; i++) {
        const char *path = s->seats[i].rows != NULL
                               ? s->seats[i].rows
                               : TRY_ALLOC(path_in(s, i, "release.csv"), error);
        if (s->seats[i].rows == NULL && access(path, F_OK) != 0)
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
                return error_set(error, KITH_BUG, "%s and %s released different columns",
                                 s->parties[c->of[0]].name, s->parties[c->of[i]].name);
    return KITH_OK;
}

/* A sum of keyed hashes of the rows, which does not depend on their order. With a random key nobody
 * can prepare rows with equal sums. */
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

/* Checks that all parties have the same rows, as the protocol promises. */
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

/* Lists the rows of the first tables in random order: the order must not show whose row it is. */
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
    for (uint64_t i = all; i > 1; i--) {
        uint32_t j = randombytes_uniform((uint32_t)i);
        row_place moved = (*rows)[j];
        (*rows)[j] = (*rows)[i - 1];
        (*rows)[i - 1] = moved;
    }
    return KITH_OK;
}

/* Writes the rows of the first release, which all parties have, or the own rows of all. Remembers
 * whose a row is where that is known. */
static kith_status write_joint(void *user, table_writer *to, kith_error *error)
{
    collection *c = user;
    arena *memory = c->simulation->context.memory;
    const bool own_rows = c->simulation->site_study->joint.own_rows;
    const uint32_t n_tables = own_rows ? c->count : 1, n_columns = c->releases[0]->n_columns;
    row_place *rows = NULL;
    uint64_t count = 0;
    const char **cells = TRY_ALLOC(arena_array(memory, n_columns, sizeof *cells), error);
    TRY(choose_rows(&rows, &count, c, n_tables, memory, error));
    if (n_tables > 1) {
        uint32_t *site_of = TRY_ALLOC(arena_array(memory, count, sizeof *site_of), error);
        for (uint64_t i = 0; i < count; i++)
            site_of[i] = c->of[rows[i].table];
        c->result->site_of = site_of;
    }
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < n_columns; j++)
            cells[j] = kith_table_cell(c->releases[rows[i].table], rows[i].row, j);
        TRY(table_writer_row(to, cells, error));
    }
    arena_release(memory, rows, count * sizeof *rows);
    free_releases(c); /* to have room for the joint one, which is read next */
    return KITH_OK;
}

/* Reads, compares, writes and assesses. The joint release stays in the stage. */
static kith_status publish(collection *c, simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    publication *out = &c->result->publication;
    simulate_phase phase;
    prepared part;
    simulate_phase_begin(&phase, s, "verify");
    TRY(read_releases(c, s, &phase.run, error));
    if (!s->site_study->joint.own_rows)
        TRY(compare(c, s, error));
    const kith_table *first = c->releases[0];
    const char *path = TRY_ALLOC(arena_printf(memory, "%s/release.csv", s->files.stage), error);
    const char **names = TRY_ALLOC(arena_array(memory, first->n_columns, sizeof *names), error);
    for (uint32_t j = 0; j < first->n_columns; j++)
        names[j] = first->columns[j].name;
    TRY(assess_part(&part, &s->prepared, first, &s->context, error));
    const publication_rows rows = {.write = write_joint, .user = c};
    const publication_check check = {
        .study = s->study, .data = &part, .reordered = true, .match = true};
    *out = (publication){.context = &s->context, .reading = &phase.run};
    TRY(publication_open(out, path, ',', true, names, NULL, NULL, first->n_columns, error));
    TRY(publication_add(out, &c->result->summary,
                        arena_printf(memory, "%s/summary.json", s->files.stage), true, error));
    TRY(publication_write(out, &rows, &check, error));
    out->reading = NULL; /* it ends here */
    return simulate_site_models_check(c->result, s, error);
}

kith_status simulate_collect(simulate_result *r, simulation *s, kith_error *error)
{
    collection c = {.simulation = s, .result = r};
    kith_status status = publish(&c, s, error);
    free_releases(&c);
    return status;
}
