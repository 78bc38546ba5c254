/* What a client of the virtual database learns where values come from the data: the labels of the
 * release, and nothing of the values behind them. */
#include "unit/job/support.h"

#include <unistd.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/joint/joint_run.h"
#include "job/query/query_print.h"
#include "job/query/virtual_labels.h"
#include "job/query/virtual_query.h"
#include "support/session.h"
#include "wire/inproc.h"

enum { SITES = 3, ROWS = 600, COLUMNS = 4, ZIP = 0, BORN = 1, AGE = 2, LONGEST = 16 };

static const char study_text[] =
    "study: births\n"
    "columns:\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: born, role: quasi-identifying, type: date, hierarchy: {dates: [year, decade]}}\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [30]}}\n"
    "  - {name: ill, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 10}]\n"
    "partition: horizontal\nprotocol: weave\npublish: virtual\n"
    "parties:\n"
    "  - {name: n, address: 'h:7001', key: "
    "'sha256:1111111111111111111111111111111111111111111111111111111111111111'}\n"
    "  - {name: s, address: 'h:7002', key: "
    "'sha256:2222222222222222222222222222222222222222222222222222222222222222'}\n"
    "  - {name: e, address: 'h:7003', key: "
    "'sha256:3333333333333333333333333333333333333333333333333333333333333333'}\n";

typedef struct scene {
    kith_study *study;
    char texts[ROWS][COLUMNS][LONGEST]; /* the data */
    kith_table *parts[SITES];
    char *uris[SITES];
    virtual_table *tables[SITES];
    const char *query;
    bool by_a_party; /* the last site asks, not a client */
    char *answer;    /* as CSV */
    virtual_left left[SITES];
    uint32_t labels[SITES][COLUMNS]; /* of left[] */
    size_t domain_bytes;
    bool leaked; /* a value that the release does not show was in what the client received */
} scene;

/* --- the run --- */

static void draw(scene *s)
{
    static const char *const ill[] = {"flu", "gout", "asthma", "none"};
    rng r;
    rng_init(&r, 4, 0);
    for (int i = 0; i < ROWS; i++) {
        const unsigned zip = i == 0 ? 20177 : 20100 + (unsigned)rng_below(&r, 20);
        snprintf(s->texts[i][ZIP], LONGEST, "%u", zip);
        snprintf(s->texts[i][BORN], LONGEST, "%04u-%02u-%02u", 1930 + (unsigned)rng_below(&r, 70),
                 1 + (unsigned)rng_below(&r, 12), 1 + (unsigned)rng_below(&r, 28));
        snprintf(s->texts[i][AGE], LONGEST, "%u", (unsigned)rng_below(&r, 90));
        snprintf(s->texts[i][COLUMNS - 1], LONGEST, "%s", ill[rng_below(&r, 4)]);
    }
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    const scene *s = user;
    const joint_place files = {.rows = s->uris[party_self(p)]};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    return joint_run_party_with(p, s->study, s->parts[party_self(p)], &files, &run, NULL, error);
}

static void scene_run(scene *s, place *at)
{
    const char *cells[ROWS][COLUMNS];
    kith_error error;
    s->study = study_of(study_text);
    draw(s);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            cells[i][j] = s->texts[i][j];
    for (int i = 0; i < SITES; i++) {
        s->parts[i] = table_of(s->study, cells[i * ROWS / SITES], ROWS / SITES);
        assert_true(asprintf(&s->uris[i], "sqlite:%s/%d.db?table=own", at->directory, i) > 0);
    }
    assert_int_equal(session_run(SITES, take_part, s), KITH_OK);
    for (int i = 0; i < SITES; i++)
        assert_int_equal(virtual_table_read(&s->tables[i], s->uris[i], s->study, NULL, &error),
                         KITH_OK);
}

static void scene_wipe(scene *s)
{
    for (int i = 0; i < SITES; i++) {
        kith_table_free(s->parts[i]);
        virtual_table_free(s->tables[i]);
        *strchr(s->uris[i], '?') = '\0';
        unlink(s->uris[i] + strlen("sqlite:"));
        free(s->uris[i]);
    }
    free(s->answer);
    kith_study_free(s->study);
}

/* --- queries --- */

/* Does the release have a cell with this text? */
static bool is_shown(const scene *s, uint32_t column_number, const char *text, size_t length)
{
    for (int i = 0; i < SITES; i++) {
        const virtual_table *t = s->tables[i];
        for (uint32_t row = 0; row < t->rows.n_rows; row++) {
            const char *cell = t->cells[column_number][t->rows.codes[column_number][row]];
            if (cell != NULL && strlen(cell) == length && memcmp(cell, text, length) == 0)
                return true;
        }
    }
    return false;
}

