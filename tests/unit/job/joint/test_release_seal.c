/* The barrier before releases appear: a party with another release is noticed, and a party without
 * the release learns nothing about it. */
/* needs: encrypted-view */
#include "unit/job/view_people.h"

#include "job/joint/release_seal.h"

enum { PARTIES = 3, HEARD = 1 << 12 };

/* --- the barrier alone --- */

static const char plain[] =
    "study: s\ncolumns:\n  - {name: a, role: quasi-identifying}\n"
    "  - {name: b, role: sensitive}\nprivacy: [{model: k-anonymity, k: 2}]\n";

/* What everybody got of each type, one byte string per receiver. */
typedef struct heard {
    unsigned char seals[PARTIES][HEARD], ready[PARTIES][HEARD];
    size_t n_seals[PARTIES], n_ready[PARTIES];
} heard;

typedef struct barrier {
    kith_table *release[PARTIES];
    uint32_t n_holders;
} barrier;

static void hear(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                 size_t length)
{
    heard *h = user;
    (void)from;
    const bool seal = strcmp(type, "release.seal") == 0;
    if (!seal && strcmp(type, "release.ready") != 0)
        return;
    unsigned char *to = seal ? h->seals[self] : h->ready[self];
    size_t *used = seal ? &h->n_seals[self] : &h->n_ready[self];
    assert_true(*used + length <= HEARD);
    memcpy(to + *used, bytes, length);
    *used += length;
}

static kith_status stand(party *p, void *user, kith_error *error)
{
    const barrier *b = user;
    return release_seal_agree(p, b->release[party_self(p)], b->n_holders, error);
}

static kith_status run_barrier(barrier *b, heard *h, kith_error *errors)
{
    void *user[PARTIES] = {b, b, b};
    const inproc_options options = {.record = {hear, h}};
    *h = (heard){0};
    return inproc_run(PARTIES, NULL, &options, stand, user, errors);
}

static kith_table *release_of(const kith_study *study, const char *first, const char *last)
{
    const char *const cells[] = {first, "x", first, NULL, last, "y"};
    return table_of(study, cells, 3);
}

static void another_release_is_noticed(void **state)
{
    (void)state;
    static heard h;
    kith_study *study = study_of(plain);
    kith_error errors[PARTIES] = {0};
    barrier b = {.n_holders = 3};
    for (uint32_t i = 0; i < PARTIES; i++)
        b.release[i] = release_of(study, "flu", "hiv");
    assert_int_equal(run_barrier(&b, &h, errors), KITH_OK);
    kith_table_free(b.release[1]);
    b.release[1] = release_of(study, "flu", "mumps");
    assert_int_equal(run_barrier(&b, &h, errors), KITH_PEER);
    bool said = false; /* by whoever was first; the others are told that the run is over */
    for (uint32_t i = 0; i < PARTIES; i++)
        said = said || strstr(errors[i].message, "has another release than this party") != NULL;
    assert_true(said);
    for (uint32_t i = 0; i < PARTIES; i++)
        kith_table_free(b.release[i]);
    kith_study_free(study);
}

/* Whoever has no release gets a constant; and a seal is of no use to any third party. */
static void who_has_no_release_gets_a_constant(void **state)
{
    (void)state;
    static heard first, second;
    kith_study *study = study_of(plain);
    barrier one = {.n_holders = 2}, other = {.n_holders = 2};
    for (uint32_t i = 0; i < 2; i++) {
        one.release[i] = release_of(study, "flu", "hiv");
        other.release[i] = release_of(study, "cough", "mumps");
    }
    assert_int_equal(run_barrier(&one, &first, NULL), KITH_OK);
    assert_int_equal(run_barrier(&other, &second, NULL), KITH_OK);
    assert_int_equal(first.n_seals[2], 0);
    assert_int_equal(first.n_ready[2], 2);
    assert_int_equal(second.n_ready[2], 2);
    assert_memory_equal(first.ready[2], second.ready[2], 2);
    /* keys are those of a pair and a run, and the two directions differ */
    assert_int_equal(run_barrier(&one, &second, NULL), KITH_OK);
    assert_int_equal(first.n_seals[0], 32);
    assert_memory_not_equal(first.seals[0], second.seals[0], 32);
    assert_memory_not_equal(first.seals[0], first.seals[1], 32);
    for (uint32_t i = 0; i < 2; i++) {
        kith_table_free(one.release[i]);
        kith_table_free(other.release[i]);
    }
    kith_study_free(study);
}

/* --- a whole run with an external master --- */

/* What the master receives: the types of all messages and their lengths, and the bytes of those
 * that are not masked or encrypted at random. */
typedef struct watch {
    uint32_t master;
    char kinds[16 * HEARD];
    unsigned char bytes[HEARD];
    size_t length;
} watch;

static void look(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                 size_t length)
{
    watch *w = user;
    (void)from;
    if (self != w->master)
        return;
    size_t used = strlen(w->kinds);
    snprintf(w->kinds + used, sizeof w->kinds - used, "%s %zu, ", type, length);
    if (strncmp(type, "release.", 8) != 0)
        return;
    assert_true(w->length + length <= HEARD);
    memcpy(w->bytes + w->length, bytes, length);
    w->length += length;
}

static kith_status take_whole_part(party *p, void *user, kith_error *error)
{
    const joint_scene *s = user;
    const joint_place nowhere = {0};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    kith_document *summary = NULL;
    kith_status status =
        joint_run_party_with(p, s->study, s->part[party_self(p)], &nowhere, &run, &summary, error);
    kith_document_free(summary);
    return status;
}

static void watch_master(watch *w, const kith_study *study, const people *p)
{
    static joint_scene s;
    void *user[PARTIES] = {&s, &s, &s};
    const inproc_options options = {.record = {look, w}};
    *w = (watch){.master = 2};
    scene_make(&s, study, p, "horizontal", 2);
    assert_int_equal(inproc_run(3, NULL, &options, take_whole_part, user, NULL), KITH_OK);
    scene_wipe(&s);
}

/* The same table under other names: every value of a column without public domain is renamed. */
static void rename_values(people *p)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        p->cell[i][3][0] = (char)(p->cell[i][3][0] + 1);
        p->cell[i][4][0] = (char)('Z' - p->cell[i][4][0] + 'A');
    }
}

static void the_master_hears_nothing_that_depends_on_labels(void **state)
{
    (void)state;
    static watch before, after;
    char *keys = joint_keys("horizontal", 2, 1, "");
    kith_study *study = make_study("flash", models[0], keys);
    people *p = make_people(4);
    watch_master(&before, study, p);
    rename_values(p);
    watch_master(&after, study, p);
    assert_non_null(strstr(before.kinds, "release.ready"));
    assert_string_equal(before.kinds, after.kinds);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.bytes, after.bytes, before.length);
    kith_study_free(study);
    free(keys);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_release_is_noticed),
        cmocka_unit_test(who_has_no_release_gets_a_constant),
        cmocka_unit_test(the_master_hears_nothing_that_depends_on_labels),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
