/* Common records: the same people in the same order everywhere, and errors that say who. */
/* wrap: ristretto_hash digest_final */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/rng.h"
#include "protocol/columns_align.h"
#include "crypto/digest.h"
#include "crypto/ristretto.h"
#include "support/session.h"
#include "support/still_clock.h"

enum { MAX_ROWS = 600, ID = 16 };

typedef struct scene {
    uint32_t rows[PARTY_MAX];
    char id[PARTY_MAX][MAX_ROWS][ID];
    bool aligned, strict, seeded;
    uint32_t odd; /* this party says that its rows are aligned, the others do not */
    uint64_t seed;
    columns_align_result got[PARTY_MAX];
    uint32_t row[PARTY_MAX][MAX_ROWS];
} scene;

static kith_status align(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p);
    arena *memory = arena_new();
    commute_key key[MAX_ROWS];
    TRY_ALLOC(memory, error);
    for (uint32_t i = 0; i < s->rows[self]; i++)
        key[i] = (commute_key){s->id[self][i], strlen(s->id[self][i])};
    columns_align_task task = {.n_rows = s->rows[self],
                               .id = s->aligned != (self == s->odd) ? NULL : key,
                               .drop_unmatched = !s->strict,
                               .seeded = s->seeded,
                               .seed = s->seed};
    kith_status status = columns_align(&s->got[self], p, &task, memory, error);
    if (status == KITH_OK)
        memcpy(s->row[self], s->got[self].row, s->got[self].n_records * sizeof(uint32_t));
    arena_free(memory);
    return status;
}

/* Persons p0 … p(people-1), of whom every site has `share` of ten, in an order of its own. */
static void fill(scene *s, uint32_t m, uint32_t people, uint32_t share, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 1);
    *s = (scene){.odd = UINT32_MAX};
    for (uint32_t i = 0; i < m; i++) {
        uint32_t who[MAX_ROWS];
        for (uint32_t j = 0; j < people; j++)
            if (rng_below(&r, 10) < share)
                who[s->rows[i]++] = j;
        rng_shuffle(&r, who, s->rows[i]);
        for (uint32_t j = 0; j < s->rows[i]; j++)
            snprintf(s->id[i][j], ID, "p%u", who[j]);
    }
}

static bool has(const scene *s, uint32_t site, const char *id)
{
    for (uint32_t i = 0; i < s->rows[site]; i++)
        if (strcmp(s->id[site][i], id) == 0)
            return true;
    return false;
}

static void check(const scene *s, uint32_t m)
{
    uint32_t common = 0;
    for (uint32_t i = 0; i < s->rows[0]; i++) {
        bool all = true;
        for (uint32_t j = 1; j < m; j++)
            all = all && has(s, j, s->id[0][i]);
        common += all;
    }
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(s->got[i].n_records, common);
        assert_int_equal(s->got[i].unmatched, s->rows[i] - common);
        for (uint32_t r = 0; r < common; r++) {
            assert_string_equal(s->id[i][s->row[i][r]], s->id[0][s->row[0][r]]);
            assert_true(r == 0 || s->row[i][r] != s->row[i][r - 1]);
        }
    }
}

static void finds_the_same_people_everywhere(void **state)
{
    (void)state;
    static scene s;
    static const uint32_t parties[] = {2, 3, 5};
    for (unsigned a = 0; a < 3; a++)
        for (uint32_t share = 7; share <= 10; share += 3) {
            fill(&s, parties[a], 150, share, a + share);
            assert_int_equal(session_run(parties[a], align, &s), KITH_OK);
            assert_true(s.got[0].n_records > 20);
            check(&s, parties[a]);
        }
}

/* The order neither follows the rows nor the identifiers, and differs from run to run. */
static void has_an_order_that_says_nothing(void **state)
{
    (void)state;
    static scene one, two;
    uint32_t rising = 0, same = 0;
    fill(&one, 2, 300, 10, 4);
    two = one;
    assert_int_equal(session_run(2, align, &one), KITH_OK);
    assert_int_equal(session_run(2, align, &two), KITH_OK);
    for (uint32_t r = 1; r < 300; r++) {
        rising += one.row[0][r] > one.row[0][r - 1];
        same += one.row[0][r] == two.row[0][r];
    }
    assert_in_range(rising, 100, 200);
    assert_true(same < 30);
    one.seeded = two.seeded = true;
    assert_int_equal(session_run(2, align, &one), KITH_OK);
    assert_int_equal(session_run(2, align, &two), KITH_OK);
    assert_memory_equal(one.row[0], two.row[0], 300 * sizeof(uint32_t));
}

static void leaves_aligned_rows_alone(void **state)
{
    (void)state;
    static scene s;
    fill(&s, 3, 50, 10, 1);
    s.aligned = true;
    assert_int_equal(session_run(3, align, &s), KITH_OK);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t r = 0; r < 50; r++)
            assert_int_equal(s.row[i][r], r);
}

