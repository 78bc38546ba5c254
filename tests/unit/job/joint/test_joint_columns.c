/* Joint runs on columns, from tables to the release: the same at all sites however the columns
 * lie, and true to the plain table. */
/* needs: clustering */
#include "unit/job/support.h"

#include "core/run/context.h"
#include "job/joint/joint_run.h"
#include "support/session.h"

enum { PEOPLE = 240, COLUMNS = 6, CELL = 24, SITES = 4 };

static const char *const names[COLUMNS] = {"age", "zip", "job", "sex", "ill", "since"};

/* Who holds which column, by digit: "012233" gives age to site 1, and both last ones to site 4. */
#define COLUMNS_TEXT                                                                    \
    "study: s\ncolumns:\n"                                                              \
    "  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 99]}," \
    " hierarchy: {intervals: [10]}}\n"                                                  \
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"              \
    "  - {name: job, role: quasi-identifying}\n"                                        \
    "  - {name: sex, role: quasi-identifying}\n"                                        \
    "  - {name: ill, role: sensitive}\n"                                                \
    "  - {name: since, role: sensitive, type: integer}\n"                               \
    "  - {name: who, role: identifying}\n"                                              \
    "privacy:\n  - {model: k-anonymity, k: 6}\n"                                        \
    "  - {model: l-diversity, variant: distinct, l: 3, attribute: ill}\n"               \
    "partition: vertical\nprotocol: clustering\n"

typedef struct scene {
    kith_study *study;
    uint32_t n_sites;
    const char *split;
    char cell[PEOPLE][COLUMNS][CELL]; /* empty: missing */
    uint32_t people[SITES];           /* this site lacks those from here on */
    bool twice;                       /* the first site lists a person twice */
    bool nobody;                      /* and one row is about nobody */
    uint64_t seed;
    kith_table *release[SITES];
    uint64_t n_records;
    double loss[SITES];
} scene;

static kith_study *make_study(const char *split, uint32_t n_sites, const char *rest)
{
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, COLUMNS_TEXT "%s\nparties:\n", rest);
    for (uint32_t i = 0; i < n_sites; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "  - {name: s%u, address: \"h:%u\", key: \"sha256:%064x\", "
                                   "columns: [",
                                   i, 7000 + i, i + 1);
        bool first = true;
        for (uint32_t c = 0; c < COLUMNS; c++) {
            if (split[c] != (char)('0' + i))
                continue;
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       first ? "" : ", ", names[c]);
            first = false;
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "]}\n");
    }
    return study_of(text);
}

static void fill(scene *s)
{
    uint32_t state = 12345;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        uint32_t r[COLUMNS];
        for (uint32_t c = 0; c < COLUMNS; c++)
            r[c] = (state = state * 1103515245 + 12345) >> 16 & 0x7fff;
        snprintf(s->cell[i][0], CELL, "%u", r[0] % 100);
        snprintf(s->cell[i][1], CELL, "%03u", r[1] % 8 * 100 + r[1] % 13);
        if (r[2] % 17 != 0)
            snprintf(s->cell[i][2], CELL, "job%u", r[2] % 5);
        snprintf(s->cell[i][3], CELL, "%c", "mf"[r[3] % 2]);
        if (r[4] % 19 != 0)
            snprintf(s->cell[i][4], CELL, "ill%u", r[4] % 7);
        snprintf(s->cell[i][5], CELL, "%u", 2000 + r[5] % 9);
    }
}