/* Everything that a client receives before its numbers. */
static void watch(void *user, uint32_t at, uint32_t from, const char *type, const void *bytes,
                  size_t length)
{
    scene *s = user;
    (void)from;
    if (at != SITES || strcmp(type, "query.domains") != 0)
        return;
    s->domain_bytes += length;
    for (int i = 0; i < ROWS; i++)
        for (uint32_t j = ZIP; j <= BORN; j++)
            if (!is_shown(s, j, s->texts[i][j], strlen(s->texts[i][j])) &&
                memmem(bytes, length, s->texts[i][j], strlen(s->texts[i][j])) != NULL)
                s->leaked = true;
}

static kith_status ask(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p), querier = party_count(p) - 1;
    query_answer answer;
    const virtual_query q = {.study = s->study,
                             .querier = querier,
                             .text = self == querier ? s->query : NULL,
                             .mine = self < SITES ? s->tables[self] : NULL,
                             .rows_allowed = true,
                             .querier_is_site = s->by_a_party,
                             .left = self < SITES ? &s->left[self] : NULL};
    TRY(virtual_query_run(&answer, NULL, p, &q, party_memory(p), error));
    for (uint32_t j = 0; self < SITES && j < s->left[self].n_domains; j++)
        s->labels[self][j] = s->left[self].domains[j].labels;
    return self == querier ? query_print(&s->answer, &answer, QUERY_CSV, s->query, error) : KITH_OK;
}

static const char *answer_to(scene *s, const char *text)
{
    const uint32_t n = SITES + !s->by_a_party;
    void *users[SITES + 1] = {s, s, s, s};
    kith_error errors[SITES + 1] = {0};
    const inproc_options options = {.record = {watch, s}};
    free(s->answer);
    s->answer = NULL;
    s->query = text;
    memset(s->left, 0, sizeof s->left);
    if (inproc_run(n, NULL, &options, ask, users, errors) != KITH_OK)
        fail_msg("%s: %s", text, errors[n - 1].message);
    return s->answer;
}

/* The groups of an answer are cells of the release. */
static void check_groups(scene *s, const char *text, uint32_t column_number)
{
    uint32_t n = 0;
    const char *line = strchr(answer_to(s, text), '\n') + 1;
    for (; *line != '\0'; line = strchr(line, '\n') + 1, n++)
        if (!is_shown(s, column_number, line, strcspn(line, ",\r\n")))
            fail_msg("%s: %.20s is not in the release", text, line);
    assert_true(n > 1);
}

/* No cell of the answer is a value that the release does not show. */
static void check_cells(scene *s, const char *text, uint32_t column_number)
{
    const char *line = strchr(answer_to(s, text), '\n') + 1;
    for (const char *cell = line; *cell != '\0'; cell += strcspn(cell, ",\r\n"), cell++) {
        const size_t length = strcspn(cell, ",\r\n");
        for (int i = 0; i < ROWS; i++)
            if (strlen(s->texts[i][column_number]) == length &&
                memcmp(cell, s->texts[i][column_number], length) == 0 &&
                !is_shown(s, column_number, cell, length))
                fail_msg("%s shows %.*s", text, (int)length, cell);
    }
}

static void check_same(scene *s, const char *one, const char *other)
{
    char *first = strdup(strchr(answer_to(s, one), '\n'));
    assert_string_equal(first, strchr(answer_to(s, other), '\n'));
    free(first);
}

