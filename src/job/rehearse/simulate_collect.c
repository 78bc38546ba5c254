/* The joint release of a simulation: what all sites published, put together and assessed against
 * the whole table. */
#include <math.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "job/rehearse/simulate.h"
#include "wire/party.h"

/* The releases of parties. */
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

/* Reads each party's own rows, which must have the same columns, or the release of the first
 * one that has it: the parties have made sure that all hold the same (release_seal.h). */
static kith_status read_releases(collection *c, const simulation *s, const kith_run *run,
                                 kith_error *error)
{
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    const bool all = s->site_study->joint.own_rows;
    for (uint32_t i = 0; i < s->n_parties && (all || c->count == 0); i++) {
        const char *path = s->endpoints[i].rows;
        if (path == NULL)
            path = TRY_ALLOC(
                arena_printf(s->context.memory, "%s/release.csv", s->endpoints[i].directory),
                error);
        if (s->endpoints[i].rows == NULL && access(path, F_OK) != 0)
            continue; /* such as an external master */
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

/* One row of the collection. */
typedef struct row_place {
    uint32_t table, row;
} row_place;

/* Writes the rows, and remembers whose a row is where that is known. */
static kith_status write_joint(void *user, table_writer *to, kith_error *error)
{
    collection *c = user;
    arena *memory = c->simulation->context.memory;
    const uint32_t n_columns = c->releases[0]->n_columns;
    const char **cells = TRY_ARRAY(cells, memory, n_columns, error);
    /* The rows of all tables in random order: the order must not show whose row it is. */
    uint64_t all = 0, count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        all += c->releases[i]->n_rows;
    if (all > UINT32_MAX)
        return error_set(error, KITH_DATA, "the joint release has too many rows");
    row_place *rows = TRY_ARRAY(rows, memory, all, error);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t row = 0; row < c->releases[i]->n_rows; row++)
            rows[count++] = (row_place){i, row};
    for (uint64_t i = all; i > 1; i--) {
        uint32_t j = randombytes_uniform((uint32_t)i);
        row_place moved = rows[j];
        rows[j] = rows[i - 1];
        rows[i - 1] = moved;
    }
    if (c->count > 1) {
        uint32_t *site_of = TRY_ARRAY(site_of, memory, count, error);
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

/* What the rows of each site in each class show. */
typedef struct site_counts {
    double sites; /* in the class with the fewest */
    /* Rows of other sites: the fewest that a site finds in a class. Classes with rows of a single
     * site do not count: it learns nothing about others from them. */
    double others;
} site_counts;

static kith_status broken(model_id id, kith_error *error)
{
    return error_set(error, KITH_BUG, "the joint release breaks the model %s; nothing is written",
                     model_name(id));
}

/* Counts the models about sites in the rows. A joint release does not show to which site a row
 * belongs, but where every site publishes its own rows, a simulation can count them. One that does
 * not hold is KITH_BUG. */
static kith_status check_site_models(simulate_result *r, simulation *s, kith_error *error)
{
    const protocol_options *o = &s->site_study->joint;
    site_counts fewest = {INFINITY, INFINITY};
    /* Rows do not show the persons, whom the protocol has counted. */
    if ((o->n_site_models == 0 && o->min_others == 0) || r->site_of == NULL || o->units)
        return KITH_OK;
    const verify_report *v = &r->publication.assessment.verified;
    const classes *all = v->grouping;
    const size_t n = s->n_parties;
    uint32_t *counts = /* [class * n_parties + site] */
        TRY_ALLOC(arena_zalloc(s->context.memory, all->count * n, sizeof *counts), error);
    for (uint32_t row = 0; row < r->publication.texts->n_rows; row++)
        counts[all->class_of[row] * n + r->site_of[row]]++;
    for (uint32_t c = 0; c < all->count; c++) {
        uint32_t n_sites = 0;
        for (uint32_t i = 0; i < n && c != v->suppressed_class; i++) {
            const uint32_t own = counts[c * n + i], others = all->size[c] - own;
            n_sites += own > 0;
            if (others > 0)
                fewest.others = fmin(fewest.others, others);
        }
        if (c != v->suppressed_class)
            fewest.sites = fmin(fewest.sites, n_sites);
    }
    if (fewest.others < o->min_others)
        return broken(MODEL_M_PRIVACY, error);
    r->site_worst = TRY_ARRAY(r->site_worst, s->context.memory, o->n_site_models, error);
    for (uint32_t i = 0; i < o->n_site_models; i++) {
        const model_spec *m = &o->site_models[i];
        double needed = m->id == MODEL_M_PRIVACY ? m->k : m->l;
        r->site_worst[i] = m->id == MODEL_M_PRIVACY      ? fewest.others
                           : m->variant == VARIANT_SITES ? fewest.sites
                                                         : NAN;
        if (r->site_worst[i] < needed)
            return broken(m->id, error);
    }
    return KITH_OK;
}

/* Reads, writes and assesses. The joint release stays in the stage. */
static kith_status publish(collection *c, simulation *s, kith_error *error)
{
    arena *memory = s->context.memory;
    publication *out = &c->result->publication;
    simulate_phase phase;
    prepared part;
    simulate_phase_begin(&phase, s, "verify");
    TRY(read_releases(c, s, &phase.run, error));
    const kith_table *first = c->releases[0];
    const char *path = TRY_ALLOC(arena_printf(memory, "%s/release.csv", s->files.stage), error);
    const char **names = TRY_ARRAY(names, memory, first->n_columns, error);
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
    return check_site_models(c->result, s, error);
}

kith_status simulate_collect(simulate_result *r, simulation *s, kith_error *error)
{
    collection c = {.simulation = s, .result = r};
    kith_status status = publish(&c, s, error);
    free_releases(&c);
    return status;
}
