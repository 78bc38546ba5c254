/* Random studies, tables and releases with all models that parts can be judged by, and what one
 * process says of each release as a whole. Header only. */
#ifndef TESTS_ASSESS_SCENE_H
#define TESTS_ASSESS_SCENE_H

#include "unit/job/support.h"

#include "core/rng.h"
#include "job/assess/assess.h"

enum { COLUMNS = 6, MOST_ROWS = 90, MOST_RANKS = 7 };

static const char study_text[] =
    "study: s\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer,\n"
    "     hierarchy: {intervals: [5, 20]}, domain: {range: [0, 99]}}\n"
    "  - {name: town, role: quasi-identifying, hierarchy: {file: %s}}\n"
    "  - {name: code, role: quasi-identifying, hierarchy: {mask: right}}\n"
    "  - {name: ill, role: sensitive, hierarchy: {file: %s}}\n"
    "  - {name: stay, role: sensitive, type: integer}\n"
    "  - {name: note, role: insensitive}\n"
    "missing: %s\n"
    "utility: {measure: %s, suppression: %s%s, weights: {age: 2}}\n"
    "algorithm: %s\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 3}\n"
    "  - {model: l-diversity, variant: frequency, l: 2, attribute: ill}\n"
    "  - {model: l-diversity, variant: distinct, l: 3, attribute: stay}\n"
    "  - {model: l-diversity, variant: entropy, l: 2, attribute: stay}\n"
    "  - {model: l-diversity, variant: recursive, l: 2, c: 2, attribute: ill}\n"
    "  - {model: t-closeness, variant: equal, t: 0.4, attribute: ill}\n"
    "  - {model: t-closeness, variant: ordered, t: 0.2, attribute: stay}\n"
    "  - {model: t-closeness, variant: hierarchical, t: 0.3, attribute: ill}\n"
    "  - {model: alpha-k, alpha: 0.5, k: 3, attribute: ill}\n"
    "  - {model: p-sensitive, p: 2, k: 3, attribute: stay}\n"
    "  - {model: delta-presence, min: 0.05, max: 0.6, subset: {column: ill, values: [flu, cold]}}\n"
    "%s"
    "  - {model: delta-disclosure, delta: 2, attribute: ill}\n"
    "  - {model: beta-likeness, beta: 1, attribute: stay}\n"
    "  - {model: beta-likeness, variant: enhanced, beta: 2, attribute: ill}\n";

/* These need nodes, not ranges. */
static const char more_models[] =
    "  - {model: dissimilarity, epsilon: 0.2, delta: 0.3, k: 2, attribute: stay}\n"
    "  - {model: k-map, k: 4, population: %s}\n";

static const char towns[] = "aa;a;all\nab;a;all\nba;b;all\nbb;b;all\nbc;b;all\n";
static const char people[] = "age,town,code\n21,aa,10\n22,ab,10\n25,aa,11\n30,ab,11\n31,ba,13\n"
                             "35,ba,14\n36,bb,15\n40,bb,15\n41,bc,16\n47,bc,18\n";
static const char ills[] = "flu;lung;any\ncold;lung;any\nulcer;gut;any\nwart;skin;any\n";

/* What a seed draws. */
typedef struct variant {
    uint64_t seed;
    const char *missing, *measure, *suppression, *class_column;
    bool ranges;
    uint32_t n_rows, n_classes;
} variant;

typedef struct scene {
    place place;
    kith_study *study;
    kith_table *table, *texts;
    uint64_t *counts[COLUMNS];
    prepare_whole whole;
    context context;
    prepared prepared;
    assessment expected;
    char cells[MOST_ROWS * COLUMNS][24];
    const char *released[MOST_ROWS * COLUMNS];
    uint32_t near[MOST_ROWS]; /* people with near numbers are alike */
    uint32_t cuts[MOST_RANKS + 1];
} scene;

static inline void draw_study(scene *s, const variant *v)
{
    char text[sizeof study_text + 700], more[sizeof more_models + 100], class_column[40] = "";
    place_make(&s->place);
    const char *town_file = place_file(&s->place, "towns.csv", towns);
    const char *ill_file = place_file(&s->place, "ills.csv", ills);
    const char *people_file = place_file(&s->place, "people.csv", people);
    snprintf(more, sizeof more, more_models, people_file);
    if (v->class_column != NULL)
        snprintf(class_column, sizeof class_column, ", class: %s", v->class_column);
    snprintf(text, sizeof text, study_text, town_file, ill_file, v->missing, v->measure,
             v->suppression, class_column,
             v->ranges                ? "mondrian\nranges: true"
             : v->suppression[1] == 0 ? "weave"
                                      : "flash",
             v->ranges ? "" : more);
    s->study = study_of(text);
}

