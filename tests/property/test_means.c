/* Microaggregation on random tables: every class of the release shows the mean of its original
 * values, by integers of this file's own; and what the documents say about means is so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <kith/kith.h>
#include <limits.h>
#include <math.h>

#include "core/rng.h"
#include "support/scratch.h"

enum { MAX_ROWS = 60, CELL = 40 };

/* A table with its study. Numbers are whole multiples of 10^-decimals. */
typedef struct draw {
    rng r;
    uint32_t n_rows, k;
    long digits;            /* decimals that numbers are made with */
    long unit;              /* 10^digits */
    long units[MAX_ROWS];   /* what the study makes of each number */
    bool missing[MAX_ROWS]; /* of column a */
    bool kept[MAX_ROWS];    /* not dropped */
    int decimals[MAX_ROWS]; /* as written, or after a change */
    bool comma, changes, drop, wildcard;
    long round, top; /* in units; 0: none */
    char b[MAX_ROWS][4];
    char study[1200];
} draw;

static bool chance(draw *d, uint32_t one_in)
{
    return rng_below(&d->r, one_in) == 0;
}

static int shortest(const draw *d, long units)
{
    int decimals = (int)d->digits;
    for (; decimals > 0 && units % 10 == 0; decimals--)
        units /= 10;
    return decimals;
}

static void write_number(char *text, const draw *d, long units, int decimals)
{
    snprintf(text, CELL, "%.*f", decimals, (double)units / (double)d->unit);
    char *mark = strchr(text, '.');
    if (d->comma && mark != NULL)
        *mark = ',';
}

/* The study's changes, from their definition. */
static long changed(const draw *d, long units)
{
    if (d->round > 0)
        units = (long)floor((double)(2 * units + d->round) / (double)(2 * d->round)) * d->round;
    return d->top != 0 && units > d->top ? d->top : units;
}

static void write_study(draw *d, const char *type, bool intervals)
{
    static const char *const algorithms[] = {"weave", "sequential", "mondrian", "agglomerative",
                                             "flash", "top-down",   "datafly",  "hilbert"};
    const char *algorithm = algorithms[rng_below(&d->r, 8)];
    const bool diverse = strcmp(algorithm, "hilbert") != 0 && chance(d, 3);
    const bool ranges = strcmp(algorithm, "mondrian") == 0 && chance(d, 2);
    const bool bounded = intervals && !ranges && !d->wildcard && chance(d, 4);
    const bool suppress = strcmp(algorithm, "weave") == 0 || strcmp(algorithm, "flash") == 0;
    char change[80] = "";
    if (d->round > 0)
        snprintf(change, sizeof change, ", round: %g", (double)d->round / (double)d->unit);
    if (d->top != 0)
        snprintf(change + strlen(change), sizeof change - strlen(change), ", top: %g",
                 (double)d->top / (double)d->unit);
    snprintf(d->study, sizeof d->study,
             "study: s\ncolumns:\n"
             "  - {name: a, role: quasi-identifying, type: %s, microaggregate: mean%s%s%s%s}\n"
             "  - {name: b, role: quasi-identifying, hierarchy: {mask: right}}\n"
             "  - {name: s, role: sensitive}\n"
             "privacy:\n  - {model: k-anonymity, k: %u}\n%s"
             "algorithm: %s\nmissing: %s\n%s%s",
             type, d->comma ? ", decimal: comma" : "", change,
             intervals ? ", hierarchy: {intervals: [5, 50]}" : "", bounded ? ", max_level: 2" : "",
             d->k, diverse ? "  - {model: l-diversity, l: 1.5}\n" : "", algorithm,
             d->drop       ? "drop"
             : d->wildcard ? "wildcard"
                           : "value",
             ranges ? "ranges: true\n" : "",
             suppress && chance(d, 2) ? "utility: {suppression: 0.2}\n" : "");
}

static void write_data(draw *d)
{
    FILE *file = fopen(scratch_path("data.csv"), "w");
    const bool gaps = chance(d, 3);
    fputs("a;b;s\n", file);
    for (uint32_t i = 0; i < d->n_rows; i++) {
        const long units = (long)rng_below(&d->r, 90 * (uint32_t)d->unit) - 20 * d->unit;
        const int least = shortest(d, units);
        char text[CELL];
        d->decimals[i] = least + (int)rng_below(&d->r, (uint32_t)(d->digits - least + 1));
        write_number(text, d, units, d->decimals[i]);
        d->units[i] = changed(d, units);
        if (d->changes)
            d->decimals[i] = shortest(d, d->units[i]);
        d->missing[i] = gaps && chance(d, 6);
        d->kept[i] = !(d->drop && d->missing[i]);
        snprintf(d->b[i], sizeof d->b[i], "%u%u", rng_below(&d->r, 2), rng_below(&d->r, 2));
        fprintf(file, "%s;%s;%u\n", d->missing[i] ? "" : text, d->b[i], rng_below(&d->r, 4));
    }
    fclose(file);
}

