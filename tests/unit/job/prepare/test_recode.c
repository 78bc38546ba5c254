/* Changed values by hand, and against the verifier's own arithmetic. */
#include "job/prepare/recode.h"

#include <sys/stat.h>

#include "core/rng.h"
#include "unit/job/support.h"
#include "verify/recoded.h"

static kith_table *numbers_of(const char *const *cells, size_t n, kith_type type)
{
    const kith_column_spec spec = {.name = "x", .type = type};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    kith_table *table = NULL;
    kith_error error;
    if (kith_table_from_cells(&table, cells, n, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

/* The texts that the cells become. */
static void becomes(const recoding *r, kith_type type, const char *const *cells,
                    const char *const *expected, size_t n)
{
    arena *memory = arena_new();
    kith_table *table = numbers_of(cells, n, type);
    const column *c = &table->columns[0];
    uint32_t *codes = arena_array(memory, c->values.count, sizeof *codes);
    dictionary changed;
    kith_error error;
    assert_int_equal(recode_numbers(&changed, codes, &c->values, r, memory, &error), KITH_OK);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(dictionary_text(&changed, codes[c->codes[i]]), expected[i]);
    for (uint32_t i = 1; i < changed.count; i++)
        assert_true(c->values.whole != NULL ? changed.whole[i - 1] < changed.whole[i]
                                            : changed.decimal[i - 1] < changed.decimal[i]);
    kith_table_free(table);
    arena_free(memory);
}

static void integers_by_hand(void **state)
{
    (void)state;
    const recoding tens = {.round = 10}, coded = {true, true, 90, 18, 0, NULL},
                   both = {true, false, 93, 0, 10, NULL}, odd = {.round = 3};
    static const char *const cells[] = {"-15", "-14", "0", "4", "5", "94", "95", "104"};
    static const char *const by_tens[] = {"-10", "-10", "0", "0", "10", "90", "100", "100"};
    static const char *const by_bounds[] = {"18", "18", "18", "18", "18", "90", "90", "90"};
    static const char *const by_both[] = {"-10", "-10", "0", "0", "10", "90", "93", "93"};
    static const char *const threes[] = {"-15", "-15", "0", "3", "6", "93", "96", "105"};
    becomes(&tens, KITH_TYPE_INTEGER, cells, by_tens, 8);
    becomes(&coded, KITH_TYPE_INTEGER, cells, by_bounds, 8);
    becomes(&both, KITH_TYPE_INTEGER, cells, by_both, 8);
    becomes(&odd, KITH_TYPE_INTEGER, cells, threes, 8);
}

static void decimals_by_hand(void **state)
{
    (void)state;
    const recoding tenths = {.round = 0.1}, halves = {true, false, 2.25, 0, 0.5, NULL};
    static const char *const cells[] = {"-0.04", "0.14", "0.25", "0.3", "1.75", "2.4"};
    static const char *const by_tenths[] = {"0", "0.1", "0.3", "0.3", "1.8", "2.4"};
    static const char *const by_halves[] = {"0", "0", "0.5", "0.5", "2", "2.25"};
    becomes(&tenths, KITH_TYPE_DECIMAL, cells, by_tenths, 6);
    becomes(&halves, KITH_TYPE_DECIMAL, cells, by_halves, 6);
}

/* The doubles of 0.95, 0.285 and 1.005 are less than the numbers, those of others are more. */
static void halves_are_those_of_the_text(void **state)
{
    (void)state;
    const recoding tenths = {.round = 0.1}, hundredths = {.round = 0.01}, ones = {.round = 1};
    static const char *const cells[] = {"-0.95", "-0.15", "0.15", "0.35", "0.949", "0.95"};
    static const char *const by_tenths[] = {"-0.9", "-0.1", "0.2", "0.4", "0.9", "1"};
    static const char *const more[] = {"-0.285", "0.285", "0.2849999",        "1.005",
                                       "2.675",  "8.345", "1234567890123.445"};
    static const char *const by_hundredths[] = {
        "-0.28", "0.29", "0.28", "1.01", "2.68", "8.35", "1234567890123.45"};
    static const char *const near[] = {"0.49999999999999994", "0.5", "2.5", "-2.5"};
    static const char *const by_ones[] = {"0", "1", "3", "-2"};
    becomes(&tenths, KITH_TYPE_DECIMAL, cells, by_tenths, 6);
    becomes(&hundredths, KITH_TYPE_DECIMAL, more, by_hundredths, 7);
    becomes(&ones, KITH_TYPE_DECIMAL, near, by_ones, 4);
}

static void large_integers_keep_their_digits(void **state)
{
    (void)state;
    const recoding far = {true, false, 9e18, 0, 0, NULL}, tens = {.round = 10};
    static const char *const cells[] = {"9007199254740993", "9223372036854775807"};
    static const char *const capped[] = {"9007199254740993", "9000000000000000000"};
    static const char *const ends[] = {"-9223372036854775804", "9223372036854775804"};
    static const char *const by_tens[] = {"-9223372036854775800", "9223372036854775800"};
    becomes(&far, KITH_TYPE_INTEGER, cells, capped, 2);
    becomes(&tens, KITH_TYPE_INTEGER, ends, by_tens, 2);
}

static bool fits(const recoding *r, kith_type type, const char *cell)
{
    kith_table *table = numbers_of(&cell, 1, type);
    const bool answer = recode_fits(r, &table->columns[0].values, 0);
    kith_table_free(table);
    return answer;
}

/* A multiple beyond the range is no number, unless a bound brings it back. */
static void multiples_beyond_the_range(void **state)
{
    (void)state;
    const recoding tens = {.round = 10}, bounded = {true, true, 90, -90, 10, NULL},
                   thousandths = {.round = 0.001}, large = {.round = 0x1p53};
    assert_true(fits(&tens, KITH_TYPE_INTEGER, "9223372036854775804"));
    assert_false(fits(&tens, KITH_TYPE_INTEGER, "9223372036854775805"));
    assert_false(fits(&tens, KITH_TYPE_INTEGER, "-9223372036854775808"));
    assert_true(fits(&bounded, KITH_TYPE_INTEGER, "9223372036854775807"));
    assert_true(fits(&bounded, KITH_TYPE_INTEGER, "-9223372036854775808"));
    assert_true(fits(&large, KITH_TYPE_INTEGER, "-9223372036854775808"));
    assert_false(fits(&large, KITH_TYPE_INTEGER, "9223372036854775807"));
    assert_true(fits(&thousandths, KITH_TYPE_DECIMAL, "1e305"));
    assert_false(fits(&thousandths, KITH_TYPE_DECIMAL, "1e307"));
    assert_false(fits(&thousandths, KITH_TYPE_DECIMAL, "-1e307"));
}

/* Random numbers: what is released is what the verifier expects, and nothing else is. */
static void agrees_with_the_verifier(void **state)
{
    (void)state;
    enum { ROUNDS = 300, CELLS = 40 };
    static const double steps[] = {0, 1, 5, 7, 100, 0.5, 0.1, 0.01, 0.005};
    rng r;
    rng_init(&r, 4, 0);
    for (int round = 0; round < ROUNDS; round++) {
        const bool whole = rng_below(&r, 2) == 0;
        char texts[CELLS][40];
        const char *cells[CELLS];
        for (int i = 0; i < CELLS; i++) {
            const int number = (int)rng_below(&r, 4000) - 2000;
            snprintf(texts[i], sizeof texts[i], "%.*f", whole ? 0 : 3,
                     whole ? number : number / 200.0);
            cells[i] = texts[i];
        }
        recoding how = {.has_top = rng_below(&r, 2) == 0, .top = 12, .bottom = -7};
        how.has_bottom = rng_below(&r, 2) == 0;
        how.round = steps[rng_below(&r, whole ? 5 : 9)];
        arena *memory = arena_new();
        kith_error error;
        kith_table *table = numbers_of(cells, CELLS, whole ? KITH_TYPE_INTEGER : KITH_TYPE_DECIMAL);
        const column *c = &table->columns[0];
        uint32_t *codes = arena_array(memory, c->values.count, sizeof *codes);
        uint32_t *found = arena_array(memory, c->values.count, sizeof *found);
        dictionary changed;
        assert_int_equal(recode_numbers(&changed, codes, &c->values, &how, memory, &error),
                         KITH_OK);
        const char **released = arena_array(memory, changed.count, sizeof *released);
        for (uint32_t i = 0; i < changed.count; i++)
            released[i] = dictionary_text(&changed, i);
        const cover_recoding check = {.how = &how, .original = c};
        assert_int_equal(
            recoded_find(found, &check, released, changed.count, UINT32_MAX, memory, &error),
            KITH_OK);
        for (uint32_t i = 0; i < c->values.count; i++)
            if (found[i] != codes[i])
                fail_msg("%s became %s", dictionary_text(&c->values, i), released[codes[i]]);
        kith_table_free(table);
        arena_free(memory);
    }
}

/* BLAKE2b-128 of "abc" with the key 00 01 … 1f, as Python's hashlib computes it. */
static void pseudonyms_are_keyed_blake2b(void **state)
{
    (void)state;
    place p;
    place_make(&p);
    char key[32];
    for (int i = 0; i < 32; i++)
        key[i] = (char)i;
    const char *path = place_file(&p, "k", "");
    FILE *file = fopen(path, "w");
    assert_int_equal(fwrite(key, 1, sizeof key, file), sizeof key);
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
    char text[400];
    snprintf(text, sizeof text,
             "study: s\ncolumns:\n  - {name: id, role: identifying, pseudonym: %s}\n"
             "  - {name: a, role: quasi-identifying}\nprivacy: [{model: k-anonymity, k: 2}]\n",
             path);
    kith_study *study = study_of(text);
    static const char *const cells[] = {"abc", "x", "", "x", "abc", "x"};
    kith_table *table = table_of(study, cells, 3), *release = NULL;
    kith_error error;
    if (kith_anonymize_table(&release, NULL, study, table, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_string_equal(cell_of(release, 0, 0), "1a64be47e4729d951c302ee543f97cf3");
    assert_string_equal(cell_of(release, 1, 0), "1a64be47e4729d951c302ee543f97cf3");
    assert_string_equal(cell_of(release, 2, 0), "");
    kith_table_free(release);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(kith_anonymize_table(&release, NULL, study, table, NULL, &error),
                     KITH_INVALID);
    assert_non_null(strstr(error.message, "others can read it"));
    kith_table_free(table);
    kith_study_free(study);
    place_wipe(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_by_hand),
        cmocka_unit_test(decimals_by_hand),
        cmocka_unit_test(halves_are_those_of_the_text),
        cmocka_unit_test(large_integers_keep_their_digits),
        cmocka_unit_test(multiples_beyond_the_range),
        cmocka_unit_test(agrees_with_the_verifier),
        cmocka_unit_test(pseudonyms_are_keyed_blake2b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