/* Stays are written in two ways, and cells of all columns are missing. */
static inline void draw_data(scene *s, const variant *v, rng *r)
{
    static const char *const town[] = {"aa", "ab", "ba", "bb", "bc"};
    static const char *const ill[] = {"flu", "cold", "ulcer", "wart"};
    const char *cells[MOST_ROWS * COLUMNS];
    for (uint32_t i = 0; i < v->n_rows; i++) { /* a random order */
        const uint32_t at = rng_below(r, i + 1);
        s->near[i] = s->near[at];
        s->near[at] = i;
    }
    for (uint32_t i = 0; i < v->n_rows; i++) {
        char(*row)[24] = &s->cells[(size_t)i * COLUMNS];
        const uint32_t near = s->near[i];
        snprintf(row[0], sizeof row[0], "%u", 20 + near / 3 + rng_below(r, 5));
        snprintf(row[1], sizeof row[1], "%s",
                 town[rng_below(r, 9) == 0 ? rng_below(r, 5) : near / 20 % 5]);
        snprintf(row[2], sizeof row[2], "%u", 10 + near / 9);
        snprintf(row[3], sizeof row[3], "%s", ill[i < 4 ? i : rng_below(r, 2 + rng_below(r, 3))]);
        snprintf(row[4], sizeof row[4], rng_below(r, 4) == 0 ? "%02u" : "%u", 1 + rng_below(r, 5));
        snprintf(row[5], sizeof row[5], "n%u", i);
        for (uint32_t j = 0; j < COLUMNS; j++)
            cells[(size_t)i * COLUMNS + j] = i > 4 && rng_below(r, 12) == 0 ? NULL : row[j];
    }
    s->table = table_of(s->study, cells, v->n_rows);
}

static inline void count_data(scene *s)
{
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const column *c = &s->table->columns[i];
        s->counts[i] = calloc(c->values.count + 1, sizeof *s->counts[i]);
        for (uint32_t row = 0; row < s->table->n_rows; row++)
            s->counts[i][c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]]++;
    }
    s->whole =
        (prepare_whole){.n_rows = s->table->n_rows, .counts = (const uint64_t *const *)s->counts};
}

/* The label of all records of a class in one attribute: a range, or the lowest node. */
static inline const char *label_of(scene *s, const variant *v, const uint32_t *class_of,
                                   uint32_t class, uint32_t j)
{
    const attribute *a = &s->prepared.problem.attributes[j];
    const kith_hierarchy *h = s->prepared.columns[s->prepared.quasi[j]].hierarchy;
    uint32_t node = UINT32_MAX, low = UINT32_MAX, high = 0;
    bool numbers = true;
    for (uint32_t i = 0; i < v->n_rows; i++) {
        if (class_of[i] != class)
            continue;
        const char *text = s->cells[(size_t)i * COLUMNS + j];
        node = node == UINT32_MAX ? a->cells[i] : tree_lca(a->tree, node, a->cells[i]);
        numbers = numbers && a->cells[i] < a->tree->n_leaves && a->cells[i] != h->missing_leaf;
        const uint32_t number = (uint32_t)atoi(text);
        low = number < low ? number : low;
        high = number > high ? number : high;
    }
    if (v->ranges && j == 0 && numbers && low < high)
        return arena_printf(s->context.memory, "%u..%u", low, high);
    return node == h->missing_leaf ? NULL : h->label[node];
}

/* Class 0 is suppressed. Its rows show the labels of the roots, or `*`. */
static inline void draw_release(scene *s, const variant *v, rng *r)
{
    uint32_t class_of[MOST_ROWS];
    const char *names[COLUMNS] = {"age", "town", "code", "ill", "stay", "note"};
    kith_column_spec specs[COLUMNS] = {0};
    for (uint32_t i = 0; i < v->n_rows; i++)
        class_of[i] = rng_below(r, 20) == 0 ? 0 : s->near[i] * v->n_classes / v->n_rows;
    for (uint32_t i = 0; i < v->n_rows; i++) {
        const char **to = &s->released[(size_t)i * COLUMNS];
        for (uint32_t j = 0; j < COLUMNS; j++) {
            const column *c = &s->prepared.texts->columns[j];
            to[j] = c->codes[i] == TABLE_MISSING ? NULL : dictionary_text(&c->values, c->codes[i]);
        }
        for (uint32_t j = 0; j < 3; j++)
            to[j] = class_of[i] > 0    ? label_of(s, v, class_of, class_of[i], j)
                    : v->seed % 2 == 0 ? hierarchy_root_label(s->prepared.columns[j].hierarchy)
                                       : "*";
    }
    for (uint32_t j = 0; j < COLUMNS; j++)
        specs[j].name = names[j];
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = COLUMNS);
    assert_int_equal(kith_table_from_cells(&s->texts, s->released, v->n_rows, &options, NULL),
                     KITH_OK);
}

/* The report of one process that has everything. */
static inline void assess_whole_release(scene *s)
{
    assessment *a = &s->expected;
    kith_error error = {0};
    context *c = &s->context;
    const assess_task task = {.study = s->study, .data = &s->prepared, .in_order = true};
    if (assess_release(a, &task, s->texts, c, &error) != KITH_OK ||
        assess_cover(&a->cover, &s->prepared, s->texts, c, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_true(a->cover.holds);
}

static inline void scene_draw(scene *s, const variant *v)
{
    rng r;
    kith_error error = {0};
    rng_init(&r, v->seed, 3);
    draw_study(s, v);
    draw_data(s, v, &r);
    count_data(s);
    assert_int_equal(context_init(&s->context, NULL, &error), KITH_OK);
    if (prepare_table(&s->prepared, s->study, s->table, &s->context, &error) != KITH_OK)
        fail_msg("%s", error.message);
    draw_release(s, v, &r);
    assess_whole_release(s);
}

static inline void scene_wipe(scene *s)
{
    context_wipe(&s->context);
    kith_table_free(s->table);
    kith_table_free(s->texts);
    kith_study_free(s->study);
    for (uint32_t i = 0; i < COLUMNS; i++)
        free(s->counts[i]);
    place_wipe(&s->place);
}

#endif
