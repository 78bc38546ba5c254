/* Whole jobs by the ID-based protocol: names are made of cells, and the release is what the plain
 * function says about the union of the rows. */
/* needs: id-based */
#include "unit/job/support.h"

#include <pthread.h>

#include "job/joint/joint_run.h"
#include "reference/id_based_plain.h"
#include "wire/inproc.h"

enum { MAX_ROWS = 64, K = 4, TUPLES = 10, COLUMNS = 4, LINE = 96 };

#define KEY(digit) "key: 'sha256:" digit digit digit digit digit digit digit digit "'"
#define PARTIES                                                                                    \
    "parties:\n"                                                                                   \
    "  - {name: north, address: 'h:1', " KEY("11111111") "}\n"                                     \
                                                         "  - {name: south, address: 'h:2', " KEY( \
                                                             "22222222") "}\n"

/* City has a hierarchy of its own whose root is not a star, age a built one. */
static const char cities[] = "Ulm,Land,Europe\nBonn,Land,Europe\nRom,Land,Europe\n";

/* Tuples of quasi-identifiers; NULL: missing. */
static const struct {
    const char *age, *city;
} tuples[TUPLES] = {{"age-31", "Ulm"}, {"age-32", "Ulm"}, {"age-33", "Bonn"}, {"age-34", "Bonn"},
                    {"age-35", "Rom"}, {"age-36", NULL},  {"age-36", "Rom"},  {NULL, "Rom"},
                    {NULL, NULL},      {"age-37", "Ulm"}};

/* How many rows of each party have them. Only one sigma is possible here, Alice's rows of the first
 * three, whether rows with missing values are dropped or not. Tuple 3 remains with its k rows at
 * both together. */
static const uint32_t counts[TUPLES][2] = {{1, 2}, {1, 0}, {2, 4}, {3, 1}, {3, 0},
                                           {5, 1}, {0, 4}, {0, 2}, {3, 0}, {6, 0}};
/* Here sigma are any four of six rows, and with them goes what Bob has. */
static const uint32_t ties[TUPLES][2] = {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3},
                                         {0, 0}, {1, 3}, {0, 1}, {0, 0}, {15, 0}};

typedef struct row {
    uint32_t site, tuple;
    char ill[12], note[24];
} row;

typedef struct scene {
    kith_study *study;
    place place; /* of the hierarchy */
    char directory[2][80];
    uint32_t n_rows;
    row rows[MAX_ROWS];
    kith_table *part[2];
    const unsigned char *choices;
    kith_error errors[2];
    char *release[2]; /* text of the file; NULL: there is none */
    inproc_options hooks;
    /* What the record hook looks for, and in how many messages it was. */
    const char *secret;
    uint32_t n_secrets;
    pthread_mutex_t lock;
} scene;

/* --- setting up --- */

