/* Which site has which records is nobody's business: the same union, distributed to the sites anew,
 * opens the same numbers, in the same order, and gives the same release; and queries on it have the
 * same answers, to the last digit. Models that ask who holds what (m-privacy, l-site-diversity) are
 * left out. So are clustering, where each site moves its own records in its turn, and weave with
 * diversity by frequency, where each learns how many of its own records must leave a class. */
/* needs: clustering mondrian */
#include "unit/job/support.h"

#include <sodium.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/joint/joint_run.h"
#include "job/query/query_print.h"
#include "job/query/virtual_query.h"
#include "wire/inproc.h"

enum { SITES = 3, ROWS = 150, COLUMNS = 4, CELL = 12, DISTRIBUTIONS = 3 };

static const char head[] =
    "study: distributed\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, "
    "domain: {range: [0, 99]}}\n"
    "  - {name: zip, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 100]}, "
    "domain: {range: [0, 299]}}\n"
    "  - {name: size, role: quasi-identifying, type: integer, hierarchy: {intervals: [4]}, "
    "domain: {range: [0, 11]}}\n"
    "  - {name: ill, role: sensitive}\n"
    "partition: horizontal\n"
    "parties:\n"
    "  - {name: n, address: 'h:7001', key: "
    "'sha256:1111111111111111111111111111111111111111111111111111111111111111'}\n"
    "  - {name: s, address: 'h:7002', key: "
    "'sha256:2222222222222222222222222222222222222222222222222222222222222222'}\n"
    "  - {name: e, address: 'h:7003', key: "
    "'sha256:3333333333333333333333333333333333333333333333333333333333333333'}\n";

typedef struct scene {
    kith_study *study;
    char texts[ROWS][COLUMNS][CELL];
    uint32_t site_of[ROWS];
    kith_table *parts[SITES];
    const char *directory; /* of the first party's release */
    char rows[SITES][128]; /* publish: virtual: databases */
    /* What the last party is told: answers and sums, never shares. */
    crypto_generichash_state opened;
    uint64_t n_opened;
} scene;

static void draw(scene *s, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 0);
    for (int i = 0; i < ROWS; i++) {
        snprintf(s->texts[i][0], CELL, "%u", (unsigned)rng_below(&r, 100));
        snprintf(s->texts[i][1], CELL, "%u", (unsigned)rng_below(&r, 300));
        snprintf(s->texts[i][2], CELL, "%u", (unsigned)rng_below(&r, 12));
        snprintf(s->texts[i][3], CELL, "ill%u", (unsigned)rng_below(&r, 5));
    }
}

/* Number 0 distributes in turn; the others at random, one site having few records. */
static void distribute(scene *s, int number)
{
    rng r;
    rng_init(&r, (uint64_t)number, 1);
    for (uint32_t i = 0; i < ROWS; i++)
        s->site_of[i] = number == 0              ? i % SITES
                        : rng_below(&r, 10) == 0 ? 2
                                                 : (uint32_t)rng_below(&r, 2);
    for (uint32_t site = 0; site < SITES; site++) {
        const char *cells[ROWS][COLUMNS];
        size_t n = 0;
        for (uint32_t i = 0; i < ROWS; i++)
            if (s->site_of[i] == site) {
                for (int j = 0; j < COLUMNS; j++)
                    cells[n][j] = s->texts[i][j];
                n++;
            }
        s->parts[site] = table_of(s->study, cells[0], n);
    }
}

static void watch(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                  size_t length)
{
    static const char *const opened[] = {"sum.result",     "circuit.result", "at_least.result",
                                         "compare.result", "logic.result",   "tree.verdict"};
    scene *s = user;
    (void)from;
    for (size_t i = 0; self == SITES - 1 && i < sizeof opened / sizeof *opened; i++)
        if (strcmp(type, opened[i]) == 0) {
            crypto_generichash_update(&s->opened, bytes, length);
            s->n_opened += length;
        }
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    const scene *s = user;
    const uint32_t self = party_self(p);
    const joint_place files = {.directory = self == 0 ? s->directory : NULL,
                               .rows = s->rows[self][0] == '\0' ? NULL : s->rows[self]};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seed = 7, .seeded = true);
    return joint_run_party_with(p, s->study, s->parts[self], &files, &run, NULL, error);
}

