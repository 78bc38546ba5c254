/* What ranks say of a table of which each has a slice is what one process says of the whole. */
#include "unit/job/support.h"

#include "core/error.h"
#include "core/rng.h"
#include "support/thread_ranks.h"

enum { ROWS = 90, COLUMNS = 9, MOST_RANKS = 7, BORDER = ROWS / 4 };

static const char *const names[COLUMNS] = {"reading", "age",  "town",  "zip",  "diagnosis",
                                           "amount",  "note", "group", "block"};

typedef struct described {
    char texts[ROWS * COLUMNS][16];
    const char *cells[ROWS * COLUMNS];
    const char *study; /* or NULL */
    char *json[MOST_RANKS];
    char messages[MOST_RANKS][SAID_BYTES];
} described;

static char *describe(const described *k, uint32_t first, uint32_t end, const kith_study *study,
                      kith_ranks *ranks, char message[SAID_BYTES])
{
    kith_error error = {0};
    kith_table *table = NULL;
    kith_document *d = NULL;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .ranks = ranks);
    kith_status status =
        texts_of(&table, names, COLUMNS, k->cells + (size_t)first * COLUMNS, end - first, &error);
    const kith_describe_options options =
        KITH_OPTIONS(kith_describe_options, .data = KITH_INPUT_TABLE(table), .study = study);
    if (status == KITH_OK)
        status = kith_describe(&d, &options, &run, &error);
    assert_cells(table, k->cells + (size_t)first * COLUMNS);
    kith_table_free(table);
    return said(status, d, &error, message);
}

static kith_study *study_or_null(const char *text)
{
    kith_study *study = NULL;
    if (text != NULL && kith_study_parse(&study, text, strlen(text), ".", NULL, NULL) != KITH_OK)
        abort();
    return study;
}

/* Slices of unequal size, some of them empty. */
static void one_rank(kith_ranks *ranks, void *user)
{
    described *k = user;
    const uint32_t rank = ranks_self(ranks), size = ranks_count(ranks);
    const uint32_t first = ROWS * rank * rank / (size * size),
                   end = ROWS * (rank + 1) * (rank + 1) / (size * size);
    kith_study *study = study_or_null(k->study);
    k->json[rank] = describe(k, first, end, study, ranks, k->messages[rank]);
    kith_study_free(study);
}

/* Numbers that rise, columns that determine others, missing cells, rare values. Of two and of four
 * ranks one begins at BORDER: numbers that rise on every rank and do not on the whole, a group that
 * determines its block on every rank and does not on the whole. */
static void draw(described *k, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t row = 0; row < ROWS; row++) {
        char(*cell)[16] = &k->texts[(size_t)row * COLUMNS];
        const uint32_t zip = rng_below(&r, 12);
        const uint32_t jump = seed % 2 == 1 && row < BORDER ? 123457 : 0;
        snprintf(cell[0], 16, "%u", row * row * 40 + jump);
        snprintf(cell[1], 16, "%u", 20 + rng_below(&r, 30));
        snprintf(cell[2], 16, "town %u", zip / 4 + (seed % 3 == 0 && row == 70 ? 1 : 0));
        snprintf(cell[3], 16, "%05u", 12000 + zip);
        snprintf(cell[4], 16, "d%u", rng_below(&r, 6));
        snprintf(cell[5], 16, "%u.%u", rng_below(&r, 100), rng_below(&r, 10));
        snprintf(cell[6], 16, "%s", rng_below(&r, 9) == 0 ? "NA" : "7");
        snprintf(cell[7], 16, "g%u", row % 5);
        snprintf(cell[8], 16, "b%u", row % 5 + (row < BORDER));
        for (uint32_t i = 0; i < COLUMNS; i++)
            k->cells[(size_t)row * COLUMNS + i] = i < 7 && rng_below(&r, 30) == 0 ? NULL : cell[i];
    }
}

static void compare(described *k)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, MOST_RANKS};
    char message[SAID_BYTES] = "";
    kith_study *study = study_or_null(k->study);
    char *whole = describe(k, 0, ROWS, study, NULL, message);
    assert_string_equal(message, "");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        thread_ranks_run(sizes[s], one_rank, k);
        for (uint32_t r = 0; r < sizes[s]; r++) {
            assert_string_equal(k->messages[r], "");
            assert_string_equal(k->json[r], whole);
            kith_free(k->json[r]);
        }
    }
    kith_free(whole);
    kith_study_free(study);
}

static const char study_text[] = "study: s\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "  - {name: town, role: quasi-identifying}\n"
                                 "  - {name: zip, role: quasi-identifying}\n"
                                 "  - {name: diagnosis, role: sensitive}\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";

static void any_number_of_ranks_says_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        static described k;
        memset(&k, 0, sizeof k);
        draw(&k, seed);
        compare(&k);
        k.study = study_text;
        compare(&k);
    }
}

/* One rank has no table: all are told. */
static void failing_rank(kith_ranks *ranks, void *user)
{
    described *k = user;
    const uint32_t rank = ranks_self(ranks);
    if (rank != 1) {
        k->json[rank] = describe(k, 0, 10, NULL, ranks, k->messages[rank]);
        return;
    }
    kith_error error;
    error_set(&error, KITH_DATA, "part 1 is not to be read");
    if (kith_ranks_agree(ranks, KITH_DATA, &error) == KITH_DATA)
        snprintf(k->messages[rank], sizeof k->messages[rank], "%s", error.message);
}

static void all_ranks_fail_with_one(void **state)
{
    (void)state;
    static described k;
    memset(&k, 0, sizeof k);
    draw(&k, 5);
    thread_ranks_run(3, failing_rank, &k);
    for (uint32_t r = 0; r < 3; r++) {
        assert_null(k.json[r]);
        assert_string_equal(k.messages[r], "part 1 is not to be read");
    }
}

/* An attack on an encrypted view needs all rows at one place. */
static void attacking_rank(kith_ranks *ranks, void *user)
{
    described *k = user;
    const uint32_t rank = ranks_self(ranks);
    kith_error error = {0};
    kith_document *d = NULL;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .ranks = ranks);
    const kith_describe_options options = KITH_OPTIONS(
        kith_describe_options, .data = KITH_INPUT_URI("nowhere.csv"), .known = KITH_INPUT_URI(""));
    if (kith_describe(&d, &options, &run, &error) == KITH_INVALID)
        snprintf(k->messages[rank], sizeof k->messages[rank], "%s", error.message);
    kith_document_free(d);
}

static void attacks_are_refused(void **state)
{
    (void)state;
    static described k;
    memset(&k, 0, sizeof k);
    thread_ranks_run(2, attacking_rank, &k);
    for (uint32_t r = 0; r < 2; r++)
        assert_string_equal(k.messages[r], "what an encrypted view exposes needs all rows in one "
                                           "process, without ranks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_says_the_same),
        cmocka_unit_test(all_ranks_fail_with_one),
        cmocka_unit_test(attacks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
