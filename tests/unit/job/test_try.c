/* Many settings on the same data: every row is what kith_anonymize_table gives on its own. */
#include "unit/job/support.h"

static const char study_text[] =
    "study: people\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 3}]\n";

static const char data[] = "disease,who,zip,age\n"
                           "flu,Ada,81667,21\ncold,Ben,81669,23\ngout,Cem,81661,24\n"
                           "flu,Dee,90402,41\ncold,Eva,90403,44\nflu,Fay,90408,47\n"
                           "flu,Gus,90402,61\ncold,Hal,80403,64\n";

typedef struct scene {
    place place;
    kith_study *study;
    const char *data;
    kith_error error;
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    place_make(&s->place);
    s->study = study_of(study_text);
    s->data = place_file(&s->place, "data.csv", data);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    place_wipe(&s->place);
    kith_study_free(s->study);
    free(s);
    return 0;
}

static kith_status try_sets(kith_document **d, scene *s, const char *const *sets, size_t n_sets,
                            const kith_run *run)
{
    const kith_study *studies[] = {s->study};
    const kith_try_options options = KITH_OPTIONS(
        kith_try_options, .input = KITH_INPUT_URI(s->data), .sets = sets, .n_sets = n_sets);
    return kith_try(d, studies, 1, &options, run, &s->error);
}

static double number_at(const kith_document *d, size_t row, const char *key)
{
    char path[64];
    snprintf(path, sizeof path, "rows.%zu.%s", row, key);
    return kith_document_number(d, path, NAN);
}

static const char *text_at(const kith_document *d, size_t row, const char *key)
{
    char path[64];
    snprintf(path, sizeof path, "rows.%zu.%s", row, key);
    return kith_document_text(d, path, "");
}

/* The summary of one study that is written out in full. */
static kith_document *alone(const char *text, uint64_t seed)
{
    static const char *const cells[] = {
        "21", "81667", "flu",  "23", "81669", "cold", "24", "81661", "gout", "41", "90402", "flu",
        "44", "90403", "cold", "47", "90408", "flu",  "61", "90402", "flu",  "64", "80403", "cold"};
    kith_study *study = study_of(text);
    kith_table *table = table_of(study, cells, 8), *release = NULL;
    kith_document *summary = NULL;
    kith_error error;
    const kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = seed);
    if (kith_anonymize_table(&release, &summary, study, table, &run, &error) != KITH_OK)
        fail_msg("%s", error.message);
    kith_table_free(release);
    kith_table_free(table);
    kith_study_free(study);
    return summary;
}

static void rows_equal_single_runs(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,4", "algorithm=weave,flash"};
    static const char *const algorithms[] = {"weave", "flash"};
    static const int ks[] = {2, 4};
    kith_document *d = NULL;
    const kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 5, .n_threads = 3);
    assert_int_equal(try_sets(&d, s, sets, 2, &run), KITH_OK);
    assert_int_equal(kith_document_n_items(d, "rows"), 4);
    for (size_t i = 0; i < 4; i++) {
        char text[800];
        snprintf(text, sizeof text, "%.*s %d}]\nalgorithm: %s\n", (int)strlen(study_text) - 5,
                 study_text, ks[i / 2], algorithms[i % 2]);
        kith_document *one = alone(text, 5);
        assert_string_equal(text_at(d, i, "algorithm"), algorithms[i % 2]);
        assert_true(number_at(d, i, "loss") == kith_document_number(one, "objective", -1));
        assert_true(number_at(d, i, "classes") == kith_document_number(one, "classes", -1));
        assert_true(number_at(d, i, "risk_highest") ==
                    kith_document_number(one, "risk.after.prosecutor_highest", -1));
        assert_true(number_at(d, i, "risk_mean") ==
                    kith_document_number(one, "risk.after.prosecutor_average", -1));
        kith_document_free(one);
    }
    kith_document_free(d);
}

/* Removes what depends on the clock. */
static char *without_seconds(const kith_document *d)
{
    char *json = kith_document_json(d, false), *at = json;
    while ((at = strstr(at, "\"seconds\":")) != NULL) {
        at += 10;
        memset(at, '#', strcspn(at, ","));
    }
    size_t kept = 0;
    for (const char *c = json; *c != '\0'; c++)
        if (*c != '#')
            json[kept++] = *c;
    json[kept] = '\0';
    return json;
}

static void any_number_of_threads_gives_the_same(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,3,4", "algorithm=weave,sequential,mondrian,flash"};
    char *first = NULL;
    for (unsigned n = 1; n <= 16; n *= 2) {
        kith_document *d = NULL;
        const kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = 7, .n_threads = n);
        assert_int_equal(try_sets(&d, s, sets, 2, &run), KITH_OK);
        char *json = without_seconds(d);
        if (first == NULL)
            first = strdup(json);
        assert_string_equal(json, first);
        kith_free(json);
        kith_document_free(d);
    }
    free(first);
}

