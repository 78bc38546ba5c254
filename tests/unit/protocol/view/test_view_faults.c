/* Peers that send what cannot be, and peers that leave: no party hangs, and the right one is named.
 */
#include "unit/protocol/view_scene.h"

#include <stdatomic.h>

#include "protocol/view/view_wire.h"

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

/* --- what is sent --- */

typedef enum mischief {
    IDENTITY,
    NOT_CANONICAL,
    TOP_BIT,
    NOT_SQUARE,
    OUT_OF_ORDER,
    CODE_TOO_LARGE,
    PARENT_TOO_LOW,
    ROWS_WITHOUT_END,
    PERSONS_WITHOUT_ROWS, /* these where the last column says whose each row is */
    MORE_PERSONS_THAN_ROWS,
    PERSONS_OF_TWO_LEVELS,
    COLUMN_LEFT_OUT,
    CELLS_LEFT_OUT,
    IDS_NOT_DUE,
    IDS_OUT_OF_ORDER, /* these where ids are due */
    IDS_LEFT_OUT,
    CELLS_LEFT_OUT_BESIDE_IDS,
    MISCHIEFS
} mischief;

typedef struct trouble {
    scene *scene;
    mischief kind;
    bool late; /* in the integration, else in the encryption */
} trouble;

static void bad_point(point *p, mischief kind)
{
    static const unsigned char not_square[32] = {0x26, 0x94, 0x8d, 0x35, 0xca, 0x62, 0xe6, 0x43,
                                                 0xe2, 0x6a, 0x83, 0x17, 0x73, 0x32, 0xe6, 0xb6,
                                                 0xaf, 0xeb, 0x9d, 0x08, 0xe4, 0x26, 0x8b, 0x65,
                                                 0x0f, 0x1f, 0x5b, 0xbd, 0x8d, 0x81, 0xd3, 0x71};
    if (kind == IDENTITY)
        memset(p, 0, sizeof *p);
    else if (kind == NOT_CANONICAL)
        memset(p, 0xff, sizeof *p), p->bytes[31] = 0x7f;
    else if (kind == TOP_BIT)
        p->bytes[31] |= 0x80;
    else
        memcpy(p, not_square, sizeof *p);
}

static bool has_ids(mischief kind)
{
    return kind == IDS_NOT_DUE || kind == IDS_OUT_OF_ORDER || kind == CELLS_LEFT_OUT_BESIDE_IDS;
}

/* A good packet of two rows, with a hierarchy in column 1. */
static kith_status good_packet(view_packet *k, arena *memory, bool ids, kith_error *error)
{
    static const uint32_t one[] = {0, 2}, two[] = {0, 2, 3};
    TRY(view_packet_init(k, memory, COLUMNS, 2, ids, error));
    for (uint32_t j = 0; j < COLUMNS; j++) {
        TRY(view_packet_column(k, j, j == 1 ? 2 : 1, j == 1 ? two : one, error));
        view_column *c = &k->columns[j];
        for (uint32_t e = 0; e < c->n_entries; e++)
            ristretto_hash(&c->entries[e], "test", &(uint32_t){e * 10 + j}, sizeof e);
        c->codes[0] = 0;
        c->codes[1] = 1;
        if (j == 1)
            c->parent[0] = c->parent[1] = 2;
    }
    for (uint32_t i = 0; i < 2 && ids; i++)
        ristretto_hash(&k->tid[i], "test", &i, sizeof i);
    TRY(view_packet_sort(k, error));
    return ids ? view_packet_by_tid(k, error) : KITH_OK;
}

/* Three persons in two rows, or a hierarchy of persons. */
static kith_status add_persons(view_packet *k, uint32_t n_levels, kith_error *error)
{
    static const uint32_t start[] = {0, 2, 3}, more[] = {0, 3};
    view_packet_release_column(k, COLUMNS - 1);
    TRY(view_packet_column(k, COLUMNS - 1, n_levels, n_levels == 1 ? more : start, error));
    view_column *c = &k->columns[COLUMNS - 1];
    for (uint32_t e = 0; e < c->n_entries; e++)
        ristretto_hash(&c->entries[e], "persons", &e, sizeof e);
    c->codes[0] = 0;
    c->codes[1] = 1;
    return view_packet_sort(k, error);
}

static bool has_persons(mischief kind)
{
    return kind == PERSONS_WITHOUT_ROWS || kind == MORE_PERSONS_THAN_ROWS ||
           kind == PERSONS_OF_TWO_LEVELS;
}

