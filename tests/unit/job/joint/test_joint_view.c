/* Joint runs by the encrypted view give what the centralized engine gives: on the union for
 * searches of lattices, on the decoded view for algorithms that draw lots. */
/* needs: encrypted-view */
#include "unit/job/view_people.h"

/* The joint release of all sites is that of the union, which has the people of `together`. False if
 * the union has none, and all parties say so. */
static bool compare_with(const people *together, const char *method, const char *model,
                         const char *split, uint32_t n_sites, uint32_t n_masters, const char *more,
                         const people *p)
{
    static joint_scene s;
    char *keys = joint_keys(split, n_sites, n_masters, more);
    kith_study *study = make_study(method, model, keys);
    kith_study *alone = make_study(method, model, more);
    kith_table *all = part_of(alone, together, "horizontal", 1, UINT32_MAX), *central = NULL;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED);
    kith_error error = {0};
    kith_status wanted = kith_anonymize_table(&central, NULL, alone, all, &run, &error);
    scene_make(&s, study, p, split, n_sites);
    if (wanted == KITH_OK) {
        assert_int_equal(session_run(s.n_parties, scene_take_part, &s), KITH_OK);
        for (uint32_t i = 0; i < n_sites; i++)
            same_rows(s.release[i], central, method);
        for (uint32_t i = n_sites; i < s.n_parties; i++)
            assert_null(s.release[i]);
    } else {
        assert_int_equal(session_run(s.n_parties, scene_take_part, &s), wanted);
    }
    scene_wipe(&s);
    kith_table_free(all);
    kith_table_free(central);
    kith_study_free(study);
    kith_study_free(alone);
    free(keys);
    return wanted == KITH_OK;
}

static void compare_with_union(const char *method, const char *model, const char *split,
                               uint32_t n_sites, uint32_t n_masters, const char *more,
                               const people *p)
{
    if (!compare_with(p, method, model, split, n_sites, n_masters, more, p))
        fail_msg("%s with %s: the union has no release", method, model);
}

static const char *const lattices[] = {"flash",       "ola",     "incognito", "breadth-first",
                                       "depth-first", "datafly", "top-down"};

static void lattice_searches_give_what_the_union_gives(void **state)
{
    (void)state;
    people *p = make_people(1);
    for (uint32_t a = 0; a < 7; a++)
        for (uint32_t m = 0; m < MODELS; m++)
            compare_with_union(lattices[a], models[m], "horizontal", 2, 1, "", p);
    free(p);
}

static void however_the_table_is_split(void **state)
{
    (void)state;
    people *p = make_people(2);
    compare_with_union("flash", models[1], "horizontal", 3, 1, "", p);
    compare_with_union("flash", models[6], "horizontal", 5, 0, "", p);
    compare_with_union("flash", models[7], "horizontal", 8, 1, "", p);
    compare_with_union("flash", models[10], "horizontal", 2, 3, "", p);
    compare_with_union("flash", models[0], "vertical", 2, 1, "", p);
    compare_with_union("flash", models[6], "vertical", 3, 1, "", p);
    compare_with_union("ola", models[7], "vertical", 5, 0, "", p);
    compare_with_union("flash", models[10], "hybrid", 4, 1, "", p);
    compare_with_union("flash", models[6], "hybrid", 4, 0, "", p);
    free(p);
}

static void however_rows_are_joined(void **state)
{
    (void)state;
    people *p = make_people(9);
    ids_now = "ids: aligned\n";
    compare_with_union("flash", models[1], "vertical", 2, 1, "", p);
    ids_now = "ids: id\n";
    for (uint32_t i = 0; i < ROWS; i += 11)
        p->cell[i][2][0] = '\0'; /* missing: such rows lack a partner then */
    compare_with_union("flash", models[1], "vertical", 2, 1, "missing: drop\n", p);
    compare_with_union("flash", models[0], "hybrid", 4, 1, "missing: drop\n", p);
    compare_with_union("flash", models[0], "horizontal", 3, 1, "missing: drop\n", p);
    free(p);
}

/* A file with a row that occurs twice: arx-loss counts it. */
static const char sexes[] = "f;*\nm;*\nd;*\nf;*\n";

static void whatever_is_minimized(void **state)
{
    static const char *const measures[] = {"em", "entropy",   "tree",    "mi",
                                           "dm", "precision", "arx-loss"};
    (void)state;
    people *p = make_people(7);
    for (uint32_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        char more[80];
        snprintf(more, sizeof more, "utility: {measure: %s, suppression: 0.05}\n", measures[i]);
        compare_with_union("flash", models[0], "horizontal", 2, 1, more, p);
    }
    free(p);
}

