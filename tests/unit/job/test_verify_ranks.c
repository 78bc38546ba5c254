/* What ranks say of a release of which each has some rows is what one process says of the whole. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "support/thread_ranks.h"

enum { ROWS = 80, COLUMNS = 4, MOST_RANKS = 7 };

static const char *const names[COLUMNS] = {"age", "town", "ill", "stay"};

static const char columns_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: town, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: ill, role: sensitive}\n"
    "  - {name: stay, role: sensitive, type: integer}\n"
    "  - {name: note, role: insensitive}\n"
    "  - {name: name, role: identifying}\n"
    "utility: {suppression: 0.1, class: note}\n"
    "privacy:\n";

static const char models_text[] =
    "  - {model: k-anonymity, k: 4}\n"
    "  - {model: l-diversity, variant: distinct, l: 3, attribute: ill}\n"
    "  - {model: l-diversity, variant: recursive, l: 2, c: 2, attribute: ill}\n"
    "  - {model: t-closeness, variant: ordered, t: 0.3, attribute: stay}\n"
    "  - {model: delta-presence, min: 0.2, max: 0.6, subset: {column: ill, values: [i0, i1]}}\n"
    "  - {model: delta-disclosure, delta: 1, attribute: ill}\n";

typedef struct verified {
    char texts[ROWS * COLUMNS][8];
    const char *cells[ROWS * COLUMNS];
    const char *study;
    uint32_t cuts[MOST_RANKS + 1]; /* rank r has the rows cuts[r] … cuts[r + 1] - 1 */
    char *json[MOST_RANKS];
    char messages[MOST_RANKS][SAID_BYTES];
} verified;

static char *verify(const char *text, const kith_verify_options *options, kith_ranks *ranks,
                    char message[SAID_BYTES])
{
    kith_error error = {0};
    kith_study *study = NULL;
    kith_document *d = NULL;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .ranks = ranks);
    kith_status status = kith_study_parse(&study, text, strlen(text), ".", NULL, &error);
    if (status == KITH_OK)
        status = kith_verify(&d, study, options, &run, &error);
    kith_study_free(study);
    return said(status, d, &error, message);
}

static char *verify_rows(const verified *k, uint32_t first, uint32_t end, kith_ranks *ranks,
                         char message[SAID_BYTES])
{
    kith_error error = {0};
    kith_table *table = NULL;
    if (texts_of(&table, names, COLUMNS, k->cells + (size_t)first * COLUMNS, end - first, &error) !=
        KITH_OK)
        return said(error.status, NULL, &error, message);
    const kith_verify_options options =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_TABLE(table));
    char *json = verify(k->study, &options, ranks, message);
    assert_cells(table, k->cells + (size_t)first * COLUMNS);
    kith_table_free(table);
    return json;
}

static void one_rank(kith_ranks *ranks, void *user)
{
    verified *k = user;
    const uint32_t r = ranks_self(ranks);
    k->json[r] = verify_rows(k, k->cuts[r], k->cuts[r + 1], ranks, k->messages[r]);
}

/* Few values, so that many classes are equally bad; some rows are suppressed, some cells missing.
 */
static void draw(verified *k, rng *r)
{
    const uint32_t n_ages = 2 + rng_below(r, 5), n_towns = 1 + rng_below(r, 6);
    const uint32_t n_ills = 2 + rng_below(r, 4), n_suppressed = rng_below(r, 14);
    for (uint32_t row = 0; row < ROWS; row++) {
        char(*cell)[8] = &k->texts[(size_t)row * COLUMNS];
        const bool suppressed = rng_below(r, ROWS) < n_suppressed;
        const uint32_t age = 10 * rng_below(r, n_ages);
        snprintf(cell[0], 8, suppressed ? "*" : "%u-%u", age, age + 9);
        snprintf(cell[1], 8, suppressed ? "*" : "t%u", rng_below(r, n_towns));
        snprintf(cell[2], 8, "i%u", rng_below(r, n_ills));
        snprintf(cell[3], 8, "%u", rng_below(r, 5));
        for (uint32_t i = 0; i < COLUMNS; i++)
            k->cells[(size_t)row * COLUMNS + i] =
                !suppressed && rng_below(r, 25) == 0 ? NULL : cell[i];
    }
}

/* Anywhere: slices may be empty. */
static void cut(verified *k, uint32_t n_ranks, rng *r)
{
    k->cuts[0] = 0;
    for (uint32_t i = 1; i < n_ranks; i++)
        k->cuts[i] = k->cuts[i - 1] + rng_below(r, ROWS - k->cuts[i - 1] + 1) / (n_ranks - i);
    k->cuts[n_ranks] = ROWS;
}

