/* What parties see of each other: group elements that are never the same, and the ledger. */
#include "unit/protocol/view_scene.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

/* --- points --- */

enum { MAX_POINTS = 20000 };

typedef struct sight {
    point seen[MAX_POINTS];
    uint32_t count;
} sight;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void keep_points(void *user, uint32_t self, uint32_t from, const char *type,
                        const void *bytes, size_t length)
{
    sight *s = user;
    (void)self;
    (void)from;
    if (strcmp(type, "view.points") != 0 && strcmp(type, "view.tids") != 0)
        return;
    pthread_mutex_lock(&lock);
    for (size_t at = 0; at + sizeof(point) <= length && s->count < MAX_POINTS; at += sizeof(point))
        memcpy(&s->seen[s->count++], (const char *)bytes + at, sizeof(point));
    pthread_mutex_unlock(&lock);
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(point));
}

static sight *watch(partition_kind kind, uint32_t n_rows)
{
    sight *s = calloc(1, sizeof *s);
    scene *table = scene_new(
        4, n_rows,
        (protocol_options){.partition = kind, .master = PROTOCOL_MASTER_EXTERNAL, .n_replicas = 1});
    inproc_options options = {.record = {keep_points, s}};
    void *users[] = {table, table, table, table};
    assert_int_equal(inproc_run(4, NULL, &options, scene_take_part, users, NULL), KITH_OK);
    free(table);
    qsort(s->seen, s->count, sizeof(point), by_bytes);
    return s;
}

static void all_are_group_elements_and_new_in_every_run(void **state)
{
    static const partition_kind kinds[] = {PARTITION_HORIZONTAL, PARTITION_VERTICAL};
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        sight *one = watch(kinds[k], 30), *other = watch(kinds[k], 30);
        assert_in_range(one->count, 200, MAX_POINTS - 1);
        assert_int_equal(one->count, other->count);
        for (uint32_t i = 0; i < one->count; i++) {
            point p;
            assert_true(ristretto_parse(&p, one->seen[i].bytes));
            assert_null(bsearch(&one->seen[i], other->seen, other->count, sizeof p, by_bytes));
        }
        free(one);
        free(other);
    }
}

/* Bytes of encodings are uniform but for the last one; a label is nowhere among them. */
static void points_look_uniform(void **state)
{
    (void)state;
    uint64_t bin[256] = {0};
    sight *s = watch(PARTITION_VERTICAL, 200);
    for (uint32_t i = 0; i < s->count; i++) {
        assert_null(memmem(s->seen[i].bytes, 32, "c0:", 3));
        if (i > 0 && by_bytes(&s->seen[i - 1], &s->seen[i]) == 0)
            continue; /* the same packet, passed on in the integration */
        for (uint32_t b = 1; b < 31; b++)
            bin[s->seen[i].bytes[b]]++;
    }
    assert_true(session_uniform_p(bin, 0, 255) > 1e-9);
    free(s);
}

/* --- orders --- */

/* The first packet that party 1 gets: party 0's own, under one key. */
typedef struct first_packet {
    unsigned char points[COLUMNS][MAX_ROWS * 32], codes[COLUMNS][2 * MAX_ROWS];
    uint32_t columns_seen, codes_seen;
    unsigned char run[32];
} first_packet;

static void keep_first(void *user, uint32_t self, uint32_t from, const char *type,
                       const void *bytes, size_t length)
{
    first_packet *f = user;
    if (self != 1 || from != 0)
        return;
    if (strcmp(type, "view.points") == 0 && f->columns_seen < COLUMNS) {
        assert_true(length <= sizeof f->points[0]);
        memcpy(f->points[f->columns_seen++], bytes, length);
    } else if (strcmp(type, "view.codes") == 0 && f->codes_seen < COLUMNS) {
        assert_true(length <= sizeof f->codes[0]);
        memcpy(f->codes[f->codes_seen++], bytes, length);
    }
}