/* All parties fail alike, and say so. */
static void fails(scene *s, uint32_t m, uint32_t at, const char *text, const char *elsewhere)
{
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX] = {NULL};
    for (uint32_t i = 0; i < m; i++)
        users[i] = s;
    assert_int_equal(inproc_run(m, NULL, NULL, align, users, errors), KITH_DATA);
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(errors[i].status, KITH_DATA);
        assert_string_equal(errors[i].message, i == at ? text : elsewhere);
    }
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    static scene s;
    fill(&s, 3, 40, 10, 1);
    strcpy(s.id[1][11], s.id[1][4]);
    fails(&s, 3, 1, "1 identifier of site2 occurs more than once (rows 5 and 12)",
          "1 identifier of site2 occurs more than once");
    for (uint32_t i = 0; i < 5; i++)
        strcpy(s.id[1][39 - i], s.id[1][i]);
    strcpy(s.id[1][20], s.id[1][0]);
    fails(&s, 3, 1,
          "5 identifiers of site2 occur more than once (rows 1 and 21, 2 and 39, 3 and 38, …)",
          "5 identifiers of site2 occur more than once");

    fill(&s, 3, 40, 10, 1);
    for (uint32_t i = 0; i < 40; i++)
        s.id[2][i][0] = 'q';
    static const char none[] = "no identifier occurs at every site (compare how they are written: "
                               "prefixes, leading zeros)";
    fails(&s, 3, 0, none, none);

    fill(&s, 3, 40, 10, 1);
    s.rows[2] = 39;
    s.strict = true;
    fails(&s, 3, 0, "1 row of site1 has no partner at some other site (39 have)",
          "1 row of site1 has no partner at some other site (39 have)");
    s.aligned = true;
    fails(&s, 3, 0, "site1 has 40 rows, site3 has 39", "site1 has 40 rows, site3 has 39");
    s.rows[0] = s.rows[1] = s.rows[2] = 0;
    fails(&s, 3, 0, "site1 has no rows", "site1 has no rows");
}

static void refuses_other_studies(void **state)
{
    (void)state;
    static scene s;
    fill(&s, 2, 20, 10, 1);
    s.odd = 1;
    kith_error errors[2] = {{0}};
    void *users[2] = {&s, &s};
    assert_int_equal(inproc_run(2, NULL, NULL, align, users, errors), KITH_PEER);
}

static void learns_what_its_header_says(void **state)
{
    (void)state;
    static scene s;
    session_facts facts = {0};
    fill(&s, 3, 30, 8, 1);
    assert_int_equal(session_audit(3, align, &s, &facts), KITH_OK);
    s.aligned = true;
    s.rows[0] = s.rows[1] = s.rows[2] = 20;
    assert_int_equal(session_audit(3, align, &s, &facts), KITH_OK);
    assert_int_equal(facts.learned[0], 4);
    s.rows[1] = 19;
    assert_int_equal(session_audit(3, align, &s, &facts), KITH_DATA);
    session_agrees(&facts, "../protocol/columns_align.h");
}

static void survives_broken_frames(void **state)
{
    (void)state;
    static scene s;
    static const frame_fault faults[] = {FAULT_TRUNCATE, FAULT_CORRUPT, FAULT_LOSE};
    for (unsigned f = 0; f < 3; f++) {
        fill(&s, 3, 12, 10, 1);
        size_t runs = session_faults(3, align, &s, faults[f], faults[f] == FAULT_LOSE ? 4 : 1000);
        assert_true(runs > 3 && runs < 1000);
    }
}

/* --- a site that takes its time --- */

/* Is this thread the slow site? */
static _Thread_local bool slow;

void __real_ristretto_hash(point *out, const char *domain, const void *bytes, size_t length);
void __wrap_ristretto_hash(point *out, const char *domain, const void *bytes, size_t length);
void __real_digest_final(digest *d, unsigned char *out);
void __wrap_digest_final(digest *d, unsigned char *out);

void __wrap_ristretto_hash(point *out, const char *domain, const void *bytes, size_t length)
{
    usleep(slow ? 1000000 : 0);
    __real_ristretto_hash(out, domain, bytes, length);
}

void __wrap_digest_final(digest *d, unsigned char *out)
{
    usleep(slow ? 1000000 : 0);
    __real_digest_final(d, out);
}

static kith_status align_slowly(party *p, void *user, kith_error *error)
{
    slow = party_self(p) == 1;
    const kith_status status = align(p, user, error);
    slow = false;
    return status;
}

/* Every hash takes a second: sorting by identifiers, making points, looking them up and putting
 * rows in order each take longer than the deadline of 30 s. */
static void waits_for_a_site_that_works(void **state)
{
    (void)state;
    static scene s;
    fill(&s, 3, 50, 10, 1);
    const double begun = still_clock_seconds();
    assert_int_equal(session_run(3, align_slowly, &s), KITH_OK);
    assert_true(still_clock_seconds() - begun >= 4 * 50);
    check(&s, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_same_people_everywhere),
        cmocka_unit_test(has_an_order_that_says_nothing),
        cmocka_unit_test(leaves_aligned_rows_alone),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(refuses_other_studies),
        cmocka_unit_test(learns_what_its_header_says),
        cmocka_unit_test(survives_broken_frames),
        cmocka_unit_test(waits_for_a_site_that_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