static void any_number_of_ranks_says_the_same(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 4, MOST_RANKS};
    static verified k;
    char study[sizeof columns_text + sizeof models_text];
    snprintf(study, sizeof study, "%s%s", columns_text, models_text);
    k.study = study;
    for (uint64_t seed = 0; seed < 40; seed++) {
        rng r;
        char message[SAID_BYTES] = "";
        rng_init(&r, seed, 9);
        draw(&k, &r);
        char *whole = verify_rows(&k, 0, ROWS, NULL, message);
        assert_string_equal(message, "");
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            cut(&k, sizes[s], &r);
            thread_ranks_run(sizes[s], one_rank, &k);
            for (uint32_t i = 0; i < sizes[s]; i++) {
                assert_string_equal(k.messages[i], "");
                assert_string_equal(k.json[i], whole);
                kith_free(k.json[i]);
            }
        }
        kith_free(whole);
    }
}

/* Three ranks are asked about a model and say why not. */
static void assert_refused(const char *model, const char *message)
{
    static verified k;
    char study[sizeof columns_text + 200];
    rng r;
    memset(&k, 0, sizeof k);
    rng_init(&r, 1, 9);
    draw(&k, &r);
    snprintf(study, sizeof study, "%s%s", columns_text, model);
    k.study = study;
    cut(&k, 3, &r);
    thread_ranks_run(3, one_rank, &k);
    for (uint32_t i = 0; i < 3; i++) {
        assert_null(k.json[i]);
        if (strstr(k.messages[i], message) == NULL)
            fail_msg("%s", k.messages[i]);
    }
}

static void what_ranks_cannot_decide_is_refused(void **state)
{
    (void)state;
    assert_refused("  - {model: lkc, l: 1, k: 40, c: 0.1, attribute: ill}\n",
                   "whether lkc holds cannot be decided over ranks");
    assert_refused("  - {model: m-invariance, m: 2, attribute: ill, id: name, previous: [a.csv]}\n",
                   "m-invariance cannot be checked on a release in parts");
}

/* A release and its data, both in files that are cut at other rows. */
typedef struct compared {
    place place;
    const char *study, *data, *release;
    bool in_memory;     /* every rank hands its rows over */
    uint32_t fine_from; /* the first record whose row shows ten years of age, not twenty */
    bool suppresses;    /* some rows show nothing */
    char *json[MOST_RANKS];
    char messages[MOST_RANKS][SAID_BYTES];
} compared;

/* The rows of a rank: many of a table that is data, few of its release. */
static kith_table *share_of(const char *path, uint32_t rank, uint32_t size, bool is_data)
{
    const char *names_of[8], **cells;
    kith_table *whole = NULL, *own = NULL;
    if (kith_table_read(&whole, path, NULL, NULL, NULL) != KITH_OK)
        abort();
    const size_t n = kith_table_n_columns(whole), n_rows = kith_table_n_rows(whole);
    const size_t first = is_data ? n_rows * rank * rank / size / size : n_rows * rank / size;
    const size_t end =
        is_data ? n_rows * (rank + 1) * (rank + 1) / size / size : n_rows * (rank + 1) / size;
    cells = calloc(n * n_rows + 1, sizeof *cells);
    for (size_t i = 0; i < n; i++)
        names_of[i] = kith_table_column_name(whole, i);
    for (size_t row = first; row < end; row++)
        for (size_t i = 0; i < n; i++)
            cells[(row - first) * n + i] = kith_table_cell(whole, row, i);
    if (texts_of(&own, names_of, n, cells, end - first, NULL) != KITH_OK)
        abort();
    free(cells);
    kith_table_free(whole);
    return own;
}

static char *compare(const compared *k, kith_ranks *ranks, char message[SAID_BYTES])
{
    if (!k->in_memory) {
        const kith_verify_options options =
            KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(k->release),
                         .data = KITH_INPUT_URI(k->data));
        return verify(k->study, &options, ranks, message);
    }
    kith_table *data = share_of(k->data, ranks_self(ranks), ranks_count(ranks), true),
               *release = share_of(k->release, ranks_self(ranks), ranks_count(ranks), false);
    const kith_verify_options options = KITH_OPTIONS(
        kith_verify_options, .release = KITH_INPUT_TABLE(release), .data = KITH_INPUT_TABLE(data));
    char *json = verify(k->study, &options, ranks, message);
    kith_table_free(data);
    kith_table_free(release);
    return json;
}

static void one_comparing_rank(kith_ranks *ranks, void *user)
{
    compared *k = user;
    const uint32_t r = ranks_self(ranks);
    k->messages[r][0] = '\0';
    k->json[r] = compare(k, ranks, k->messages[r]);
}

