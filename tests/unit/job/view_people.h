/* Some people at several sites, and studies about them, for tests of the encrypted view. */
#ifndef TESTS_VIEW_PEOPLE_H
#define TESTS_VIEW_PEOPLE_H

#include "unit/job/support.h"

#include <sodium.h>

#include "core/rng.h"
#include "job/joint/joint_run.h"
#include "modules/encrypted_view/encrypted_view_module.h"
#include "modules/encrypted_view/view_columns.h"
#include "modules/encrypted_view/view_labels.h"
#include "modules/encrypted_view/view_problem.h"
#include "study/study.h"
#include "support/session.h"

enum { COLUMNS = 5, ROWS = 90, CELL = 12, SEED = 77 };

static const char columns_text[] =
    "study: people\n"
    "columns:\n"
    "  - {name: id, role: identifying}\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]},\n"
    "     domain: {range: [20, 44]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: sex, role: quasi-identifying}\n"
    "  - {name: disease, role: sensitive, hierarchy: {mask: right}}\n"
    "  - {name: enrolled, role: sensitive}\n";

static const char *columns_now; /* instead of these; NULL: these */
static const char *ids_now = "ids: id\n";
static const char *overlap_now = ""; /* of joint studies that count persons */
static bool persons_now;             /* sites have the column id, which says whose the rows are */

static const char *const models[] = {
    "{model: k-anonymity, k: 3}",
    "{model: l-diversity, variant: distinct, l: 2, attribute: disease}",
    "{model: l-diversity, variant: entropy, l: 2, attribute: disease}",
    "{model: l-diversity, variant: frequency, l: 1.5, attribute: disease}",
    "{model: l-diversity, variant: recursive, l: 2, c: 3, attribute: disease}",
    "{model: t-closeness, variant: equal, t: 0.4, attribute: disease}",
    "{model: t-closeness, variant: hierarchical, t: 0.3, attribute: disease}",
    "{model: delta-presence, min: 0.05, max: 0.9, subset: {column: enrolled, values: ['yes']}}",
    "{model: alpha-k, alpha: 0.7, k: 3, attribute: disease}",
    "{model: p-sensitive, p: 2, k: 3, attribute: disease}",
    "{model: lkc, l: 2, k: 2, c: 0.7, attribute: disease, values: [B1, A2]}",
    "{model: dissimilarity, epsilon: 0.5, delta: 0.4, k: 2, attribute: disease}",
    "{model: delta-disclosure, delta: 3, attribute: disease}",
    "{model: beta-likeness, beta: 4, variant: basic, attribute: disease}",
    "{model: beta-likeness, beta: 4, variant: enhanced, attribute: disease}",
};

enum { MODELS = sizeof models / sizeof *models };

/* --- tables --- */

typedef struct people {
    char cell[ROWS][COLUMNS + 1][CELL]; /* the id first */
} people;

static inline people *make_people(uint64_t seed)
{
    static const char *const diseases[] = {"A1", "A1", "A2", "A3", "B1", "B2", "C"};
    people *p = calloc(1, sizeof *p);
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t i = 0; i < ROWS; i++) {
        snprintf(p->cell[i][0], CELL, "p%u", i * 37 % 1000);
        snprintf(p->cell[i][1], CELL, "%u", 20 + rng_below(&r, 25));
        snprintf(p->cell[i][2], CELL, "%u", (i % 9 == 0 ? 1 : 10) * (81 + rng_below(&r, 3)));
        snprintf(p->cell[i][3], CELL, "%s", rng_below(&r, 2) == 0 ? "f" : "m");
        snprintf(p->cell[i][4], CELL, "%s", diseases[rng_below(&r, 7)]);
        snprintf(p->cell[i][5], CELL, "%s", rng_below(&r, 3) == 0 ? "yes" : "no");
        if (rng_below(&r, 20) == 0)
            p->cell[i][3][0] = '\0'; /* missing */
    }
    return p;
}

/* Rows and columns of one site, or of all (site = UINT32_MAX). */
static inline bool has_row(const char *split, uint32_t n_sites, uint32_t site, uint32_t row)
{
    if (strcmp(split, "horizontal") == 0)
        return site == UINT32_MAX || row % n_sites == site;
    if (strcmp(split, "hybrid") == 0)
        return site == UINT32_MAX || row % 2 == site / 2;
    return true;
}

static inline bool has_column(const char *split, uint32_t n_sites, uint32_t site, uint32_t j)
{
    if (site == UINT32_MAX || strcmp(split, "horizontal") == 0)
        return j > 0 || persons_now;
    uint32_t n_parts = strcmp(split, "hybrid") == 0 ? 2 : n_sites;
    return j == 0 || (j - 1) % n_parts == site % n_parts;
}

static inline kith_table *part_of(const kith_study *study, const people *p, const char *split,
                                  uint32_t n_sites, uint32_t site)
{
    const char *cells[ROWS * (COLUMNS + 1)];
    kith_column_spec spec[COLUMNS + 1] = {0};
    kith_table_options options = study_table_options(study);
    kith_table *table = NULL;
    size_t n_rows = 0, count = 0, n_columns = 0;
    for (uint32_t j = 0; j <= COLUMNS; j++)
        if (has_column(split, n_sites, site, j))
            spec[n_columns++] =
                (kith_column_spec){.name = study->columns[j].name, .type = study->columns[j].type};
    for (uint32_t i = 0; i < ROWS; i++) {
        if (!has_row(split, n_sites, site, i))
            continue;
        n_rows++;
        for (uint32_t j = 0; j <= COLUMNS; j++)
            if (has_column(split, n_sites, site, j))
                cells[count++] = p->cell[i][j][0] == '\0' ? NULL : p->cell[i][j];
    }
    options.columns = spec;
    options.n_columns = n_columns;
    assert_int_equal(kith_table_from_cells(&table, cells, n_rows, &options, NULL), KITH_OK);
    return table;
}

