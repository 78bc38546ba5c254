/* What ranks measure, each with its slice of data and release, is what one process measures, to the
 * last digit. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "support/thread_ranks.h"

enum { ROWS = 300, MOST_RANKS = 7, LENGTH = 40000 };

static const uint32_t sizes[] = {1, 2, 3, 4, MOST_RANKS};

#define COLUMNS                                                                              \
    "study: s\n"                                                                             \
    "columns:\n"                                                                             \
    "  - {name: age, role: quasi-identifying, type: integer,\n"                              \
    "     hierarchy: {intervals: [10, 20, 40]}}\n"                                           \
    "  - {name: town, role: quasi-identifying, hierarchy: {mask: right}}\n"                  \
    "  - {name: dose, role: quasi-identifying, type: decimal, hierarchy: {intervals: [2.5, " \
    "10]}}\n"                                                                                \
    "  - {name: ill, role: sensitive}\n"                                                     \
    "  - {name: stay, role: sensitive, type: integer}\n"                                     \
    "  - {name: note, role: insensitive}\n"

/* Local recoding, with wildcards; global recoding with suppressed rows; ranges
 * instead of labels; a quasi-identifier as the label of cm and pmi; a measure that looks at
 * sensitive values. */
static const char *const studies[] = {
    COLUMNS "missing: wildcard\n"
            "utility: {measure: entropy}\n"
            "privacy: [{model: k-anonymity, k: 3}]\n",
    COLUMNS "missing: drop\n"
            "algorithm: flash\n"
            "utility: {suppression: 0.1, class: note}\n"
            "privacy: [{model: k-anonymity, k: 4},\n"
            "  {model: l-diversity, variant: distinct, l: 2, attribute: ill}]\n",
    COLUMNS "missing: drop\n"
            "algorithm: mondrian\n"
            "ranges: true\n"
            "privacy: [{model: k-anonymity, k: 5}]\n",
    COLUMNS "missing: value\n"
            "algorithm: sequential\n"
            "utility: {class: town, weights: {age: 2}}\n"
            "privacy: [{model: k-anonymity, k: 2}]\n",
    COLUMNS "missing: value\n"
            "algorithm: sequential\n"
            "utility: {measure: wmi, class: stay}\n"
            "privacy: [{model: k-anonymity, k: 3}]\n",
};

typedef struct compared {
    place place;
    const char *study, *data, *release;
    kith_input input[2]; /* data and release */
    kith_measure_options options;
    char *json[MOST_RANKS];
    char messages[MOST_RANKS][SAID_BYTES];
} compared;

static char *measure(const compared *k, kith_ranks *ranks, char message[SAID_BYTES])
{
    kith_error error = {0};
    kith_study *study = NULL;
    kith_document *d = NULL;
    const kith_run run =
        KITH_OPTIONS(kith_run, .n_threads = 1, .ranks = ranks, .seeded = true, .seed = 5);
    kith_status status = kith_study_parse(&study, k->study, strlen(k->study), ".", NULL, &error);
    if (status == KITH_OK)
        status = kith_measure(&d, study, &k->options, &run, &error);
    kith_study_free(study);
    message[0] = '\0';
    return said(status, d, &error, message);
}

static void one_rank(kith_ranks *ranks, void *user)
{
    compared *k = user;
    const uint32_t r = ranks_self(ranks);
    k->json[r] = measure(k, ranks, k->messages[r]);
}

/* Rows become longer towards the end, so that those of the data and of the release are cut at other
 * places. `people` is a column that no study names. */
static void write_data(compared *k, rng *r)
{
    static char data[LENGTH];
    int n = snprintf(data, LENGTH, "age,town,dose,ill,stay,note,people\n");
    for (uint32_t row = 0; row < ROWS; row++) {
        char age[8] = "", dose[8] = "";
        if (rng_below(r, 15) > 0)
            snprintf(age, sizeof age, "%u", rng_below(r, 90));
        if (rng_below(r, 20) > 0)
            snprintf(dose, sizeof dose, "%u.%u", rng_below(r, 20), rng_below(r, 4));
        n += snprintf(data + n, (size_t)(LENGTH - n), "%s,%03u,%s,i%u,%u,%0*u,%u.5\n", age,
                      rng_below(r, 50) * 7, dose, rng_below(r, 4), rng_below(r, 9),
                      (int)(1 + row / 30), rng_below(r, 3), 1 + rng_below(r, 40));
        assert_true(n < LENGTH);
    }
    k->data = place_file(&k->place, "data.csv", data);
}

/* In the order of the data, or sorted. */
static void make_release(compared *k, uint64_t seed)
{
    kith_error error = {0};
    kith_study *study = study_of(k->study);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = seed);
    k->release = place_file(&k->place, "release.csv", NULL);
    place_file(&k->place, "release.csv.meta.json", NULL);
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(k->data), .output = k->release,
                     .keep_order = seed % 2);
    if (kith_anonymize(NULL, study, &options, &run, &error) != KITH_OK)
        fail_msg("%s", error.message);
    kith_study_free(study);
}

static uint32_t n_matched; /* releases in another order than the data */

