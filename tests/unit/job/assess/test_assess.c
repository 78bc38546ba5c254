/* A release that ranks assess together, or one process part by part, gets the report that one
 * process makes of the whole, to the last digit, however the rows are divided. */
#include "unit/job/assess/assess_scene.h"
#include "unit/job/assess/same_reports.h"

#include "support/thread_ranks.h"

/* What one rank has found. */
typedef struct rank_run {
    context context;
    kith_status status;
    kith_error error;
    assessment found;
} rank_run;

typedef struct rank_runs {
    scene *scene;
    rank_run rank[MOST_RANKS];
} rank_runs;

/* Assessments can do more than searches of shares: a study that these do not refuse. */
static kith_status prepare_rows(prepared *own, const scene *s, const kith_table *rows, context *c,
                                kith_error *error)
{
    kith_study *searched = arena_alloc(c->memory, sizeof *searched);
    *searched = *s->study;
    searched->n_models = 0;
    for (uint32_t i = 0; i < s->study->n_models; i++)
        if (s->study->models[i].id == MODEL_K_MAP) {
            searched->models = &s->study->models[i];
            searched->n_models = 1;
        }
    searched->suppression = 0;
    searched->algorithm = "weave";
    const kith_status status = prepare_slice(own, searched, rows, &s->whole, c, error);
    own->study = s->study;
    return status;
}

static kith_status assess_share(rank_run *mine, const scene *s, uint32_t first, uint32_t end)
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
    kith_status status = prepare_rows(&own, s, &share, &mine->context, &mine->error);
    if (status == KITH_OK)
        status = kith_table_from_cells(&texts, s->released + (size_t)first * COLUMNS, end - first,
                                       &options, &mine->error);
    const assess_task task = {.study = s->study, .data = &own, .in_order = true, .made = true};
    const kith_table *united = NULL;
    if (status == KITH_OK)
        status = assess_unite(&united, texts, &task, &mine->context, &mine->error);
    if (status == KITH_OK)
        status = assess_release(&mine->found, &task, united, &mine->context, &mine->error);
    kith_table_free(texts);
    return status;
}

static void begin(kith_ranks *ranks, rank_run *mine, const scene *s)
{
    const uint32_t rank = ranks_self(ranks);
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    mine->status = context_init(&mine->context, &run, &mine->error);
    mine->context.ranks = ranks;
    if (mine->status == KITH_OK)
        mine->status = assess_share(mine, s, s->cuts[rank], s->cuts[rank + 1]);
}

static void take_part(kith_ranks *ranks, void *user)
{
    rank_runs *all = user;
    begin(ranks, &all->rank[ranks_self(ranks)], all->scene);
    /* All ranks find out alike that a model does not hold. */
    (void)!ranks_leave(ranks, KITH_OK, NULL);
}

