/* A site's own rows in its database: what is written is read back, and what is not ours is refused.
 */
/* needs: mondrian */
#include "unit/job/support.h"

#include <sodium.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/joint/joint_run.h"
#include "job/query/virtual_table.h"
#include "support/session.h"

static const char study_text[] =
    "study: people\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, "
    "domain: "
    "{range: [0, 59]}}\n"
    "  - {name: city, role: quasi-identifying}\n"
    "  - {name: ill, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 2}, {model: m-privacy, k: 0}]\n"
    "protocol: mondrian\npublish: virtual\n"
    "parties:\n"
    "  - {name: n, address: 'h:7001', key: "
    "'sha256:1111111111111111111111111111111111111111111111111111111111111111'}\n"
    "  - {name: s, address: 'h:7002', key: "
    "'sha256:2222222222222222222222222222222222222222222222222222222222222222'}\n";

/* Quotes, line ends, umlauts, missing cells. */
static const char *const north[] = {"1", "K\xc3\xb6ln", "flu", "3",  "K\xc3\xb6ln", "a \"b\"",
                                    "4", "o'x\n2",      NULL,  "50", NULL,          "flu"};
static const char *const south[] = {"52", "o'x\n2", "gout", "55", "K\xc3\xb6ln", "flu",
                                    "2",  NULL,     "flu",  "51", "o'x\n2",      "gout"};

/* With a server ("postgresql://…&table=", as tests/scripts/postgres.sh gives it) the rows go there.
 */
typedef struct scene {
    const char *server;
    kith_study *study;
    kith_table *parts[2];
    char *uris[2];
} scene;

static kith_status take_part(party *p, void *user, kith_error *error)
{
    const scene *s = user;
    const uint32_t self = party_self(p);
    const joint_place files = {.rows = s->uris[self], .overwrite = s->server != NULL};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    return joint_run_party_with(p, s->study, s->parts[self], &files, &run, NULL, error);
}

static void scene_run(scene *s, place *at)
{
    s->study = study_of(study_text);
    s->parts[0] = table_of(s->study, north, 4);
    s->parts[1] = table_of(s->study, south, 4);
    for (int i = 0; i < 2; i++)
        if ((s->server == NULL
                 ? asprintf(&s->uris[i], "sqlite:%s/%d.db?table=own", at->directory, i)
                 : asprintf(&s->uris[i], "%sown%d&connect_timeout=10", s->server, i)) < 0)
            fail();
    assert_int_equal(session_run(2, take_part, s), KITH_OK);
}

static void scene_free(scene *s)
{
    for (int i = 0; i < 2; i++) {
        kith_table_free(s->parts[i]);
        *strchr(s->uris[i], '?') = '\0';
        if (s->server == NULL)
            unlink(s->uris[i] + strlen("sqlite:"));
        free(s->uris[i]);
    }
    kith_study_free(s->study);
}

static uint32_t find(const virtual_table *t, const char *name)
{
    uint32_t j = 0;
    while (strcmp(t->domains[j].name, name) != 0)
        j++;
    return j;
}

static void check_rows(const char *server)
{
    place at;
    place_make(&at);
    scene s = {.server = server};
    scene_run(&s, &at);
    virtual_table *tables[2];
    kith_error error;
    for (int i = 0; i < 2; i++) {
        if (virtual_table_read(&tables[i], s.uris[i], s.study, NULL, &error) != KITH_OK)
            fail_msg("%s", error.message);
        assert_int_equal(tables[i]->rows.n_rows, 4);
        assert_int_equal(tables[i]->about.n_rows, 8);
        assert_string_equal(tables[i]->about.study, "people");
        assert_int_equal(tables[i]->n_columns, 3);
    }
    /* All sites have the same release, and say so. */
    assert_memory_equal(tables[0]->id, tables[1]->id, VIRTUAL_RELEASE_ID);
    const virtual_table *t = tables[0];
    const uint32_t ill = find(t, "ill"), age = find(t, "age"), city = find(t, "city");
    assert_int_equal(t->domains[age].n_values, 60);
    assert_true(t->domains[age].numbers[59] == 59);
    assert_int_equal(t->domains[city].n_values, 2);
    assert_int_equal(t->domains[ill].n_values, 3);
    uint32_t missing = 0, quoted = 0, young = 0;
    for (uint32_t row = 0; row < 4; row++) {
        const uint32_t code = t->rows.codes[ill][row];
        const query_interval at_age = t->rows.intervals[age][t->rows.codes[age][row]];
        missing += t->rows.intervals[ill][code].first == 3;
        quoted += t->cells[ill][code] != NULL && strcmp(t->cells[ill][code], "a \"b\"") == 0;
        young += at_age.last < 50;
        assert_true(at_age.first <= at_age.last && at_age.last < 60);
    }
    assert_int_equal(missing, 1);
    assert_int_equal(quoted, 1);
    assert_int_equal(young, 3); /* the classes are 0 to 4 and 50 and more, or finer */
    for (int i = 0; i < 2; i++)
        virtual_table_free(tables[i]);
    scene_free(&s);
    place_wipe(&at);
}