static void clients_see_the_release_alone(void **state)
{
    scene *s = calloc(1, sizeof *s);
    place at;
    (void)state;
    assert_non_null(s);
    place_make(&at);
    scene_run(s, &at);
    /* Nobody's birth date is in the release, so that each would be news. */
    for (int i = 0; i < ROWS; i++)
        assert_false(is_shown(s, BORN, s->texts[i][BORN], strlen(s->texts[i][BORN])));
    check_groups(s, "SELECT born, count(*) GROUP BY born", BORN);
    check_groups(s, "SELECT zip, count(*) GROUP BY zip", ZIP);
    check_cells(s, "SELECT min(born), max(born)", BORN);
    check_cells(s, "SELECT born, zip WHERE zip = '20177'", BORN);
    /* One person has this zip, and nobody the other one: the answers do not tell. */
    assert_false(is_shown(s, ZIP, "20177", 5));
    check_same(s, "SELECT count(*) WHERE zip = '20177'", "SELECT count(*) WHERE zip = '20178'");
    check_same(s, "SELECT min(born), sum(age) WHERE zip = '20177' AND ill = 'flu'",
               "SELECT min(born), sum(age) WHERE zip = '20178' AND ill = 'flu'");
    assert_true(s->domain_bytes > 0);
    assert_false(s->leaked);
    /* The first site notes what it told. */
    assert_int_equal(s->left[0].n_domains, COLUMNS);
    assert_int_equal(s->left[1].n_domains, 0);
    for (uint32_t j = 0; j < COLUMNS; j++)
        assert_int_equal(s->labels[0][j], s->tables[0]->rows.n_codes[j]);
    /* A party has united the values with the others before the run, and may use them. */
    s->by_a_party = true;
    assert_string_equal(answer_to(s, "SELECT count(*) WHERE zip = '20178'"),
                        "count(*) certain,count(*) expected,count(*) possible\n0,0,0\n");
    scene_wipe(s);
    free(s);
    place_wipe(&at);
}

/* --- labels --- */

static void read_as(query_label *l, const char *specification, const char *label)
{
    char text[1000];
    arena *memory = arena_new();
    kith_error error;
    snprintf(text, sizeof text,
             "study: x\ncolumns: [%s, {name: y, role: sensitive}]\n"
             "privacy: [{model: k-anonymity, k: 2}]\n",
             specification);
    kith_study *study = study_of(text);
    const char *const texts[] = {label, "*"};
    query_domain d = {.name = "x", .n_values = 2, .texts = texts};
    assert_true(virtual_table_name(&d, "x", study));
    d.n_values = 2;
    d.texts = texts;
    assert_int_equal(virtual_labels_read(&d, study, memory, &error), KITH_OK);
    assert_int_equal(d.labels[1].kind, QUERY_LABEL_ANY);
    *l = d.labels[0];
    l->from = l->to = NULL; /* of the arena */
    arena_free(memory);
    kith_study_free(study);
}

static void labels_are_read_as_the_study_says(void **state)
{
    query_label l;
    const double day = 86400;
    (void)state;
    read_as(&l, "{name: x, role: quasi-identifying, type: date, hierarchy: {dates: [month, year]}}",
            "1970");
    assert_true(l.low == 0 && l.high == 364 * day); /* days, and not the end of the last one */
    read_as(&l,
            "{name: x, role: quasi-identifying, type: date, format: '%Y-%m-%d %H:%M', hierarchy: "
            "{dates: [month, year]}}",
            "1970-01");
    assert_true(l.low == 0 && l.high == 31 * day - 1);
    read_as(&l, "{name: x, role: quasi-identifying, type: integer, hierarchy: {intervals: [5]}}",
            "-5 to -1");
    assert_true(l.low == -5 && l.high == -1 && !l.open);
    read_as(&l, "{name: x, role: quasi-identifying, type: decimal, hierarchy: {intervals: [2.5]}}",
            "[5, 7.5)");
    assert_true(l.low == 5 && l.high == 7.5 && l.open);
    read_as(&l, "{name: x, role: quasi-identifying, type: integer, hierarchy: {order: [4]}}",
            "17..23");
    assert_true(l.low == 17 && l.high == 23);
    read_as(&l, "{name: x, role: quasi-identifying, hierarchy: {mask: left}}", "***45");
    assert_true(l.kind == QUERY_LABEL_MASK && l.at_end && l.least == 2 && l.most == 5);
}

/* With `domain: data` a group stands for all its values in the file, and not for those that occur.
 */
static void groups_of_files_are_those_of_the_file(void **state)
{
    query_label l;
    place at;
    char specification[300];
    (void)state;
    place_make(&at);
    snprintf(specification, sizeof specification,
             "{name: x, role: quasi-identifying, domain: data, hierarchy: {file: '%s'}}",
             place_file(&at, "cities.csv", "rome;south;any\nbari;south;any\noslo;north;any\n"));
    read_as(&l, specification, "south");
    assert_true(l.kind == QUERY_LABEL_LIST && l.count == 2 && !l.missing);
    read_as(&l, specification, "oslo");
    assert_true(l.kind == QUERY_LABEL_LIST && l.count == 1);
    read_as(&l, specification, "any");
    assert_true(l.kind == QUERY_LABEL_ANY);
    place_wipe(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_see_the_release_alone),
        cmocka_unit_test(labels_are_read_as_the_study_says),
        cmocka_unit_test(groups_of_files_are_those_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
