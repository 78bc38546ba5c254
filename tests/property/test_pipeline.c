/* Random tables and studies through the whole job: every release verifies, also by a checker that
 * compares texts pair by pair, and nothing but the quasi-identifiers changes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/rng.h"
#include "search/search.h"

enum { MAX_ROWS = 60, MAX_COLUMNS = 7, CELL = 24, DATES = 40 };

typedef enum column_kind { AGE, ZIP, DAY, CITY, GRADE, SALARY, DISEASE, NOTE } column_kind;

/* One draw: the study as text, the data as CSV and as cells. */
typedef struct draw {
    rng r;
    uint32_t n_rows, n_columns;
    column_kind kind[MAX_COLUMNS];
    char cells[MAX_ROWS][MAX_COLUMNS][CELL];
    char study[4096];
    size_t used;
    uint32_t k;
    double l;         /* 0: no diversity asked for */
    uint32_t disease; /* its column */
    const char *missing, *algorithm;
    bool ranges;
    char directory[64];
} draw;

static uint32_t below(draw *d, uint32_t bound)
{
    return rng_below(&d->r, bound);
}

__attribute__((format(printf, 2, 3))) static void say(draw *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    d->used += (size_t)vsnprintf(d->study + d->used, sizeof d->study - d->used, format, arguments);
    va_end(arguments);
    assert_true(d->used < sizeof d->study);
}

static void draw_cell(draw *d, column_kind kind, char *cell)
{
    static const char *const cities[] = {"Ulm", "Bonn", "Kiel", "Hof", "Jena, \"Ost\""};
    static const char *const diseases[] = {"flu", "cold", "gout", "asthma", "none"};
    switch (kind) {
    case AGE: snprintf(cell, CELL, "%u", below(d, 90)); break;
    case ZIP: snprintf(cell, CELL, "%u", 80000 + below(d, 40) * 251); break;
    case DAY: snprintf(cell, CELL, "2024-%02u-%02u", 1 + below(d, 12), 1 + below(d, 28)); break;
    case CITY: snprintf(cell, CELL, "%s", cities[below(d, 5)]); break;
    case GRADE: snprintf(cell, CELL, "g%u", below(d, 12)); break;
    case SALARY: snprintf(cell, CELL, "%u.%u", below(d, 100), below(d, 10)); break;
    case DISEASE: snprintf(cell, CELL, "%s", diseases[below(d, 1 + below(d, 5))]); break;
    case NOTE: snprintf(cell, CELL, "note %u", below(d, 1000)); break;
    }
}

static void say_column(draw *d, uint32_t column)
{
    static const char *const quasi[] = {
        [AGE] = "type: integer, hierarchy: {intervals: [5, 10, 20]}, domain: {range: [0, 99]}",
        [ZIP] = "hierarchy: {mask: right}",
        [DAY] = "type: date, hierarchy: {dates: [month, quarter, year]}",
        [CITY] = "hierarchy: city.csv",
        [GRADE] = "hierarchy: {order: [2, 4]}",
        [SALARY] = "type: decimal, hierarchy: {intervals: [10, 50]}"};
    column_kind kind = d->kind[column];
    const char *name = kind == NOTE ? "note" : "disease";
    if (kind == DISEASE || kind == NOTE)
        say(d, "  - {name: %s%u, role: %s}\n", name, column,
            kind == NOTE ? "insensitive" : "sensitive, hierarchy: disease.csv");
    else
        say(d, "  - {name: q%u, role: quasi-identifying, %s}\n", column, quasi[kind]);
}

static void draw_columns(draw *d)
{
    uint32_t quasi = 1 + below(d, 4);
    for (uint32_t i = 0; i < quasi; i++)
        d->kind[d->n_columns++] = (column_kind)below(d, DISEASE);
    d->disease = d->n_columns;
    d->kind[d->n_columns++] = DISEASE;
    if (below(d, 2) == 0)
        d->kind[d->n_columns++] = NOTE;
    say(d, "study: random\ncolumns:\n");
    for (uint32_t i = 0; i < d->n_columns; i++)
        say_column(d, i);
}

