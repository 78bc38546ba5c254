/* What parties of a joint run on rows do before and after the protocol: give the same value the
 * same number, and publish classes with the cells of all. The plain table is the witness. */
/* needs: weave clustering */
#include "unit/job/support.h"

#include "core/rng.h"
#include "job/joint/joint_domain.h"
#include "job/joint/joint_publish_rows.h"
#include "support/session.h"

#define STUDY(rest)                                                                     \
    "study: s\ncolumns:\n"                                                              \
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"              \
    "  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}," \
    " hierarchy: {intervals: [10]}}\n"                                                  \
    "  - {name: d1, role: sensitive}\n"                                                 \
    "  - {name: d2, role: sensitive, type: integer}\n"                                  \
    "  - {name: note, role: insensitive}\n"                                             \
    "  - {name: who, role: identifying}\n"                                              \
    "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\n" rest

enum { MAX_ROWS = 600, COLUMNS = 5, SITES = 8, CELL = 24, CLASSES = 7 };

typedef struct scene {
    kith_study *study;
    uint32_t n_sites;
    uint32_t n_rows;
    char cell[MAX_ROWS][COLUMNS][CELL]; /* empty: missing */
    uint32_t site_of[MAX_ROWS], class_of[MAX_ROWS];
    kith_table *part[SITES];
    kith_table *release[SITES];
    uint32_t values[SITES][COLUMNS]; /* size of each dictionary after the agreement */
    bool own;
} scene;

static void fill(scene *s, uint64_t seed, uint32_t n_sites, uint32_t n_rows, uint32_t n_kinds)
{
    rng r;
    rng_init(&r, seed, 0);
    s->n_sites = n_sites;
    s->n_rows = n_rows;
    for (uint32_t i = 0; i < n_rows; i++) {
        snprintf(s->cell[i][0], CELL, "%03u", rng_below(&r, 40));
        snprintf(s->cell[i][1], CELL, "%u", rng_below(&r, 99));
        snprintf(s->cell[i][2], CELL, "ill%u", rng_below(&r, n_kinds));
        if (rng_below(&r, 9) == 0)
            s->cell[i][2][0] = '\0';
        snprintf(s->cell[i][3], CELL, rng_below(&r, 5) == 0 ? "0%u" : "%u", rng_below(&r, n_kinds));
        snprintf(s->cell[i][4], CELL, "n%u", rng_below(&r, n_kinds));
        s->site_of[i] =
            rng_below(&r, 10) < 5 ? 0 : rng_below(&r, n_sites - 1); /* the last has none */
        s->class_of[i] = rng_below(&r, CLASSES);
    }
}

static void cut(scene *s)
{
    for (uint32_t site = 0; site < s->n_sites; site++) {
        const char **cells = calloc((size_t)s->n_rows * COLUMNS + 1, sizeof *cells);
        size_t n_rows = 0;
        for (uint32_t i = 0; i < s->n_rows; i++) {
            if (s->site_of[i] != site)
                continue;
            for (uint32_t c = 0; c < COLUMNS; c++)
                cells[n_rows * COLUMNS + c] = s->cell[i][c][0] == '\0' ? NULL : s->cell[i][c];
            n_rows++;
        }
        s->part[site] = table_of(s->study, cells, n_rows);
        free(cells);
    }
}

/* Classes of one's own rows, and all sizes; closures are at the root. */
static void classify(rows_result *r, const scene *s, uint32_t site, const prepared *p,
                     arena *memory)
{
    uint32_t mine = 0, n_attributes = p->problem.n_attributes;
    r->n_classes = CLASSES;
    r->size = arena_zalloc(memory, CLASSES, sizeof *r->size);
    r->class_of = arena_zalloc(memory, s->n_rows + 1, sizeof *r->class_of);
    r->closure = arena_zalloc(memory, CLASSES * n_attributes, sizeof *r->closure);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        r->size[s->class_of[i]]++;
        if (s->site_of[i] == site)
            r->class_of[mine++] = s->class_of[i];
    }
    for (uint32_t i = 0; i < CLASSES * n_attributes; i++)
        r->closure[i] = tree_root(p->problem.attributes[i % n_attributes].tree);
}

static kith_status publish(party *p, void *user, kith_error *error)
{
    scene *s = user;
    uint32_t self = party_self(p);
    context c;
    joint_domain d;
    prepared mine;
    rows_result result = {0};
    if (context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), error) != KITH_OK)
        return KITH_NOMEM;
    kith_status status = joint_domain_agree(&d, p, s->study, s->part[self], &c, error);
    prepare_joint joint = {.held = d.held, .missing = d.missing};
    if (status == KITH_OK)
        status = prepare_part(&mine, s->study, d.table, &joint, &c, error);
    for (uint32_t i = 0; status == KITH_OK && i < d.table->n_columns; i++)
        s->values[self][i] = d.table->columns[i].values.count;
    if (status == KITH_OK) {
        classify(&result, s, self, &mine, c.memory);
        status = s->own ? joint_publish_rows_own(&s->release[self], p, &mine, &result, &c, error)
                        : joint_publish_rows(&s->release[self], p, &mine, &d, &result, &c, error);
    }
    context_wipe(&c);
    return status;
}