static void keep_run(scene *s, view *v)
{
    first_packet *f = s->looked;
    memcpy(f->run, party_run_id(v->p), sizeof f->run);
}

/* Where the row of party 0 stands that has this entry in the column of unique values. */
static uint32_t place_of(const scene *s, const first_packet *f, uint32_t entry)
{
    const scene_party *owner = &s->party[0];
    for (uint32_t i = 0; i < owner->n_rows; i++) {
        point p;
        assert_int_equal(
            view_crypt_hash(&p, f->run, 3, 0, &s->column[3].label[owner->rows[i]], NULL), KITH_OK);
        assert_true(ristretto_multiply(&p, &owner->key[3], &p));
        if (memcmp(&p, f->points[3] + 32 * (size_t)entry, 32) == 0)
            return i;
    }
    return UINT32_MAX;
}

/* Neither the rows nor the values that a neighbour gets stand in the order of their owner. */
static void every_step_changes_the_order(void **state)
{
    (void)state;
    static first_packet f;
    scene *s = scene_new(4, 200,
                         (protocol_options){.partition = PARTITION_HORIZONTAL,
                                            .master = PROTOCOL_MASTER_EXTERNAL,
                                            .n_replicas = 1});
    inproc_options options = {.record = {keep_first, &f}};
    void *users[] = {s, s, s, s};
    s->look = keep_run;
    s->looked = &f;
    assert_int_equal(inproc_run(4, NULL, &options, scene_take_part, users, NULL), KITH_OK);
    const uint32_t n = s->party[0].n_rows;
    double rows = 0, mean = (n - 1) / 2.0, spread = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = place_of(s, &f, f.codes[3][i]);
        assert_int_not_equal(place, UINT32_MAX);
        rows += (i - mean) * (place - mean);
        spread += (i - mean) * (i - mean);
    }
    assert_in_range(n, 40, 254);                    /* a byte per code */
    assert_true(fabs(rows / spread) < 7 / sqrt(n)); /* seven standard deviations */
    free(s);
}

/* --- the ledger --- */

static void audit(session_facts *facts, uint32_t m, protocol_options options, uint32_t lose,
                  kith_status verdict)
{
    scene *s = scene_new(m, 20, options);
    s->verdict = verdict;
    if (lose > 0)
        scene_lose(s, 0, 4);
    assert_int_equal(session_audit(m, scene_take_part, s, facts), verdict);
    free(s);
}

/* The same with persons, and with a master that says why it fails. */
static void audit_persons(session_facts *facts, protocol_options options, kith_status verdict)
{
    scene *s = scene_new(4, 20, options);
    scene_of_persons(s);
    s->verdict = verdict;
    s->reason = verdict == KITH_OK ? 0 : 1;
    assert_int_equal(session_audit(4, scene_take_part, s, facts), verdict);
    free(s);
}

static void ledger_and_header_agree(void **state)
{
    (void)state;
    static session_facts facts;
    protocol_options o = {.master = PROTOCOL_MASTER_EXTERNAL, .drop_unmatched = true};
    o.n_replicas = 2;
    o.partition = PARTITION_HORIZONTAL;
    audit(&facts, 4, o, 0, KITH_OK);
    audit(&facts, 4, o, 0, KITH_INFEASIBLE);
    audit_persons(&facts, o, KITH_OK);
    audit_persons(&facts, o, KITH_DATA);
    o.partition = PARTITION_VERTICAL;
    audit(&facts, 4, o, 1, KITH_OK);
    o.n_replicas = 1;
    o.partition = PARTITION_HYBRID;
    audit(&facts, 5, o, 1, KITH_OK);
    session_agrees(&facts, "../protocol/view/view.h");
}