/* Further models, one of which goes with k-anonymity now and then. */
static const struct {
    model_id id;
    model_variant variant;
    const char *text;
} more[] = {
    {MODEL_L_DIVERSITY, VARIANT_DISTINCT, "l-diversity, variant: distinct, l: 2"},
    {MODEL_L_DIVERSITY, VARIANT_ENTROPY, "l-diversity, variant: entropy, l: 1.7"},
    {MODEL_L_DIVERSITY, VARIANT_RECURSIVE, "l-diversity, variant: recursive, l: 2, c: 3"},
    {MODEL_T_CLOSENESS, VARIANT_EQUAL, "t-closeness, variant: equal, t: 0.4"},
    {MODEL_T_CLOSENESS, VARIANT_ORDERED, "t-closeness, variant: ordered, t: 0.2"},
    {MODEL_T_CLOSENESS, VARIANT_HIERARCHICAL, "t-closeness, variant: hierarchical, t: 0.25"},
    {MODEL_K_MAP, VARIANT_NONE, "k-map, k: 4, population: data.csv"},
    {MODEL_DELTA_PRESENCE, VARIANT_NONE, "delta-presence, min: 0.1, max: 0.9"},
    {MODEL_ALPHA_K, VARIANT_NONE, "alpha-k, alpha: 0.7, k: 3"},
    {MODEL_P_SENSITIVE, VARIANT_NONE, "p-sensitive, p: 2, k: 3"},
    {MODEL_LKC, VARIANT_NONE, "lkc, l: 2, k: 3, c: 0.6, values: [flu, gout]"},
    {MODEL_DISSIMILARITY, VARIANT_HIERARCHICAL, "dissimilarity, epsilon: 0.4, delta: 0.2, k: 3"},
    {MODEL_DISSIMILARITY, VARIANT_EQUAL,
     "dissimilarity, variant: equal, epsilon: 0, delta: 0.3, k: 3"},
    {MODEL_DELTA_DISCLOSURE, VARIANT_NONE, "delta-disclosure, delta: 1.5"},
    {MODEL_BETA_LIKENESS, VARIANT_BASIC, "beta-likeness, variant: basic, beta: 1.5"},
    {MODEL_BETA_LIKENESS, VARIANT_ENHANCED, "beta-likeness, variant: enhanced, beta: 2"},
};

static void say_more(draw *d, const algorithm *chosen)
{
    uint32_t i = below(d, 2 * (uint32_t)(sizeof more / sizeof *more));
    if (i >= sizeof more / sizeof *more)
        return;
    model_spec spec = {.id = more[i].id, .variant = more[i].variant};
    if (!chosen->supports_model(&spec) || (d->l > 0 && spec.id == MODEL_L_DIVERSITY))
        return;
    d->ranges = d->ranges && spec.id != MODEL_K_MAP && model_closed(&spec);
    if (spec.id == MODEL_K_MAP)
        say(d, "  - {model: %s}\n", more[i].text);
    else if (spec.id == MODEL_DELTA_PRESENCE)
        say(d, "  - {model: %s, subset: {column: disease%u, values: [flu, cold]}}\n", more[i].text,
            d->disease);
    else
        say(d, "  - {model: %s, attribute: disease%u}\n", more[i].text, d->disease);
}

static void draw_rules(draw *d)
{
    static const char *const policies[] = {"value", "wildcard", "drop"};
    static const char *const measures[] = {"lm", "em", "entropy", "tree"};
    uint32_t algorithms = 0;
    while (search_at(algorithms) != NULL)
        algorithms++;
    const algorithm *chosen = search_at(below(d, algorithms));
    const model_spec diversity = {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 2};
    d->k = 2 + below(d, 4);
    d->l = below(d, 2) == 0 ? 1 + below(d, 4) / 2.0 : 0;
    if (!chosen->supports_model(&diversity))
        d->l = 0;
    d->missing = policies[below(d, 3)];
    d->algorithm = chosen->name;
    d->ranges = strcmp(d->algorithm, "mondrian") == 0 && below(d, 2) == 0;
    say(d, "privacy:\n  - {model: k-anonymity, k: %u}\n", d->k);
    if (d->l > 0)
        say(d, "  - {model: l-diversity, variant: frequency, l: %g, attribute: disease%u}\n", d->l,
            d->disease);
    say_more(d, chosen);
    say(d, "utility: {measure: %s}\nmissing: %s\nalgorithm: %s\n", measures[below(d, 4)],
        d->missing, d->algorithm);
    if (d->ranges)
        say(d, "ranges: true\n");
}

