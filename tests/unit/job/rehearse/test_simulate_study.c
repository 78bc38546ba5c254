/* The sites' study is the original one, but for its parties. */
#include "unit/job/support.h"

#include "job/rehearse/simulate_study.h"
#include "study/study.h"

#define PIN_1 "sha256:1111111111111111111111111111111111111111111111111111111111111111"
#define PIN_2 "sha256:2222222222222222222222222222222222222222222222222222222222222222"

static const simulate_party sites[] = {{"site1", "127.0.0.1:7001", PIN_1, true},
                                       {"site2", "127.0.0.1:7002", PIN_2, true}};

/* Reads, cuts and reads again. */
static kith_study *cut(const char *text, const char *split_text, simulate_changes changes,
                       char **written)
{
    kith_study *study = study_of(text), *made;
    arena *memory = arena_new();
    simulate_split split;
    simulate_keys keys;
    kith_error error = {0};
    const char *result;
    assert_int_equal(simulate_study_keys(&keys, memory, study, &error), KITH_OK);
    partition_kind named = keys.partition ? study->joint.partition : PARTITION_NONE;
    if (simulate_split_read(&split, memory, study, named, split_text, 2, &error) != KITH_OK)
        fail_msg("%s", error.message);
    changes.split = &split;
    changes.parties = sites;
    changes.n_parties = 2;
    assert_int_equal(simulate_study_text(&result, memory, study, &changes, &error), KITH_OK);
    *written = strdup(result);
    made = study_of(result);
    arena_free(memory);
    kith_study_free(study);
    return made;
}

#define COLUMNS                                              \
    "columns:\n  - {name: age, role: quasi-identifying}\n"   \
    "  - {name: \"z\\\"ip, ü\", role: quasi-identifying}\n" \
    "  - {name: who, role: identifying}\n"
#define PRIVACY "privacy:\n  - {model: k-anonymity, k: 2}\n"

static void parties_are_replaced(void **state)
{
    (void)state;
    char *text;
    kith_study *made = cut("# ü: a comment\nstudy: ünder\n" COLUMNS
                           "parties:\n  - {name: north, address: \"h:1\", key: \"" PIN_1 "\"}\n"
                           "  - name: south\n    address: \"h:2\"\n    key: \"" PIN_2 "\"\n"
                           "# about privacy\n" PRIVACY,
                           "rows", (simulate_changes){.master = UINT32_MAX}, &text);
    assert_int_equal(made->n_parties, 2);
    assert_string_equal(made->parties[0].name, "site1");
    assert_string_equal(made->parties[1].address, "127.0.0.1:7002");
    assert_int_equal(made->parties[0].n_columns, 0);
    assert_int_equal(made->joint.partition, PARTITION_HORIZONTAL);
    assert_string_equal(made->name, "ünder");
    assert_int_equal(made->n_models, 1);
    assert_null(strstr(text, "north"));
    assert_null(strstr(text, "south"));
    free(text);
    kith_study_free(made);
}

/* Parties last, as a list that is not indented, and lines that end with CR LF. */
static void the_last_key_is_replaced(void **state)
{
    (void)state;
    char *text;
    kith_study *made = cut("study: a\r\ncolumns: [{name: age, role: quasi-identifying}]\r\n"
                           "privacy: [{model: k-anonymity, k: 2}]\r\nparties:\r\n"
                           "- {name: north, address: \"h:1\", key: \"" PIN_1 "\"}\r\n"
                           "- {name: south, address: \"h:2\", key: \"" PIN_2 "\"}\r\n...\r\n",
                           "rows", (simulate_changes){.master = UINT32_MAX}, &text);
    assert_int_equal(made->n_parties, 2);
    assert_string_equal(made->parties[1].name, "site2");
    free(text);
    kith_study_free(made);
}

/* New keys must not come after the mark with which the text ends. */
static void a_variant_has_its_keys(void **state)
{
    (void)state;
    static const char *const dropped[] = {"utility", "measure", NULL};
    kith_study *study = study_of("# first\nstudy: a\nutility: {measure: lm}\n# columns\ncolumns:\n"
                                 "  - {name: age, role: quasi-identifying}\n" PRIVACY "...\n");
    arena *memory = arena_new();
    const char *text;
    kith_error error;
    assert_int_equal(
        simulate_study_variant(&text, memory, study, dropped, "partition: horizontal\n", &error),
        KITH_OK);
    kith_study *variant = study_of(text);
    assert_int_equal(variant->joint.partition, PARTITION_HORIZONTAL);
    assert_null(strstr(text, "measure"));
    assert_non_null(strstr(text, "# first\n"));
    kith_study_free(variant);
    arena_free(memory);
    kith_study_free(study);
}

static void columns_are_told(void **state)
{
    (void)state;
    char *text;
    kith_study *made =
        cut("  study: a\n  partition: vertical\n  ids: who\n"
            "  columns:\n  - {name: age, role: quasi-identifying}\n"
            "  - {name: \"z\\\"ip, ü\", role: quasi-identifying}\n"
            "  - {name: who, role: identifying}\n  privacy: [{model: k-anonymity, k: 2}]\n",
            NULL, (simulate_changes){.master = UINT32_MAX}, &text);
    assert_int_equal(made->parties[0].n_columns, 1);
    assert_int_equal(made->parties[0].columns[0], 0);
    assert_int_equal(made->parties[1].n_columns, 1);
    assert_int_equal(made->parties[1].columns[0], 1);
    assert_string_equal(made->id_column, "who");
    free(text);
    kith_study_free(made);
}

/* An identifier and a partition where the study has none. */
static void keys_are_added_and_replaced(void **state)
{
    (void)state;
    char *text;
    kith_study *made =
        cut("study: a\ncolumns:\n  - {name: age, role: quasi-identifying}\n"
            "  - {name: zip, role: quasi-identifying}\n" PRIVACY,
            "columns:zip/age", (simulate_changes){.master = UINT32_MAX, .add_id = true}, &text);
    assert_string_equal(made->id_column, SIMULATE_ID);
    assert_int_equal(made->joint.partition, PARTITION_VERTICAL);
    assert_int_equal(made->parties[0].columns[0], 1);
    free(text);
    kith_study_free(made);
}

static void a_flow_mapping_is_refused(void **state)
{
    (void)state;
    kith_study *study = study_of("{study: a, columns: [{name: age, role: quasi-identifying}],\n"
                                 " privacy: [{model: k-anonymity, k: 2}]}\n");
    arena *memory = arena_new();
    simulate_keys keys;
    kith_error error = {0};
    assert_int_equal(simulate_study_keys(&keys, memory, study, &error), KITH_INVALID);
    assert_string_equal(
        error.message,
        "<memory>:1: the study is written as one {…}: its parties cannot be replaced");
    arena_free(memory);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parties_are_replaced),      cmocka_unit_test(the_last_key_is_replaced),
        cmocka_unit_test(columns_are_told),          cmocka_unit_test(keys_are_added_and_replaced),
        cmocka_unit_test(a_flow_mapping_is_refused), cmocka_unit_test(a_variant_has_its_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