/* A site's table: its columns, and who; rows in an order of its own. */
static kith_table *table_at(const scene *s, uint32_t site)
{
    kith_column_spec specs[COLUMNS + 1];
    const char **cells = calloc((PEOPLE + 2) * (COLUMNS + 1), sizeof *cells);
    char who[PEOPLE][CELL];
    uint32_t source[COLUMNS], held = 0;
    size_t at = 0, n_rows = 0;
    for (uint32_t c = 0; c < COLUMNS; c++)
        if (s->split[c] == (char)('0' + site)) {
            bool number = strcmp(names[c], "age") == 0 || strcmp(names[c], "since") == 0;
            specs[held] = (kith_column_spec){.name = names[c],
                                             .type = number ? KITH_TYPE_INTEGER : KITH_TYPE_STRING};
            source[held++] = c;
        }
    specs[held] = (kith_column_spec){.name = "who"};
    bool aligned = strstr(s->study->text, "ids: aligned") != NULL;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        uint32_t person = aligned ? i : (i * 7 + site * 31) % PEOPLE;
        if (person >= s->people[site] && s->people[site] > 0)
            continue;
        for (uint32_t c = 0; c < held; c++)
            cells[at++] = s->cell[person][source[c]][0] == '\0' ? NULL : s->cell[person][source[c]];
        snprintf(who[person], CELL, "person %u", person);
        cells[at++] = s->nobody && i == 9 ? NULL : who[person];
        n_rows++;
    }
    if (s->twice && site == 0)
        cells[at - 1] = cells[at - 1 - (held + 1)];
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = held + (size_t)1);
    kith_table *table = NULL;
    kith_error error = {0};
    if (kith_table_from_cells(&table, cells, n_rows, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    free(cells);
    return table;
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p);
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = s->seed);
    context c;
    if (context_init(&c, &run, error) != KITH_OK)
        return KITH_NOMEM;
    kith_table *table = table_at(s, self);
    const joint_place nowhere = {.directory = NULL};
    joint_run j = {.study = s->study, .party = p, .table = table, .context = &c, .place = &nowhere};
    kith_status status = joint_columns(&j, error);
    kith_table_free(s->release[self]);
    s->release[self] = j.release;
    s->loss[self] = j.loss.lm;
    if (self == 0)
        s->n_records = j.n_records;
    context_wipe(&c);
    kith_table_free(table);
    return status;
}

static int order_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All rows as texts; sorted unless they are to be compared in order. */
static char *text_of(const kith_table *t, bool sorted)
{
    size_t n_rows = kith_table_n_rows(t), length = 0;
    char **rows = calloc(n_rows + 1, sizeof *rows), *all = calloc(n_rows + 1, 256);
    for (size_t i = 0; i < n_rows; i++) {
        rows[i] = calloc(1, 256);
        for (size_t c = 0, at = 0; c < kith_table_n_columns(t); c++)
            at += (size_t)snprintf(rows[i] + at, 256 - at, "%s|", cell_of(t, i, c));
    }
    if (sorted)
        qsort(rows, n_rows, sizeof *rows, order_texts);
    for (size_t i = 0; i < n_rows; free(rows[i]), i++)
        length += (size_t)snprintf(all + length, 256, "%s\n", rows[i]);
    free(rows);
    return all;
}

static void close_scene(scene *s)
{
    for (uint32_t i = 0; i < s->n_sites; i++)
        kith_table_free(s->release[i]);
    kith_study_free(s->study);
}

static void open_scene(scene *s, const char *split, const char *rest)
{
    *s = (scene){.split = split, .seed = 5};
    for (const char *c = split; *c != '\0'; c++)
        s->n_sites = (uint32_t)(*c - '0') + 1 > s->n_sites ? (uint32_t)(*c - '0') + 1 : s->n_sites;
    s->study = make_study(split, s->n_sites, rest);
    fill(s);
}

/* How often a person's sensitive cells occur, in the release or the plain table. */
static void same_cells(const scene *s, const kith_table *t, uint32_t people)
{
    for (uint32_t ill = 0; ill < 8; ill++)
        for (uint32_t since = 2000; since < 2009; since++) {
            char a[CELL] = "", b[CELL];
            uint32_t plain = 0, released = 0;
            if (ill < 7)
                snprintf(a, CELL, "ill%u", ill);
            snprintf(b, CELL, "%u", since);
            for (uint32_t i = 0; i < people; i++)
                plain += strcmp(s->cell[i][4], a) == 0 && strcmp(s->cell[i][5], b) == 0;
            for (size_t i = 0; i < kith_table_n_rows(t); i++)
                released += strcmp(cell_of(t, i, 4), a) == 0 && strcmp(cell_of(t, i, 5), b) == 0;
            assert_int_equal(plain, released);
        }
}

static void gives_one_release_however_columns_lie(void **state)
{
    (void)state;
    static const char *const splits[] = {"010100", "001122", "123300", "012333", "100011"};
    char *first = NULL;
    double loss = 0;
    for (unsigned i = 0; i < 5; i++) {
        scene s;
        open_scene(&s, splits[i], "ids: who");
        assert_int_equal(session_run(s.n_sites, take_part, &s), KITH_OK);
        assert_int_equal(s.n_records, PEOPLE);
        assert_int_equal(kith_table_n_columns(s.release[0]), COLUMNS); /* nobody's name */
        char *texts = text_of(s.release[0], true), *rows = text_of(s.release[0], false);
        for (uint32_t site = 1; site < s.n_sites; site++) {
            char *theirs = text_of(s.release[site], false);
            assert_string_equal(theirs, rows);
            free(theirs);
            assert_true(s.loss[site] == s.loss[0]);
        }
        assert_string_equal(texts, rows); /* sorted, so the order tells nothing */
        same_cells(&s, s.release[0], PEOPLE);
        if (first == NULL) {
            first = texts;
            loss = s.loss[0];
        } else {
            assert_string_equal(texts, first);
            assert_true(fabs(s.loss[0] - loss) < 1e-6);
            free(texts);
        }
        free(rows);
        close_scene(&s);
    }
    assert_true(loss > 0.1 && loss < 0.9);
    free(first);
}

