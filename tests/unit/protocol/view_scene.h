/* A small table at several sites, for the tests of the encrypted view. */
#ifndef TESTS_VIEW_SCENE_H
#define TESTS_VIEW_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "protocol/module.h"
#include "protocol/view/view_internal.h"
#include "support/session.h"

enum { COLUMNS = 4, NODES = 32, MAX_ROWS = 400 };

/* Columns: a hierarchy of three levels whose labels only the sites know, one of two levels that is
 * public, values without hierarchy, and one value per row. */
typedef struct scene_column {
    uint32_t n_levels, start[4];
    uint32_t n_nodes;
    char text[MAX_ROWS + NODES][16];
    view_label label[MAX_ROWS + NODES];
    uint32_t parent[MAX_ROWS + NODES];
    uint8_t mark[MAX_ROWS + NODES];
} scene_column;

/* What one party has; rows of the whole table and columns. */
typedef struct scene_party {
    uint32_t n_rows;
    uint32_t rows[MAX_ROWS];
    uint32_t codes[COLUMNS][MAX_ROWS];
    view_label tid[MAX_ROWS];
    view_label person[MAX_ROWS];
    uint32_t n_persons[2]; /* 0, and how many */
    view_source source[COLUMNS];
    view_task task;
    context context;
    scalar key[COLUMNS + 1]; /* copied in the run */
    kith_status leave_with;  /* not OK: leaves the run when this step has been done */
    int leave_after;         /* 0: opening, 1: gathering */
    bool released;
    uint32_t n_released_rows;
    char out[MAX_ROWS][64]; /* rows of the release */
    uint64_t unmatched;
    kith_status status;
    kith_error error;
} scene_party;

typedef struct scene {
    uint32_t m;
    uint32_t n_rows;
    uint32_t value[MAX_ROWS][COLUMNS]; /* a node each */
    char tid[MAX_ROWS][16];
    scene_column column[COLUMNS];
    protocol_options options;
    scene_party party[PARTY_MAX];
    /* what the master does with its view, and what the test wants to see of it */
    uint32_t raise; /* 1: column 0 is released one level up */
    kith_status verdict;
    uint64_t reason;  /* of it */
    view_notes notes; /* that it tells */
    void (*look)(struct scene *s, view *v);
    void *looked;
    /* what a false site tells about the release */
    uint32_t missing[COLUMNS], n_told, told[COLUMNS];
} scene;

static inline void scene_label(scene_column *c, uint32_t node, const char *text)
{
    snprintf(c->text[node], sizeof c->text[node], "%s", text);
    c->label[node] = (view_label){c->text[node], strlen(c->text[node])};
    c->parent[node] = VIEW_NONE;
}

/* 12 values below 4 groups below a root; 6 below a root; 5 alone; as many as rows. */
static inline void scene_columns(scene *s)
{
    static const uint32_t shape[COLUMNS][4] = {{0, 12, 16, 17}, {0, 6, 7, 0}, {0, 5, 0, 0}, {0}};
    static const uint32_t levels[COLUMNS] = {3, 2, 1, 1};
    char text[16];
    for (uint32_t j = 0; j < COLUMNS; j++) {
        scene_column *c = &s->column[j];
        c->n_levels = levels[j];
        memcpy(c->start, shape[j], sizeof c->start);
        if (j == 3)
            c->start[1] = s->n_rows;
        c->n_nodes = c->start[c->n_levels];
        for (uint32_t node = 0; node < c->n_nodes; node++) {
            snprintf(text, sizeof text, "c%u:%u", j, node);
            scene_label(c, node, text);
        }
    }
    for (uint32_t leaf = 0; leaf < 12; leaf++)
        s->column[0].parent[leaf] = 12 + leaf / 3;
    for (uint32_t node = 12; node < 16; node++)
        s->column[0].parent[node] = 16;
    for (uint32_t leaf = 0; leaf < 6; leaf++)
        s->column[1].parent[leaf] = 6;
    s->column[2].mark[3] = 1;
}

static inline void scene_rows(scene *s, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        s->value[i][0] = rng_below(&r, 12) * rng_below(&r, 12) / 12;
        s->value[i][1] = rng_below(&r, 30) == 0 ? 6 : rng_below(&r, 6); /* some at the root */
        s->value[i][2] = rng_below(&r, 5);
        s->value[i][3] = i;
        snprintf(s->tid[i], sizeof s->tid[i], "person-%u", i * 7 % 1000);
    }
}

/* Rows of a site by some rule; columns of a site in vertical and hybrid tables. */
static inline bool scene_has_row(const scene *s, uint32_t site, uint32_t n_holders, uint32_t row)
{
    switch (s->options.partition) {
    case PARTITION_HORIZONTAL: return row * 2654435761u % n_holders == site;
    case PARTITION_HYBRID: return row % (n_holders / 2) == site / 2; /* pairs of sites share rows */
    default: return true;
    }
}