/* All ranks say what one process says. */
static void assert_same(compared *k)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, MOST_RANKS};
    char message[SAID_BYTES] = "";
    char *whole = compare(k, NULL, message);
    assert_string_equal(message, "");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        thread_ranks_run(sizes[s], one_comparing_rank, k);
        for (uint32_t i = 0; i < sizes[s]; i++) {
            assert_string_equal(k->messages[i], "");
            assert_string_equal(k->json[i], whole);
            kith_free(k->json[i]);
        }
    }
    kith_free(whole);
}

static const char compared_study[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]},\n"
    "     domain: {range: [0, 79]}}\n"
    "  - {name: town, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: ill, role: sensitive}\n"
    "  - {name: note, role: insensitive}\n"
    "missing: drop\n"
    "privacy: [{model: k-anonymity, k: 3}, {model: t-closeness, variant: equal, t: 0.4, "
    "attribute: ill}]\n";

/* Data whose rows are long at its end, and a release whose rows are not: `note` is there as it was,
 * towns are not. Of the rows of the release that are named here, one is left out, and one has
 * another note. */
static void write_both(compared *k, uint64_t seed, uint32_t left_out, uint32_t changed)
{
    enum { LENGTH = 20000 };
    static char data[LENGTH], release[LENGTH];
    rng r;
    rng_init(&r, seed, 4);
    int n = snprintf(data, LENGTH, "age,town,ill,note\n");
    int m = snprintf(release, LENGTH, "age,town,ill,note\n");
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t age = rng_below(&r, 80), ill = rng_below(&r, 3);
        const bool dropped = rng_below(&r, 9) == 0;
        const uint32_t width = row < k->fine_from ? 20 : 10, low = age / width * width;
        char shown[16] = "*";
        if (!k->suppresses || row % 17 != 3)
            snprintf(shown, sizeof shown, "%u-%u", low, low + width - 1);
        n +=
            snprintf(data + n, (size_t)(LENGTH - n), "%u,%0*u,%.*s,n%u\n", age,
                     (int)(3 + row * row / 120), row, dropped ? 0 : 2, ill == 0 ? "i0" : "i1", row);
        if (!dropped && row != left_out)
            m += snprintf(release + m, (size_t)(LENGTH - m), "%s,*,%s,n%u\n", shown,
                          ill == 0 ? "i0" : "i1", row == changed ? ROWS : row);
    }
    k->data = place_file(&k->place, "data.csv", data);
    k->release = place_file(&k->place, "release.csv", release);
}

static void data_in_order_is_compared(void **state)
{
    (void)state;
    static compared k;
    for (uint64_t seed = 0; seed < 8; seed++) {
        place_make(&k.place);
        k.study = compared_study;
        k.fine_from = ROWS;
        write_both(&k, seed, seed % 2 == 0 ? ROWS : 1, ROWS);
        k.in_memory = false;
        assert_same(&k);
        k.in_memory = true;
        assert_same(&k);
        place_wipe(&k.place);
    }
}

/* Age on the second level unless a row is suppressed; in some releases rows of the last ranks are
 * below it. */
static void levels_are_bounded(void **state)
{
    (void)state;
    static const char role[] = "role: quasi-identifying, ";
    static compared k;
    static char study[sizeof compared_study + 80];
    const char *at = strstr(compared_study, role) + strlen(role);
    snprintf(study, sizeof study, "%.*smin_level: 2, max_level: 2, %sutility: {suppression: 0.1}\n",
             (int)(at - compared_study), compared_study, at);
    for (uint64_t seed = 0; seed < 6; seed++) {
        place_make(&k.place);
        k.study = study;
        k.in_memory = seed == 4;
        k.suppresses = true;
        k.fine_from = seed % 3 == 0 ? ROWS : seed % 3 == 1 ? ROWS / 2 : ROWS - 3;
        write_both(&k, seed, seed == 5 ? 1 : ROWS, ROWS);
        char message[SAID_BYTES] = "", *whole = compare(&k, NULL, message);
        assert_int_equal(strstr(whole, "\"levels\":\t{\n\t\t\"holds\":\ttrue") != NULL,
                         seed % 3 == 0);
        kith_free(whole);
        assert_same(&k);
        place_wipe(&k.place);
    }
}

/* Rows of the release are moved about: `towns` of several letters, few notes, so that many records
 * fit a row, or one for each row, so that one does. */