/* What was opened, and the release with its companion, as one hash. */
typedef struct outcome {
    unsigned char opened[32], release[32];
    uint64_t n_opened;
} outcome;

static void hash_file(crypto_generichash_state *state, const char *path)
{
    char text[4096];
    size_t length;
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    while ((length = fread(text, 1, sizeof text, in)) > 0)
        crypto_generichash_update(state, (const unsigned char *)text, length);
    fclose(in);
}

static outcome run(scene *s, int number)
{
    static const char *const files[] = {"release.csv", "release.csv.meta.json", "summary.json",
                                        NULL};
    void *users[SITES] = {s, s, s};
    kith_error errors[SITES] = {0};
    crypto_generichash_state release;
    outcome o;
    place at;
    const inproc_options options = {.record = {watch, s}};
    place_make(&at);
    s->directory = at.directory;
    distribute(s, number);
    crypto_generichash_init(&s->opened, NULL, 0, sizeof o.opened);
    s->n_opened = 0;
    if (inproc_run(SITES, NULL, &options, take_part, users, errors) != KITH_OK)
        fail_msg("%s %s %s", errors[0].message, errors[1].message, errors[2].message);
    crypto_generichash_final(&s->opened, o.opened, sizeof o.opened);
    crypto_generichash_init(&release, NULL, 0, sizeof o.release);
    for (int i = 0; files[i] != NULL; i++) {
        const char *path = place_file(&at, files[i], NULL);
        if (i < 2)
            hash_file(&release, path);
    }
    crypto_generichash_final(&release, o.release, sizeof o.release);
    o.n_opened = s->n_opened;
    place_wipe(&at);
    for (int i = 0; i < SITES; i++)
        kith_table_free(s->parts[i]);
    return o;
}

static scene *scene_of(const char *protocol, const char *rest)
{
    char text[2000];
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    snprintf(text, sizeof text,
             "%sprotocol: %s\nprivacy: [{model: m-privacy, k: 0}, {model: k-anonymity, k: 5}%s\n",
             head, protocol, rest);
    s->study = study_of(text);
    draw(s, 11);
    return s;
}

static void scene_free(scene *s)
{
    kith_study_free(s->study);
    free(s);
}

static void check(const char *protocol, const char *models)
{
    scene *s = scene_of(protocol, models);
    const outcome first = run(s, 0);
    assert_true(first.n_opened > 50);
    for (int number = 1; number < DISTRIBUTIONS; number++) {
        const outcome other = run(s, number);
        assert_int_equal(first.n_opened, other.n_opened);
        assert_memory_equal(first.opened, other.opened, sizeof first.opened);
        assert_memory_equal(first.release, other.release, sizeof first.release);
    }
    scene_free(s);
}

static void runs_do_not_tell_the_distribution(void **state)
{
    (void)state;
    check("weave", "]");
    check("weave", ", {model: l-diversity, l: 2, variant: distinct}]");
    check("mondrian", "]");
    check("mondrian", ", {model: l-diversity, l: 2, variant: distinct}]");
    check("mondrian", ", {model: l-diversity, l: 2, variant: frequency}]");
}

/* The tests here would notice another table. */
static void other_tables_open_other_numbers(void **state)
{
    (void)state;
    scene *s = scene_of("weave", "]");
    const outcome first = run(s, 0);
    draw(s, 12);
    const outcome other = run(s, 0);
    assert_memory_not_equal(first.opened, other.opened, sizeof first.opened);
    assert_memory_not_equal(first.release, other.release, sizeof first.release);
    scene_free(s);
}

/* --- queries --- */

static const char *const queries[] = {
    "SELECT count(*), sum(age), avg(zip), min(age), max(zip) WHERE size < 7 AND ill <> 'ill2'",
    "SELECT size, count(*), sum(zip), avg(age), min(zip) WHERE age > 33 GROUP BY size",
    "SELECT ill, age, count(*) WHERE zip BETWEEN 17 AND 205 GROUP BY ill, age",
    "SELECT count(*), sum(size), max(age) WHERE age IN (3, 50, 51) OR NOT zip < 111",
    "SELECT age, zip, ill WHERE zip < 150",
};
enum { QUERIES = sizeof queries / sizeof *queries };

