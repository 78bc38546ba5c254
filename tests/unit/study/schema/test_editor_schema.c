/* docs/study.schema.json, which editors use, says what the schema walker says: the same mappings
 * with the same keys, and the same words where there is a choice. Calls of the walker go through
 * wrappers here, which note what it asked for. */
/* needs: weave clustering encrypted-view mondrian id-based */
/* wrap: yaml_walk_map yaml_walk_choice */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/study.h>

#include "core/document.h"
#include "study/yaml/yaml_walk.h"

enum { SEEN = 128, WORDS = 64 };

/* A mapping and its keys, or a key and the words that it takes. */
typedef struct list {
    char what[64];
    char words[WORDS][48];
    bool required[WORDS];
    size_t count;
} list;

static list maps[SEEN], choices[SEEN];
static size_t n_maps, n_choices;

static list *find(list *all, size_t *count, const char *what)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(all[i].what, what) == 0)
            return &all[i];
    assert_true(*count < SEEN);
    snprintf(all[*count].what, sizeof all[*count].what, "%s", what);
    return &all[(*count)++];
}

static void add(list *l, const char *word, bool required)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->words[i], word) == 0)
            return;
    assert_true(l->count < WORDS);
    snprintf(l->words[l->count], sizeof l->words[0], "%s", word);
    l->required[l->count++] = required;
}

void __real_yaml_walk_map(yaml_walk *walk, const yaml_node_t *node, const char *what,
                          const yaml_key *keys, const yaml_node_t **values);
void __wrap_yaml_walk_map(yaml_walk *walk, const yaml_node_t *node, const char *what,
                          const yaml_key *keys, const yaml_node_t **values);
void __wrap_yaml_walk_map(yaml_walk *walk, const yaml_node_t *node, const char *what,
                          const yaml_key *keys, const yaml_node_t **values)
{
    list *l = find(maps, &n_maps, what);
    for (size_t i = 0; keys[i].name != NULL; i++)
        if (keys[i].refused == NULL)
            add(l, keys[i].name, keys[i].required);
    __real_yaml_walk_map(walk, node, what, keys, values);
}

bool __real_yaml_walk_choice(yaml_walk *walk, const yaml_node_t *node, const char *what,
                             const char *const *names, size_t *index);
bool __wrap_yaml_walk_choice(yaml_walk *walk, const yaml_node_t *node, const char *what,
                             const char *const *names, size_t *index);
bool __wrap_yaml_walk_choice(yaml_walk *walk, const yaml_node_t *node, const char *what,
                             const char *const *names, size_t *index)
{
    list *l = find(choices, &n_choices, what);
    for (size_t i = 0; names[i] != NULL; i++)
        if (strchr(names[i], '{') == NULL) /* a form, for the message only */
            add(l, names[i], false);
    return __real_yaml_walk_choice(walk, node, what, names, index);
}

/* --- studies that make the walker ask for everything --- */

static void walk_over(const char *text)
{
    kith_study *study = NULL;
    kith_findings *findings = kith_findings_new();
    (void)!kith_study_parse(&study, text, strlen(text), ".", findings, NULL);
    kith_study_free(study);
    kith_findings_free(findings);
}

static const char head[] =
    "study: s\n"
    "columns:\n"
    "  - {name: a, role: quasi-identifying, type: integer, domain: {range: [0, 9]}}\n"
    "  - {name: b, role: quasi-identifying, hierarchy: {intervals: [5]}, type: x, domain: x}\n"
    "  - {name: c, role: quasi-identifying, hierarchy: {mask: x}}\n"
    "  - {name: d, role: quasi-identifying, hierarchy: {dates: [x]}, type: date}\n"
    "  - {name: n, role: quasi-identifying, type: decimal, decimal: x, microaggregate: x}\n"
    "  - {name: e, role: x}\n"
    "  - {name: f, role: sensitive}\n";

static void ask_for_everything(void)
{
    static const char *const tails[] = {
        "privacy: [{model: x}]\nutility: {measure: x, norm: x}\nmissing: x\nalgorithm: x\n",
        "privacy: [{model: k-anonymity, k: 2}]\nutility: {measure: lm, norm: x}\n"
        "algorithm: sequential\nfinish: x\n",
        "privacy: [{model: k-anonymity, k: 2}]\nutility: {measure: pmi, norm: x}\n",
        "privacy: [{model: k-anonymity, k: 2}]\nalgorithm: mondrian\nmondrian: x\norder: x\n",
        "privacy: [{model: k-anonymity, k: 2}]\npartition: x\n",
        "privacy: [{model: k-anonymity, k: 2}]\npartition: vertical\nunmatched: x\n"
        "protocol: x\n",
        "privacy: [{model: k-anonymity, k: 2}]\npartition: vertical\nunmatched: x\n",
        "privacy: [{model: delta-presence, min: 0, max: 1, subset: {column: a}}]\n",
        "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\npublish: x\n"
        "parties: [{name: x}, {name: y}]\nclients: [{name: z}]\nqueries: {rows: true}\n",
        "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\npublish: virtual\n"
        "parties: [{name: x}, {name: y}]\nclients: [{name: z}]\nqueries: {rows: true}\n",
        "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\nprotocol: id-based\n"
        "hashing: x\n"};
    char text[2048];
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(text, sizeof text, "%s%s", head, tails[i]);
        walk_over(text);
    }
    const list *models = find(choices, &n_choices, "model");
    assert_true(models->count > 10);
    for (size_t i = 0; i < models->count; i++) {
        snprintf(text, sizeof text, "%sprivacy: [{model: %s, variant: x, attribute: f}]\n", head,
                 models->words[i]);
        walk_over(text);
    }
}