static void draw_make(draw *d, uint64_t seed)
{
    *d = (draw){.n_rows = 0};
    rng_init(&d->r, seed, 7);
    d->n_rows = 8 + rng_below(&d->r, MAX_ROWS - 8);
    d->k = 2 + rng_below(&d->r, 3);
    const bool whole = chance(d, 2);
    d->digits = whole ? 0 : (long)rng_below(&d->r, 4);
    d->unit = d->digits == 0 ? 1 : d->digits == 1 ? 10 : d->digits == 2 ? 100 : 1000;
    d->comma = !whole && chance(d, 3);
    d->changes = !d->comma && chance(d, 3);
    if (d->changes) {
        d->round = whole || chance(d, 2) ? 5 * d->unit : d->digits > 0 ? d->unit / 2 : d->unit;
        d->top = chance(d, 2) ? 50 * d->unit : 0;
    }
    d->drop = chance(d, 4);
    d->wildcard = !d->drop && chance(d, 3);
    write_study(d, whole ? "integer" : "decimal", chance(d, 2));
    write_data(d);
    scratch_write(scratch_path("study.yaml"), d->study);
}

typedef enum rows_as { KEPT, SORTED, RANDOM } rows_as;

static kith_status anonymize(const kith_study *study, rows_as rows, kith_error *error)
{
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input = KITH_INPUT_URI(scratch_path("data.csv")),
                     .output = scratch_path("release.csv"), .overwrite = true,
                     .shuffle = rows == RANDOM, .keep_order = rows == KEPT);
    return kith_anonymize(NULL, study, &options, &run, error);
}

/* Whether kith_verify accepts release.csv, and by which check. */
static bool verifies(const kith_study *study, char check[16])
{
    kith_document *verdict = NULL;
    const kith_verify_options options =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(scratch_path("release.csv")),
                     .data = KITH_INPUT_URI(scratch_path("data.csv")));
    assert_int_equal(kith_verify(&verdict, study, &options, NULL, NULL), KITH_OK);
    const bool holds = kith_document_flag(verdict, "holds", false);
    snprintf(check, 16, "%s", kith_document_text(verdict, "cover.check", ""));
    kith_document_free(verdict);
    return holds;
}

static const char *cell(const kith_table *t, uint32_t row, size_t column_index)
{
    const char *text = kith_table_cell(t, row, column_index);
    return text == NULL ? "" : text;
}

/* The mean of some units, halves up: as many decimals as the kept values have; whole numbers two at
 * most, without zeros at the end. Returns what it is rounded to. */
static double expected_mean(char *text, const draw *d, long sum, long n)
{
    int decimals = 0;
    for (uint32_t i = 0; i < d->n_rows; i++)
        if (d->kept[i] && !d->missing[i] && d->decimals[i] > decimals)
            decimals = d->decimals[i];
    const int shown = decimals == 0 ? 2 : decimals;
    const double step = pow(10, -shown);
    /* sum / (n unit step), rounded by whole numbers */
    const long scale = lround(1 / step), divisor = 2 * n * d->unit;
    const long numerator = 2 * sum * scale + n * d->unit;
    const long steps = numerator / divisor - (numerator % divisor < 0);
    char behind[8] = "";
    for (long i = shown, rest = labs(steps) % scale; i-- > 0; rest /= 10)
        behind[i] = (char)('0' + rest % 10);
    snprintf(text, CELL, "%s%ld.%s", steps < 0 ? "-" : "", labs(steps) / scale, behind);
    char *end = text + strlen(text);
    while (decimals == 0 && (end[-1] == '0' || end[-1] == '.')) {
        const bool mark = end[-1] == '.';
        *--end = '\0';
        if (mark)
            break;
    }
    if (d->comma && strchr(text, '.') != NULL)
        *strchr(text, '.') = ',';
    return step;
}

/* What one class shows. `records` are numbers of rows of the data. */
static void check_class(const draw *d, const kith_table *t, uint32_t first, const uint32_t *records,
                        uint32_t n, uint32_t *n_means)
{
    long sum = 0, low = LONG_MAX, high = LONG_MIN;
    bool missing = false;
    char mean[CELL];
    const char *shown = cell(t, first, 0);
    for (uint32_t i = 0; i < n; i++) {
        const long units = d->units[records[i]];
        missing = missing || d->missing[records[i]];
        sum += units;
        low = units < low ? units : low;
        high = units > high ? units : high;
    }
    if (missing) { /* no number */
        assert_true(strcmp(shown, "") == 0 || strcmp(shown, "*") == 0);
        return;
    }
    if (strcmp(shown, "*") == 0 && strcmp(cell(t, first, 1), "*") == 0)
        return; /* suppressed */
    const double step = expected_mean(mean, d, sum, n) * (double)d->unit;
    assert_string_equal(shown, mean);
    assert_true(n >= d->k);
    for (char *mark = mean; *mark != '\0'; mark++)
        *mark = *mark == ',' ? '.' : *mark;
    const double number = strtod(mean, NULL) * (double)d->unit;
    assert_true(number >= (double)low - 1e-6 && number <= (double)high + 1e-6);
    /* Whoever knows all others knows the last one, up to the rounding of a sum of n. */
    const double rest = number * n - (double)(sum - d->units[records[0]]);
    assert_true(fabs(rest - (double)d->units[records[0]]) <= n * step / 2 + 1e-6);
    ++*n_means;
}