typedef struct asking {
    const scene *scene;
    virtual_table *tables[SITES];
    const char *text;
    bool by_a_party; /* the last site asks, and not a client */
    char *answer;
} asking;

static kith_status ask(party *p, void *user, kith_error *error)
{
    asking *a = user;
    const uint32_t self = party_self(p), querier = party_count(p) - 1;
    query_answer answer;
    const virtual_query q = {.study = a->scene->study,
                             .querier = querier,
                             .text = self == querier ? a->text : NULL,
                             .mine = self < SITES ? a->tables[self] : NULL,
                             .rows_allowed = true,
                             .querier_is_site = a->by_a_party};
    TRY(virtual_query_run(&answer, NULL, p, &q, party_memory(p), error));
    return self == querier ? query_print(&a->answer, &answer, QUERY_CSV, a->text, error) : KITH_OK;
}

static int compare_lines(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Rows come in any order. */
static char *sorted_lines(char *text)
{
    char *lines[ROWS + 1], *rest = text;
    char *all = calloc(strlen(text) + 2, 1);
    size_t n = 0;
    for (char *line; n <= ROWS && (line = strsep(&rest, "\n")) != NULL;)
        lines[n++] = line;
    qsort(lines, n, sizeof *lines, compare_lines);
    for (size_t i = 0; i < n; i++)
        strcat(strcat(all, lines[i]), "\n");
    free(text);
    return all;
}

/* Runs with this distribution, and puts the answers to all queries, by a client and by a party, in
 * answers[]. */
static void answer_all(char *answers[2 * QUERIES], scene *s, int number)
{
    asking a = {.scene = s};
    void *users[SITES + 1] = {&a, &a, &a, &a};
    kith_error error;
    place at;
    place_make(&at);
    distribute(s, number);
    for (int i = 0; i < SITES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.db", i);
        snprintf(s->rows[i], sizeof s->rows[i], "sqlite:%s?table=own", place_file(&at, name, NULL));
    }
    void *parties[SITES] = {s, s, s};
    assert_int_equal(inproc_run(SITES, NULL, NULL, take_part, parties, NULL), KITH_OK);
    for (int i = 0; i < SITES; i++) {
        assert_int_equal(virtual_table_read(&a.tables[i], s->rows[i], s->study, NULL, &error),
                         KITH_OK);
        kith_table_free(s->parts[i]);
    }
    for (int i = 0; i < 2 * QUERIES; i++) {
        a.text = queries[i / 2];
        a.by_a_party = i % 2;
        assert_int_equal(inproc_run(SITES + !a.by_a_party, NULL, NULL, ask, users, NULL), KITH_OK);
        answers[i] = sorted_lines(a.answer);
    }
    for (int i = 0; i < SITES; i++)
        virtual_table_free(a.tables[i]);
    place_wipe(&at);
}

static void answers_do_not_tell_the_distribution(void **state)
{
    static const char *const protocols[] = {"weave", "mondrian"};
    (void)state;
    for (size_t k = 0; k < sizeof protocols / sizeof *protocols; k++) {
        scene *s = scene_of(protocols[k], "]\npublish: virtual");
        char *first[2 * QUERIES], *other[2 * QUERIES];
        answer_all(first, s, 0);
        for (int number = 1; number < DISTRIBUTIONS; number++) {
            answer_all(other, s, number);
            for (int i = 0; i < 2 * QUERIES; i++) {
                assert_string_equal(first[i], other[i]);
                free(other[i]);
            }
        }
        for (int i = 0; i < 2 * QUERIES; i++) {
            assert_true(strlen(first[i]) > 50);
            free(first[i]);
        }
        scene_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_do_not_tell_the_distribution),
        cmocka_unit_test(other_tables_open_other_numbers),
        cmocka_unit_test(answers_do_not_tell_the_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