static void reasons_stand_in_rows(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,1,9"};
    kith_document *d = NULL;
    assert_int_equal(try_sets(&d, s, sets, 1, NULL), KITH_OK);
    assert_string_equal(text_at(d, 0, "outcome"), "released");
    assert_string_equal(text_at(d, 1, "outcome"), "refused");
    assert_string_equal(text_at(d, 1, "reason"),
                        "k: expected a whole number of at least 2, found '1'");
    assert_string_equal(text_at(d, 2, "outcome"), "infeasible");
    assert_string_equal(text_at(d, 2, "reason"),
                        "only 8 records: k-anonymity with k = 9 cannot be met");
    assert_int_equal(kith_document_number(d, "best", 0), 1);
    kith_document_free(d);
}

/* Recomputes the marks by the definition. */
static void pareto_marks_what_none_beats(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,3,4,8,9", "algorithm=weave,mondrian,flash,datafly"};
    kith_document *d = NULL;
    size_t marked = 0;
    assert_int_equal(try_sets(&d, s, sets, 2, NULL), KITH_OK);
    for (size_t i = 0; i < 20; i++) {
        char path[32];
        bool beaten = isnan(number_at(d, i, "loss"));
        for (size_t k = 0; k < 20 && !beaten; k++) {
            double loss = number_at(d, k, "loss") - number_at(d, i, "loss");
            double risk = number_at(d, k, "risk_highest") - number_at(d, i, "risk_highest");
            beaten = loss <= 0 && risk <= 0 && loss + risk < 0;
        }
        snprintf(path, sizeof path, "rows.%zu.pareto", i);
        assert_int_equal(kith_document_flag(d, path, false), !beaten);
        marked += !beaten;
    }
    assert_true(marked >= 2);
    kith_document_free(d);
}

/* Losses of different measures are not compared. */
static void different_measures_are_shown_as_lm(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"utility.measure=lm,em"};
    kith_document *d = NULL;
    assert_int_equal(try_sets(&d, s, sets, 1, NULL), KITH_OK);
    assert_string_equal(kith_document_text(d, "measure", ""), "lm");
    for (size_t i = 0; i < 2; i++)
        assert_true(number_at(d, i, "loss") == number_at(d, i, "lm"));
    kith_document_free(d);
    static const char *const same[] = {"utility.measure=em"};
    assert_int_equal(try_sets(&d, s, same, 1, NULL), KITH_OK);
    assert_string_equal(kith_document_text(d, "measure", ""), "em");
    kith_document_free(d);
}

/* Asks to stop as soon as one row is finished. */
static bool stop_after_first(void *user, const char *phase, double done)
{
    (void)user;
    return strncmp(phase, "try", 3) != 0 || done == 0;
}

static bool stop_at_once(void *user, const char *phase, double done)
{
    (void)user;
    (void)done;
    return strncmp(phase, "try", 3) != 0;
}

/* The second row would search for a minute. */
static void stopped_rows_are_missing(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"effort=quick,60"};
    kith_document *d = NULL;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .progress = stop_after_first);
    assert_int_equal(try_sets(&d, s, sets, 1, &run), KITH_OK);
    assert_true(kith_document_flag(d, "interrupted", false));
    assert_string_equal(text_at(d, 0, "outcome"), "released");
    assert_string_equal(text_at(d, 1, "outcome"), "missing");
    kith_document_free(d);
    run.progress = stop_at_once;
    assert_int_equal(try_sets(&d, s, sets, 1, &run), KITH_CANCELLED);
}