static void rows_are_read_back(void **state)
{
    (void)state;
    check_rows(NULL);
}

static void rows_are_read_back_from_a_server(void **state)
{
    (void)state;
    const char *server = getenv("KITH_TEST_POSTGRES");
    if (server == NULL)
        skip();
    check_rows(server);
}

static void change(const char *uri, const char *sql)
{
    sqlite3 *db;
    char path[4096], *message = NULL;
    snprintf(path, sizeof path, "%s", uri + strlen("sqlite:"));
    *strchr(path, '?') = '\0';
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    sqlite3_close(db);
}

/* Every change of the companion that a query could trip over. */
static void what_is_not_ours_is_refused(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "delete from own_kith where kind = 'about'",
        "update own_kith set text = '2' where column_name = 'format'",
        "update own_kith set text = 'x' where column_name = 'rows' and kind = 'about'",
        "update own_kith set text = 'other' where column_name = 'study'",
        "delete from own_kith where kind = 'value' and number = '0'",
        "update own_kith set number = '7' where kind = 'cell' and number = '0'",
        "update own_kith set last = '99' where kind = 'cell'",
        "update own_kith set first = '1', last = '0' where kind = 'cell'",
        "update own_kith set first = 'x' where kind = 'cell'",
        "delete from own_kith where kind = 'cell'",
        "update own set ill = 'plague'",
        "alter table own add column salary text",
        "alter table own_kith rename column kind to sort",
        "drop table own_kith",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        place at;
        place_make(&at);
        scene s = {.server = NULL};
        virtual_table *table;
        kith_error error;
        scene_run(&s, &at);
        change(s.uris[0], changes[i]);
        kith_status status = virtual_table_read(&table, s.uris[0], s.study, NULL, &error);
        if (status == KITH_OK || status == KITH_BUG || status == KITH_NOMEM)
            fail_msg("%s: status %d", changes[i], status);
        scene_free(&s);
        place_wipe(&at);
    }
}

/* A check leaves nothing behind, and a table that is there is not replaced by itself. */
static void places_are_checked(void **state)
{
    (void)state;
    place at;
    place_make(&at);
    char uri[4200], path[4100];
    kith_error error;
    struct stat status;
    snprintf(path, sizeof path, "%s/new.db", at.directory);
    snprintf(uri, sizeof uri, "sqlite:%s?table=own", path);
    assert_int_equal(virtual_table_check(uri, false, &error), KITH_OK);
    assert_int_equal(stat(path, &status), -1);
    scene s = {.server = NULL};
    scene_run(&s, &at);
    assert_int_equal(virtual_table_check(s.uris[0], false, &error), KITH_INVALID);
    assert_int_equal(virtual_table_check(s.uris[0], true, &error), KITH_OK);
    snprintf(uri, sizeof uri, "%s/rows.csv", at.directory);
    assert_int_equal(virtual_table_check(uri, false, &error), KITH_INVALID);
    scene_free(&s);
    place_wipe(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_back),
        cmocka_unit_test(rows_are_read_back_from_a_server),
        cmocka_unit_test(what_is_not_ours_is_refused),
        cmocka_unit_test(places_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
