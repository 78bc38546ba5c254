/* Whole jobs: what appears, what does not, and what the summary says. */
#include "unit/job/support.h"

static const char study_text[] =
    "study: people\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy: [{model: k-anonymity, k: 3}]\n"
    "algorithm: sequential\nrestarts: 20\n";

/* Another order than the study's, and a column that it does not name. */
static const char data[] = "disease;who;zip;age\n"
                           "flu;Ada;81667;21\ncold;Ben;81669;23\ngout;Cem;81661;24\n"
                           "flu;Dee;90402;41\ncold;Eva;90403;44\nflu;Fay;90408;47\n";

typedef struct scene {
    place place;
    kith_study *study;
    const char *data, *release, *meta;
    kith_input input;
    kith_anonymize_options options;
    kith_error error;
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    place_make(&s->place);
    s->study = study_of(study_text);
    s->data = place_file(&s->place, "data.csv", data);
    s->release = place_file(&s->place, "release.csv", NULL);
    s->meta = place_file(&s->place, "release.csv.meta.json", NULL);
    s->input = *KITH_INPUT_URI(s->data);
    s->options = (kith_anonymize_options)KITH_OPTIONS(kith_anonymize_options, .input = &s->input,
                                                      .output = s->release);
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

static void nothing_appeared(const scene *s)
{
    assert_int_equal(access(s->release, F_OK), -1);
    assert_int_equal(access(s->meta, F_OK), -1);
}

static void releases(scene *s, const char *expected)
{
    char text[512];
    kith_document *summary = NULL;
    s->options.overwrite = true;
    assert_int_equal(kith_anonymize(&summary, s->study, &s->options, NULL, &s->error), KITH_OK);
    FILE *file = fopen(s->release, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
    assert_int_equal(access(s->meta, F_OK), 0);
    assert_int_equal(kith_document_n_items(summary, "warnings"), s->options.keep_order);
    kith_document_free(summary);
}

static void keeps_columns_in_order_and_sorts_rows(void **state)
{
    scene *s = *state;
    releases(s, "disease;zip;age\n"
                "cold;8166*;20-29\ncold;9040*;40-49\nflu;8166*;20-29\n"
                "flu;9040*;40-49\nflu;9040*;40-49\ngout;8166*;20-29\n");
    s->options.keep_order = true;
    releases(s, "disease;zip;age\n"
                "flu;8166*;20-29\ncold;8166*;20-29\ngout;8166*;20-29\n"
                "flu;9040*;40-49\ncold;9040*;40-49\nflu;9040*;40-49\n");
}

static void one_order_is_chosen(void **state)
{
    scene *s = *state;
    s->options.keep_order = true;
    s->options.shuffle = true;
    assert_int_equal(kith_anonymize(NULL, s->study, &s->options, NULL, &s->error), KITH_INVALID);
    assert_string_equal(s->error.message,
                        "rows in the order of the data or in a random one: not both");
    nothing_appeared(s);
}

/* Looks at what is about to appear; refuses it if `user` says so. */
static kith_status look(void *user, const kith_review *about, kith_error *error)
{
    static const char *const in_order[] = {"flu", "cold", "gout", "flu", "cold", "flu"};
    const bool *refuse = user;
    assert_int_equal(kith_table_n_rows(about->data), 6);
    assert_int_equal(kith_table_n_rows(about->release), 6);
    for (size_t row = 0; row < 6; row++) /* diseases, released as they are */
        assert_string_equal(kith_table_cell(about->release, row, 0), in_order[row]);
    assert_int_equal(kith_document_number(about->summary, "records", 0), 6);
    if (!*refuse)
        return KITH_OK;
    error->status = KITH_IO;
    return KITH_IO;
}

static void a_review_comes_before_the_release(void **state)
{
    scene *s = *state;
    bool refuse = true;
    s->options.review = look;
    s->options.review_user = &refuse;
    assert_int_equal(kith_anonymize(NULL, s->study, &s->options, NULL, &s->error), KITH_IO);
    nothing_appeared(s);
    refuse = false;
    assert_int_equal(kith_anonymize(NULL, s->study, &s->options, NULL, &s->error), KITH_OK);
    assert_int_equal(access(s->release, F_OK), 0);
}

static void the_summary_has_its_keys(void **state)
{
    scene *s = *state;
    kith_document *d;
    kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = UINT64_MAX, .n_threads = 2);
    assert_int_equal(kith_anonymize(&d, s->study, &s->options, &run, &s->error), KITH_OK);
    static const char *const keys[] = {"kith",
                                       "command",
                                       "study",
                                       "seed",
                                       "algorithm",
                                       "records",
                                       "attributes",
                                       "classes",
                                       "smallest_class",
                                       "suppressed",
                                       "loss.lm",
                                       "loss.em",
                                       "loss.entropy",
                                       "loss.tree",
                                       "loss.dm",
                                       "loss.cm",
                                       "loss.average_class",
                                       "objective",
                                       "attribute_loss.age.lm",
                                       "models.0.model",
                                       "models.0.k",
                                       "models.0.holds",
                                       "models.0.worst",
                                       "passes",
                                       "seconds.load",
                                       "seconds.search",
                                       "seconds.write",
                                       "seconds.total",
                                       "peak_rss_bytes",
                                       "interrupted",
                                       "dropped"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!kith_document_has(d, keys[i]))
            fail_msg("no key %s", keys[i]);
    assert_int_equal(kith_document_number(d, "classes", 0), 2);
    assert_true(kith_document_flag(d, "models.0.holds", false));
    assert_true(kith_document_number(d, "peak_rss_bytes", 0) > 1e5);
    assert_true(kith_document_number(d, "seconds.total", -1) >=
                kith_document_number(d, "seconds.search", 0));
    char *json = kith_document_json(d, false);
    assert_non_null(strstr(json, "\"seed\":18446744073709551615"));
    kith_free(json);
    kith_document_free(d);
}

static void the_seed_is_null_if_none_was_given(void **state)
{
    scene *s = *state;
    kith_document *d;
    assert_int_equal(kith_anonymize(&d, s->study, &s->options, NULL, &s->error), KITH_OK);
    char *json = kith_document_json(d, false);
    assert_non_null(strstr(json, "\"seed\":null"));
    kith_free(json);
    kith_document_free(d);
}

/* The weighted mean of what was lost per attribute. */
static void the_objective_is_weighted(void **state)
{
    scene *s = *state;
    kith_document *d;
    char text[512];
    snprintf(text, sizeof text, "%sutility: {measure: em, weights: {age: 3}}\n", study_text);
    kith_study *study = study_of(text);
    assert_int_equal(kith_anonymize(&d, study, &s->options, NULL, &s->error), KITH_OK);
    double age = kith_document_number(d, "attribute_loss.age.em", -1);
    double zip = kith_document_number(d, "attribute_loss.zip.em", -1);
    assert_true(fabs(kith_document_number(d, "objective", 0) - (3 * age + zip) / 4) < 1e-12);
    assert_true(fabs(kith_document_number(d, "loss.em", 0) - (age + zip) / 2) < 1e-12);
    kith_document_free(d);
    kith_study_free(study);
}

typedef struct stopper {
    const char *phase;
    bool met;
} stopper;

static bool stop_at(void *user, const char *phase, double done)
{
    stopper *s = user;
    (void)done;
    s->met = s->met || strcmp(phase, s->phase) == 0;
    return !s->met;
}

static void stops_in_every_phase(void **state)
{
    scene *s = *state;
    static const char *const phases[] = {"load", "search", "write", "verify", "finish"};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        stopper stop = {.phase = phases[i]};
        kith_run run = KITH_OPTIONS(kith_run, .progress = stop_at, .user = &stop);
        kith_document *d = NULL;
        assert_int_equal(kith_anonymize(&d, s->study, &s->options, &run, &s->error),
                         KITH_CANCELLED);
        assert_true(stop.met);
        assert_null(d);
        nothing_appeared(s);
    }
}

