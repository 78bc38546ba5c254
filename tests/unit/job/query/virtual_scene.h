/* Sites with made-up rows of one release, and somebody who asks them, as threads. */
#ifndef TEST_VIRTUAL_SCENE_H
#define TEST_VIRTUAL_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/query/virtual_query.h"
#include "query/query_local.h"

enum { SCENE_COLUMNS = 3, SCENE_ROWS = 30, SCENE_AGES = 20, SCENE_SITES = 8 };

typedef struct scene {
    uint32_t m;           /* sites */
    bool querier_is_site; /* the last site asks; otherwise a client */
    bool rows_allowed[SCENE_SITES + 1];
    const char *query;
    kith_study *study;
    arena *memory;
    virtual_table tables[SCENE_SITES + 1]; /* the last one has all rows */
    query_answer answer;                   /* at the querier */
    virtual_left left[SCENE_SITES + 1];
} scene;

static inline uint32_t scene_parties(const scene *s)
{
    return s->m + !s->querier_is_site;
}

static inline void *scene_keep(scene *s, size_t count, size_t size)
{
    void *block = arena_zalloc(s->memory, count, size);
    assert_non_null(block);
    return block;
}

static inline kith_study *scene_study(uint32_t m)
{
    char text[4096];
    int used = snprintf(text, sizeof text,
                        "study: made\ncolumns:\n"
                        "  - {name: age, role: quasi-identifying, type: integer, domain: {range: "
                        "[0, 19]}, hierarchy: {intervals: [5]}}\n"
                        "  - {name: sex, role: quasi-identifying}\n"
                        "  - {name: cost, role: insensitive, type: integer}\n"
                        "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\n"
                        "publish_insensitive: true\nparties:\n");
    for (uint32_t i = 0; i < m; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  - {name: site%u, address: \"h:%u\", key: \"sha256:%064x\"}\n", i + 1,
                         7000 + i, i + 1);
    kith_study *study = NULL;
    kith_error error = {0};
    if (kith_study_parse(&study, text, (size_t)used, ".", NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return study;
}

static const char *const scene_names[SCENE_COLUMNS] = {"age", "sex", "cost"};
static const uint32_t scene_values[SCENE_COLUMNS] = {SCENE_AGES, 2, 3};
static const char *const scene_cells[SCENE_COLUMNS][6] = {
    {"0..4", "5..9", "10..14", "15..19", "*", NULL},
    {"f", "m", "*", NULL},
    {"1", "5", "20", NULL /* missing */}};
static const query_interval scene_intervals[SCENE_COLUMNS][5] = {
    {{0, 4}, {5, 9}, {10, 14}, {15, 19}, {0, 19}},
    {{0, 0}, {1, 1}, {0, 1}},
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}}};
static const uint32_t scene_codes[SCENE_COLUMNS] = {5, 3, 4};

static inline void scene_domains(scene *s, virtual_table *t)
{
    static const char *const others[][3] = {{NULL}, {"f", "m"}, {"1", "5", "20"}};
    kith_error error;
    t->n_columns = SCENE_COLUMNS;
    t->domains = scene_keep(s, SCENE_COLUMNS, sizeof *t->domains);
    t->cells = scene_keep(s, SCENE_COLUMNS, sizeof *t->cells);
    for (uint32_t j = 0; j < SCENE_COLUMNS; j++) {
        query_domain *d = &t->domains[j];
        const char **texts = scene_keep(s, scene_values[j], sizeof *texts);
        assert_true(virtual_table_name(d, scene_names[j], s->study));
        for (uint32_t v = 0; v < scene_values[j]; v++)
            texts[v] = j == 0 ? arena_printf(s->memory, "%u", v) : others[j][v];
        d->n_values = scene_values[j];
        d->texts = texts;
        assert_int_equal(virtual_table_numbers(d, s->memory, &error), KITH_OK);
        t->cells[j] = scene_cells[j];
    }
}

/* Room for `n` rows, whose codes the caller fills in. */
static inline uint32_t **scene_rows(scene *s, virtual_table *t, uint32_t n)
{
    uint32_t **codes = scene_keep(s, SCENE_COLUMNS, sizeof *codes);
    const query_interval **intervals = scene_keep(s, SCENE_COLUMNS, sizeof *intervals);
    for (uint32_t j = 0; j < SCENE_COLUMNS; j++) {
        codes[j] = scene_keep(s, n, sizeof **codes);
        intervals[j] = scene_intervals[j];
    }
    t->rows = (query_rows){n, (const uint32_t *const *)codes, intervals, scene_codes};
    return codes;
}

static inline scene *scene_new(uint32_t m, bool querier_is_site, uint64_t seed)
{
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rng r;
    rng_init(&r, seed, 0);
    s->m = m;
    s->querier_is_site = querier_is_site;
    s->study = scene_study(m);
    s->memory = arena_new();
    uint32_t **all = scene_rows(s, &s->tables[m], m * SCENE_ROWS), total = 0;
    for (uint32_t i = 0; i <= m; i++) {
        virtual_table *t = &s->tables[i];
        s->rows_allowed[i] = true;
        scene_domains(s, t);
        if (i < m) {
            const uint32_t n = i == 1 ? 0 : SCENE_ROWS - i; /* one site has no rows */
            uint32_t **codes = scene_rows(s, t, n);
            for (uint32_t row = 0; row < n; row++, total++)
                for (uint32_t j = 0; j < SCENE_COLUMNS; j++)
                    all[j][total] = codes[j][row] = (uint32_t)rng_below(&r, scene_codes[j]);
        }
    }
    s->tables[m].rows.n_rows = total;
    for (uint32_t i = 0; i <= m; i++) {
        s->tables[i].about = (virtual_about){"made", "00", "aa", total, 9};
        virtual_table_hash(&s->tables[i]);
    }
    return s;
}

static inline void scene_free(scene *s)
{
    kith_study_free(s->study);
    arena_free(s->memory);
    free(s->answer.values);
    free(s);
}

/* What every thread runs. The querier is the last party. */
static inline kith_status scene_take_part(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p), querier = scene_parties(s) - 1;
    query_answer answer;
    const virtual_query q = {.study = s->study,
                             .querier = querier,
                             .text = self == querier ? s->query : NULL,
                             .mine = self < s->m ? &s->tables[self] : NULL,
                             .rows_allowed = s->rows_allowed[self],
                             .querier_is_site = s->querier_is_site,
                             .left = &s->left[self]};
    TRY(virtual_query_run(&answer, NULL, p, &q, party_memory(p), error));
    if (self == querier) {
        /* It lives as long as the party; tests look at it later. */
        const size_t n = (size_t)answer.n_rows * answer.n_columns;
        query_value *values = malloc(n == 0 ? 1 : n * sizeof *values);
        if (values == NULL)
            return error_nomem(error);
        for (size_t i = 0; i < n; i++) {
            values[i] = answer.values[i];
            values[i].text = NULL; /* of the party's memory */
        }
        free(s->answer.values); /* of a run before */
        s->answer = answer;
        s->answer.values = values;
    }
    return KITH_OK;
}

#endif