static void compare(const scene *s, const rank_run *found, bool one_part)
{
    const assessment *a = &s->expected, *b = &found->found;
    /* In parts the release is assessed even if a model does not hold, which is said at the end. */
    const bool broken = strncmp(found->error.message, "the release breaks ", 19) == 0;
    if (found->status != (a->verified.holds ? KITH_OK : KITH_BUG) || broken == a->verified.holds)
        fail_msg("status %d: %s", found->status, found->error.message);
    if (broken && one_part)
        return;
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

/* The rows of a class of the release, with the dictionaries of the whole. */
static void take_class(kith_table *rows, const scene *s, const kith_table *from, uint32_t class,
                       arena *memory)
{
    const classes *g = s->expected.verified.grouping;
    *rows = *from;
    rows->n_rows = 0;
    rows->columns = arena_array(memory, COLUMNS, sizeof *rows->columns);
    for (uint32_t j = 0; j < COLUMNS; j++) {
        rows->columns[j] = from->columns[j];
        rows->columns[j].codes = arena_array(memory, g->size[class], sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < from->n_rows; i++)
        if (g->class_of[i] == class) {
            for (uint32_t j = 0; j < COLUMNS; j++)
                rows->columns[j].codes[rows->n_rows] = from->columns[j].codes[i];
            rows->n_rows++;
        }
}

static void add_class(assess_sums *sums, const scene *s, uint32_t class, context *c)
{
    kith_table rows, texts;
    prepared own;
    take_class(&rows, s, s->table, class, c->memory);
    take_class(&texts, s, s->texts, class, c->memory);
    assert_int_equal(prepare_rows(&own, s, &rows, c, NULL), KITH_OK);
    assert_int_equal(assess_add(sums, &own, &texts, c, NULL), KITH_OK);
}

/* One process that sees class after class, each twice. */
static void run_by_classes(const scene *s, context *c)
{
    const uint32_t n_classes = s->expected.verified.grouping->count;
    rank_run found = {0};
    risk before = {0};
    assess_sums sums;
    uint64_t *counts[COLUMNS];
    assess_whole whole = {.n_rows = s->texts->n_rows, .counts = (const uint64_t *const *)counts};
    const assess_task task = {
        .study = s->study, .data = &s->prepared, .in_order = true, .made = true, .before = &before};
    for (uint32_t j = 0; j < COLUMNS; j++) {
        const column *of = &s->texts->columns[j];
        counts[j] = arena_zalloc(c->memory, of->values.count + 1, sizeof(uint64_t));
        for (uint32_t i = 0; i < s->texts->n_rows; i++)
            counts[j][of->codes[i] == TABLE_MISSING ? of->values.count : of->codes[i]]++;
    }
    for (uint32_t i = 0; i < n_classes; i++) {
        kith_table texts;
        take_class(&texts, s, s->texts, i, c->memory);
        assert_int_equal(assess_find_suppressed(&whole, &task, &texts, c, NULL), KITH_OK);
    }
    assert_int_equal(risk_add_data(&before, &s->prepared, c, NULL), KITH_OK);
    assert_int_equal(assess_open(&sums, &task, &whole, c, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_classes; i++)
        add_class(&sums, s, i, c);
    found.status = assess_finish(&found.found, &sums, &found.error);
    compare(s, &found, false);
}

static void run_over_ranks(scene *s, uint64_t seed)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    rng r;
    rng_init(&r, seed, 4);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rank_runs *all = calloc(1, sizeof *all);
        all->scene = s;
        cut(s, sizes[i], &r);
        thread_ranks_run(sizes[i], take_part, all);
        for (uint32_t rank = 0; rank < sizes[i]; rank++) {
            compare(s, &all->rank[rank], sizes[i] == 1);
            all->rank[rank].context.ranks = NULL;
            context_wipe(&all->rank[rank].context);
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
        run_by_classes(s, &s->context);
        scene_wipe(s);
        free(s);
    }
    /* The test has seen everything. */
    assert_true(n_held > 50 && n_broken > 50 && n_good > 0);
    assert_true(n_suppressed[0] > 5 && n_suppressed[1] > 5);
}

/* A row that is not true, on one rank only: no rank gets an assessment. */
static void lie(kith_ranks *ranks, void *user)
{
    rank_runs *all = user;
    rank_run *mine = &all->rank[ranks_self(ranks)];
    begin(ranks, mine, all->scene);
    mine->status = ranks_leave(ranks, mine->status, &mine->error);
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
    rank_runs *all = calloc(1, sizeof *all);
    all->scene = s;
    scene_draw(s, &v);
    s->released[12 * COLUMNS] = "90-94"; /* nobody is that old */
    const uint32_t cuts[] = {0, 10, 20, 30};
    memcpy(s->cuts, cuts, sizeof cuts);
    thread_ranks_run(3, lie, all);
    for (uint32_t rank = 0; rank < 3; rank++) {
        assert_int_equal(all->rank[rank].status, KITH_BUG);
        assert_non_null(strstr(all->rank[rank].error.message, "does not cover the data"));
        all->rank[rank].context.ranks = NULL;
        context_wipe(&all->rank[rank].context);
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