static void with_hierarchies_from_files(void **state)
{
    (void)state;
    place at;
    place_make(&at);
    const char *file = place_file(&at, "sex.csv", sexes);
    char *columns = NULL;
    people *p = make_people(8);
    assert_true(asprintf(&columns, "%.*s",
                         (int)(strstr(columns_text, "  - {name: sex") - columns_text),
                         columns_text) > 0);
    char *with_file = NULL;
    assert_true(asprintf(&with_file,
                         "%s  - {name: sex, role: quasi-identifying, hierarchy: %s}\n%s", columns,
                         file, strstr(columns_text, "  - {name: disease")) > 0);
    columns_now = with_file;
    compare_with_union("flash", models[0], "horizontal", 2, 1,
                       "utility: {measure: arx-loss, suppression: 0.05}\n", p);
    compare_with_union("flash", models[1], "vertical", 3, 0, "", p);
    compare_with_union("ola", models[0], "hybrid", 4, 1, "missing: wildcard\n", p);
    columns_now = NULL;
    free(with_file);
    free(columns);
    free(p);
    place_wipe(&at);
}

/* --- persons --- */

enum { PATIENTS = 29 };

/* Persons with three rows each, at several sites, and a row of nobody known. With `steady` they
 * have one value of each sensitive column. */
static people *make_patients(uint64_t seed, bool steady)
{
    people *p = make_people(seed);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t person = i * 7 % PATIENTS, first = person * 13 % PATIENTS;
        snprintf(p->cell[i][0], CELL, "p%u", person);
        for (uint32_t j = 4; j <= COLUMNS && steady; j++)
            snprintf(p->cell[i][j], CELL, "%s", p->cell[first][j]);
    }
    p->cell[8][0][0] = '\0';
    return p;
}

static bool counts_persons(const char *model)
{
    return strstr(model, "lkc") == NULL;
}

static void persons_of_all_sites_are_those_of_the_union(void **state)
{
    (void)state;
    persons_now = true;
    overlap_now = "overlap: matched\n";
    for (uint32_t steady = 0; steady < 2; steady++) {
        people *p = make_patients(11 + steady, steady == 1);
        uint32_t n_released = 0;
        for (uint32_t m = 0; m < MODELS; m++)
            for (uint32_t a = 0; a < 7 && counts_persons(models[m]); a += 1 + m % 3)
                n_released += compare_with(p, lattices[a], models[m], "horizontal", 3 + m % 3,
                                           m % 2, "unit: id\n", p);
        assert_in_range(n_released, steady == 1 ? 30 : 15, MODELS * 7);
        free(p);
    }
    overlap_now = "";
    persons_now = false;
}

/* Sites write the same person in their own ways. */
static void names_are_compared_as_the_study_says(void **state)
{
    static const struct {
        const char *overlap, *before[3], *after;
    } ways[] = {{"overlap: matched\nmatch: trim\n", {" p", "p", "  p"}, "\t"},
                {"overlap: matched\nmatch: case\n", {"P", "p", " P"}, ""},
                {"overlap: matched\nmatch: digits\n", {"", "no. ", "NORTH-"}, "/p"}};
    (void)state;
    persons_now = true;
    people *together = make_patients(14, false);
    for (uint32_t w = 0; w < 3; w++) {
        people *p = make_patients(14, false);
        overlap_now = ways[w].overlap;
        for (uint32_t i = 0; i < ROWS; i++)
            if (p->cell[i][0][0] != '\0')
                snprintf(p->cell[i][0], CELL, "%s%u%s", ways[w].before[i % 3], i * 7 % PATIENTS,
                         ways[w].after);
        assert_true(
            compare_with(together, "flash", models[0], "horizontal", 3, 1, "unit: id\n", p));
        free(p);
    }
    free(together);
    overlap_now = "";
    persons_now = false;
}

/* Unless the study wants it found, nobody is at two sites: each has persons of its own. */
static void without_overlap_each_site_has_its_own(void **state)
{
    static const char *const overlaps[] = {"", "overlap: none\n"};
    (void)state;
    persons_now = true;
    people *p = make_patients(15, false), *together = make_patients(15, false);
    for (uint32_t i = 0; i < ROWS; i++)
        if (p->cell[i][0][0] != '\0')
            snprintf(together->cell[i][0], CELL, "%u.%.8s", i % 3, p->cell[i][0]);
    for (uint32_t o = 0; o < 2; o++) {
        overlap_now = overlaps[o];
        assert_true(
            compare_with(together, "flash", models[3], "horizontal", 3, 1, "unit: id\n", p));
    }
    free(p);
    free(together);
    overlap_now = "";
    persons_now = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_searches_give_what_the_union_gives),
        cmocka_unit_test(however_the_table_is_split),
        cmocka_unit_test(whatever_is_minimized),
        cmocka_unit_test(however_rows_are_joined),
        cmocka_unit_test(with_hierarchies_from_files),
        cmocka_unit_test(persons_of_all_sites_are_those_of_the_union),
        cmocka_unit_test(names_are_compared_as_the_study_says),
        cmocka_unit_test(without_overlap_each_site_has_its_own),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
