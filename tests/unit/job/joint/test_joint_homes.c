/* Which persons count at which site, from tables: counted once more from the cells. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "job/joint/joint_homes.h"
#include "job/joint/unit_texts.h"
#include "support/session.h"

#define STUDY                                                                             \
    "study: s\ncolumns:\n"                                                                \
    "  - {name: land, role: identifying}\n"                                               \
    "  - {name: pid, role: identifying}\n"                                                \
    "  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}}\n" \
    "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\n"

enum { COLUMNS = 3, MAX_ROWS = 60, SITES = 5, CELL = 24 };

static const uint32_t both[] = {0, 1};

typedef struct scene {
    kith_study *study;
    uint32_t n_sites;
    kith_type type; /* of the numbers */
    uint32_t n_rows[SITES];
    char cell[SITES][MAX_ROWS][COLUMNS][CELL]; /* empty: missing */
    char person[SITES][MAX_ROWS][2 * CELL];    /* as this test writes it; empty: nobody known */
    bool home[SITES][MAX_ROWS], nobody[SITES];
} scene;

static kith_status make_table(kith_table **table, const scene *s, uint32_t site, kith_error *error)
{
    const char *cells[MAX_ROWS * COLUMNS];
    const kith_column_spec specs[COLUMNS] = {
        {"land", KITH_TYPE_STRING, NULL}, {"pid", s->type, NULL}, {"age", KITH_TYPE_INTEGER, NULL}};
    const kith_table_options how =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = COLUMNS);
    for (uint32_t i = 0; i < s->n_rows[site]; i++)
        for (uint32_t c = 0; c < COLUMNS; c++)
            cells[i * COLUMNS + c] = s->cell[site][i][c][0] == '\0' ? NULL : s->cell[site][i][c];
    return kith_table_from_cells(table, cells, s->n_rows[site], &how, error);
}

static kith_status find(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p);
    const joint_place where = {.directory = NULL};
    const bool *home = NULL;
    kith_table *table = NULL;
    context c;
    TRY(context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), error));
    kith_status status = make_table(&table, s, self, error);
    joint_run j = {.study = s->study, .party = p, .table = table, .context = &c, .place = &where};
    if (status == KITH_OK)
        status = joint_homes_find(&j, &home, error);
    for (uint32_t i = 0; status == KITH_OK && i < s->n_rows[self]; i++)
        s->home[self][i] = home == NULL || home[i];
    s->nobody[self] = j.nobody_shared;
    kith_table_free(table);
    context_wipe(&c);
    return status;
}

/* Every person counts at one of the sites that have it, in all its rows there. */
static void check(const scene *s)
{
    bool shared = false;
    for (uint32_t i = 0; i < s->n_sites; i++)
        for (uint32_t row = 0; row < s->n_rows[i]; row++) {
            const char *who = s->person[i][row];
            uint32_t n_homes = 0;
            for (uint32_t other = 0; other < s->n_sites; other++) {
                bool at_home = false, elsewhere = false;
                for (uint32_t k = 0; k < s->n_rows[other]; k++)
                    if (strcmp(s->person[other][k], who) == 0)
                        *(s->home[other][k] ? &at_home : &elsewhere) = true;
                shared = shared || (other != i && who[0] != '\0' && (at_home || elsewhere));
                if (who[0] != '\0')
                    assert_false(at_home && elsewhere);
                n_homes += at_home;
            }
            if (who[0] == '\0')
                assert_true(s->home[i][row]);
            else
                assert_int_equal(n_homes, 1);
        }
    for (uint32_t i = 0; i < s->n_sites; i++)
        assert_int_equal(s->nobody[i], !shared);
}

/* Persons with up to several rows each, at one site or several, each site with its own way of
 * writing them. */
static void draw(scene *s, uint64_t seed, uint32_t n_persons, match_rule rule)
{
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t i = 0; i < s->n_sites; i++) {
        s->n_rows[i] = rng_below(&r, MAX_ROWS);
        for (uint32_t row = 0; row < s->n_rows[i]; row++) {
            const uint32_t land = rng_below(&r, 2), pid = rng_below(&r, n_persons);
            const char *gap = rng_below(&r, 2) == 0 ? "" : " ";
            char *text = s->cell[i][row][1];
            snprintf(s->cell[i][row][0], CELL, "%sl%u%s", gap, land, gap);
            snprintf(s->person[i][row], sizeof s->person[i][row], "%u-%u", land, pid);
            snprintf(s->cell[i][row][2], CELL, "%u", rng_below(&r, 99));
            if (s->type != KITH_TYPE_STRING)
                snprintf(text, CELL, rng_below(&r, 2) == 0 ? "%u" : "0%u", pid);
            else if (rule == MATCH_DIGITS)
                snprintf(text, CELL, i % 2 == 0 ? "P-%u." : "%u%s", pid, gap);
            else
                snprintf(text, CELL, "%s%cX%u%s", gap, rule == MATCH_CASE && i % 2 ? 'y' : 'Y', pid,
                         gap);
            if (rng_below(&r, 20) == 0) {
                snprintf(text, CELL, "%s", s->type == KITH_TYPE_STRING ? gap : "");
                s->person[i][row][0] = '\0';
            }
        }
    }
}

