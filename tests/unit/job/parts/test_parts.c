/* A release that ranks assess together, or one process part by part, gets the report that one
 * process makes of the whole, to the last digit, however the rows are divided. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "job/parts/parts.h"
#include "support/thread_crew.h"

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

static void draw_study(scene *s, const variant *v)
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
static void draw_data(scene *s, const variant *v, rng *r)
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

static void count_data(scene *s)
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
static const char *label_of(scene *s, const variant *v, const uint32_t *class_of, uint32_t class,
                            uint32_t j)
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
static void draw_release(scene *s, const variant *v, rng *r)
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
static void assess_whole_release(scene *s)
{
    assessment *a = &s->expected;
    kith_error error = {0};
    context *c = &s->context;
    if (assess_models(&a->verified, s->study, &s->prepared, true, s->texts, c, &error) != KITH_OK ||
        assess_cover(&a->cover, &s->prepared, s->texts, c, &error) != KITH_OK ||
        assess_loss(&a->loss, &s->prepared, s->texts, &a->verified, true, false, c, &error) !=
            KITH_OK ||
        risk_assess(&a->risks, &s->prepared, &a->verified, s->texts, c, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_true(a->cover.holds);
}

static void scene_draw(scene *s, const variant *v)
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

static void scene_wipe(scene *s)
{
    context_wipe(&s->context);
    kith_table_free(s->table);
    kith_table_free(s->texts);
    kith_study_free(s->study);
    for (uint32_t i = 0; i < COLUMNS; i++)
        free(s->counts[i]);
    place_wipe(&s->place);
}

/* What one rank has found. */
typedef struct seat {
    context context;
    kith_status status;
    kith_error error;
    assessment found;
} seat;

typedef struct crowd {
    scene *scene;
    seat seats[MOST_RANKS];
} crowd;

static kith_status assess_share(seat *mine, const scene *s, uint32_t first, uint32_t end)
{
    prepared own;
    column columns[COLUMNS];
    kith_table share = *s->table, *texts = NULL;
    kith_column_spec specs[COLUMNS] = {0};
    share.n_rows = end - first;
    share.columns = columns;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        columns[i] = s->table->columns[i];
        columns[i].codes += first;
        specs[i].name = columns[i].name;
    }
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = COLUMNS);
    /* Assessments can do more than searches of shares: a study that these do not refuse. */
    kith_study searched = *s->study;
    searched.n_models = 0;
    for (uint32_t i = 0; i < s->study->n_models; i++)
        if (s->study->models[i].id == MODEL_K_MAP) {
            searched.models = &s->study->models[i];
            searched.n_models = 1;
        }
    searched.suppression = 0;
    searched.algorithm = "weave";
    kith_status status =
        prepare_share(&own, &searched, &share, &s->whole, &mine->context, &mine->error);
    own.study = s->study;
    if (status == KITH_OK)
        status = kith_table_from_cells(&texts, s->released + (size_t)first * COLUMNS, end - first,
                                       &options, &mine->error);
    if (status == KITH_OK)
        status = parts_assess(&mine->found, &own, texts, &mine->context, &mine->error);
    kith_table_free(texts);
    return status;
}

static void begin(crew *c, seat *mine, const scene *s)
{
    const uint32_t rank = crew_rank(c);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    mine->status = context_init(&mine->context, &run, &mine->error);
    mine->context.crew = c;
    if (mine->status == KITH_OK)
        mine->status = assess_share(mine, s, s->cuts[rank], s->cuts[rank + 1]);
}

static void take_part(crew *c, void *user)
{
    crowd *all = user;
    begin(c, &all->seats[crew_rank(c)], all->scene);
    /* All ranks find out alike that a model does not hold. */
    (void)!crew_leave(c, KITH_OK, NULL);
}