static void write_shuffled(compared *k, rng *r, bool few_notes, uint32_t n_wrong_notes,
                           uint32_t n_wrong_ages)
{
    enum { LENGTH = 20000, LINE = 60 };
    static char data[LENGTH], release[LENGTH], lines[ROWS][LINE];
    int n = snprintf(data, LENGTH, "age,town,ill,note\n");
    int m = snprintf(release, LENGTH, "age,town,ill,note\n");
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t age = rng_below(r, 80), ill = rng_below(r, 3), town = rng_below(r, 9);
        const uint32_t width = rng_below(r, 3) == 0 ? 20 : 10, low = age / width * width;
        const uint32_t note = few_notes ? row % 3 : row;
        /* An age of 80 or more is no label, and one that is too high fits few records. */
        const uint32_t shown = row < n_wrong_ages ? (row % 2 == 0 ? 70 : 90) : low;
        n += snprintf(data + n, (size_t)(LENGTH - n), "%u,%u%u,i%u,n%u\n", age, town / 3, town % 3,
                      ill, note);
        snprintf(lines[row], LINE, "%u-%u,%u*,i%u,n%u", shown, shown + width - 1, town / 3, ill,
                 row < n_wrong_notes ? 7 : note);
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t other = row + rng_below(r, ROWS - row);
        m += snprintf(release + m, (size_t)(LENGTH - m), "%s\n", lines[other]);
        memmove(lines[other], lines[row], LINE);
    }
    k->data = place_file(&k->place, "data.csv", data);
    k->release = place_file(&k->place, "release.csv", release);
}

/* What one process finds of rows in another order: those that fit, and those that are wrong. */
static void other_orders_are_found(void **state)
{
    (void)state;
    static compared k;
    uint32_t n_held = 0, n_wrong = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        rng r;
        char message[SAID_BYTES] = "";
        rng_init(&r, seed, 5);
        place_make(&k.place);
        k.study = compared_study;
        k.in_memory = seed % 5 == 4;
        write_shuffled(&k, &r, seed % 2 == 0, seed % 6 == 1 ? 3 : 0,
                       seed % 6 >= 3 ? seed % 3 * 4 : 0);
        char *whole = compare(&k, NULL, message);
        n_held += strstr(whole, "\"check\":\t\"matched\",\n\t\t\"wrong_records\":\t0") != NULL;
        n_wrong += strstr(whole, "\"check\":\t\"matched\",\n\t\t\"wrong_records\":\t0") == NULL;
        kith_free(whole);
        assert_same(&k);
        place_wipe(&k.place);
    }
    assert_true(n_held >= 8 && n_wrong >= 8);
}

/* More pairs of row and record that fit than are looked at, though no rank has as many. */
static void too_many_pairs_are_counted(void **state)
{
    (void)state;
    enum { MANY = 8600, LENGTH = MANY * 40 };
    static const char study[] = "study: s\n"
                                "columns:\n"
                                "  - {name: age, role: quasi-identifying, type: integer, "
                                "hierarchy: {intervals: [100000]}}\n"
                                "  - {name: ill, role: sensitive}\n"
                                "algorithm: mondrian\nranges: true\n"
                                "privacy: [{model: k-anonymity, k: 2}]\n";
    static char data[LENGTH], release[LENGTH];
    static compared k;
    for (uint32_t n_wrong = 0; n_wrong < 2; n_wrong++) {
        char message[SAID_BYTES] = "";
        int n = snprintf(data, LENGTH, "age,ill\n"), m = snprintf(release, LENGTH, "age,ill\n");
        for (uint32_t row = 0; row < MANY; row++) {
            /* Values on both sides, of which ranges have all but the outermost ones. */
            n += snprintf(data + n, (size_t)(LENGTH - n), "%u,i%u\n", row, row % 2);
            const uint32_t low = row * 7919 % MANY / 20;
            m += snprintf(release + m, (size_t)(LENGTH - m), "%u..%u,i%u\n",
                          row == 0 && n_wrong > 0 ? MANY + 5 : low, MANY - 1 - row / 20, row % 2);
        }
        place_make(&k.place);
        k.study = study;
        k.in_memory = false;
        k.data = place_file(&k.place, "data.csv", data);
        k.release = place_file(&k.place, "release.csv", release);
        char *whole = compare(&k, NULL, message);
        assert_string_equal(message, "");
        assert_non_null(strstr(whole, "\"check\":\t\"counted\""));
        assert_int_equal(strstr(whole, "\"cover\":\t{\n\t\t\"holds\":\ttrue") == NULL, n_wrong > 0);
        thread_ranks_run(3, one_comparing_rank, &k);
        for (uint32_t i = 0; i < 3; i++) {
            assert_string_equal(k.messages[i], "");
            assert_string_equal(k.json[i], whole);
            kith_free(k.json[i]);
        }
        kith_free(whole);
        place_wipe(&k.place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_says_the_same),
        cmocka_unit_test(what_ranks_cannot_decide_is_refused),
        cmocka_unit_test(data_in_order_is_compared),
        cmocka_unit_test(levels_are_bounded),
        cmocka_unit_test(other_orders_are_found),
        cmocka_unit_test(too_many_pairs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