/* --- the file --- */

static kith_document *schema;

static size_t n_at(const char *path, const char *more)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s%s", path, path[0] == '\0' ? "" : ".", more);
    return kith_document_n_items(schema, full);
}

/* Where the file has a mapping. */
static void place_of(char path[128], const char *what)
{
    static const char *const names[][2] = {
        {"the study", ""},
        {"a column", "definitions.column"},
        {"a hierarchy", "definitions.hierarchy"},
        {"a domain", "definitions.domain"},
        {"a party", "definitions.party"},
        {"a client", "definitions.client"},
    };
    snprintf(path, 128, "definitions.%s", what);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], what) == 0)
            snprintf(path, 128, "%s", names[i][1]);
}

static bool is_required(const char *path, const char *key)
{
    const size_t count = n_at(path, "required");
    for (size_t i = 0; i < count; i++) {
        char full[256];
        snprintf(full, sizeof full, "%s%srequired.%zu", path, path[0] == '\0' ? "" : ".", i);
        if (strcmp(kith_document_text(schema, full, ""), key) == 0)
            return true;
    }
    return false;
}

static void compare_map(const list *l)
{
    char path[128];
    place_of(path, l->what);
    if (n_at(path, "properties") != l->count)
        fail_msg("%s: the walker knows %zu keys, the file %zu", l->what, l->count,
                 n_at(path, "properties"));
    for (size_t i = 0; i < l->count; i++) {
        char full[256];
        snprintf(full, sizeof full, "%s%sproperties.%s", path, path[0] == '\0' ? "" : ".",
                 l->words[i]);
        if (!kith_document_has(schema, full))
            fail_msg("%s: the file lacks the key %s", l->what, l->words[i]);
        if (is_required(path, l->words[i]) != l->required[i])
            fail_msg("%s: is %s required?", l->what, l->words[i]);
    }
}

/* Words of a choice are under definitions.words.definitions.<key>. */
static void compare_choice(const list *l)
{
    char path[256];
    snprintf(path, sizeof path, "definitions.words.definitions.%.60s.enum", l->what);
    if (kith_document_n_items(schema, path) != l->count)
        fail_msg("%s: the walker knows %zu words, the file %zu", l->what, l->count,
                 kith_document_n_items(schema, path));
    for (size_t i = 0; i < l->count; i++) {
        bool found = false;
        for (size_t j = 0; j < l->count; j++) {
            snprintf(path, sizeof path, "definitions.words.definitions.%.60s.enum.%zu", l->what, j);
            found = found || strcmp(kith_document_text(schema, path, ""), l->words[i]) == 0;
        }
        if (!found)
            fail_msg("%s: the file lacks the word %s", l->what, l->words[i]);
    }
}

static void print_list(const list *l, const char *kind)
{
    printf("%s\t%s", kind, l->what);
    for (size_t i = 0; i < l->count; i++)
        printf("\t%s%s", l->words[i], l->required[i] ? "!" : "");
    puts("");
}

static void the_file_says_what_the_walker_says(void **state)
{
    (void)state;
    ask_for_everything();
    if (getenv("KITH_PRINT_SCHEMA") != NULL) { /* for who changes the file */
        for (size_t i = 0; i < n_maps; i++)
            print_list(&maps[i], "map");
        for (size_t i = 0; i < n_choices; i++)
            print_list(&choices[i], "choice");
    }
    assert_int_equal(document_read(&schema, KITH_SOURCE "/docs/study.schema.json", NULL), KITH_OK);
    for (size_t i = 0; i < n_maps; i++)
        compare_map(&maps[i]);
    for (size_t i = 0; i < n_choices; i++)
        compare_choice(&choices[i]);
    assert_int_equal(kith_document_n_items(schema, "definitions.words.definitions"), n_choices);
    /* Every mapping has a definition of its own, and there is none beside them and the words. The
     * study itself is the root. */
    assert_int_equal(kith_document_n_items(schema, "definitions"), n_maps);
    kith_document_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_file_says_what_the_walker_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