static void wrong_sets_are_refused(void **state)
{
    scene *s = *state;
    static const struct {
        const char *set, *message;
    } wrong[] = {
        {"k", "expected KEY=VALUE,VALUE…, found 'k'"},
        {"=3", "expected KEY=VALUE,VALUE…, found '=3'"},
        {"k=", "'k': a value is empty"},
        {"k=3,3", "'k': the value '3' is given twice"},
        {"algoritm=weave", "<memory>: the study has no key 'algoritm' (did you mean 'algorithm'?)"},
        {"utility.supression=1",
         "<memory>: utility has no key 'supression' (did you mean 'suppression'?)"},
        {"privacy.0.l=1", "<memory>: k-anonymity has no key 'l'"},
        {"relax=1", "<memory>: 'relax' is not offered: a run never lowers a privacy parameter, ask "
                    "for what can be met"},
        {"columns=1", "<memory>: 'columns' is a list, not a single value"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kith_document *d = NULL;
        assert_int_equal(try_sets(&d, s, &wrong[i].set, 1, NULL), KITH_INVALID);
        assert_string_equal(s->error.message, wrong[i].message);
    }
    static const char *const twice[] = {"k=3", "privacy.0.k=4"};
    kith_document *d = NULL;
    assert_int_equal(try_sets(&d, s, twice, 2, NULL), KITH_INVALID);
    assert_string_equal(s->error.message, "'k' and 'privacy.0.k' are the same key");
    static const char *const many[] = {"k=2,3,4,5,6,7,8,9,10,11,12",
                                       "max_passes=1,2,3,4,5,6,7,8,9,10",
                                       "restarts=1,2,3,4,5,6,7,8,9,10"};
    assert_int_equal(try_sets(&d, s, many, 3, NULL), KITH_INVALID);
    assert_string_equal(s->error.message, "more than 1000 combinations");
}

/* Studies that read the data in different ways get tables of their own. */
static void studies_may_read_other_columns(void **state)
{
    scene *s = *state;
    kith_study *other = study_of("study: ages\n"
                                 "columns: [{name: age, role: quasi-identifying}]\n"
                                 "privacy: [{model: k-anonymity, k: 8}]\n");
    kith_study *wrong = study_of("study: none\n"
                                 "columns: [{name: height, role: quasi-identifying}]\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n");
    const kith_study *studies[] = {s->study, other, wrong};
    const kith_try_options options =
        KITH_OPTIONS(kith_try_options, .input = KITH_INPUT_URI(s->data));
    kith_document *d = NULL;
    assert_int_equal(kith_try(&d, studies, 3, &options, NULL, &s->error), KITH_OK);
    assert_string_equal(text_at(d, 0, "outcome"), "released");
    assert_true(number_at(d, 1, "loss") == 1);
    assert_string_equal(text_at(d, 2, "outcome"), "refused");
    assert_non_null(strstr(text_at(d, 2, "reason"), "height"));
    kith_document_free(d);
    kith_study_free(other);
    kith_study_free(wrong);
}

static void saves_the_study_of_a_row(void **state)
{
    scene *s = *state;
    static const char *const sets[] = {"k=2,4", "effort=quick"};
    const kith_study *studies[] = {s->study};
    const kith_try_options options = KITH_OPTIONS(kith_try_options, .sets = sets, .n_sets = 2);
    char *text = NULL, expected[800];
    assert_int_equal(kith_try_study(&text, studies, 1, 2, ".", &options, &s->error), KITH_OK);
    snprintf(expected, sizeof expected, "effort: quick\n%.*s 4}]\n", (int)strlen(study_text) - 5,
             study_text);
    assert_string_equal(text, expected);
    kith_free(text);
    assert_int_equal(kith_try_study(&text, studies, 1, 3, ".", &options, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message, "there is no row 3: rows are 1 to 2");
}

/* Relative paths must lead to the same hierarchies from where the study is saved. */
static void saves_only_where_paths_mean_the_same(void **state)
{
    scene *s = *state;
    const char *path = place_file(&s->place, "s.yaml",
                                  "study: p\n"
                                  "columns:\n"
                                  "  - {name: sex, role: quasi-identifying, hierarchy: sex.csv}\n"
                                  "privacy: [{model: k-anonymity, k: 3}]\n");
    kith_study *study = NULL;
    char *text = NULL;
    const kith_try_options options = KITH_INIT(kith_try_options);
    place_file(&s->place, "sex.csv", "f;*\nm;*\n");
    assert_int_equal(kith_study_read(&study, path, NULL, &s->error), KITH_OK);
    const kith_study *studies[] = {study};
    assert_int_equal(kith_try_study(&text, studies, 1, 1, s->place.directory, &options, &s->error),
                     KITH_OK);
    kith_free(text);
    assert_int_equal(kith_try_study(&text, studies, 1, 1, "/nowhere", &options, &s->error),
                     KITH_INVALID);
    assert_string_equal(
        s->error.message,
        "the study names files by relative paths, which lead elsewhere from /nowhere");
    kith_study_free(study);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(rows_equal_single_runs),
        CASE(any_number_of_threads_gives_the_same),
        CASE(reasons_stand_in_rows),
        CASE(pareto_marks_what_none_beats),
        CASE(different_measures_are_shown_as_lm),
        CASE(stopped_rows_are_missing),
        CASE(wrong_sets_are_refused),
        CASE(studies_may_read_other_columns),
        CASE(saves_the_study_of_a_row),
        CASE(saves_only_where_paths_mean_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
