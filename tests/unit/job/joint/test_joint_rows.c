/* What the sites of a run over rows tell each other before the protocol: nothing but one bit if the
 * run cannot succeed, no value of a row that is dropped, and with hide_sizes no numbers of
 * values. */
/* needs: weave clustering */
#include "unit/job/support.h"

#include <pthread.h>

#include "job/joint/joint_run.h"
#include "support/session.h"
#include "wire/ledger.h"

enum { SITES = 3, ROWS = 8, CELLS = 3, MESSAGES = 64 };

#define STUDY(keys, k)                                                                     \
    "study: s\ncolumns:\n"                                                                 \
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"                 \
    "  - {name: job, role: quasi-identifying}\n"                                           \
    "  - {name: ill, role: sensitive}\n"                                                   \
    "privacy: [{model: k-anonymity, k: " k "}]\npartition: horizontal\n" keys "parties:\n" \
    "  - {name: a, address: 'h:1', key: 'sha256:"                                          \
    "1111111111111111111111111111111111111111111111111111111111111111'}\n"                 \
    "  - {name: b, address: 'h:2', key: 'sha256:"                                          \
    "2222222222222222222222222222222222222222222222222222222222222222'}\n"                 \
    "  - {name: c, address: 'h:3', key: 'sha256:"                                          \
    "3333333333333333333333333333333333333333333333333333333333333333'}\n"

typedef struct scene {
    kith_study *study;
    kith_table *part[SITES];
    kith_status status[SITES];
    ledger_disclosure learned[SITES][MESSAGES];
    size_t n_learned[SITES];
    pthread_mutex_t lock;
    const char *secret; /* a text that no message may hold */
    uint32_t n_secrets; /* messages that did */
    uint32_t n_unions;  /* messages about united values */
    uint64_t sizes[SITES];
    uint32_t n_sizes; /* that party 0 was told first */
} scene;

static void saw(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length)
{
    scene *s = user;
    pthread_mutex_lock(&s->lock);
    s->n_unions += strncmp(type, "union.", 6) == 0;
    s->n_secrets +=
        s->secret != NULL && memmem(bytes, length, s->secret, strlen(s->secret)) != NULL;
    if (self == 0 && strcmp(type, "union.size") == 0 && s->n_sizes < SITES - 1) {
        assert_true(from > 0);
        memcpy(&s->sizes[s->n_sizes++], bytes, sizeof s->sizes[0]);
    }
    pthread_mutex_unlock(&s->lock);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p);
    const joint_place nowhere = {.directory = NULL};
    kith_run settings = KITH_OPTIONS(kith_run, .n_threads = 1);
    s->status[self] =
        joint_run_party_with(p, s->study, s->part[self], &nowhere, &settings, NULL, error);
    const ledger *l = party_ledger(p);
    for (size_t i = 0; i < l->n_disclosures && i < MESSAGES; i++)
        if (strncmp(l->disclosures[i].step, "pass", 4) != 0) /* these names die with the session */
            s->learned[self][s->n_learned[self]++] = l->disclosures[i];
    return s->status[self];
}

/* Site i has i rows less than the first, so that no two have the same number of values. */
static void run(scene *s, const char *text, const char *const *extra)
{
    static char cell[SITES][ROWS + 1][CELLS][16];
    s->study = study_of(text);
    pthread_mutex_init(&s->lock, NULL);
    for (uint32_t site = 0; site < SITES; site++) {
        const char *cells[(ROWS + 1) * CELLS];
        uint32_t n_rows = 0;
        for (; n_rows < ROWS - site; n_rows++) {
            snprintf(cell[site][n_rows][0], 16, "81%u", n_rows);
            snprintf(cell[site][n_rows][1], 16, "job%u", n_rows + 10 * site);
            snprintf(cell[site][n_rows][2], 16, "ill%u", n_rows % 3);
            for (uint32_t c = 0; c < CELLS; c++)
                cells[n_rows * CELLS + c] = cell[site][n_rows][c];
        }
        if (site == 2 && extra != NULL)
            memcpy(cells + n_rows++ * CELLS, extra, CELLS * sizeof *extra);
        s->part[site] = table_of(s->study, cells, n_rows);
    }
    kith_error errors[SITES] = {0};
    void *users[SITES] = {s, s, s};
    inproc_options options = {.record = {saw, s}};
    (void)!inproc_run(SITES, NULL, &options, take_part, users, errors);
    for (uint32_t site = 0; site < SITES; site++)
        if (s->status[site] != KITH_OK && s->status[site] != KITH_INFEASIBLE)
            fail_msg("site %u: %s", site, errors[site].message);
}