/* A packet that is right, but for one thing. */
static kith_status spoilt_packet(view_packet *k, arena *memory, mischief kind, kith_error *error)
{
    TRY(good_packet(k, memory, has_ids(kind), error));
    view_column *c = &k->columns[2];
    point *last = &c->entries[1], *first = &c->entries[0], swap = *first;
    if (kind == IDENTITY)
        bad_point(first, kind); /* keeps the order */
    else if (kind <= NOT_SQUARE)
        bad_point(last, kind);
    if (kind == NOT_SQUARE && memcmp(first, last, sizeof *first) >= 0)
        memset(first, 0, sizeof *first); /* then two are bad */
    if (kind == OUT_OF_ORDER)
        *first = *last, *last = swap;
    if (kind == CODE_TOO_LARGE)
        c->codes[1] = 77;
    if (kind == PARENT_TOO_LOW)
        k->columns[1].parent[0] = 1;
    if (kind == ROWS_WITHOUT_END)
        k->n_rows = UINT32_MAX;
    if (kind == PERSONS_WITHOUT_ROWS)
        k->columns[COLUMNS - 1].codes[1] = k->columns[COLUMNS - 1].codes[0];
    if (kind == MORE_PERSONS_THAN_ROWS)
        return add_persons(k, 1, error);
    if (kind == PERSONS_OF_TWO_LEVELS)
        return add_persons(k, 2, error);
    if (kind == COLUMN_LEFT_OUT)
        *c = (view_column){0};
    if (kind == CELLS_LEFT_OUT || kind == CELLS_LEFT_OUT_BESIDE_IDS)
        c->codes[1] = VIEW_NONE;
    if (kind == IDS_OUT_OF_ORDER)
        k->tid[1] = k->tid[0];
    return KITH_OK;
}

/* Sends a packet; of one that has more rows than memory only the shape, which must do. */
static kith_status send_packet(party *p, uint32_t to, const view_packet *k, kith_error *error)
{
    static const message_type shape_type = {"view.shape", DISCLOSE_CHOICE};
    uint32_t shape[2 + COLUMNS * (1 + VIEW_LEVELS)];
    if (k->n_rows < UINT32_MAX)
        return view_wire_send(p, to, k, error);
    view_parse_write_shape(shape, k);
    return party_send(p, to, &shape_type, shape, sizeof shape, error);
}

/* Party 1 is the bad one: two sites and a master. In the encryption it sends the spoilt packet to
 * party 0; later, after it has done its work on party 0's, to the master. */
static kith_status bad_party(party *p, trouble *t, arena *memory, kith_error *error)
{
    view_packet good, bad;
    view_keys *keys;
    prg *coins;
    uint64_t operations = 0;
    unsigned char never;
    static const message_type end = {"view.verdict", DISCLOSE_CHOICE};
    TRY(view_crypt_keys_new(&keys, memory, COLUMNS, error));
    TRY(prg_new_private(&coins, memory, error));
    TRY(spoilt_packet(&bad, memory, t->late ? MISCHIEFS : t->kind, error));
    if (t->late)
        TRY(view_crypt_encrypt(&bad, keys, coins, NULL, p, 1, &operations, error));
    TRY(send_packet(p, 0, &bad, error));
    if (t->late) {
        const view_terms terms = {.n_columns = COLUMNS,
                                  .max_levels = VIEW_LEVELS,
                                  .max_rows = VIEW_MAX_ROWS,
                                  .has_columns = true};
        TRY(view_wire_recv(p, 0, &good, memory, &terms, error));
        TRY(spoilt_packet(&bad, memory, t->kind, error));
        TRY(send_packet(p, 2, &bad, error));
    }
    return party_recv(p, 2, &end, &never, 1, error);
}

static kith_status make_trouble(party *p, void *user, kith_error *error)
{
    trouble *t = user;
    if (party_self(p) != 1)
        return scene_take_part(p, t->scene, error);
    arena *memory = arena_new();
    kith_status status = bad_party(p, t, memory, error);
    arena_free(memory);
    return status;
}

