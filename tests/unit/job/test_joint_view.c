/* Joint runs by the encrypted view give what the centralized engine gives: on the union for
 * searches of lattices, on the decoded view for algorithms that draw lots. */
#include "view_people.h"

/* The joint release of all sites is that of the union. */
static void compare_with_union(const char *method, const char *model, const char *split,
                               uint32_t sites, uint32_t masters, const people *p)
{
    static joint_scene s;
    char *keys = joint_keys(split, sites, masters, "");
    kith_study *study = make_study(method, model, keys);
    kith_study *alone = make_study(method, model, "");
    kith_table *all = part_of(alone, p, "horizontal", 1, UINT32_MAX), *central = NULL;
    kith_run run = {.threads = 1, .seeded = true, .seed = SEED};
    kith_error error = {0};
    kith_status wanted = kith_anonymize_table(alone, all, &run, &central, NULL, &error);
    scene_make(&s, study, p, split, sites);
    if (wanted == KITH_OK) {
        assert_int_equal(session_run(s.parties, scene_take_part, &s), KITH_OK);
        for (uint32_t i = 0; i < sites; i++)
            same_rows(s.release[i], central, method);
        for (uint32_t i = sites; i < s.parties; i++)
            assert_null(s.release[i]);
    } else {
        fail_msg("%s with %s: %s", method, model, error.message);
    }
    scene_wipe(&s);
    kith_table_free(all);
    kith_table_free(central);
    kith_study_free(study);
    kith_study_free(alone);
    free(keys);
}

static const char *const lattices[] = {"flash",       "ola",     "incognito", "breadth-first",
                                       "depth-first", "datafly", "top-down"};

static void lattice_searches_give_what_the_union_gives(void **state)
{
    (void)state;
    people *p = make_people(1);
    for (uint32_t a = 0; a < 7; a++)
        for (uint32_t m = 0; m < MODELS; m++)
            compare_with_union(lattices[a], models[m], "horizontal", 2, 1, p);
    free(p);
}

static void however_the_table_is_split(void **state)
{
    (void)state;
    people *p = make_people(2);
    compare_with_union("flash", models[1], "horizontal", 3, 1, p);
    compare_with_union("flash", models[6], "horizontal", 5, 0, p);
    compare_with_union("flash", models[7], "horizontal", 8, 1, p);
    compare_with_union("flash", models[10], "horizontal", 2, 3, p);
    compare_with_union("flash", models[0], "vertical", 2, 1, p);
    compare_with_union("flash", models[6], "vertical", 3, 1, p);
    compare_with_union("ola", models[7], "vertical", 5, 0, p);
    compare_with_union("flash", models[10], "hybrid", 4, 1, p);
    compare_with_union("flash", models[6], "hybrid", 4, 0, p);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_searches_give_what_the_union_gives),
        cmocka_unit_test(however_the_table_is_split),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
