/* The study's bound of rows per party: checked at home first, and at peers before anything that
 * depends on data is sent to them. */
#include "unit/job/support.h"

#include <pthread.h>

#include "job/joint/joint_run.h"
#include "study/study.h"
#include "support/session.h"

enum { SITES = 2, ROWS = 12 };

static const char columns_text[] =
    "study: s\ncolumns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}, hierarchy: "
    "{intervals: [10]}}\n"
    "  - {name: sex, role: quasi-identifying}\n"
    "  - {name: who, role: identifying}\n"
    "privacy: [{model: k-anonymity, k: 3}]\n";

typedef struct scenario {
    const char *keys;
    bool vertical;
    uint32_t n_masters;
    const char *guarded; /* messages that site 1 must not get from anybody */
} scenario;

static const scenario scenarios[] = {
    {"partition: vertical\n", true, 0, "set."},
    {"partition: vertical\nprotocol: encrypted-view\n", true, 1, "view."},
    {"partition: horizontal\nprotocol: encrypted-view\n", false, 1, "view.points"},
};

static kith_study *make_study(const scenario *s, const char *bound)
{
    static const char *const held[] = {", columns: [age]", ", columns: [sex]", ""};
    char text[2048];
    size_t length =
        (size_t)snprintf(text, sizeof text, "%s%s%sparties:\n", columns_text, s->keys, bound);
    for (uint32_t i = 0; i < SITES + s->n_masters; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "  - {name: s%u, address: 'h:%u', key: 'sha256:%064x'%s}\n", i,
                                   7000 + i, i + 1, s->vertical ? held[i] : "");
    return study_of(text);
}

static kith_table *make_table(const scenario *s, uint32_t site, uint32_t n_rows)
{
    static char text[SITES][ROWS][3][16];
    const char *cells[ROWS * 3];
    const kith_column_spec all[] = {
        {.name = "age", .type = KITH_TYPE_INTEGER}, {.name = "sex"}, {.name = "who"}};
    kith_column_spec spec[3];
    size_t n_columns = 0, count = 0;
    bool has[3] = {!s->vertical || site == 0, !s->vertical || site == 1, s->vertical};
    for (uint32_t c = 0; c < 3; c++)
        if (has[c])
            spec[n_columns++] = all[c];
    for (uint32_t i = 0; i < n_rows; i++) {
        snprintf(text[site][i][0], 16, "%u", 20 + i);
        snprintf(text[site][i][1], 16, "%c", "mf"[i % 2]);
        snprintf(text[site][i][2], 16, "p%u", i);
        for (uint32_t c = 0; c < 3; c++)
            if (has[c])
                cells[count++] = text[site][i][c];
    }
    kith_table *table = NULL;
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = spec, .n_columns = n_columns);
    assert_int_equal(kith_table_from_cells(&table, cells, n_rows, &options, NULL), KITH_OK);
    return table;
}

typedef struct scene {
    const scenario *scenario;
    kith_study *study[SITES + 1]; /* as each party has it */
    kith_table *part[SITES + 1];
    pthread_mutex_t lock;
    uint32_t n_guarded, n_messages;
} scene;

/* What reaches site 1, which has too many rows. */
static void saw(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length)
{
    scene *s = user;
    (void)from;
    (void)bytes;
    (void)length;
    pthread_mutex_lock(&s->lock);
    s->n_messages += strncmp(type, "session.", 8) != 0;
    s->n_guarded += self == 1 && strcmp(type, "set.size") != 0 &&
                    strncmp(type, s->scenario->guarded, strlen(s->scenario->guarded)) == 0;
    pthread_mutex_unlock(&s->lock);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p);
    const joint_place nowhere = {.directory = NULL};
    kith_run settings = KITH_OPTIONS(kith_run, .n_threads = 1);
    return joint_run_party_with(p, s->study[self], s->part[self], &nowhere, &settings, NULL, error);
}

/* Site 1 has `n_rows` and the study that `lax` says, the others the bound of ten. */
static void run(scene *s, const scenario *with, uint32_t n_rows, const char *lax,
                kith_error errors[SITES + 1])
{
    const uint32_t n_parties = SITES + with->n_masters;
    void *users[SITES + 1] = {s, s, s};
    inproc_options options = {.record = {saw, s}};
    *s = (scene){.scenario = with};
    pthread_mutex_init(&s->lock, NULL);
    for (uint32_t i = 0; i < n_parties; i++)
        s->study[i] = make_study(with, i == 1 ? lax : "rows: 10\n");
    s->part[0] = make_table(with, 0, 10);
    s->part[1] = make_table(with, 1, n_rows);
    memset(errors, 0, (SITES + 1) * sizeof *errors);
    (void)!inproc_run(n_parties, NULL, &options, take_part, users, errors);
    for (uint32_t i = 0; i < n_parties; i++) {
        kith_table_free(s->part[i]);
        kith_study_free(s->study[i]);
    }
    pthread_mutex_destroy(&s->lock);
}

static void as_many_rows_as_allowed_are_fine(void **state)
{
    (void)state;
    static scene s;
    kith_error errors[SITES + 1];
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        run(&s, &scenarios[i], 10, "rows: 10\n", errors);
        for (uint32_t p = 0; p < SITES + scenarios[i].n_masters; p++)
            if (errors[p].status != KITH_OK)
                fail_msg("%s: %s", scenarios[i].keys, errors[p].message);
        assert_true(s.n_guarded > 0); /* the messages that the next test guards */
    }
}

static void a_peer_with_too_many_rows_is_named(void **state)
{
    (void)state;
    static scene s;
    kith_error errors[SITES + 1];
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        run(&s, &scenarios[i], 11, "", errors);
        assert_int_equal(errors[0].status, KITH_PEER);
        if (strstr(errors[0].message, "site2") == NULL ||
            strstr(errors[0].message, "the study allows") == NULL)
            fail_msg("%s: %s", scenarios[i].keys, errors[0].message);
    }
    run(&s, &scenarios[0], 11, "", errors);
    assert_int_equal(s.n_guarded, 0);
}

static void ones_own_rows_are_checked_first(void **state)
{
    (void)state;
    static scene s;
    kith_error errors[SITES + 1];
    run(&s, &scenarios[0], 11, "rows: 10\n", errors);
    assert_int_equal(errors[1].status, KITH_DATA);
    assert_non_null(strstr(errors[1].message, "has 11 rows; the study allows a party 10"));
    assert_int_equal(s.n_guarded, 0);
    kith_study *study = make_study(&scenarios[0], "rows: 10\n");
    kith_table *table = make_table(&scenarios[0], 1, 11);
    kith_error error = {0};
    kith_run settings = KITH_OPTIONS(kith_run, .n_threads = 1);
    assert_int_equal(joint_run_check(table, study, 1, &settings, &error), KITH_DATA);
    kith_table_free(table);
    table = make_table(&scenarios[0], 1, 10);
    assert_int_equal(joint_run_check(table, study, 1, &settings, &error), KITH_OK);
    kith_table_free(table);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_rows_as_allowed_are_fine),
        cmocka_unit_test(a_peer_with_too_many_rows_is_named),
        cmocka_unit_test(ones_own_rows_are_checked_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
