/* Slices that were read alone get the codes, dictionaries and counts of the whole table. */
#include "unit/job/support.h"

#include "core/rng.h"
#include "job/prepare/kept_rows.h"
#include "job/slice/slice_prepare.h"

#include "support/thread_ranks.h"
#include "table/table_unite.h"

enum { ROWS = 60, COLUMNS = 4, MOST_RANKS = 7 };

static const char study_text[] = "study: s\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "  - {name: town, role: quasi-identifying}\n"
                                 "  - {name: dose, role: sensitive, type: decimal}\n"
                                 "  - {name: note, role: insensitive}\n"
                                 "missing: %s\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";

/* Texts of equal numbers, texts that begin alike, and missing cells. */
static const char *const texts[COLUMNS][9] = {
    {"7", "007", "-3", "40", "041", "+7", "12", NULL, "100"},
    {"a", "ab", "b", "abc", "B", "\xc3\xa9", NULL, "zz", "a b"},
    {"1.5", "-0", "0", "1.50", "1e3", "1000", "-2.25", "3", NULL},
    {"x", NULL, "y", "longer text", "x y", "q", "r", "s", "t"}};

typedef struct slice_case {
    const kith_study *study;
    const char *cells[ROWS * COLUMNS];
    const kith_table *whole; /* the rows that are kept */
    uint64_t n_kept;
    char failure[1200]; /* of the first rank that finds one */
} slice_case;

static bool same_dictionary(const dictionary *a, const dictionary *b)
{
    bool same = a->count == b->count && a->type == b->type;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = strcmp(dictionary_text(a, i), dictionary_text(b, i)) == 0 &&
               (a->whole == NULL || a->whole[i] == b->whole[i]) &&
               (a->decimal == NULL || a->decimal[i] == b->decimal[i]);
    return same;
}

static const char *compare(const slice_case *s, const kith_table *own, const prepare_whole *whole,
                           uint32_t first)
{
    if (whole->n_rows != s->n_kept || whole->dropped != ROWS - s->n_kept)
        return "rows";
    const kept_rows kept = {s->study, NULL};
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const column *all = &s->whole->columns[i];
        uint64_t counts[16] = {0};
        if (!same_dictionary(&all->values, &own->columns[i].values))
            return "dictionary";
        if (memcmp(all->codes + first, own->columns[i].codes, own->n_rows * sizeof *all->codes) !=
            0)
            return "codes";
        for (uint32_t row = 0; row < ROWS; row++)
            if (kept_rows_has(&kept, s->whole, row))
                counts[all->codes[row] == TABLE_MISSING ? all->values.count : all->codes[row]]++;
        if (memcmp(counts, whole->counts[i], (all->values.count + 1) * sizeof *counts) != 0)
            return "counts";
    }
    return NULL;
}

static kith_status unite(const slice_case *s, kith_ranks *ranks, const char **wrong,
                         kith_error *error)
{
    const uint32_t rank = ranks_self(ranks), size = ranks_count(ranks);
    /* Slices of unequal size, some of them empty. */
    const uint32_t first = rank == 0 ? 0 : ROWS * rank * rank / (size * size),
                   end = ROWS * (rank + 1) * (rank + 1) / (size * size);
    const kept_rows kept = {s->study, NULL};
    const kith_table *own, *united;
    kith_table *read = table_of(s->study, s->cells + (size_t)first * COLUMNS, end - first);
    context own_context;
    prepare_whole whole;
    if (context_init(&own_context, NULL, error) != KITH_OK)
        return KITH_NOMEM;
    own_context.ranks = ranks;
    kith_status status = kept_rows_table(&own, &kept, read, own_context.memory, error);
    if (status == KITH_OK)
        status = table_unite(&united, own, NULL, &own_context, error);
    if (status == KITH_OK)
        status = slice_count(&whole, s->study, united, &own_context, error);
    if (status == KITH_OK)
        *wrong = compare(s, united, &whole, first);
    context_wipe(&own_context);
    kith_table_free(read);
    return status;
}

static void one_rank(kith_ranks *ranks, void *user)
{
    slice_case *s = user;
    kith_error error = {0};
    const char *wrong = NULL;
    const kith_status status = ranks_leave(ranks, unite(s, ranks, &wrong, &error), &error);
    if (status != KITH_OK || wrong != NULL)
        snprintf(s->failure, sizeof s->failure, "rank %u of %u: %s", ranks_self(ranks),
                 ranks_count(ranks), status != KITH_OK ? error.message : wrong);
}

static void compare_all(const char *missing, uint64_t seed)
{
    char text[sizeof study_text + 20];
    snprintf(text, sizeof text, study_text, missing);
    kith_study *study = study_of(text);
    static slice_case s;
    rng r;
    rng_init(&r, seed, 0);
    s = (slice_case){.study = study};
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        s.cells[i] = texts[i % COLUMNS][rng_below(&r, 9)];
    kith_table *table = table_of(study, s.cells, ROWS);
    const kept_rows kept = {study, NULL};
    context c;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(kept_rows_table(&s.whole, &kept, table, c.memory, NULL), KITH_OK);
    s.n_kept = kept_rows_count(&kept, table);
    static const uint32_t sizes[] = {1, 2, 3, 4, MOST_RANKS};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        thread_ranks_run(sizes[i], one_rank, &s);
        if (s.failure[0] != '\0')
            fail_msg("%s", s.failure);
    }
    context_wipe(&c);
    kith_table_free(table);
    kith_study_free(study);
}

static void slices_become_parts_of_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        compare_all("value", seed);
        compare_all("drop", seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slices_become_parts_of_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