static inline bool scene_has_column(const scene *s, uint32_t site, uint32_t n_holders, uint32_t j)
{
    switch (s->options.partition) {
    case PARTITION_VERTICAL: return j % n_holders == site;
    case PARTITION_HYBRID: return j % 2 == site % 2;
    default: return true;
    }
}

/* The first site with column 1 tells its hierarchy; the others only name their values. Column 0 is
 * told by everyone. */
static inline void scene_source(scene *s, uint32_t site, uint32_t n_holders, uint32_t j)
{
    scene_party *p = &s->party[site];
    const scene_column *c = &s->column[j];
    p->source[j] = (view_source){.n_levels = c->n_levels,
                                 .start = c->start,
                                 .labels = c->label,
                                 .parent = c->parent,
                                 .mark = c->mark,
                                 .codes = p->codes[j]};
    if (j == 1)
        for (uint32_t other = 0; other < site; other++)
            if (scene_has_column(s, other, n_holders, j))
                p->source[j].parent = NULL;
}

static inline void scene_party_fill(scene *s, uint32_t site, uint32_t n_holders)
{
    scene_party *p = &s->party[site];
    const bool ids = s->options.partition != PARTITION_HORIZONTAL;
    for (uint32_t j = 0; j < COLUMNS && site < n_holders; j++)
        if (scene_has_column(s, site, n_holders, j))
            scene_source(s, site, n_holders, j);
    for (uint32_t j = 0; j < COLUMNS; j++)
        if (j == 1)
            p->source[j].known = (view_known){2, s->column[1].start, s->column[1].label};
    for (uint32_t i = 0; i < s->n_rows && site < n_holders; i++) {
        if (!scene_has_row(s, site, n_holders, i))
            continue;
        for (uint32_t j = 0; j < COLUMNS; j++)
            p->codes[j][p->n_rows] = s->value[i][j];
        p->tid[p->n_rows] = (view_label){s->tid[i], strlen(s->tid[i])};
        p->rows[p->n_rows++] = i;
    }
    p->task = (view_task){.options = &s->options,
                          .n_columns = COLUMNS,
                          .n_released = COLUMNS,
                          .columns = p->source,
                          .n_rows = p->n_rows,
                          .tid = ids ? p->tid : NULL,
                          .context = &p->context};
    p->context = (context){.seed = 4711};
}

extern const protocol_module protocol_encrypted_view;

/* m parties in all, masters included. */
static inline scene *scene_new(uint32_t m, uint32_t n_rows, protocol_options options)
{
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->m = m;
    s->n_rows = n_rows;
    s->options = options;
    s->options.protocol = &protocol_encrypted_view;
    scene_columns(s);
    scene_rows(s, n_rows * 31 + m);
    for (uint32_t i = 0; i < m; i++)
        scene_party_fill(s, i, options_holders(&s->options, m));
    return s;
}

/* The last column says whose the rows are: two of a site's rows are of one person. */
static inline void scene_of_persons(scene *s)
{
    for (uint32_t i = 0; i < s->m; i++) {
        scene_party *p = &s->party[i];
        p->task.n_released = COLUMNS - 1;
        for (uint32_t row = 0; row < p->n_rows; row++) {
            p->codes[COLUMNS - 1][row] = row / 2;
            p->person[row / 2] = s->column[COLUMNS - 1].label[p->rows[row]];
            p->n_persons[1] = row / 2 + 1;
        }
        p->source[COLUMNS - 1].start = p->n_persons;
        p->source[COLUMNS - 1].labels = p->person;
    }
}

/* A row that a site does not have after all. */
static inline void scene_lose(scene *s, uint32_t site, uint32_t row)
{
    scene_party *p = &s->party[site];
    uint32_t at = 0;
    while (at < p->n_rows && p->rows[at] != row)
        at++;
    assert_true(at < p->n_rows);
    p->n_rows--;
    for (; at < p->n_rows; at++) {
        p->rows[at] = p->rows[at + 1];
        p->tid[at] = p->tid[at + 1];
        for (uint32_t j = 0; j < COLUMNS; j++)
            p->codes[j][at] = p->codes[j][at + 1];
    }
    p->task.n_rows = p->n_rows;
}