static void leaves_out_who_is_not_everywhere(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, "010222", "ids: who");
    s.people[1] = 200;
    assert_int_equal(session_run(s.n_sites, take_part, &s), KITH_OK);
    assert_int_equal(s.n_records, 200);
    same_cells(&s, s.release[2], 200);
    close_scene(&s);
}

static void drops_incomplete_rows(void **state)
{
    (void)state;
    scene s;
    uint32_t whole = 0;
    open_scene(&s, "011022", "ids: who\nmissing: drop");
    assert_int_equal(session_run(s.n_sites, take_part, &s), KITH_OK);
    for (uint32_t i = 0; i < PEOPLE; i++)
        whole += s.cell[i][2][0] != '\0' && s.cell[i][4][0] != '\0';
    assert_true(whole < PEOPLE);
    assert_int_equal(s.n_records, whole);
    close_scene(&s);
}

static void takes_rows_as_they_are(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, "011022", "ids: aligned\nmissing: wildcard");
    assert_int_equal(session_run(s.n_sites, take_part, &s), KITH_OK);
    same_cells(&s, s.release[0], PEOPLE);
    close_scene(&s);
}

static void fails(scene *s, kith_status status, const char *text)
{
    kith_error errors[SITES] = {{0}};
    void *users[SITES] = {s, s, s, s};
    assert_int_equal(inproc_run(s->n_sites, NULL, NULL, take_part, users, errors), status);
    bool said = false;
    for (uint32_t i = 0; i < s->n_sites; i++) {
        assert_true(errors[i].status == status || errors[i].status == KITH_PEER);
        said |= strstr(errors[i].message, text) != NULL;
        assert_null(s->release[i]);
    }
    assert_true(said);
    close_scene(s);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, "010100", "ids: who");
    s.twice = true;
    fails(&s, KITH_DATA, "1 identifier of site1 occurs more than once (rows 239 and 240)");
    open_scene(&s, "010100", "ids: who");
    s.nobody = true;
    fails(&s, KITH_DATA, "missing value in column who, by which rows are joined");
    open_scene(&s, "010100", "ids: who\nunmatched: error");
    s.people[1] = 230;
    fails(&s, KITH_DATA, "10 rows of site1 have no partner at some other site (230 have)");
    open_scene(&s, "010100", "ids: aligned");
    s.people[1] = 230;
    fails(&s, KITH_DATA, "site1 has 240 rows, site2 has 230");
    open_scene(&s, "010100", "ids: aligned\nmissing: drop");
    fails(&s, KITH_DATA, "rows lack a value, but ids: aligned needs all of them");
    open_scene(&s, "010100", "ids: card");
    fails(&s, KITH_DATA, "has no column card, by which rows are joined");
    open_scene(&s, "010100", "ids: who");
    s.people[0] = s.people[1] = 5;
    fails(&s, KITH_INFEASIBLE, "only 5 records");
}

/* Whatever frame is damaged, from the first identifier to the last label: all sites stop. */
static void survives_broken_frames(void **state)
{
    (void)state;
    static const frame_fault faults[] = {FAULT_TRUNCATE, FAULT_CORRUPT};
    for (unsigned f = 0; f < 2; f++) {
        scene s;
        open_scene(&s, "010122", "ids: who\nmax_passes: 1\nfinish: merge");
        for (uint32_t i = 0; i < s.n_sites; i++)
            s.people[i] = 24;
        size_t runs = session_faults(s.n_sites, take_part, &s, faults[f], 10000);
        assert_true(runs > 40 && runs < 10000);
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_one_release_however_columns_lie),
        cmocka_unit_test(leaves_out_who_is_not_everywhere),
        cmocka_unit_test(drops_incomplete_rows),
        cmocka_unit_test(takes_rows_as_they_are),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(survives_broken_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