static void same_number(double a, double b)
{
    if (!(a == b || (isnan(a) && isnan(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void same_cells(const loss_cells *a, const loss_cells *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
        same_number(x[i], y[i]);
}

static void same_loss(const loss_report *a, const loss_report *b)
{
    same_cells(&a->all, &b->all);
    for (uint32_t j = 0; j < 3; j++)
        same_cells(&a->attribute[j], &b->attribute[j]);
    same_number(a->dm, b->dm);
    same_number(a->cm, b->cm);
    same_number(a->average_class, b->average_class);
    same_number(a->am, b->am);
    same_number(a->arx_loss, b->arx_loss);
    same_number(a->kl, b->kl);
    same_number(a->pmi_2, b->pmi_2);
    same_number(a->pmi_max, b->pmi_max);
    assert_int_equal(a->suppressed, b->suppressed);
    assert_int_equal(a->smallest_class, b->smallest_class);
}

static void same_verdicts(const verify_report *a, const verify_report *b, uint32_t n_models)
{
    assert_int_equal(a->holds, b->holds);
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_classes, b->n_classes);
    assert_int_equal(a->smallest, b->smallest);
    assert_int_equal(a->suppressed, b->suppressed);
    for (uint32_t i = 0; i < n_models; i++) {
        const verify_verdict *x = &a->verdict[i], *y = &b->verdict[i];
        assert_int_equal(x->holds, y->holds);
        same_number(x->worst, y->worst);
        assert_int_equal(x->n_violating_classes, y->n_violating_classes);
        assert_int_equal(x->n_violating_rows, y->n_violating_rows);
        assert_int_equal(x->judged, y->judged);
        assert_int_equal(x->with_earlier, y->with_earlier);
    }
}

static void same_risk(const risk *a, const risk *b)
{
    assert_int_equal(a->n_classes, b->n_classes);
    assert_int_equal(a->smallest, b->smallest);
    assert_int_equal(a->unique, b->unique);
    assert_int_equal(a->at_risk, b->at_risk);
    same_number(a->average, b->average);
    assert_int_equal(a->has_people, b->has_people);
    same_number(a->journalist_highest, b->journalist_highest);
    same_number(a->journalist_average, b->journalist_average);
    assert_int_equal(a->journalist_at_risk, b->journalist_at_risk);
}

static void compare(const scene *s, const seat *found)
{
    const assessment *a = &s->expected, *b = &found->found;
    /* The release is assessed even if a model does not hold, which is said at the end. */
    const bool broken = strncmp(found->error.message, "the release breaks ", 19) == 0;
    if (found->status != (a->verified.holds ? KITH_OK : KITH_BUG) || broken == a->verified.holds)
        fail_msg("status %d: %s", found->status, found->error.message);
    same_verdicts(&a->verified, &b->verified, s->study->n_models);
    same_loss(&a->loss, &b->loss);
    same_risk(&a->risks.before, &b->risks.before);
    same_risk(&a->risks.after, &b->risks.after);
    assert_int_equal(a->risks.n_records, b->risks.n_records);
}

/* Some ranks have no rows. */
static void cut(scene *s, uint32_t n_ranks, rng *r)
{
    for (uint32_t i = 1; i < n_ranks; i++) {
        const uint32_t left = s->cuts[i - 1];
        s->cuts[i] = left + rng_below(r, (s->table->n_rows - left) * 2 / (n_ranks - i + 1) + 1);
        if (s->cuts[i] > s->table->n_rows)
            s->cuts[i] = s->table->n_rows;
    }
    s->cuts[n_ranks] = s->table->n_rows;
}

/* A table of some rows of the release. */
static kith_table *rows_of(const scene *s, const uint32_t *rows, uint32_t n)
{
    const char *cells[MOST_ROWS * COLUMNS];
    kith_column_spec specs[COLUMNS] = {0};
    kith_table *table = NULL;
    for (uint32_t j = 0; j < COLUMNS; j++)
        specs[j].name = s->table->columns[j].name;
    for (uint32_t i = 0; i < n; i++)
        memcpy(&cells[(size_t)i * COLUMNS], &s->released[(size_t)rows[i] * COLUMNS],
               COLUMNS * sizeof *cells);
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = COLUMNS);
    assert_int_equal(kith_table_from_cells(&table, cells, n, &options, NULL), KITH_OK);
    return table;
}

/* The rows of a class of the release, and their labels in the data. */
static kith_table *class_rows(const scene *s, const parts *p, uint32_t class, uint32_t *label)
{
    const classes *g = s->expected.verified.grouping;
    uint32_t rows[MOST_ROWS], n = 0;
    for (uint32_t i = 0; i < s->table->n_rows; i++)
        if (g->class_of[i] == class) {
            label[n] = parts_labels_data(p) ? parts_label(p, &s->prepared, i) : 0;
            rows[n++] = i;
        }
    return rows_of(s, rows, n);
}

/* One process that sees class after class, each twice; nothing is suppressed. */
static void run_by_classes(const scene *s, context *c)
{
    const uint32_t n_classes = s->expected.verified.grouping->count;
    uint32_t *cells[3], label[MOST_ROWS];
    seat found = {0};
    parts *p;
    assert_int_equal(parts_new(&p, &s->prepared, c, NULL), KITH_OK);
    for (uint32_t i = 0; i < 2 * n_classes; i++) {
        kith_table *one = class_rows(s, p, i % n_classes, label);
        if (i < n_classes)
            assert_int_equal(parts_survey(p, one, NULL), KITH_OK);
        else
            assert_int_equal(parts_add_classes(p, one, parts_labels_data(p) ? label : NULL, NULL),
                             KITH_OK);
        if (i + 1 == n_classes)
            assert_int_equal(parts_surveyed(p, NULL), KITH_OK);
        kith_table_free(one);
    }
    for (uint32_t j = 0; j < 3; j++)
        cells[j] = (uint32_t *)s->prepared.problem.attributes[j].cells;
    assert_int_equal(parts_add_originals(p, cells, s->table->n_rows, NULL), KITH_OK);
    assert_int_equal(parts_add_records(p, &s->prepared, s->texts, NULL), KITH_OK);
    assert_int_equal(parts_finish(&found.found, p, NULL), KITH_OK);
    found.status = publication_judge_models(&found.found.verified, s->study, &found.error);
    compare(s, &found);
}

static void run_over_ranks(scene *s, uint64_t seed)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    rng r;
    rng_init(&r, seed, 4);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        crowd *all = calloc(1, sizeof *all);
        all->scene = s;
        cut(s, sizes[i], &r);
        thread_crew_run(sizes[i], take_part, all);
        for (uint32_t rank = 0; rank < sizes[i]; rank++) {
            compare(s, &all->seats[rank]);
            all->seats[rank].context.crew = NULL;
            context_wipe(&all->seats[rank].context);
        }
        free(all);
    }
}

static void ranks_report_what_one_process_reports(void **state)
{
    static const char *const missing[] = {"value", "wildcard"};
    static const char *const measure[] = {"lm", "em", "entropy", "mi", "tree"};
    static const char *const suppression[] = {"0", "0.25", "0.6"};
    static const char *const class_column[] = {NULL, "town", "stay", "note", "age"};
    (void)state;
    uint32_t n_held = 0, n_broken = 0, n_good = 0, n_suppressed[2] = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        const variant v = {.seed = seed,
                           .missing = missing[seed % 2],
                           .measure = measure[seed % 5],
                           .suppression = suppression[seed % 3],
                           .class_column = class_column[seed / 2 % 5],
                           .ranges = seed % 3 == 0 && seed % 4 > 1,
                           .n_rows = 8 + (uint32_t)(seed * 7 % (MOST_ROWS - 8)),
                           .n_classes = 1 + (uint32_t)(seed * 3 % 11)};
        scene *s = calloc(1, sizeof *s);
        scene_draw(s, &v);
        for (uint32_t i = 0; i < s->study->n_models; i++)
            *(s->expected.verified.verdict[i].holds ? &n_held : &n_broken) += 1;
        n_good += s->expected.verified.holds;
        n_suppressed[seed % 2] += s->expected.verified.suppressed > 0;
        run_over_ranks(s, seed);
        if (s->study->suppression == 0)
            run_by_classes(s, &s->context);
        scene_wipe(s);
        free(s);
    }
    /* The test has seen everything. */
    assert_true(n_held > 50 && n_broken > 50 && n_good > 0);
    assert_true(n_suppressed[0] > 5 && n_suppressed[1] > 5);
}