/* --- studies --- */

static inline void write_parties(FILE *f, const char *split, uint32_t n_sites, uint32_t n_masters)
{
    static const char *const name[] = {"id", "age", "zip", "sex", "disease", "enrolled"};
    fprintf(f, "parties:\n");
    for (uint32_t i = 0; i < n_sites + n_masters; i++) {
        fprintf(f, "  - {name: site%u, address: '127.0.0.1:%u', key: 'sha256:%064x'", i + 1,
                7001 + i, i + 1);
        if (i < n_sites && strcmp(split, "horizontal") != 0) {
            const char *comma = "";
            fprintf(f, ", columns: [");
            for (uint32_t j = 1; j <= COLUMNS; j++)
                if (has_column(split, n_sites, i, j)) {
                    fprintf(f, "%s%s", comma, name[j]);
                    comma = ", ";
                }
            fprintf(f, "]");
        }
        fprintf(f, "}\n");
    }
}

static inline kith_study *make_study(const char *method, const char *model, const char *rest)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    fprintf(f, "%sprivacy:\n", columns_now != NULL ? columns_now : columns_text);
    if (strstr(model, "k-anonymity") == NULL)
        fprintf(f, "  - {model: k-anonymity, k: 2}\n");
    fprintf(f, "  - %s\nalgorithm: %s\n%s", model, method, rest);
    if (strstr(rest, "utility:") == NULL && search_find(method)->global)
        fprintf(f, "utility: {suppression: 0.1}\n");
    fclose(f);
    kith_study *study = study_of(text);
    free(text);
    return study;
}

static inline char *joint_keys(const char *split, uint32_t n_sites, uint32_t n_masters,
                               const char *more)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    fprintf(f, "partition: %s\nprotocol: encrypted-view\n%s%s%s", split,
            strcmp(split, "horizontal") == 0 ? "" : ids_now, overlap_now, more);
    if (n_masters == 0)
        fprintf(f, "master: site1\n");
    else if (n_masters > 1)
        fprintf(f, "replicas: %u\n", n_masters);
    write_parties(f, split, n_sites, n_masters);
    fclose(f);
    return text;
}

/* --- runs --- */

typedef struct joint_scene {
    const kith_study *study;
    uint32_t n_sites, n_parties;
    kith_table *part[PARTY_MAX];
    kith_table *release[PARTY_MAX];
    view_columns columns[PARTY_MAX];
    scalar key[PARTY_MAX][COLUMNS + 1];
    bool decodes; /* the master also runs the engine on what it has decoded */
    protocol_report report;
} joint_scene;

static inline kith_status scene_take_part(party *p, void *user, kith_error *error)
{
    joint_scene *s = user;
    const uint32_t self = party_self(p);
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED);
    context c;
    kith_status status = context_init(&c, &run, error);
    const joint_place nowhere = {.directory = NULL};
    joint_run j = {
        .study = s->study, .party = p, .table = s->part[self], .context = &c, .place = &nowhere};
    if (status == KITH_OK)
        status = joint_view(&j, error);
    s->release[self] = j.release;
    if (self == 0)
        s->report = j.report;
    context_wipe(&c);
    return status;
}

static inline void scene_make(joint_scene *s, const kith_study *study, const people *p,
                              const char *split, uint32_t n_sites)
{
    *s = (joint_scene){.study = study, .n_sites = n_sites, .n_parties = study->n_parties};
    for (uint32_t i = 0; i < n_sites; i++)
        s->part[i] = part_of(study, p, split, n_sites, i);
}

static inline void scene_wipe(joint_scene *s)
{
    for (uint32_t i = 0; i < s->n_parties; i++) {
        kith_table_free(s->part[i]);
        kith_table_free(s->release[i]);
    }
}

static inline int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

typedef struct lines {
    char row[ROWS][96];
    uint32_t count;
} lines;

static inline void sorted_lines(lines *out, const kith_table *table)
{
    out->count = (uint32_t)kith_table_n_rows(table);
    assert_true(out->count <= ROWS);
    for (uint32_t i = 0; i < out->count; i++) {
        size_t at = 0;
        for (uint32_t j = 0; j < table->n_columns; j++) {
            const char *cell = kith_table_cell(table, i, j);
            at += (size_t)snprintf(out->row[i] + at, 96 - at, "%s|", cell == NULL ? "?" : cell);
        }
    }
    qsort(out->row, out->count, sizeof out->row[0], by_text);
}

static inline void same_rows(const kith_table *a, const kith_table *b, const char *what)
{
    static lines one, other;
    sorted_lines(&one, a);
    sorted_lines(&other, b);
    assert_int_equal(one.count, other.count);
    for (uint32_t i = 0; i < one.count; i++)
        if (strcmp(one.row[i], other.row[i]) != 0)
            fail_msg("%s: '%s' is not '%s'", what, one.row[i], other.row[i]);
}

#endif
