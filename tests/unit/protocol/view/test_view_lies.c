/* Parties of the encrypted view that keep the form and lie about what only they know: sizes, losses
 * and answers. Each is refused and named. Parties that are honest and have nothing to give are
 * not taken for liars. */
#include "unit/protocol/view_scene.h"

#include <math.h>
#include <sys/resource.h>

#include "protocol/view/view_wire.h"
#include "smc/smc.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static protocol_options external(partition_kind kind)
{
    return (protocol_options){.partition = kind,
                              .master = PROTOCOL_MASTER_EXTERNAL,
                              .n_replicas = 1,
                              .drop_unmatched = true};
}

/* Two sites and a master: the honest sites end with KITH_PEER, and one of them complains so. */
static void is_refused(scene *s, session_fn *fn, const char *complaint)
{
    kith_error errors[3] = {0};
    void *users[] = {s, s, s};
    bool said = false; /* who comes late hears it from another one */
    assert_int_equal(inproc_run(3, NULL, NULL, fn, users, errors), KITH_PEER);
    for (uint32_t i = 0; i < 3; i++)
        said |= strstr(errors[i].message, complaint) == errors[i].message;
    assert_true(said);
    assert_false(s->party[0].released);
    free(s);
}

/* --- the master --- */

static void impossible_notes_are_refused(void **state)
{
    (void)state;
    const view_notes impossible[] = {{.lm = NAN, .loss_is_known = 1},
                                     {.lm = 1e300, .loss_is_known = 1},
                                     {.lm = -2, .loss_is_known = 1},
                                     {.objective = -INFINITY, .loss_is_known = 1},
                                     {.objective = NAN, .loss_is_known = 1},
                                     {.seconds = NAN},
                                     {.seconds = -1},
                                     {.seconds = INFINITY},
                                     {.loss_is_known = 7},
                                     {.n_passes = UINT64_MAX},
                                     {.n_transformations = UINT64_MAX},
                                     {.n_checked = UINT64_MAX},
                                     {.reason = 1}};
    for (unsigned i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        scene *s = scene_new(3, 10, external(PARTITION_HORIZONTAL));
        s->notes = impossible[i];
        is_refused(s, scene_take_part, "site3 told an impossible loss or time");
    }
}

/* A loss that nobody knows may be anything. */
static void unknown_losses_are_not_looked_at(void **state)
{
    (void)state;
    scene *s = scene_new(3, 10, external(PARTITION_HORIZONTAL));
    s->notes = (view_notes){.lm = NAN, .objective = INFINITY};
    void *users[] = {s, s, s};
    assert_int_equal(inproc_run(3, NULL, NULL, scene_take_part, users, NULL), KITH_OK);
    free(s);
}

static void drop_a_row(scene *s, view *v)
{
    uint32_t order[MAX_ROWS];
    (void)s;
    for (uint32_t i = 0; i < v->packet.n_rows; i++)
        order[i] = i;
    assert_int_equal(view_packet_rows(&v->packet, order, v->packet.n_rows - 1, NULL), KITH_OK);
}

static void repeat_a_row(scene *s, view *v)
{
    uint32_t order[MAX_ROWS] = {0};
    (void)s;
    for (uint32_t i = 0; i < v->packet.n_rows; i++)
        order[i + 1] = i;
    assert_int_equal(view_packet_rows(&v->packet, order, v->packet.n_rows + 1, NULL), KITH_OK);
}

/* Sites know how many rows the joint table has, for every way to split it. */
static void results_of_other_sizes_are_refused(void **state)
{
    (void)state;
    static const partition_kind kinds[] = {PARTITION_HORIZONTAL, PARTITION_VERTICAL,
                                           PARTITION_HYBRID};
    for (unsigned i = 0; i < 3; i++) {
        scene *s = scene_new(3, 10, external(kinds[i]));
        s->look = drop_a_row;
        is_refused(s, scene_take_part, "site3 sent a part of the view with too few rows");
        s = scene_new(3, 10, external(kinds[i]));
        s->look = repeat_a_row;
        is_refused(s, scene_take_part, "site3 sent a part of the view with too many rows");
    }
}

/* --- sites that tell the master numbers of rows alone --- */

/* Both sites keep to the protocol until their packets go to the master: these say 2^28 rows. */
static kith_status announce_rows(party *p, void *user, kith_error *error)
{
    static const message_type list_type = {"view.list", DISCLOSE_BLINDED};
    scene *s = user;
    const unsigned char same[32] = {1};
    view_packet packet;
    view *v = NULL;
    if (party_self(p) == 2)
        return scene_take_part(p, s, error);
    kith_status status = view_open(&v, p, &s->party[party_self(p)].task, error);
    if (status == KITH_OK)
        status = party_broadcast(p, &list_type, same, sizeof same, error);
    unsigned char other[sizeof same];
    if (status == KITH_OK)
        status = smc_recv(p, 1 - party_self(p), &list_type, other, sizeof other, error);
    if (status == KITH_OK)
        status = view_packet_init(&packet, v->memory, COLUMNS, 1 << 28, false, error);
    if (status == KITH_OK)
        status = view_wire_send(p, 2, &packet, error);
    if (status == KITH_OK) /* the master leaves */
        status = smc_recv(p, 2, &list_type, other, sizeof other, error);
    view_close(v);
    return status;
}