static kith_study *matched_study(match_rule rule)
{
    kith_study *study = study_of(STUDY);
    study->unit = both;
    study->n_unit = 2;
    study->joint.units = true;
    study->joint.overlap = OVERLAP_MATCHED;
    study->joint.match = rule;
    return study;
}

static void persons_are_found_by_every_rule(void **state)
{
    (void)state;
    static scene s;
    for (match_rule rule = MATCH_TRIM; rule <= MATCH_DIGITS; rule++)
        for (unsigned k = 0; k < 8; k++) {
            s = (scene){.study = matched_study(rule),
                        .n_sites = 2 + k % 4,
                        .type = k % 2 == 0 ? KITH_TYPE_STRING : KITH_TYPE_INTEGER};
            s.study->joint.hide_sizes = k > 5;
            draw(&s, 10 * rule + k, k == 0 ? 2000 : 30, rule);
            assert_int_equal(session_run(s.n_sites, find, &s), KITH_OK);
            check(&s);
            kith_study_free(s.study);
        }
}

/* No other cells of the two columns make the same text: neither "ab" "c" and "a" "bc", nor cells that
 * a separator could imitate. */
static void columns_do_not_run_together(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.study = matched_study(MATCH_TRIM), .n_sites = 2, .n_rows = {3, 3}};
    static const char *const cells[2][3][2] = {{{"ab", "c"}, {"a,b", "c"}, {"a|", "c"}},
                                               {{"a", "bc"}, {"a", "b,c"}, {"a", "|c"}}};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t row = 0; row < 3; row++) {
            snprintf(s.person[i][row], sizeof s.person[i][row], "%u-%u", i, row);
            for (uint32_t c = 0; c < 2; c++)
                snprintf(s.cell[i][row][c], CELL, "%s", cells[i][row][c]);
        }
    assert_int_equal(session_run(2, find, &s), KITH_OK);
    check(&s);
    kith_study_free(s.study);
}

static void nobody_asks_where_nobody_is_at_two_sites(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.study = matched_study(MATCH_TRIM), .n_sites = 2};
    s.study->joint.overlap = OVERLAP_NONE;
    draw(&s, 3, 10, MATCH_TRIM);
    assert_int_equal(session_frames(2, find, &s), 0);
    for (uint32_t row = 0; row < s.n_rows[1]; row++)
        assert_true(s.home[1][row]);
    kith_study_free(s.study);
}

/* What is compared, text by text. */
static void texts_are_written_by_the_rule(void **state)
{
    (void)state;
    static const char *const cells[] = {" Ab-1 ", "ab-1", "AB 1", "Äb1", " ", "-", "1", "\t1\n"};
    static const char *const expected[3][8] = {
        {"Ab-1", "ab-1", "AB 1", "Äb1", NULL, "-", "1", "1"},
        {"ab-1", "ab-1", "ab 1", "Äb1", NULL, "-", "1", "1"},
        {"1", "1", "1", "1", NULL, NULL, "1", "1"},
    };
    const char *const names[] = {"pid"};
    kith_table *table;
    assert_int_equal(texts_of(&table, names, 1, cells, 8, NULL), KITH_OK);
    for (match_rule rule = MATCH_TRIM; rule <= MATCH_DIGITS; rule++) {
        kith_study *study = matched_study(rule);
        arena *memory = arena_new();
        const kith_table *matched;
        study->unit = both + 1;
        study->n_unit = 1;
        assert_int_equal(unit_texts_match(&matched, study, table, memory, NULL), KITH_OK);
        for (uint32_t row = 0; row < 8; row++) {
            const char *text = kith_table_cell(matched, row, 0);
            if (expected[rule][row] == NULL)
                assert_null(text);
            else
                assert_string_equal(text, expected[rule][row]);
        }
        arena_free(memory);
        kith_study_free(study);
    }
    assert_cells(table, cells);
    kith_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons_are_found_by_every_rule),
        cmocka_unit_test(columns_do_not_run_together),
        cmocka_unit_test(nobody_asks_where_nobody_is_at_two_sites),
        cmocka_unit_test(texts_are_written_by_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
