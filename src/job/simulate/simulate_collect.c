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
    kith_table *release[64];
} collection;

static void free_collection(void *object)
{
    collection *c = object;
    for (uint32_t i = 0; i < c->count; i++)
        kith_table_free(c->release[i]);
}

static const char *path_in(const simulation *s, uint32_t party_index, const char *name)
{
    return arena_printf(s->context.memory, "%s/%s", s->seat[party_index].directory, name);
}

static kith_status read_releases(collection *c, const simulation *s, const kith_run *run,
                                 kith_error *error)
{
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    for (uint32_t i = 0; i < s->parties; i++) {
        const char *path = TRY_ALLOC(path_in(s, i, "release.csv"), error);
        if (access(path, F_OK) != 0)
            continue;
        TRY(kith_table_read(&c->release[c->count], path, &options, run, error));
        c->of[c->count++] = i;
    }
    if (c->count == 0)
        return error_set(error, KITH_BUG, "no party has a release");
    for (uint32_t i = 1; i < c->count; i++)
        for (uint32_t j = 0; j < c->release[0]->columns; j++)
            if (c->release[i]->columns != c->release[0]->columns ||
                strcmp(c->release[i]->column[j].name, c->release[0]->column[j].name) != 0)
                return error_set(error, KITH_BUG, "%s and %s released other columns",
                                 s->party[c->of[0]].name, s->party[c->of[i]].name);
    return KITH_OK;
}

/* A sum of keyed hashes of the rows, whatever their order. */
typedef struct fingerprint {
    uint64_t sum[2];
} fingerprint;

static fingerprint take_fingerprint(const kith_table *t, const unsigned char *key)
{
    fingerprint f = {{0, 0}};
    for (uint32_t row = 0; row < t->rows; row++) {
        crypto_generichash_state state;
        uint64_t hash[2];
        crypto_generichash_init(&state, key, crypto_generichash_KEYBYTES, sizeof hash);
        for (uint32_t j = 0; j < t->columns; j++) {
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
    fingerprint first = take_fingerprint(c->release[0], key);
    for (uint32_t i = 1; i < c->count; i++) {
        fingerprint other = take_fingerprint(c->release[i], key);
        if (c->release[i]->rows != c->release[0]->rows || memcmp(&first, &other, sizeof first) != 0)
            return error_set(error, KITH_BUG, "the releases of %s and %s differ",
                             s->party[c->of[0]].name, s->party[c->of[i]].name);
    }
    return KITH_OK;
}

/* One row of the collection. */
typedef struct place_in {
    uint32_t table, row;
} place_in;

static kith_status choose_rows(place_in **rows, uint64_t *count, const collection *c,
                               uint32_t tables, arena *memory, kith_error *error)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < tables; i++)
        all += c->release[i]->rows;
    if (all > UINT32_MAX)
        return error_set(error, KITH_DATA, "the joint release has too many rows");
    *rows = arena_array(memory, all, sizeof **rows);
    TRY_ALLOC(*rows, error);
    *count = 0;
    for (uint32_t i = 0; i < tables; i++)
        for (uint32_t row = 0; row < c->release[i]->rows; row++)
            (*rows)[(*count)++] = (place_in){i, row};
    for (uint64_t i = all; i > 1; i--) { /* shuffled: whose row it is must not show */
        uint32_t j = randombytes_uniform((uint32_t)i);
        place_in moved = (*rows)[j];
        (*rows)[j] = (*rows)[i - 1];
        (*rows)[i - 1] = moved;
    }
    return KITH_OK;
}

/* The first `tables` releases as one file. */
static kith_status write_joint(const char *path, simulate_result *r, const simulation *s,
                               const collection *c, uint32_t tables, arena *memory,
                               kith_error *error)
{
    writer *w;
    place_in *rows;
    uint64_t count = 0;
    uint32_t columns = c->release[0]->columns;
    const char **cells = TRY_ALLOC(arena_array(memory, columns, sizeof *cells), error);
    TRY(choose_rows(&rows, &count, c, tables, memory, error));
    r->site_of = tables < 2 ? NULL : arena_array(s->context.memory, count, sizeof *r->site_of);
    if (tables >= 2)
        TRY_ALLOC(r->site_of, error);
    for (uint64_t i = 0; i < count && r->site_of != NULL; i++)
        r->site_of[i] = c->of[rows[i].table];
    for (uint32_t j = 0; j < columns; j++)
        cells[j] = c->release[0]->column[j].name;
    TRY(writer_open(&w, memory, path, ',', true, cells, columns, error));
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < columns; j++)
            cells[j] = kith_table_cell(c->release[rows[i].table], rows[i].row, j);
        TRY(writer_row(w, cells, error));
    }
    return writer_commit(w, error);
}

static kith_status judge(simulate_result *r, simulation *s, kith_error *error)
{
    prepared part;
    context *c = &s->context;
    TRY(judge_part(&part, &s->prepared, r->release, c, error));
    TRY(judge_models(&r->verified, s->study, &part, false, r->release, c, error));
    if (!r->verified.holds)
        return error_set(error, KITH_BUG,
                         "the joint release breaks a privacy model; nothing is written");
    TRY(simulate_sites_judge(r, s, error));
    TRY(judge_cover(&r->cover, &part, r->release, c, error));
    if (!r->cover.holds)
        return error_set(error, KITH_BUG,
                         "the joint release does not cover the data; nothing is written");
    TRY(judge_loss(&r->loss, &part, r->release, &r->verified, false, false, c, error));
    return risk_assess(&r->risks, &part, &r->verified, r->release, c, error);
}

static kith_status put_together(simulate_result *r, simulation *s, collection *c, arena *memory,
                                kith_error *error)
{
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    simulate_phase phase;
    simulate_phase_begin(&phase, s, "verify");
    bool own_rows = s->site_study->joint.own_rows;
    const char *path = TRY_ALLOC(arena_printf(memory, "%s/release.csv", s->places.stage), error);
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