static void draw_cells(draw *d)
{
    uint32_t gaps = below(d, 2) == 0 ? 0 : 12;
    d->n_rows = 8 + below(d, MAX_ROWS - 8);
    for (uint32_t r = 0; r < d->n_rows; r++)
        for (uint32_t c = 0; c < d->n_columns; c++)
            if (gaps > 0 && below(d, gaps) == 0)
                d->cells[r][c][0] = '\0';
            else
                draw_cell(d, d->kind[c], d->cells[r][c]);
}

static void save(const draw *d, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", d->directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void save_data(const draw *d)
{
    char path[128];
    snprintf(path, sizeof path, "%s/data.csv", d->directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "person");
    for (uint32_t c = 0; c < d->n_columns; c++)
        fprintf(file, ",%s%u",
                d->kind[c] == DISEASE ? "disease"
                : d->kind[c] == NOTE  ? "note"
                                      : "q",
                c);
    for (uint32_t r = 0; r < d->n_rows; r++) {
        fprintf(file, "\n%u", r);
        for (uint32_t c = 0; c < d->n_columns; c++) {
            const char *cell = d->cells[r][c];
            if (strchr(cell, ',') == NULL)
                fprintf(file, ",%s", cell);
            else
                fprintf(file, ",\"Jena, \"\"Ost\"\"\"");
        }
    }
    fprintf(file, "\n");
    fclose(file);
}

static void draw_make(draw *d, uint64_t seed)
{
    memset(d, 0, sizeof *d);
    rng_init(&d->r, seed, 17);
    draw_columns(d);
    draw_rules(d);
    draw_cells(d);
    snprintf(d->directory, sizeof d->directory, "/tmp/kith-pipeline-XXXXXX");
    assert_non_null(mkdtemp(d->directory));
    save(d, "city.csv",
         "Ulm;south;*\nHof;south;*\n\"Jena, \"\"Ost\"\"\";east;*\nBonn;west;*\nKiel;north;*\n");
    save(d, "disease.csv", "flu;lung;*\ncold;lung;*\nasthma;lung;*\ngout;joint;*\nnone;none;*\n");
    save(d, "study.yaml", d->study);
    save_data(d);
}

static void draw_wipe(const draw *d)
{
    static const char *const names[] = {"city.csv", "disease.csv", "study.yaml",
                                        "data.csv", "release.csv", "release.csv.meta.json"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", d->directory, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(d->directory), 0); /* nothing temporary is left behind */
}

/* The rows that a release is about: those without any value are not. */
static uint32_t kept_rows(const draw *d, uint32_t *kept)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < d->n_rows; r++) {
        bool whole = true, some = false;
        for (uint32_t c = 0; c < d->n_columns; c++) {
            whole = whole && (d->kind[c] == NOTE || d->cells[r][c][0] != '\0');
            some = some || d->cells[r][c][0] != '\0';
        }
        if (some && (whole || strcmp(d->missing, "drop") != 0))
            kept[count++] = r;
    }
    return count;
}

static const char *text(const kith_table *t, uint32_t row, uint32_t column_index)
{
    const char *cell = kith_table_cell(t, row, column_index);
    return cell == NULL ? "" : cell;
}

static bool same_class(const draw *d, const kith_table *t, uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < d->disease; c++)
        if (strcmp(text(t, a, c), text(t, b, c)) != 0)
            return false;
    return true;
}

