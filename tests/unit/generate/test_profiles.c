/* Do the profiles look like data? Seeds are fixed, so nothing here is a matter of luck; the bounds
 * leave room for other seeds all the same. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "generate/generate.h"
#include "unit/generate/sample.h"

enum { ROWS = 20000 };

static const char *generated(const char *which, uint64_t n_rows, uint64_t seed)
{
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = seed);
    kith_error error;
    const char *path = scratch_path("data.csv");
    if (kith_generate(NULL,
                      &(kith_generate_options)KITH_OPTIONS(kith_generate_options, .profile = which,
                                                           .n_rows = n_rows, .output = path,
                                                           .overwrite = true),
                      &run, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return path;
}

typedef struct pair {
    const char *a, *b;
    double min; /* Cramér's V; 0: independent */
} pair;

static void check_pairs(const sample *s, const pair *pairs)
{
    for (; pairs->a != NULL; pairs++) {
        double v = sample_cramer(s, pairs->a, pairs->b);
        double surprise = sample_surprise(s, pairs->a, pairs->b);
        if (pairs->min > 0 ? v < pairs->min || surprise < 20 : surprise > 6)
            fail_msg("%s and %s: V %.3f, %.1f deviations", pairs->a, pairs->b, v, surprise);
    }
}

static void check_missing(const sample *s, const char *const *some)
{
    for (size_t c = 0; c < s->n_columns; c++) {
        bool expected = false;
        for (size_t i = 0; some[i] != NULL; i++)
            expected = expected || strcmp(some[i], s->name[c]) == 0;
        double share = sample_missing(s, c);
        if (expected ? share < 0.008 || share > 0.032 : share > 0)
            fail_msg("%s: %.4f missing", s->name[c], share);
    }
}

static void check_uniqueness(const sample *s, const char *const *names, double min, double max)
{
    size_t count = 0;
    while (names[count] != NULL)
        count++;
    double share = sample_uniqueness(s, names, count);
    if (share < min || share > max)
        fail_msg("uniqueness %.4f is not in %.2f … %.2f", share, min, max);
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* A Zipf tail: the most frequent tenth of the values covers much, and there are rare values. */
static void check_tail(const sample *s, const char *name, double min_head, uint32_t max_rare)
{
    size_t c = sample_column(s, name), n = s->distinct[c];
    uint32_t *count = calloc(n, sizeof *count);
    for (size_t r = 0; r < s->n_rows; r++)
        count[s->code[c][r]]++;
    qsort(count, n, sizeof *count, descending);
    double head = 0;
    for (size_t i = 0; i < (n + 9) / 10; i++)
        head += count[i];
    if (head < min_head * (double)s->n_rows || count[n - 1] > max_rare)
        fail_msg("%s: head %.3f, rarest %u", name, head / (double)s->n_rows, count[n - 1]);
    free(count);
}

static void hospital(void **state)
{
    (void)state;
    sample s;
    sample_load(&s, generated("hospital", ROWS, 7));
    assert_int_equal(s.n_rows, ROWS);
    assert_int_equal(s.n_columns, 12);
    check_pairs(&s, (pair[]){{"site", "zip", 0.8},
                             {"disease", "ward", 0.7},
                             {"age", "disease", 0.1},
                             {"sex", "disease", 0.2},
                             {"disease", "stay", 0.2},
                             {"age", "job", 0.15},
                             {"job", "insurance", 0.1},
                             {"age", "ward", 0.2},
                             {"sex", "site", 0},
                             {"site", "disease", 0},
                             {"site", "job", 0},
                             {"age", "site", 0},
                             {"insurance", "site", 0},
                             {NULL, NULL, 0}});
    check_missing(&s, (const char *[]){"zip", "job", "insurance", NULL});
    check_uniqueness(&s, (const char *[]){"pid", NULL}, 1, 1);
    check_uniqueness(&s, (const char *[]){"age", "sex", "zip", NULL}, 0.3, 0.6);
    check_uniqueness(&s, (const char *[]){"age", "sex", "zip", "job", "admitted", NULL}, 0.95, 1);
    check_uniqueness(&s, (const char *[]){"sex", "site", NULL}, 0, 0.001);
    check_tail(&s, "zip", 0.5, 20);
    check_tail(&s, "disease", 0.25, 20);
    sample_free(&s);
}

static void adult(void **state)
{
    (void)state;
    sample s;
    sample_load(&s, generated("adult", ROWS, 7));
    assert_int_equal(s.n_columns, 15);
    check_pairs(&s, (pair[]){{"education", "education-num", 0.999},
                             {"marital-status", "relationship", 0.4},
                             {"age", "marital-status", 0.2},
                             {"education", "occupation", 0.12},
                             {"sex", "occupation", 0.25},
                             {"education", "salary-class", 0.25},
                             {"marital-status", "salary-class", 0.25},
                             {"race", "native-country", 0.2},
                             {"sex", "hours-per-week", 0.15},
                             {"sex", "race", 0},
                             {"race", "education", 0},
                             {"race", "occupation", 0},
                             {"sex", "education", 0},
                             {NULL, NULL, 0}});
    check_missing(&s, (const char *[]){"workclass", "native-country", NULL});
    check_uniqueness(&s,
                     (const char *[]){"sex", "age", "race", "marital-status", "education",
                                      "native-country", "workclass", "salary-class", NULL},
                     0.25, 0.55);
    check_tail(&s, "native-country", 0.85, 20);
    check_tail(&s, "capital-gain", 0.9, 20);
    /* Shares of the census table that everyone knows, within a few points. */
    const struct {
        const char *column, *text;
        double min, max;
    } share[] = {
        {"sex", "Male", 0.64, 0.70},          {"race", "White", 0.83, 0.88},
        {"salary-class", ">50K", 0.18, 0.30}, {"marital-status", "Married-civ-spouse", 0.40, 0.52},
        {"hours-per-week", "40", 0.38, 0.52}, {"native-country", "United-States", 0.84, 0.93},
        {"education", "HS-grad", 0.28, 0.36}};
    for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
        size_t c = sample_column(&s, share[i].column), n = 0;
        for (size_t r = 0; r < s.n_rows; r++)
            n += strcmp(s.cell[c][r], share[i].text) == 0;
        double seen = (double)n / ROWS;
        if (seen < share[i].min || seen > share[i].max)
            fail_msg("%s %s: %.3f", share[i].column, share[i].text, seen);
    }
    sample_free(&s);
}