/* A row that is not true, on one rank only: no rank gets an assessment. */
static void lie(crew *c, void *user)
{
    crowd *all = user;
    seat *mine = &all->seats[crew_rank(c)];
    begin(c, mine, all->scene);
    mine->status = crew_leave(c, mine->status, &mine->error);
}

static void a_lie_on_one_rank_fails_on_all(void **state)
{
    const variant v = {.seed = 1,
                       .missing = "value",
                       .measure = "lm",
                       .suppression = "0",
                       .n_rows = 30,
                       .n_classes = 1};
    (void)state;
    scene *s = calloc(1, sizeof *s);
    crowd *all = calloc(1, sizeof *all);
    all->scene = s;
    scene_draw(s, &v);
    s->released[12 * COLUMNS] = "90-94"; /* nobody is that old */
    const uint32_t cuts[] = {0, 10, 20, 30};
    memcpy(s->cuts, cuts, sizeof cuts);
    thread_crew_run(3, lie, all);
    for (uint32_t rank = 0; rank < 3; rank++) {
        assert_int_equal(all->seats[rank].status, KITH_BUG);
        assert_non_null(strstr(all->seats[rank].error.message, "does not cover the data"));
        all->seats[rank].context.crew = NULL;
        context_wipe(&all->seats[rank].context);
    }
    scene_wipe(s);
    free(all);
    free(s);
}

static void models_that_need_more_are_named(void **state)
{
    (void)state;
    kith_study *study = study_of("study: s\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer,\n"
                                 "     hierarchy: {intervals: [10]}}\n"
                                 "  - {name: ill, role: sensitive}\n"
                                 "  - {name: person, role: identifying}\n"
                                 "privacy:\n"
                                 "  - {model: m-invariance, m: 2, attribute: ill, id: person,\n"
                                 "     previous: [old.csv]}\n");
    kith_error error = {0};
    assert_int_equal(assess_judges_parts(study, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "m-invariance"));
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_report_what_one_process_reports),
        cmocka_unit_test(a_lie_on_one_rank_fails_on_all),
        cmocka_unit_test(models_that_need_more_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
