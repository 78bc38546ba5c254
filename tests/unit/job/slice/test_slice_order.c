/* Rows of all ranks in the order of a release, and back at the ranks of their records. */
#include "unit/job/support.h"

#include "core/run/context.h"
#include "core/rng.h"
#include "job/slice/slice_order.h"
#include "support/thread_ranks.h"
#include "table/rows/table_order.h"

enum { ROWS = 500, COLUMNS = 3, MOST_RANKS = 7 };

static const char study_text[] = "study: s\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "  - {name: town, role: quasi-identifying}\n"
                                 "  - {name: row, role: insensitive, type: integer}\n"
                                 "missing: value\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";

typedef struct ordered_case {
    const kith_table *whole;
    bool by_chance;
    uint32_t cuts[MOST_RANKS + 1];            /* rank r has the rows cuts[r] … cuts[r + 1] - 1 */
    uint32_t n_here[MOST_RANKS];              /* rows that have come to it */
    uint32_t here[COLUMNS][MOST_RANKS][ROWS]; /* their codes */
    const char *failure;
} ordered_case;

static kith_status order_and_return(ordered_case *s, context *c, kith_error *error)
{
    const uint32_t r = ranks_self(c->ranks), first = s->cuts[r];
    slice_order o;
    kith_table own = *s->whole, rows, home;
    column columns[COLUMNS];
    own.n_rows = s->cuts[r + 1] - first;
    own.columns = columns;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        columns[i] = s->whole->columns[i];
        columns[i].codes += first;
    }
    kith_status status = s->by_chance ? slice_order_by_chance(&o, &rows, &own, c, c->memory, error)
                                      : slice_order_by_cells(&o, &rows, &own, c, c->memory, error);
    if (status != KITH_OK)
        return status;
    s->n_here[r] = rows.n_rows;
    for (uint32_t i = 0; i < COLUMNS; i++)
        memcpy(s->here[i][r], rows.columns[i].codes, rows.n_rows * sizeof(uint32_t));
    status = slice_order_back(&home, &o, &rows, c, error);
    for (uint32_t i = 0; status == KITH_OK && i < COLUMNS; i++)
        if (home.n_rows != own.n_rows ||
            memcmp(home.columns[i].codes, columns[i].codes, own.n_rows * sizeof(uint32_t)) != 0)
            s->failure = "other rows come back";
    return status;
}

static void one_rank(kith_ranks *ranks, void *user)
{
    ordered_case *s = user;
    kith_error error = {0};
    context own;
    if (context_init(&own, NULL, &error) != KITH_OK)
        abort();
    own.ranks = ranks;
    if (ranks_leave(ranks, order_and_return(s, &own, &error), &error) != KITH_OK)
        s->failure = "an error";
    context_wipe(&own);
}

/* The rows of all ranks, one after the other. */
static void collect(kith_table *found, const ordered_case *s, uint32_t n_ranks)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        for (uint32_t row = 0; row < s->n_here[r]; row++, n++)
            for (uint32_t i = 0; i < COLUMNS; i++)
                found->columns[i].codes[n] = s->here[i][r][row];
    assert_int_equal(n, ROWS);
}

/* The last column numbers the rows, so that it tells equal ones apart; it is no part of the order
 * that is asked for here. */
static void draw(kith_table **table, kith_study *study, uint32_t n_values, bool numbered, rng *r)
{
    static char texts[ROWS][COLUMNS][8];
    const char *cells[ROWS * COLUMNS];
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < COLUMNS; i++) {
            const uint32_t value = i == 2 ? row * numbered : rng_below(r, n_values);
            snprintf(texts[row][i], 8, i == 1 ? "t%u" : "%u", value);
            cells[row * COLUMNS + i] = i < 2 && rng_below(r, 9) == 0 ? NULL : texts[row][i];
        }
    *table = table_of(study, cells, ROWS);
}

