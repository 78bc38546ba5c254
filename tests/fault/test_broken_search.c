/* A search that lies: whatever it returns, a release that breaks a model or does not cover the data
 * never appears. */
/* wrap: search_run */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search/search.h"

kith_status __real_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error);
kith_status __wrap_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error);

typedef enum lie { NO_LIE, SMALL_CLASS, WRONG_NODE, UNIFORM_CLASS } lie;
static lie told;

/* Gives record 0 a class of its own that shows its cells as they are. */
static void split_off(partition *p, const problem *q, arena *memory)
{
    uint32_t *closure =
        arena_array(memory, (p->n_classes + (size_t)1) * q->n_attributes, sizeof *closure);
    assert_non_null(closure);
    memcpy(closure, p->closure, (size_t)p->n_classes * q->n_attributes * sizeof *closure);
    for (uint32_t j = 0; j < q->n_attributes; j++)
        closure[(size_t)p->n_classes * q->n_attributes + j] = q->attributes[j].cells[0];
    p->class_of[0] = p->n_classes++;
    p->closure = closure;
}

/* Shows a leaf in a whole class. */
static void show_a_leaf(partition *p, const problem *q)
{
    for (uint32_t j = 0; j < q->n_attributes; j++)
        p->closure[j] = q->attributes[j].cells[0];
}

/* Classes by sensitive value, everything hidden but that the first attribute tells them apart. */
static void group_by_sensitive(partition *p, const problem *q)
{
    p->n_classes = 2;
    for (uint32_t i = 0; i < q->n_records; i++)
        p->class_of[i] = q->sensitive[0].values[i] == q->sensitive[0].values[0] ? 0 : 1;
    for (uint32_t j = 0; j < q->n_attributes; j++) {
        p->closure[j] = tree_root(q->attributes[j].tree);
        p->closure[q->n_attributes + j] = j == 0 ? q->attributes[0].cells[0] : p->closure[j];
    }
}

kith_status __wrap_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error)
{
    kith_status status = __real_search_run(result, a, p, spec, c, error);
    if (status != KITH_OK)
        return status;
    switch (told) {
    case NO_LIE: break;
    case SMALL_CLASS: split_off(&result->partition, p, c->memory); break;
    case WRONG_NODE: show_a_leaf(&result->partition, p); break;
    case UNIFORM_CLASS: group_by_sensitive(&result->partition, p); break;
    }
    return status;
}

static const char study_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: sex, role: quasi-identifying}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 3}\n"
    "  - {model: l-diversity, variant: frequency, l: 1.5, attribute: disease}\n"
    "algorithm: sequential\nrestarts: 20\n";

static const char data[] = "zip,sex,disease\n"
                           "81,m,flu\n82,f,cold\n83,m,flu\n91,f,cold\n92,m,flu\n93,f,cold\n";

static kith_status run(lie what, bool to_file, bool *appeared, kith_error *error)
{
    char directory[] = "/tmp/kith-lie-XXXXXX", in[64], out[64], meta[64];
    kith_study *study = NULL;
    assert_non_null(mkdtemp(directory));
    snprintf(in, sizeof in, "%s/d.csv", directory);
    snprintf(out, sizeof out, "%s/r.csv", directory);
    snprintf(meta, sizeof meta, "%s/r.csv.meta.json", directory);
    FILE *file = fopen(in, "w");
    assert_non_null(file);
    fputs(data, file);
    fclose(file);
    told = what;
    assert_int_equal(kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, error),
                     KITH_OK);
    kith_anonymize_options options = KITH_OPTIONS(
        kith_anonymize_options, .input = KITH_INPUT_URI(in), .output = to_file ? out : "/dev/null");
    kith_status status = kith_anonymize(NULL, study, &options, NULL, error);
    *appeared = access(out, F_OK) == 0 || access(meta, F_OK) == 0;
    kith_study_free(study);
    unlink(in);
    unlink(out);
    unlink(meta);
    assert_int_equal(rmdir(directory), 0); /* nothing else was left */
    return status;
}

static void caught(lie what, const char *message)
{
    for (int to_file = 0; to_file < 2; to_file++) {
        kith_error error = {0};
        bool appeared;
        assert_int_equal(run(what, to_file, &appeared, &error), KITH_BUG);
        assert_false(appeared);
        assert_string_equal(error.message, message);
    }
}

static void an_honest_search_passes(void **state)
{
    (void)state;
    kith_error error = {0};
    bool appeared;
    assert_int_equal(run(NO_LIE, true, &appeared, &error), KITH_OK);
    assert_true(appeared);
}

static void a_small_class_is_caught(void **state)
{
    (void)state;
    caught(SMALL_CLASS, "the release breaks k-anonymity (worst class: 1); nothing is written");
}

static void a_uniform_class_is_caught(void **state)
{
    (void)state;
    caught(UNIFORM_CLASS, "the release breaks l-diversity (worst class: 1); nothing is written");
}

static void a_wrong_node_is_caught(void **state)
{
    (void)state;
    caught(WRONG_NODE, "the release does not cover the data; nothing is written");
}

/* In a joint run the search of another party lies: that is a peer's fault. */
static void a_lying_master_is_caught(void **state)
{
    (void)state;
    char directory[] = "/tmp/kith-lie-XXXXXX", in[64], out[64], text[sizeof study_text + 64];
    kith_study *study = NULL;
    kith_error error = {0};
    assert_non_null(mkdtemp(directory));
    snprintf(in, sizeof in, "%s/d.csv", directory);
    snprintf(out, sizeof out, "%s/out", directory);
    FILE *file = fopen(in, "w");
    assert_non_null(file);
    fputs(data, file);
    fclose(file);
    snprintf(text, sizeof text, "%spartition: horizontal\nprotocol: encrypted-view\n", study_text);
    assert_int_equal(kith_study_parse(&study, text, strlen(text), ".", NULL, &error), KITH_OK);
    kith_simulate_options options = KITH_OPTIONS(kith_simulate_options, .input = KITH_INPUT_URI(in),
                                                 .directory = out, .n_sites = 2);
    told = SMALL_CLASS;
    assert_int_equal(kith_simulate(NULL, study, &options, NULL, &error), KITH_PEER);
    assert_non_null(strstr(error.message,
                           "the release breaks k-anonymity (worst class: 1); nothing "
                           "is written; some party did not keep to the protocol"));
    assert_int_not_equal(access(out, F_OK), 0);
    kith_study_free(study);
    unlink(in);
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_honest_search_passes),   cmocka_unit_test(a_small_class_is_caught),
        cmocka_unit_test(a_uniform_class_is_caught), cmocka_unit_test(a_wrong_node_is_caught),
        cmocka_unit_test(a_lying_master_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