/* What a value is under everyone's encryption. */
static inline point scene_encrypted(const scene *s, const view *v, uint32_t j, uint32_t node)
{
    const scene_column *c = &s->column[j];
    uint32_t level = 0;
    point p;
    while (node >= c->start[level + 1])
        level++;
    assert_int_equal(view_crypt_hash(&p, party_run_id(v->p), j, level, &c->label[node], NULL),
                     KITH_OK);
    for (uint32_t i = 0; i < v->n_holders; i++)
        assert_true(ristretto_multiply(&p, &s->party[i].key[j], &p));
    return p;
}

/* node_of[entries] of a column of a master's view, by trying all values. */
static inline void scene_decode(const scene *s, const view *v, uint32_t j, uint32_t *node_of)
{
    const view_column *c = &v->packet.columns[j];
    memset(node_of, 0xff, c->n_entries * sizeof *node_of);
    for (uint32_t node = 0; node < s->column[j].n_nodes; node++) {
        point p = scene_encrypted(s, v, j, node);
        for (uint32_t e = 0; e < c->n_entries; e++)
            if (memcmp(&p, &c->entries[e], sizeof p) == 0)
                node_of[e] = node;
    }
    for (uint32_t e = 0; e < c->n_entries; e++)
        assert_int_not_equal(node_of[e], UINT32_MAX);
}

static inline void scene_format(char out[64], const view_release *r, uint32_t n_columns,
                                uint32_t row)
{
    size_t at = 0;
    for (uint32_t j = 0; j < n_columns; j++) {
        const view_label *label = &r->labels[j][r->codes[j][row]];
        at += (size_t)snprintf(out + at, 64 - at, "%.*s|", (int)label->length,
                               (const char *)label->bytes);
    }
}

static inline void scene_raise(const scene *s, view *v)
{
    view_column *c = &v->packet.columns[0];
    for (uint32_t i = 0; i < v->packet.n_rows && s->raise > 0; i++)
        c->codes[i] = c->parent[c->codes[i]];
}

static inline kith_status scene_steps(party *p, scene *s, view **v, kith_error *error)
{
    scene_party *mine = &s->party[party_self(p)];
    view_joint joint;
    view_notes notes = s->notes;
    view_release release;
    TRY(view_open(v, p, &mine->task, error));
    if (view_holds(*v))
        memcpy(mine->key, (*v)->keys->forth, sizeof mine->key);
    if (mine->leave_with != KITH_OK && mine->leave_after == 0)
        return mine->leave_with;
    TRY(view_gather(*v, &joint, error));
    if (mine->leave_with != KITH_OK && mine->leave_after == 1)
        return mine->leave_with;
    mine->unmatched = (*v)->unmatched;
    if (joint.packet != NULL) {
        if (s->look != NULL)
            s->look(s, *v);
        scene_raise(s, *v);
        if (s->verdict != KITH_OK) {
            view_abandon(*v, s->verdict, s->reason);
            return s->verdict;
        }
    }
    TRY(view_reveal(*v, &release, &notes, error));
    mine->released = release.labels != NULL;
    mine->n_released_rows = release.n_rows;
    for (uint32_t i = 0; i < release.n_rows; i++)
        scene_format(mine->out[i], &release, mine->task.n_released, i);
    return KITH_OK;
}

static inline kith_status scene_take_part(party *p, void *user, kith_error *error)
{
    scene *s = user;
    view *v = NULL;
    kith_status status = scene_steps(p, s, &v, error);
    view_close(v);
    return status;
}

static inline int scene_order(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The rows that should be released, sorted: `kept` tells which, NULL: all. */
static inline uint32_t scene_expect(const scene *s, char out[MAX_ROWS][64], const bool *kept)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        if (kept != NULL && !kept[i])
            continue;
        size_t at = 0;
        for (uint32_t j = 0; j < COLUMNS; j++) {
            uint32_t node = s->value[i][j];
            if (j == 0 && s->raise > 0)
                node = s->column[0].parent[node];
            at += (size_t)snprintf(out[count] + at, 64 - at, "%s|", s->column[j].text[node]);
        }
        count++;
    }
    qsort(out, count, 64, scene_order);
    return count;
}

/* Every holder has the same rows in the same order, and they are the right ones. */
static inline void scene_check(scene *s, const bool *kept)
{
    static char want[MAX_ROWS][64], got[MAX_ROWS][64];
    uint32_t n_holders = options_holders(&s->options, s->m), count = scene_expect(s, want, kept);
    for (uint32_t i = 0; i < s->m; i++) {
        assert_int_equal(s->party[i].released, i < n_holders);
        if (i >= n_holders)
            continue;
        assert_int_equal(s->party[i].n_released_rows, count);
        assert_memory_equal(s->party[i].out, s->party[0].out, count * sizeof s->party[i].out[0]);
    }
    memcpy(got, s->party[0].out, sizeof got);
    qsort(got, count, 64, scene_order);
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(got[i], want[i]);
}

#endif