static int order_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "*|*|ill3|7|n2" of every row, sorted. Leading zeros of numbers do not count. */
static char **texts_of_release(const kith_table *t, size_t *count)
{
    *count = kith_table_n_rows(t);
    char **texts = calloc(*count + 1, sizeof *texts);
    for (size_t i = 0; i < *count; i++) {
        const char *note = kith_table_n_columns(t) > 4 ? cell_of(t, i, 4) : "-";
        assert_true(asprintf(&texts[i], "%s|%s|%s|%ld|%s", cell_of(t, i, 0), cell_of(t, i, 1),
                             cell_of(t, i, 2), atol(cell_of(t, i, 3)), note) > 0);
    }
    qsort(texts, *count, sizeof *texts, order_texts);
    return texts;
}

static char **texts_of_scene(const scene *s, bool notes, uint32_t site, size_t *count)
{
    char **texts = calloc(s->n_rows + (size_t)1, sizeof *texts);
    *count = 0;
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (site == UINT32_MAX || s->site_of[i] == site)
            assert_true(asprintf(&texts[(*count)++], "*|*|%s|%ld|%s", s->cell[i][2],
                                 atol(s->cell[i][3]), notes ? s->cell[i][4] : "-") > 0);
    qsort(texts, *count, sizeof *texts, order_texts);
    return texts;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void compare(const scene *s, uint32_t site, bool notes)
{
    size_t seen, expected;
    char **have = texts_of_release(s->release[site], &seen);
    char **want = texts_of_scene(s, notes, s->own ? site : UINT32_MAX, &expected);
    assert_int_equal(seen, expected);
    for (size_t i = 0; i < seen; i++)
        assert_string_equal(have[i], want[i]);
    free_texts(have, seen);
    free_texts(want, expected);
}

static void run(scene *s, bool notes)
{
    cut(s);
    assert_int_equal(session_run(s->n_sites, publish, s), KITH_OK);
    for (uint32_t site = 0; site < s->n_sites; site++) {
        compare(s, site, notes);
        for (uint32_t c = 0; c < COLUMNS; c++)
            if (c != 1) /* its leaves are public, so its dictionary is the site's own */
                assert_int_equal(s->values[site][c], s->values[0][c]);
        for (size_t i = 0; !s->own && i < kith_table_n_rows(s->release[0]); i++)
            for (size_t c = 0; c < kith_table_n_columns(s->release[0]); c++)
                assert_string_equal(cell_of(s->release[0], i, c), cell_of(s->release[site], i, c));
    }
    for (uint32_t site = 0; site < s->n_sites; site++) {
        kith_table_free(s->release[site]);
        kith_table_free(s->part[site]);
    }
}

static void all_cells_are_published_by_sum(void **state)
{
    (void)state;
    static scene s;
    for (uint32_t m = 2; m <= SITES; m += m < 3 ? 1 : m < 5 ? 2 : 3) {
        s = (scene){.study = study_of(STUDY(""))};
        fill(&s, m, m, 60 * m, 6);
        run(&s, false);
        kith_study_free(s.study);
    }
}

static void many_possible_tuples_are_published_by_union(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.study = study_of(STUDY("publish_insensitive: true\n"))};
    fill(&s, 77, 3, 500, 180); /* 7 x 150^3 pairs and more */
    run(&s, true);
    kith_study_free(s.study);
}

static void unions_may_hide_how_many_rows_a_site_has(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.study = study_of(STUDY("protocol: clustering\nhide_sizes: true\n"
                                        "publish_insensitive: true\n"))};
    fill(&s, 78, 3, 450, 180);
    run(&s, true);
    kith_study_free(s.study);
}

static void own_rows_stay_at_their_site(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.study = study_of(STUDY("publish: own-rows\n")), .own = true};
    fill(&s, 5, 3, 200, 6);
    run(&s, false);
    kith_study_free(s.study);
}

/* Distributes the same rows to the sites in another way, and in another order. */
static void distribute_anew(scene *s, uint32_t step)
{
    static scene from;
    from = *s;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        uint32_t source = (uint32_t)((uint64_t)i * step % s->n_rows);
        memcpy(s->cell[i], from.cell[source], sizeof s->cell[i]);
        s->class_of[i] = from.class_of[source];
        s->site_of[i] = i % s->n_sites;
    }
}

static void the_order_of_rows_depends_on_the_rows_alone(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.study = study_of(STUDY("publish_insensitive: true\n"))};
    for (uint32_t n_kinds = 6; n_kinds <= 180; n_kinds += 174) { /* by sum, by union */
        kith_table *first = NULL;
        fill(&s, 9, 2, 499, n_kinds);
        for (uint32_t step = 1; step < 8; step += 3) {
            distribute_anew(&s, step);
            cut(&s);
            assert_int_equal(session_run(2, publish, &s), KITH_OK);
            for (size_t i = 0; first != NULL && i < s.n_rows; i++)
                for (size_t c = 0; c < kith_table_n_columns(first); c++)
                    assert_string_equal(cell_of(s.release[0], i, c), cell_of(first, i, c));
            if (first == NULL)
                first = s.release[0];
            else
                kith_table_free(s.release[0]);
            kith_table_free(s.release[1]);
            kith_table_free(s.part[0]);
            kith_table_free(s.part[1]);
        }
        kith_table_free(first);
    }
    kith_study_free(s.study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cells_are_published_by_sum),
        cmocka_unit_test(many_possible_tuples_are_published_by_union),
        cmocka_unit_test(unions_may_hide_how_many_rows_a_site_has),
        cmocka_unit_test(own_rows_stay_at_their_site),
        cmocka_unit_test(the_order_of_rows_depends_on_the_rows_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