/* Messages of a horizontal run with an external master, as the header counts them. */
static void messages_are_as_many_as_the_header_says(void **state)
{
    (void)state;
    for (uint32_t h = 2; h <= 4; h++) {
        session_facts facts = {0};
        protocol_options o = {
            .partition = PARTITION_HORIZONTAL, .master = PROTOCOL_MASTER_EXTERNAL, .n_replicas = 1};
        audit(&facts, h + 1, o, 0, KITH_OK);
        const uint64_t packet = 1 + 2 * COLUMNS, texts = 2 + COLUMNS * (3 + 1);
        uint64_t want = h * (h - 1) * packet /* encryption */
                        + h * packet         /* integration */
                        + h + h * packet     /* verdict, decryption */
                        + (h - 1)            /* what is missing */
                        + (h - 1) * texts;   /* the release */
        assert_int_equal(facts.sent, want);
    }
}

/* --- persons --- */

/* What the master sends, and whether a text of the last column, or of the one before, is sent. */
typedef struct leaving {
    uint32_t n_points, n_persons, n_values;
} leaving;

static void keep_leaving(void *user, uint32_t self, uint32_t from, const char *type,
                         const void *bytes, size_t length)
{
    leaving *l = user;
    (void)self;
    pthread_mutex_lock(&lock);
    l->n_points += from == 3 && strcmp(type, "view.points") == 0;
    l->n_persons += memmem(bytes, length, "c3:", 3) != NULL;
    l->n_values += memmem(bytes, length, "c2:", 3) != NULL;
    pthread_mutex_unlock(&lock);
}

/* Whose the rows are reaches the master and leaves it in no form. */
static void persons_stay_with_the_master(void **state)
{
    const protocol_options o = {
        .partition = PARTITION_HORIZONTAL, .master = PROTOCOL_MASTER_EXTERNAL, .n_replicas = 1};
    (void)state;
    for (uint32_t n_released = COLUMNS - 1; n_released <= COLUMNS; n_released++) {
        leaving seen = {0};
        inproc_options options = {.record = {keep_leaving, &seen}};
        scene *s = scene_new(4, 40, o);
        void *users[] = {s, s, s, s};
        if (n_released < COLUMNS)
            scene_of_persons(s);
        assert_int_equal(inproc_run(4, NULL, &options, scene_take_part, users, NULL), KITH_OK);
        assert_int_equal(seen.n_points, n_released);
        assert_int_equal(seen.n_persons > 0, n_released == COLUMNS);
        assert_true(seen.n_values > 0);
        assert_int_equal(s->party[0].n_released_rows, 40);
        free(s);
    }
}

/* --- keys --- */

static bool is_readable(const void *byte)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    bool readable = write(ends[1], byte, 1) == 1; /* otherwise EFAULT */
    close(ends[0]);
    close(ends[1]);
    return readable;
}

/* Keys are on locked pages of their own, which libsodium overwrites before it gives them back. */
static void keys_are_new_and_wiped(void **state)
{
    (void)state;
    scalar before;
    for (int run = 0; run < 2; run++) {
        view_keys *keys;
        arena *memory = arena_new();
        assert_int_equal(view_crypt_keys_new(&keys, memory, COLUMNS, NULL), KITH_OK);
        const scalar *forth = keys->forth, *back = keys->back;
        assert_false(sodium_is_zero(forth[0].bytes, sizeof(scalar)));
        for (uint32_t j = 0; j < COLUMNS; j++)
            assert_memory_not_equal(&forth[j], &forth[j + 1], sizeof(scalar));
        if (run == 1)
            assert_memory_not_equal(&forth[0], &before, sizeof before);
        before = forth[0];
        assert_true(is_readable(forth) && is_readable(back));
        arena_free(memory);
        assert_false(is_readable(forth) || is_readable(back));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_group_elements_and_new_in_every_run),
        cmocka_unit_test(points_look_uniform),
        cmocka_unit_test(every_step_changes_the_order),
        cmocka_unit_test(ledger_and_header_agree),
        cmocka_unit_test(messages_are_as_many_as_the_header_says),
        cmocka_unit_test(persons_stay_with_the_master),
        cmocka_unit_test(keys_are_new_and_wiped),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