static void bad_packets_are_refused_and_their_sender_named(void **state)
{
    static const char *const complaint[MISCHIEFS] = {
        "site2 sent an invalid group element",
        "site2 sent an invalid group element",
        "site2 sent an invalid group element",
        "site2 sent an invalid group element",
        "site2 sent a part of the view with a dictionary out of order",
        "site2 sent a part of the view with codes out of range",
        "site2 sent a part of the view with codes out of range",
        "site2 sent a part of the view with too many rows",
        "site2 sent a part of the view with a person without rows",
        "site2 sent a part of the view with more persons than rows",
        "site2 sent a part of the view with more persons than rows",
        "site2 sent a part of the view with a column left out",
        "site2 sent a part of the view with cells left out",
        "site2 sent a part of the view with row ids that are not due",
        "site2 sent a part of the view with row ids out of order",
        "site2 sent a part of the view with no row ids",
        "site2 sent a part of the view with cells left out"};
    (void)state;
    for (uint32_t late = 0; late < 2; late++)
        for (mischief kind = 0; kind < MISCHIEFS; kind++) {
            const bool ids = kind >= IDS_OUT_OF_ORDER;
            if (ids && late == 1)
                continue; /* the liar would have to match ids first */
            kith_error errors[3] = {0};
            trouble t = {
                scene_new(3, 10, external(ids ? PARTITION_VERTICAL : PARTITION_HORIZONTAL)), kind,
                late == 1};
            void *users[] = {&t, &t, &t};
            for (uint32_t i = 0; i < 3 && has_persons(kind); i++)
                t.scene->party[i].task.n_released = COLUMNS - 1;
            assert_int_equal(inproc_run(3, NULL, NULL, make_trouble, users, errors), KITH_PEER);
            assert_ptr_equal(strstr(errors[late == 1 ? 2 : 0].message, complaint[kind]),
                             errors[late == 1 ? 2 : 0].message);
            assert_false(t.scene->party[0].released);
            free(t.scene);
        }
}

/* --- who leaves --- */

static void a_party_may_leave_between_the_phases(void **state)
{
    (void)state;
    for (uint32_t who = 0; who < 4; who++)
        for (int after = 0; after < 2; after++) {
            kith_error errors[4] = {0};
            scene *s = scene_new(4, 12, external(PARTITION_HORIZONTAL));
            void *users[] = {s, s, s, s};
            s->party[who].leave_with = KITH_IO;
            s->party[who].leave_after = after;
            assert_int_equal(inproc_run(4, NULL, NULL, scene_take_part, users, errors), KITH_IO);
            for (uint32_t i = 0; i < 4; i++) {
                assert_int_equal(errors[i].status, i == who ? KITH_OK : KITH_PEER);
                assert_false(s->party[i].released);
            }
            free(s);
        }
}

/* Every frame of a run is damaged once. */
static void damages_every_frame(scene *s)
{
    size_t frames = session_frames(3, scene_take_part, s);
    assert_int_not_equal(frames, 0);
    assert_int_equal(session_faults(3, scene_take_part, s, FAULT_CORRUPT, frames + 1), frames);
    free(s);
}

static void a_damaged_frame_ends_the_run(void **state)
{
    (void)state;
    damages_every_frame(scene_new(3, 6, external(PARTITION_HORIZONTAL)));
    scene *s = scene_new(3, 6, external(PARTITION_VERTICAL));
    scene_lose(s, 0, 2);
    damages_every_frame(s);
}

typedef struct thief {
    uint32_t from;
    unsigned victim;
    atomic_uint seen;
} thief;

static frame_fault steal(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                         const char *type)
{
    thief *t = user;
    (void)to;
    (void)sequence;
    if (from != t->from || strncmp(type, "view.", 5) != 0)
        return FAULT_NONE;
    return atomic_fetch_add(&t->seen, 1) == t->victim ? FAULT_LOSE : FAULT_NONE;
}

/* A frame that never comes, in each phase: all parties give up in time. */
static void a_lost_frame_ends_the_run(void **state)
{
    static const thief thieves[] = {{.from = 1, .victim = 2},
                                    {.from = 1, .victim = 11},
                                    {.from = 2, .victim = 3},
                                    {.from = 1, .victim = 20}};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        kith_error errors[3] = {0};
        thief t = thieves[k];
        scene *s = scene_new(3, 6, external(PARTITION_HORIZONTAL));
        inproc_options options = {.fault = {steal, &t}};
        void *users[] = {s, s, s};
        assert_int_equal(inproc_run(3, NULL, &options, scene_take_part, users, errors), KITH_PEER);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_packets_are_refused_and_their_sender_named),
        cmocka_unit_test(a_party_may_leave_between_the_phases),
        cmocka_unit_test(a_damaged_frame_ends_the_run),
        cmocka_unit_test(a_lost_frame_ends_the_run),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