static void refuses_what_exists_and_the_input(void **state)
{
    scene *s = *state;
    s->options.output = s->data;
    s->options.overwrite = true;
    assert_int_equal(kith_anonymize(NULL, s->study, &s->options, NULL, &s->error), KITH_INVALID);
    s->options.output = s->release;
    assert_int_equal(kith_anonymize(NULL, s->study, &s->options, NULL, &s->error), KITH_OK);
    s->options.overwrite = false;
    assert_int_equal(kith_anonymize(NULL, s->study, &s->options, NULL, &s->error), KITH_INVALID);
    assert_non_null(strstr(s->error.message, "exists already"));
}

static void says_when_a_model_cannot_be_met(void **state)
{
    scene *s = *state;
    kith_study *study = study_of("study: s\ncolumns:\n"
                                 "  - {name: zip, role: quasi-identifying}\n"
                                 "privacy: [{model: k-anonymity, k: 7}]\n");
    assert_int_equal(kith_anonymize(NULL, study, &s->options, NULL, &s->error), KITH_INFEASIBLE);
    nothing_appeared(s);
    kith_study_free(study);
}

static void anonymizes_in_memory(void **state)
{
    scene *s = *state;
    const char *cells[] = {"21", "81667", "flu", "23", "81669", NULL, "29", "81661", "gout"};
    kith_table *table = table_of(s->study, cells, 3), *released = NULL;
    assert_int_equal(kith_anonymize_table(&released, NULL, s->study, table, NULL, NULL), KITH_OK);
    assert_int_equal(kith_table_n_rows(released), 3);
    for (size_t row = 0; row < 3; row++) {
        assert_string_equal(cell_of(released, row, 0), "20-29");
        assert_string_equal(cell_of(released, row, 1), "8166*");
    }
    assert_string_equal(cell_of(released, 0, 2), "flu");
    assert_string_equal(cell_of(released, 1, 2), "gout");
    assert_null(kith_table_cell(released, 2, 2));
    kith_table_free(released);
    kith_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_columns_in_order_and_sorts_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(one_order_is_chosen, setup, teardown),
        cmocka_unit_test_setup_teardown(a_review_comes_before_the_release, setup, teardown),
        cmocka_unit_test_setup_teardown(the_summary_has_its_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(the_seed_is_null_if_none_was_given, setup, teardown),
        cmocka_unit_test_setup_teardown(the_objective_is_weighted, setup, teardown),
        cmocka_unit_test_setup_teardown(stops_in_every_phase, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_exists_and_the_input, setup, teardown),
        cmocka_unit_test_setup_teardown(says_when_a_model_cannot_be_met, setup, teardown),
        cmocka_unit_test_setup_teardown(anonymizes_in_memory, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