/* Row i of the release is the i-th kept row of the data. */
static uint32_t check_classes(const draw *d, const kith_table *t)
{
    uint32_t row_of[MAX_ROWS], n = 0, n_means = 0;
    for (uint32_t i = 0; i < d->n_rows; i++)
        if (d->kept[i])
            row_of[n++] = i;
    assert_int_equal(kith_table_n_rows(t), n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t records[MAX_ROWS], size = 0, first = n;
        for (uint32_t o = 0; o < n; o++)
            if (strcmp(cell(t, i, 0), cell(t, o, 0)) == 0 &&
                strcmp(cell(t, i, 1), cell(t, o, 1)) == 0) {
                records[size++] = row_of[o];
                first = o < first ? o : first;
            }
        if (first == i)
            check_class(d, t, i, records, size, &n_means);
    }
    return n_means;
}

/* Changes what one class shows in column a, in all of its rows: false if no class has a mean. */
static bool forge(draw *d, const kith_table *t)
{
    const uint32_t n = (uint32_t)kith_table_n_rows(t), at = rng_below(&d->r, n);
    char other[CELL];
    if (strpbrk(cell(t, at, 0), "0123456789") == NULL)
        return false;
    snprintf(other, sizeof other, "%s%s", chance(d, 2) ? "9" : "-1",
             cell(t, at, 0) + strspn(cell(t, at, 0), "-"));
    FILE *file = fopen(scratch_path("release.csv"), "w");
    fputs("a;b;s\n", file);
    for (uint32_t i = 0; i < n; i++) {
        const bool same = strcmp(cell(t, i, 0), cell(t, at, 0)) == 0 &&
                          strcmp(cell(t, i, 1), cell(t, at, 1)) == 0;
        fprintf(file, "%s;%s;%s\n", same ? other : cell(t, i, 0), cell(t, i, 1), cell(t, i, 2));
    }
    fclose(file);
    return true;
}

/* The rows in an order of this test's own, which the seed fixes. */
static void shuffle(draw *d, const kith_table *t)
{
    const uint32_t n = (uint32_t)kith_table_n_rows(t);
    uint32_t order[MAX_ROWS] = {0};
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    rng_shuffle(&d->r, order, n);
    FILE *file = fopen(scratch_path("release.csv"), "w");
    fputs("a;b;s\n", file);
    for (uint32_t i = 0; i < n; i++)
        fprintf(file, "%s;%s;%s\n", cell(t, order[i], 0), cell(t, order[i], 1),
                cell(t, order[i], 2));
    fclose(file);
}

typedef struct counts {
    uint32_t released, means, shuffled, forged;
} counts;

static void run_one(uint64_t seed, counts *c)
{
    draw d;
    char check[16];
    kith_error error = {0};
    kith_study *study = NULL;
    kith_table *t = NULL;
    draw_make(&d, seed);
    if (kith_study_read(&study, scratch_path("study.yaml"), NULL, &error) != KITH_OK)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, error.message, d.study);
    const kith_status status = anonymize(study, KEPT, &error);
    if (status != KITH_OK && status != KITH_INFEASIBLE)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, error.message, d.study);
    if (status == KITH_OK) {
        const kith_table_options texts = KITH_INIT(kith_table_options);
        assert_int_equal(kith_table_read(&t, scratch_path("release.csv"), &texts, NULL, NULL),
                         KITH_OK);
        c->released++;
        c->means += check_classes(&d, t);
        assert_true(verifies(study, check));
        assert_string_equal(check, "in order");
        if (forge(&d, t)) {
            c->forged++;
            if (verifies(study, check))
                fail_msg("seed %llu: a forged mean is accepted", (unsigned long long)seed);
        }
        shuffle(&d, t);
        if (!verifies(study, check))
            fail_msg("seed %llu: shuffled rows are refused", (unsigned long long)seed);
        c->shuffled += strcmp(check, "bounded") == 0;
        /* Whoever puts the rows into another order verifies them row by row. */
        assert_int_equal(anonymize(study, RANDOM, &error), KITH_OK);
        assert_int_equal(anonymize(study, SORTED, &error), KITH_OK);
        if (!verifies(study, check))
            fail_msg("seed %llu: sorted rows are refused", (unsigned long long)seed);
        kith_table_free(t);
    }
    kith_study_free(study);
}

static void every_class_shows_its_mean(void **state)
{
    (void)state;
    counts c = {0};
    for (uint64_t seed = 1; seed <= 400; seed++)
        run_one(seed, &c);
    assert_true(c.released >= 250 && c.means >= 1000);
    assert_true(c.shuffled >= 200 && c.forged >= 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_class_shows_its_mean, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