/* k and l by comparing all pairs; cells that are not generalized as they were, in order. */
static void check_naively(const draw *d, const kith_table *t)
{
    uint32_t kept[MAX_ROWS], count = kept_rows(d, kept);
    assert_int_equal(kith_table_n_rows(t), count);
    assert_int_equal(kith_table_n_columns(t), d->n_columns);
    for (uint32_t a = 0; a < count; a++) {
        uint32_t size = 0, same = 0;
        for (uint32_t b = 0; b < count; b++)
            if (same_class(d, t, a, b)) {
                size++;
                same += strcmp(text(t, a, d->disease), text(t, b, d->disease)) == 0;
            }
        assert_true(size >= d->k);
        assert_true(d->l == 0 || same * d->l <= size + 1e-9);
        for (uint32_t c = d->disease; c < d->n_columns; c++)
            assert_string_equal(text(t, a, c), d->cells[kept[a]][c]);
    }
}

static kith_table *read_release(const char *path)
{
    kith_table *t = NULL;
    kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = ',');
    assert_int_equal(kith_table_read(&t, path, &options, NULL, NULL), KITH_OK);
    return t;
}

static bool same_row(const kith_table *a, uint32_t x, const kith_table *b, uint32_t y)
{
    for (uint32_t c = 0; c < kith_table_n_columns(a); c++)
        if (strcmp(text(a, x, c), text(b, y, c)) != 0)
            return false;
    return true;
}

static bool same_tables(const kith_table *a, const kith_table *b)
{
    if (kith_table_n_rows(a) != kith_table_n_rows(b) ||
        kith_table_n_columns(a) != kith_table_n_columns(b))
        return false;
    for (uint32_t r = 0; r < kith_table_n_rows(a); r++)
        if (!same_row(a, r, b, r))
            return false;
    return true;
}

typedef struct files {
    char data[128], release[128];
} files;

static void check_verdicts(const kith_study *study, const files *f, const kith_document *summary)
{
    kith_error error = {0};
    kith_document *verdict = NULL, *report = NULL;
    assert_int_equal(kith_verify(&verdict, study,
                                 &(kith_verify_options)KITH_OPTIONS(
                                     kith_verify_options, .release = KITH_INPUT_URI(f->release),
                                     .data = KITH_INPUT_URI(f->data)),
                                 NULL, &error),
                     KITH_OK);
    assert_true(kith_document_flag(verdict, "holds", false));
    assert_string_equal(kith_document_text(verdict, "cover.check", ""), "in order");
    assert_int_equal(kith_measure(&report, study,
                                  &(kith_measure_options)KITH_OPTIONS(
                                      kith_measure_options, .data = KITH_INPUT_URI(f->data),
                                      .release = KITH_INPUT_URI(f->release)),
                                  NULL, &error),
                     KITH_OK);
    static const char *const same[] = {"loss.lm", "loss.em", "loss.entropy", "loss.tree",
                                       "loss.dm", "loss.cm", "objective"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(kith_document_number(report, same[i], -1) ==
                    kith_document_number(summary, same[i], -2));
    assert_true(kith_document_number(summary, "loss.lm", -1) >= 0);
    assert_true(kith_document_number(summary, "loss.lm", 2) <= 1);
    kith_document_free(verdict);
    kith_document_free(report);
}

typedef enum rows_as { KEPT, SORTED, RANDOM } rows_as;

static kith_status anonymize(const kith_study *study, const files *f, unsigned n_workers,
                             rows_as rows, kith_document **summary, kith_error *error)
{
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = n_workers, .seeded = true, .seed = 5);
    kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(f->data), .output = f->release,
                     .overwrite = true, .shuffle = rows == RANDOM, .keep_order = rows == KEPT);
    return kith_anonymize(summary, study, &options, &run, error);
}

static void check_more_threads(const kith_study *study, const files *f, const kith_table *first)
{
    for (unsigned n_workers = 2; n_workers <= 3; n_workers++) {
        assert_int_equal(anonymize(study, f, n_workers, KEPT, NULL, NULL), KITH_OK);
        kith_table *again = read_release(f->release);
        assert_true(same_tables(first, again));
        kith_table_free(again);
    }
}