/* Columns of the second party are in another order. */
static kith_table *make_part(const scene *s, uint32_t site)
{
    static const char *const orders[2][COLUMNS] = {{"age", "city", "ill", "note"},
                                                   {"note", "city", "ill", "age"}};
    const char *cells[MAX_ROWS * COLUMNS];
    kith_column_spec specs[COLUMNS] = {0};
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_table *table = NULL;
    kith_error error = {0};
    size_t n_rows = 0;
    for (uint32_t c = 0; c < COLUMNS; c++)
        specs[c].name = orders[site][c];
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const row *r = &s->rows[i];
        if (r->site != site)
            continue;
        const char *texts[] = {tuples[r->tuple].age, tuples[r->tuple].city, r->ill, r->note};
        static const uint32_t from[2][COLUMNS] = {{0, 1, 2, 3}, {3, 1, 2, 0}};
        for (uint32_t c = 0; c < COLUMNS; c++)
            cells[n_rows * COLUMNS + c] = texts[from[site][c]];
        n_rows++;
    }
    options.columns = specs;
    options.n_columns = COLUMNS;
    if (kith_table_from_cells(&table, cells, n_rows, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

static void saw(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length)
{
    scene *s = user;
    (void)self, (void)from, (void)type;
    pthread_mutex_lock(&s->lock);
    s->n_secrets +=
        s->secret != NULL && memmem(bytes, length, s->secret, strlen(s->secret)) != NULL;
    pthread_mutex_unlock(&s->lock);
}

static void open_scene(scene *s, const uint32_t rows[TUPLES][2], const char *keys)
{
    char text[2048];
    *s = (scene){.secret = NULL};
    pthread_mutex_init(&s->lock, NULL);
    place_make(&s->place);
    const char *hierarchy = place_file(&s->place, "cities.csv", cities);
    for (uint32_t site = 0; site < 2; site++) {
        snprintf(s->directory[site], sizeof s->directory[site], "/tmp/kith-id-based-XXXXXX");
        assert_non_null(mkdtemp(s->directory[site]));
    }
    snprintf(text, sizeof text,
             "study: s\ncolumns:\n"
             "  - {name: age, role: quasi-identifying}\n"
             "  - {name: ill, role: sensitive}\n"
             "  - {name: city, role: quasi-identifying, hierarchy: %s}\n"
             "  - {name: note, role: insensitive}\n"
             "privacy: [{model: k-anonymity, k: %d}]\nprotocol: id-based\nlists: 8\n%s%s",
             hierarchy, K, keys, PARTIES);
    s->study = study_of(text);
    for (uint32_t t = 0; t < TUPLES; t++)
        for (uint32_t site = 0; site < 2; site++)
            for (uint32_t i = 0; i < rows[t][site]; i++) {
                row *r = &s->rows[s->n_rows];
                *r = (row){.site = site, .tuple = t};
                snprintf(r->ill, sizeof r->ill, "ill%u", s->n_rows % 5);
                snprintf(r->note, sizeof r->note, "note-of-row-%u.", s->n_rows++);
            }
    for (uint32_t site = 0; site < 2; site++)
        s->part[site] = make_part(s, site);
    s->hooks.record = (record_hook){saw, s};
}

static void remove_files(scene *s)
{
    static const char *const names[] = {"release.csv", "release.csv.meta.json", "summary.json"};
    char path[128];
    for (uint32_t site = 0; site < 2; site++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(path, sizeof path, "%s/%s", s->directory[site], names[i]);
            unlink(path);
        }
        free(s->release[site]);
        s->release[site] = NULL;
    }
}

static void close_scene(scene *s)
{
    remove_files(s);
    for (uint32_t site = 0; site < 2; site++) {
        assert_int_equal(rmdir(s->directory[site]), 0);
        kith_table_free(s->part[site]);
    }
    kith_study_free(s->study);
    place_wipe(&s->place);
    pthread_mutex_destroy(&s->lock);
}

/* --- running --- */

static kith_status take_part(party *p, void *user, kith_error *error)
{
    scene *s = user;
    const uint32_t self = party_self(p);
    const joint_place at = {.directory = s->directory[self], .choices = s->choices};
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    return joint_run_party_with(p, s->study, s->part[self], &at, &run, NULL, error);
}

static char *read_release(const scene *s, uint32_t site)
{
    char path[128], *text = calloc(1, 1 << 14);
    snprintf(path, sizeof path, "%s/release.csv", s->directory[site]);
    FILE *in = fopen(path, "r");
    assert_non_null(text);
    if (in == NULL) {
        free(text);
        return NULL;
    }
    assert_true(fread(text, 1, (1 << 14) - 1, in) > 0);
    fclose(in);
    return text;
}

static kith_status run(scene *s)
{
    static const char *const names[] = {"north", "south"};
    void *users[] = {s, s};
    remove_files(s);
    memset(s->errors, 0, sizeof s->errors);
    kith_status status = inproc_run(2, names, &s->hooks, take_part, users, s->errors);
    for (uint32_t site = 0; site < 2; site++)
        s->release[site] = read_release(s, site);
    return status;
}

static void run_well(scene *s)
{
    if (run(s) != KITH_OK)
        fail_msg("%s; %s", s->errors[0].message, s->errors[1].message);
}

static void holds(const scene *s, uint32_t site)
{
    char path[128];
    kith_document *verdict = NULL;
    kith_error error = {0};
    snprintf(path, sizeof path, "%s/release.csv", s->directory[site]);
    const kith_verify_options options =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(path));
    if (kith_verify(&verdict, s->study, &options, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_true(kith_document_flag(verdict, "holds", false));
    kith_document_free(verdict);
}

/* --- what is expected --- */

typedef enum missing { AS_VALUE, AS_WILDCARD, AS_DROPPED } missing;

static bool is_read(uint32_t tuple, missing policy)
{
    return policy != AS_DROPPED || (tuples[tuple].age != NULL && tuples[tuple].city != NULL);
}

/* Rows of both parties, of which the first is Alice; sigma are her rows of tuples 0 to 2, and where
 * rows are dropped, too. */
static void expect(const scene *s, missing policy, bool *suppressed)
{
    id_based_plain_row plain[MAX_ROWS] = {{0}};
    uint32_t index[MAX_ROWS], n = 0;
    bool out[MAX_ROWS];
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (is_read(s->rows[i].tuple, policy)) {
            plain[n] = (id_based_plain_row){s->rows[i].tuple, s->rows[i].site == 0,
                                            s->rows[i].site == 0 && s->rows[i].tuple < 3};
            index[n++] = i;
        }
    assert_true(id_based_plain_sigma(plain, n, TUPLES, K));
    assert_false(id_based_plain(out, plain, n, TUPLES, K));
    for (uint32_t i = 0; i < n; i++)
        suppressed[index[i]] = out[i];
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The lines of the release, sorted; `site` 2: of both. */
static size_t expected_lines(const scene *s, missing policy, bool notes, uint32_t site,
                             char lines[MAX_ROWS][LINE])
{
    bool suppressed[MAX_ROWS] = {false};
    size_t n = 0;
    expect(s, policy, suppressed);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const row *r = &s->rows[i];
        const char *age = tuples[r->tuple].age, *city = tuples[r->tuple].city;
        if (!is_read(r->tuple, policy) || (site < 2 && r->site != site))
            continue;
        if (suppressed[i] || (age == NULL && policy == AS_WILDCARD))
            age = "*";
        if (suppressed[i] || (city == NULL && policy == AS_WILDCARD))
            city = "Europe";
        snprintf(lines[n++], LINE, "%s,%s,%s%s%s", age == NULL ? "" : age, r->ill,
                 city == NULL ? "" : city, notes ? "," : "", notes ? r->note : "");
    }
    qsort(lines, n, LINE, by_text);
    return n;
}

static void has_lines(const char *release, bool notes, char lines[MAX_ROWS][LINE], size_t n)
{
    char found[MAX_ROWS][LINE];
    size_t count = 0;
    char *text = strdup(release), *rest = NULL;
    char *line = strtok_r(text, "\n", &rest);
    assert_string_equal(line, notes ? "age,ill,city,note" : "age,ill,city");
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
        assert_true(count < MAX_ROWS);
        snprintf(found[count++], LINE, "%s", line);
    }
    qsort(found, count, LINE, by_text);
    assert_int_equal(count, n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(found[i], lines[i]);
    free(text);
}

/* --- tests --- */

static void check_policy(const char *keys, missing policy, bool notes)
{
    scene s;
    char lines[MAX_ROWS][LINE];
    open_scene(&s, counts, keys);
    run_well(&s);
    const size_t n = expected_lines(&s, policy, notes, 2, lines);
    has_lines(s.release[0], notes, lines, n);
    assert_string_equal(s.release[0], s.release[1]);
    holds(&s, 0);
    close_scene(&s);
}

static void the_release_is_the_plain_one(void **state)
{
    (void)state;
    check_policy("missing: value\n", AS_VALUE, false);
    check_policy("missing: wildcard\n", AS_WILDCARD, false);
    check_policy("missing: drop\n", AS_DROPPED, false);
    check_policy("publish_insensitive: true\n", AS_VALUE, true);
}

static void own_rows_stay_apart(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, counts, "publish: own-rows\n");
    run_well(&s);
    for (uint32_t site = 0; site < 2; site++) {
        char lines[MAX_ROWS][LINE];
        const size_t n = expected_lines(&s, AS_VALUE, false, site, lines);
        has_lines(s.release[site], false, lines, n);
    }
    close_scene(&s);
}

static void missing_values_may_be_refused(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, counts, "missing: reject\n");
    assert_int_equal(run(&s), KITH_DATA);
    assert_null(s.release[0]);
    assert_null(s.release[1]);
    close_scene(&s);
}

