/* Row ids that some sites lack, or have twice, under encryption. */
#include "unit/protocol/view_scene.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static scene *scene_of(uint32_t m, partition_kind kind, uint32_t master, bool drop)
{
    return scene_new(
        m, 30,
        (protocol_options){
            .partition = kind, .master = master, .n_replicas = 1, .drop_unmatched = drop});
}

static kith_status run_quietly(scene *s, kith_error *errors)
{
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < s->m; i++)
        users[i] = s;
    return inproc_run(s->m, NULL, NULL, scene_take_part, users, errors);
}

static void drops_what_some_sites_lack(void **state)
{
    static const partition_kind kinds[] = {PARTITION_VERTICAL, PARTITION_VERTICAL,
                                           PARTITION_HYBRID};
    static const uint32_t masters[] = {PROTOCOL_MASTER_EXTERNAL, 1, PROTOCOL_MASTER_EXTERNAL};
    static const uint32_t parties[] = {3, 3, 5};
    (void)state;
    for (uint32_t k = 0; k < 3; k++) {
        scene *s = scene_of(parties[k], kinds[k], masters[k], true);
        bool kept[MAX_ROWS];
        memset(kept, 1, sizeof kept);
        scene_lose(s, 0, 4), kept[4] = false;
        scene_lose(s, 0, 8), kept[8] = false;
        scene_lose(s, 1, 10), kept[10] = false;
        assert_int_equal(session_run(s->m, scene_take_part, s), KITH_OK);
        scene_check(s, kept);
        for (uint32_t i = 0; i < s->m; i++)
            assert_int_equal(s->party[i].unmatched, 3);
        free(s);
    }
}

static void refuses_what_some_sites_lack(void **state)
{
    static const partition_kind kinds[] = {PARTITION_VERTICAL, PARTITION_HYBRID};
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        kith_error errors[PARTY_MAX] = {0};
        scene *s = scene_of(k == 0 ? 3 : 5, kinds[k], PROTOCOL_MASTER_EXTERNAL, false);
        scene_lose(s, 1, 12);
        assert_int_equal(run_quietly(s, errors), KITH_DATA);
        assert_string_equal(errors[s->m - 1].message,
                            "1 row ids have no partner at some other site (29 have)");
        for (uint32_t i = 0; i < s->m; i++)
            assert_false(s->party[i].released);
        free(s);
    }
}

static void refuses_ids_without_any_partner(void **state)
{
    (void)state;
    kith_error errors[PARTY_MAX] = {0};
    scene *s = scene_of(3, PARTITION_VERTICAL, PROTOCOL_MASTER_EXTERNAL, true);
    for (uint32_t row = 0; row < 15; row++) {
        scene_lose(s, 0, row);
        scene_lose(s, 1, row + 15);
    }
    assert_int_equal(run_quietly(s, errors), KITH_DATA);
    assert_string_equal(errors[2].message, "no row is complete: 30 row ids lack a partner");
    free(s);
}

static void refuses_ids_that_a_site_has_twice(void **state)
{
    (void)state;
    kith_error errors[PARTY_MAX] = {0};
    scene *s = scene_of(3, PARTITION_VERTICAL, PROTOCOL_MASTER_EXTERNAL, true);
    s->party[0].tid[5] = s->party[0].tid[4];
    s->party[0].tid[9] = s->party[0].tid[4];
    assert_int_equal(run_quietly(s, errors), KITH_DATA);
    assert_string_equal(errors[0].message, "2 rows repeat the id of another row");
    free(s);
}

/* Sites 1 and 3 have the same columns; one person is in both. */
static void refuses_ids_that_two_sites_have(void **state)
{
    (void)state;
    kith_error errors[PARTY_MAX] = {0};
    scene *s = scene_of(5, PARTITION_HYBRID, PROTOCOL_MASTER_EXTERNAL, true);
    s->party[0].tid[0] = s->party[2].tid[0];
    assert_int_equal(run_quietly(s, errors), KITH_DATA);
    bool told = false;
    for (uint32_t i = 0; i < s->m; i++)
        told |= strstr(errors[i].message, "2 cells are at two sites") != NULL;
    assert_true(told);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_what_some_sites_lack),
        cmocka_unit_test(refuses_what_some_sites_lack),
        cmocka_unit_test(refuses_ids_without_any_partner),
        cmocka_unit_test(refuses_ids_that_a_site_has_twice),
        cmocka_unit_test(refuses_ids_that_two_sites_have),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