static void survey(void **state)
{
    (void)state;
    sample s;
    sample_load(&s, generated("survey", ROWS, 7));
    assert_int_equal(s.n_columns, 9);
    check_pairs(&s, (pair[]){{"age", "employment", 0.3},
                             {"education", "income", 0.15},
                             {"employment", "income", 0.25},
                             {"region", "dwelling", 0.1},
                             {"sex", "employment", 0.15},
                             {"education", "leaning", 0.06},
                             {"age", "household", 0.1},
                             {"region", "age", 0},
                             {"region", "sex", 0},
                             {"sex", "leaning", 0},
                             {"region", "education", 0},
                             {NULL, NULL, 0}});
    check_missing(&s, (const char *[]){"education", "income", "household", NULL});
    check_uniqueness(&s, (const char *[]){"region", "age", "sex", NULL}, 0.04, 0.15);
    check_tail(&s, "region", 0.35, 20);
    check_tail(&s, "leaning", 0.15, 60);
    sample_free(&s);
}

/* First cells of the rows of a hierarchy file, each between line starts and semicolons. */
static bool has_leaf(const char *hierarchy, const char *leaf)
{
    size_t length = strlen(leaf);
    for (const char *line = hierarchy; line != NULL && *line != '\0';) {
        if (strncmp(line, leaf, length) == 0 && line[length] == ';')
            return true;
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return false;
}

static void hierarchies_cover_all_values(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const profile *p = generate_profiles[i];
        sample s;
        sample_load(&s, generated(p->name, ROWS, 3));
        char *names = strdup(p->hierarchies), *next = names, *column;
        while ((column = strsep(&next, " ")) != NULL) {
            char name[128];
            snprintf(name, sizeof name, "hierarchies/%s-%s.csv", p->name, column);
            char *text = scratch_read(scratch_path(name), NULL);
            assert_non_null(text);
            size_t c = sample_column(&s, column);
            for (size_t v = 0; v < s.distinct[c]; v++)
                if (s.value[c][v][0] != '\0' && !has_leaf(text, s.value[c][v]))
                    fail_msg("%s lacks '%s'", name, s.value[c][v]);
            free(text);
        }
        free(names);
        sample_free(&s);
    }
}

/* Every path in a study exists, every column it names too. */
static void studies_name_what_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; generate_profiles[i] != NULL; i++) {
        const profile *p = generate_profiles[i];
        sample s;
        sample_load(&s, generated(p->name, 10, 3));
        char *text = scratch_read(scratch_path("data.study.yaml"), NULL);
        assert_non_null(text);
        uint32_t files = 0, n_columns = 0;
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            char word[128];
            /* A sensitive column's hierarchy stands in a comment, for those who add t-closeness. */
            if (sscanf(line, " hierarchy: hierarchies/%100s", word) == 1 ||
                sscanf(line, " # hierarchy: hierarchies/%100s", word) == 1) {
                char name[128];
                snprintf(name, sizeof name, "hierarchies/%.100s", word);
                assert_int_equal(access(scratch_path(name), R_OK), 0);
                files++;
            } else if (sscanf(line, " - name: %100s", word) == 1) {
                sample_column(&s, word);
                n_columns++;
            }
        }
        uint32_t n_hierarchies = 1;
        for (const char *c = p->hierarchies; *c != '\0'; c++)
            n_hierarchies += *c == ' ';
        assert_int_equal(files, n_hierarchies);
        assert_true(n_columns >= 9);
        free(text);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hospital, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(adult, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(survey, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(hierarchies_cover_all_values, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(studies_name_what_is_there, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