/* How many messages hold a text. */
static uint32_t told(const char *keys, const char *secret)
{
    scene s;
    open_scene(&s, counts, keys);
    s.secret = secret;
    run_well(&s);
    close_scene(&s);
    return s.n_secrets;
}

static void suppressed_and_dropped_values_stay_at_home(void **state)
{
    (void)state;
    assert_int_equal(told("", "age-35"), 0); /* Alice's */
    assert_int_equal(told("", "age-31"), 0); /* at both */
    assert_true(told("", "age-33") > 0);     /* the witness: it remains at Bob */
    /* The last tuple but one has missing values: its rows are dropped, or not. */
    assert_int_equal(told("missing: drop\npublish_insensitive: true\n", "note-of-row-30."), 0);
    assert_true(told("publish_insensitive: true\n", "note-of-row-30.") > 0);
    assert_int_equal(told("", "note-of-row-30."), 0); /* nor are notes, unless they are published */
}

/* Which rows are sigma is drawn by the key of private choices, not by the run. */
static void the_same_choices_give_the_same_release(void **state)
{
    (void)state;
    unsigned char key[32] = {0};
    char *first = NULL;
    uint32_t n_others = 0;
    scene s;
    open_scene(&s, ties, "");
    s.choices = key;
    for (uint32_t i = 0; i < 4; i++) {
        run_well(&s);
        if (first != NULL)
            assert_string_equal(s.release[0], first);
        free(first);
        first = strdup(s.release[0]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        key[0]++;
        run_well(&s);
        n_others += strcmp(s.release[0], first) != 0;
    }
    assert_true(n_others > 0);
    free(first);
    close_scene(&s);
}

/* --- false rows --- */

static unsigned char *find(payload_copy *payload, const char *text)
{
    unsigned char *at = memmem(payload->bytes, payload->length, text, strlen(text));
    assert_non_null(at);
    return at;
}

static void suppressed_value(payload_copy *payload)
{
    memcpy(find(payload, "age-33"), "age-35", 6);
}

static void invalid_text(payload_copy *payload)
{
    *find(payload, "age-33") = 0xff;
}

static void zero_in_text(payload_copy *payload)
{
    *find(payload, "age-33") = 0;
}

static void long_cell(payload_copy *payload)
{
    memset(find(payload, "age-33") - 4, 0x7f, 4);
}

static void cut(payload_copy *payload)
{
    payload->length -= 4;
    payload->message_bytes = payload->length;
}

static void less(payload_copy *payload)
{
    uint64_t size;
    memcpy(&size, payload->bytes, sizeof size);
    size -= 4;
    memcpy(payload->bytes, &size, sizeof size);
}

static void huge(payload_copy *payload)
{
    payload->bytes[7] = 1;
}

typedef struct lie {
    void (*of_size)(payload_copy *payload); /* NULL: none */
    void (*of_rows)(payload_copy *payload);
    const char *words;
} lie;

static void tell(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    const lie *l = user;
    (void)to;
    if (from == 1 && strcmp(type, "id.size") == 0 && l->of_size != NULL)
        l->of_size(payload);
    if (from == 1 && strcmp(type, "id.rows") == 0 && l->of_rows != NULL)
        l->of_rows(payload);
}

static void false_rows_are_refused(void **state)
{
    (void)state;
    lie lies[] = {
        {NULL, suppressed_value, "south sent a row whose quasi-identifier should be suppressed"},
        {NULL, invalid_text, "south sent rows that cannot be read"},
        {NULL, zero_in_text, "south sent rows that cannot be read"},
        {NULL, long_cell, "south sent rows that cannot be read"},
        {less, cut, "south sent rows that cannot be read"},
        {NULL, cut, "south"},
        {huge, NULL, "south announces rows of"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        scene s;
        open_scene(&s, counts, "");
        s.hooks.payload = (payload_hook){tell, &lies[i]};
        assert_int_equal(run(&s), KITH_PEER);
        if (s.errors[0].status != KITH_PEER || strstr(s.errors[0].message, lies[i].words) == NULL)
            fail_msg("lie %zu: %s", i, s.errors[0].message);
        assert_null(s.release[0]);
        assert_null(s.release[1]);
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_release_is_the_plain_one),
        cmocka_unit_test(own_rows_stay_apart),
        cmocka_unit_test(missing_values_may_be_refused),
        cmocka_unit_test(suppressed_and_dropped_values_stay_at_home),
        cmocka_unit_test(the_same_choices_give_the_same_release),
        cmocka_unit_test(false_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