/* Room for so many rows would be gigabytes. */
static void rows_without_cells_take_no_memory(void **state)
{
    (void)state;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    is_refused(scene_new(3, 10, external(PARTITION_VERTICAL)), announce_rows,
               "no site sent column 1 of the view");
    getrusage(RUSAGE_SELF, &after);
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 200000); /* kB */
}

/* --- the site that decodes last --- */

/* Does its part up to the decryption; then the scene says what it tells. */
static kith_status decode_falsely(party *p, scene *s, view **v, kith_error *error)
{
    static const message_type verdict_type = {"view.verdict", DISCLOSE_CHOICE},
                              missing_type = {"view.missing", DISCLOSE_AGGREGATE},
                              texts_type = {"view.texts", DISCLOSE_RELEASE};
    const view_terms terms = {
        .n_columns = COLUMNS, .max_levels = 1, .max_rows = VIEW_MAX_ROWS, .has_columns = true};
    unsigned char verdict[8 + sizeof(view_notes) + 32];
    view_joint joint;
    TRY(view_open(v, p, &s->party[1].task, error));
    TRY(view_gather(*v, &joint, error));
    TRY(smc_recv(p, 2, &verdict_type, verdict, sizeof verdict, error));
    TRY(view_wire_recv(p, 0, &(*v)->packet, (*v)->memory, &terms, error));
    TRY(smc_send(p, 0, &missing_type, s->missing, sizeof s->missing, error));
    if (s->missing[0] == 0) {
        TRY(smc_send(p, 0, &texts_type, &s->n_told, sizeof s->n_told, error));
        TRY(smc_send(p, 0, &texts_type, s->told, sizeof s->told, error));
    }
    unsigned char never;
    return party_recv(p, 0, &texts_type, &never, 1, error);
}

static kith_status lie_at_the_end(party *p, void *user, kith_error *error)
{
    scene *s = user;
    view *v = NULL;
    if (party_self(p) != 1)
        return scene_take_part(p, s, error);
    kith_status status = decode_falsely(p, s, &v, error);
    view_close(v);
    return status;
}

static void false_sizes_of_the_release_are_refused(void **state)
{
    (void)state;
    scene *s = scene_new(3, 10, external(PARTITION_HORIZONTAL));
    s->missing[0] = 4000000000u;
    is_refused(s, lie_at_the_end, "site2 asked for more values than the result has");
    s = scene_new(3, 10, external(PARTITION_HORIZONTAL));
    s->n_told = 4000000000u;
    is_refused(s, lie_at_the_end, "site2 sent a release of 4000000000 rows, not 10");
    s = scene_new(3, 10, external(PARTITION_HORIZONTAL));
    s->n_told = 10;
    s->told[2] = 9;
    is_refused(s, lie_at_the_end, "site2 sent a column with other values than it decrypted");
}

/* --- honest parties --- */

/* Hybrid: the sites that hold some columns, or all sites, have no rows. */
static void columns_without_rows_are_no_fault(void **state)
{
    (void)state;
    for (uint32_t with_rows = 0; with_rows < 2; with_rows++) {
        kith_error errors[3] = {0};
        scene *s = scene_new(3, 6, external(PARTITION_HYBRID));
        for (uint32_t site = with_rows; site < 2; site++) {
            s->party[site].task.n_rows = 0;
            for (uint32_t j = 0; j < COLUMNS; j++)
                s->party[site].source[j].n_levels = 0;
        }
        void *users[] = {s, s, s};
        const kith_status expected = with_rows == 0 ? KITH_INFEASIBLE : KITH_DATA;
        assert_int_equal(inproc_run(3, NULL, NULL, scene_take_part, users, errors), expected);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(errors[i].status, expected);
        if (with_rows > 0)
            assert_string_equal(errors[0].message, "no row is complete: 6 row ids lack a partner");
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_notes_are_refused),
        cmocka_unit_test(unknown_losses_are_not_looked_at),
        cmocka_unit_test(results_of_other_sizes_are_refused),
        cmocka_unit_test(rows_without_cells_take_no_memory),
        cmocka_unit_test(false_sizes_of_the_release_are_refused),
        cmocka_unit_test(columns_without_rows_are_no_fault),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