/* Row b comes after row a, or shows the same: a missing cell comes last. */
static bool in_place(const kith_table *t, uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < kith_table_n_columns(t); c++) {
        const char *x = kith_table_cell(t, a, c), *y = kith_table_cell(t, b, c);
        const int way = x == NULL || y == NULL ? (x == NULL) - (y == NULL) : strcmp(x, y);
        if (way != 0)
            return way < 0;
    }
    return true;
}

/* Every row is there as often as before. */
static void same_rows(const kith_table *a, const kith_table *b)
{
    bool taken[MAX_ROWS] = {false};
    assert_int_equal(kith_table_n_rows(a), kith_table_n_rows(b));
    for (uint32_t i = 0; i < kith_table_n_rows(a); i++) {
        uint32_t at = 0;
        while (at < kith_table_n_rows(b) && (taken[at] || !same_row(a, i, b, at)))
            at++;
        assert_true(at < kith_table_n_rows(b));
        taken[at] = true;
    }
}

/* Without a word about their order rows are sorted by their cells, and are the same otherwise. */
static void check_sorted(const kith_study *study, const files *f, const kith_table *kept)
{
    assert_int_equal(anonymize(study, f, 1, SORTED, NULL, NULL), KITH_OK);
    kith_table *t = read_release(f->release);
    for (uint32_t i = 1; i < kith_table_n_rows(t); i++)
        assert_true(in_place(t, i - 1, i));
    same_rows(kept, t);
    kith_table_free(t);
}

static void check_shuffled(const kith_study *study, const files *f)
{
    kith_document *verdict = NULL;
    assert_int_equal(anonymize(study, f, 1, RANDOM, NULL, NULL), KITH_OK);
    assert_int_equal(kith_verify(&verdict, study,
                                 &(kith_verify_options)KITH_OPTIONS(
                                     kith_verify_options, .release = KITH_INPUT_URI(f->release),
                                     .data = KITH_INPUT_URI(f->data)),
                                 NULL, NULL),
                     KITH_OK);
    assert_true(kith_document_flag(verdict, "holds", false));
    kith_document_free(verdict);
}

/* Returns whether there was a release; the only excuse is that the models cannot be met. */
static bool run_one(uint64_t seed)
{
    draw d;
    files f;
    char path[128];
    kith_error error = {0};
    kith_study *study = NULL;
    kith_document *summary = NULL;
    draw_make(&d, seed);
    snprintf(path, sizeof path, "%s/study.yaml", d.directory);
    snprintf(f.data, sizeof f.data, "%s/data.csv", d.directory);
    snprintf(f.release, sizeof f.release, "%s/release.csv", d.directory);
    kith_status status = kith_study_read(&study, path, NULL, &error);
    if (status == KITH_OK)
        status = anonymize(study, &f, 1, KEPT, &summary, &error);
    bool no_subset = status == KITH_DATA && strstr(error.message, "research subset") != NULL;
    if (status != KITH_OK && status != KITH_INFEASIBLE && !no_subset)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, error.message, d.study);
    if (status == KITH_OK) {
        kith_table *t = read_release(f.release);
        check_naively(&d, t);
        check_verdicts(study, &f, summary);
        check_more_threads(study, &f, t);
        check_sorted(study, &f, t);
        check_shuffled(study, &f);
        kith_table_free(t);
    } else {
        assert_int_equal(access(f.release, F_OK), -1);
    }
    kith_document_free(summary);
    kith_study_free(study);
    draw_wipe(&d);
    return status == KITH_OK;
}

static void random_studies_make_good_releases(void **state)
{
    (void)state;
    const char *wanted = getenv("KITH_ROUNDS");
    uint64_t n_rounds = wanted == NULL ? 150 : strtoull(wanted, NULL, 10), good = 0;
    for (uint64_t seed = 1; seed <= n_rounds; seed++)
        good += run_one(seed);
    assert_true(good >= n_rounds / 2); /* most draws can be met */
    assert_true(good < n_rounds);      /* and some cannot */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_studies_make_good_releases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