static void wipe(scene *s)
{
    for (uint32_t site = 0; site < SITES; site++)
        kith_table_free(s->part[site]);
    kith_study_free(s->study);
    pthread_mutex_destroy(&s->lock);
}

/* Fails unless one bit is all that every site learned. */
static void is_one_bit(const scene *s)
{
    for (uint32_t site = 0; site < SITES; site++) {
        assert_int_equal(s->status[site], KITH_INFEASIBLE);
        assert_int_equal(s->n_learned[site], 1);
        assert_string_equal(s->learned[site][0].what, "all records are enough");
        assert_int_equal(s->learned[site][0].count, 1);
    }
    assert_int_equal(s->n_unions, 0);
}

static void a_run_that_cannot_succeed_tells_one_bit(void **state)
{
    (void)state;
    static scene s;
    static const char *const texts[] = {STUDY("", "50"), STUDY("protocol: clustering\n", "50"),
                                        STUDY("protocol: clustering\nhide_sizes: true\n", "50"),
                                        STUDY("publish: own-rows\nblur: true\n", "50")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        s = (scene){.secret = "job"};
        run(&s, texts[i], NULL);
        is_one_bit(&s);
        assert_int_equal(s.n_secrets, 0);
        wipe(&s);
    }
}

static void values_of_dropped_rows_stay_at_home(void **state)
{
    (void)state;
    static scene s;
    static const char *const row[] = {"8181", "SECRETVALUE", NULL};
    static const char *const texts[] = {STUDY("missing: drop\n", "3"),
                                        STUDY("missing: drop\nprotocol: clustering\n", "3")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        s = (scene){.secret = "SECRETVALUE"};
        run(&s, texts[i], row);
        assert_int_equal(s.status[0], KITH_OK);
        assert_true(s.n_unions > 0);
        assert_int_equal(s.n_secrets, 0);
        wipe(&s);
    }
    /* The witness: the same row, kept. */
    s = (scene){.secret = "SECRETVALUE"};
    run(&s, STUDY("missing: value\n", "3"), row);
    assert_true(s.n_secrets > 0);
    wipe(&s);
}

static bool learned(const scene *s, const char *what)
{
    for (uint32_t site = 0; site < SITES; site++)
        for (size_t i = 0; i < s->n_learned[site]; i++)
            if (strcmp(s->learned[site][i].what, what) == 0)
                return true;
    return false;
}

static void hidden_sizes_hide_numbers_of_values(void **state)
{
    (void)state;
    static scene s;
    s = (scene){.secret = NULL};
    run(&s, STUDY("protocol: clustering\n", "3"), NULL);
    assert_int_equal(s.n_sizes, SITES - 1);
    assert_true(s.sizes[0] != s.sizes[1]); /* otherwise there is nothing to hide */
    assert_true(learned(&s, "union.counts") && learned(&s, "union.total"));
    wipe(&s);
    s = (scene){.secret = NULL};
    run(&s, STUDY("protocol: clustering\nhide_sizes: true\n", "3"), NULL);
    assert_int_equal(s.status[0], KITH_OK);
    /* Site 0 has 8 + 8 + 3 values, the most. */
    assert_int_equal(s.sizes[0], 32);
    assert_int_equal(s.sizes[1], 32);
    assert_false(learned(&s, "union.counts") || learned(&s, "union.total"));
    wipe(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_cannot_succeed_tells_one_bit),
        cmocka_unit_test(values_of_dropped_rows_stay_at_home),
        cmocka_unit_test(hidden_sizes_hide_numbers_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