/* Slices of any size: some are empty. */
static void run(ordered_case *s, uint32_t n_ranks)
{
    for (uint32_t r = 0; r <= n_ranks; r++)
        s->cuts[r] = r < 2 ? 0 : ROWS * (r - 1) * (r - 1) / ((n_ranks - 1) * (n_ranks - 1));
    s->cuts[n_ranks] = ROWS;
    thread_ranks_run(n_ranks, one_rank, s);
    if (s->failure != NULL)
        fail_msg("%u ranks: %s", n_ranks, s->failure);
}

static const uint32_t sizes[] = {1, 2, 3, 4, MOST_RANKS};

static void rows_are_sorted_across_ranks(void **state)
{
    (void)state;
    static ordered_case s;
    kith_study *study = study_of(study_text);
    for (uint64_t seed = 0; seed < 24; seed++) {
        rng r;
        kith_table *whole, found;
        uint32_t *order;
        context c;
        rng_init(&r, seed, 3);
        draw(&whole, study, seed % 3 == 0 ? 2 : 30, seed % 2 == 0, &r);
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        assert_int_equal(table_room(&found, whole, ROWS, c.memory, NULL), KITH_OK);
        assert_int_equal(table_order_by_cells(&order, whole, c.memory, NULL), KITH_OK);
        s = (ordered_case){.whole = whole};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            run(&s, sizes[k]);
            collect(&found, &s, sizes[k]);
            for (uint32_t i = 0; i < COLUMNS; i++)
                for (uint32_t row = 0; row < ROWS; row++)
                    assert_int_equal(found.columns[i].codes[row],
                                     whole->columns[i].codes[order[row]]);
        }
        context_wipe(&c);
        kith_table_free(whole);
    }
    kith_study_free(study);
}

/* All rows look equal: no rank has most of them. */
static void equal_rows_are_shared_out(void **state)
{
    (void)state;
    static ordered_case s;
    kith_study *study = study_of(study_text);
    kith_table *whole;
    rng r;
    rng_init(&r, 1, 3);
    draw(&whole, study, 1, false, &r);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < COLUMNS; i++)
            whole->columns[i].codes[row] = 0;
    s = (ordered_case){.whole = whole};
    run(&s, 4);
    for (uint32_t rank = 0; rank < 4; rank++)
        assert_in_range(s.n_here[rank], ROWS / 4 - 2, ROWS / 4 + 2);
    kith_table_free(whole);
    kith_study_free(study);
}

/* By the numbers of the rows: all of them, in an order that is neither that of the data nor the one
 * that was drawn before. */
static void a_random_order_has_all_rows(void **state)
{
    (void)state;
    static ordered_case s;
    kith_study *study = study_of(study_text);
    kith_table *whole, found, before;
    context c;
    rng r;
    rng_init(&r, 1, 3);
    draw(&whole, study, 5, true, &r);
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(table_room(&found, whole, ROWS, c.memory, NULL), KITH_OK);
    assert_int_equal(table_room(&before, whole, ROWS, c.memory, NULL), KITH_OK);
    s = (ordered_case){.whole = whole, .by_chance = true};
    for (size_t k = 0; k < 2 * (sizeof sizes / sizeof *sizes); k++) {
        bool seen[ROWS] = {false};
        uint32_t n_kept = 0, n_again = 0;
        run(&s, sizes[k / 2]);
        collect(&found, &s, sizes[k / 2]);
        for (uint32_t row = 0; row < ROWS; row++) {
            const uint32_t from = found.columns[2].codes[row];
            assert_false(seen[from]);
            seen[from] = true;
            assert_int_equal(found.columns[1].codes[row], whole->columns[1].codes[from]);
            n_kept += from == row;
            n_again += k > 0 && from == before.columns[2].codes[row];
            before.columns[2].codes[row] = from;
        }
        assert_true(n_kept < ROWS / 10 && n_again < ROWS / 10);
    }
    context_wipe(&c);
    kith_table_free(whole);
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_across_ranks),
        cmocka_unit_test(equal_rows_are_shared_out),
        cmocka_unit_test(a_random_order_has_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