static void assert_same(compared *k)
{
    char message[SAID_BYTES];
    char *whole = measure(k, NULL, message);
    assert_string_equal(message, "");
    assert_non_null(strstr(whole, "\"kl\""));
    n_matched += strstr(whole, "\"check\":\t\"matched\"") != NULL;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        thread_ranks_run(sizes[s], one_rank, k);
        for (uint32_t i = 0; i < sizes[s]; i++) {
            assert_string_equal(k->messages[i], "");
            assert_string_equal(k->json[i], whole);
            kith_free(k->json[i]);
        }
    }
    kith_free(whole);
}

static void begin(compared *k, size_t study, uint64_t seed)
{
    rng r;
    memset(k, 0, sizeof *k);
    place_make(&k->place);
    rng_init(&r, seed, 2);
    k->study = studies[study];
    write_data(k, &r);
    make_release(k, seed);
    k->input[0] = *KITH_INPUT_URI(k->data);
    k->input[1] = *KITH_INPUT_URI(k->release);
    k->options = (kith_measure_options)KITH_OPTIONS(kith_measure_options, .data = &k->input[0],
                                                    .release = &k->input[1]);
}

static void every_figure_is_that_of_one_process(void **state)
{
    (void)state;
    static compared k;
    for (uint64_t seed = 0; seed < 8; seed++)
        for (size_t study = 0; study < sizeof studies / sizeof *studies; study++) {
            begin(&k, study, seed);
            k.options.n_queries = seed % 2 == 0 ? 40 : 0;
            k.options.classify = seed % 2 == 0 ? "ill" : "note";
            k.options.population = seed % 4 == 0 ? 0.3 : seed % 4 == 1 ? 20000 : 0;
            k.options.weights = seed % 3 == 0 ? NULL : "people";
            assert_same(&k);
            place_wipe(&k.place);
        }
    assert_true(n_matched > 4);
}

/* A release that keeps neither the models of the study nor its bounds on levels is measured all the
 * same. */
static void a_release_may_break_the_study(void **state)
{
    (void)state;
    static compared k;
    static const char bounded[] =
        "study: s\n"
        "columns:\n"
        "  - {name: age, role: quasi-identifying, type: integer, min_level: 3,\n"
        "     hierarchy: {intervals: [10, 20, 40]}}\n"
        "  - {name: town, role: quasi-identifying, hierarchy: {mask: right}, max_level: 1}\n"
        "  - {name: dose, role: quasi-identifying, type: decimal, hierarchy: {intervals: [2.5, "
        "10]}}\n"
        "  - {name: ill, role: sensitive}\n"
        "  - {name: stay, role: sensitive, type: integer}\n"
        "  - {name: note, role: insensitive}\n"
        "missing: value\n"
        "privacy: [{model: k-anonymity, k: 50},\n"
        "  {model: l-diversity, variant: distinct, l: 4, attribute: ill}]\n";
    begin(&k, 3, 2);
    k.study = bounded;
    assert_same(&k);
    place_wipe(&k.place);
}

/* Three ranks say this, all alike. */
static void assert_refused(compared *k, const char *message)
{
    thread_ranks_run(3, one_rank, k);
    for (uint32_t i = 0; i < 3; i++) {
        assert_null(k->json[i]);
        if (strstr(k->messages[i], message) == NULL)
            fail_msg("%s, not %s", k->messages[i], message);
    }
}

static void what_ranks_cannot_find_out_is_refused(void **state)
{
    (void)state;
    static compared k;
    begin(&k, 0, 1);
    k.options.special_uniques = 2;
    assert_refused(&k, "special uniques are not supported with MPI ranks");
    k.options.special_uniques = 0;
    k.options.mapping = KITH_INPUT_URI("mapping.csv");
    assert_refused(&k, "a mapping cannot be used over ranks");
    k.options.mapping = NULL;
    k.options.weights = "ill";
    assert_refused(&k, "data.csv:2");
    k.options.weights = NULL;
    k.options.population = 12;
    assert_refused(&k, "a population of 12 is smaller than the data, which has 300 records");
    k.options.population = 0;
    k.options.classify = "age";
    assert_refused(&k, "column 'age' is quasi-identifying");
    k.options.classify = NULL;
    k.study = COLUMNS "sample: 0.5\nprivacy: [{model: k-anonymity, k: 3}]\n";
    assert_refused(&k, "sample needs all rows in the memory of one process");
    place_wipe(&k.place);
}

/* Rows that are missing, and one that stands for no record. */
static void rows_may_be_wrong(void **state)
{
    (void)state;
    static compared k;
    static char text[LENGTH];
    begin(&k, 0, 1);
    FILE *file = fopen(k.release, "r");
    assert_non_null(file);
    const size_t n = fread(text, 1, LENGTH - 1, file);
    fclose(file);
    text[n] = '\0';
    char *second = strchr(text, '\n') + 1;
    char *third = strchr(second, '\n') + 1;
    memmove(second, third, strlen(third) + 1);
    k.input[1].uri = place_file(&k.place, "fewer.csv", text);
    assert_refused(&k, "fewer.csv has 299 rows, but the data has 300");
    char *last = text + strlen(text);
    snprintf(last, LENGTH - n, "%s", "*,*,*,nobody,1,0\n");
    k.input[1].uri = place_file(&k.place, "other.csv", text);
    assert_same(&k);
    place_wipe(&k.place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_that_of_one_process),
        cmocka_unit_test(a_release_may_break_the_study),
        cmocka_unit_test(what_ranks_cannot_find_out_is_refused),
        cmocka_unit_test(rows_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
