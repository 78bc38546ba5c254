/* DIS-SUDA by hand. */
#include "risk/dis_suda.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "risk/special_uniques.h"

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g", found, expected);
}

/* With 8 columns q = 1. Two unique records with the scores 2 and 1 and a pair, half of the
 * population: DIS = 2·½ / (2·½ + 2·½) = ½, U / DIS - U = 2, F = 1/2 + 1 = 3/2, and so
 * 1 / (1 + 2 / (2·3/2)) = 3/5 and 1 / (1 + 2 / (3/2)) = 3/7. */
static void eight_columns(void **state)
{
    (void)state;
    const double suda[] = {0, 2, 1, 0};
    const dis_suda_file file = {.n_columns = 8, .n_singles = 2, .n_in_pairs = 2, .fraction = 0.5};
    double scores[4];
    dis_suda r;
    dis_suda_assess(&r, scores, suda, 4, &file);
    near(r.dis, 0.5, 1e-12);
    near(scores[0], 0, 0);
    near(scores[1], 3.0 / 5, 1e-12);
    near(scores[2], 3.0 / 7, 1e-12);
    near(scores[3], 0, 0);
    near(r.highest, 0.6, 1e-12);
    near(r.mean, (3.0 / 5 + 3.0 / 7) / 4, 1e-12);
}

/* Ten people by residence, sex, education and work: four are unique, three pairs. Sizes 1 and 2
 * count 6 and 2. The fifth is the only one in the country (6), and unique by three pairs of columns
 * (2 each). q = 1.2; U / DIS - U = 6 · 0.99 / 0.01 = 594; 6^1.2 = 8.5858, 10^1.2 = 15.849,
 * 12^1.2 = 19.725, so F = 2 / 8.5858 + 1 / 15.849 + 1 / 19.725 = 0.34674. */
static void ten_people(void **state)
{
    (void)state;
    static uint32_t codes[4][10] = {{0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
                                    {0, 0, 0, 1, 0, 1, 0, 1, 0, 0},
                                    {1, 1, 0, 2, 2, 2, 3, 4, 1, 1},
                                    {0, 0, 1, 0, 2, 0, 1, 2, 1, 1}};
    static const double suda[10] = {0, 0, 6, 0, 12, 0, 6, 10, 0, 0};
    column columns[4];
    const column *list[4];
    for (int j = 0; j < 4; j++) {
        columns[j] = (column){.values.count = 5, .codes = codes[j]};
        list[j] = &columns[j];
    }
    arena *memory = arena_new();
    special_uniques s;
    kith_error error;
    assert_int_equal(special_uniques_find(&s, list, 4, 10, 3, memory, &error), KITH_OK);
    for (int i = 0; i < 10; i++)
        near(s.scores[i], suda[i], 0);
    const dis_suda_file file = {4, 4, 6, DIS_SUDA_FRACTION};
    double scores[10];
    dis_suda r;
    dis_suda_assess(&r, scores, s.scores, 10, &file);
    near(r.dis, 0.04 / 5.98, 1e-12);
    near(scores[2], 1 / (1 + 594 / (8.585814 * 0.346733)), 1e-6);
    near(scores[4], 1 / (1 + 594 / (19.72516 * 0.346733)), 1e-6);
    near(scores[6], scores[2], 0);
    near(scores[7], 1 / (1 + 594 / (15.84893 * 0.346733)), 1e-6);
    near(r.highest, scores[4], 0);
    arena_free(memory);
}

/* The whole population: every match is right. No unique record: no risk. */
static void at_the_ends(void **state)
{
    (void)state;
    const double some[] = {3, 0}, none[] = {0, 0};
    double scores[2];
    dis_suda r;
    const dis_suda_file whole = {4, 1, 0, 0.01}, all = {4, 1, 8, 1}, paired = {4, 0, 2, 0.01};
    dis_suda_assess(&r, scores, some, 2, &whole); /* nobody is in a pair */
    near(r.dis, 1, 0);
    near(scores[0], 1, 0);
    dis_suda_assess(&r, scores, some, 2, &all);
    near(r.dis, 1, 0);
    near(scores[0], 1, 0);
    dis_suda_assess(&r, scores, none, 2, &paired);
    near(r.dis, 0, 0);
    near(r.highest, 0, 0);
    dis_suda_assess(&r, scores, none, 0, &paired);
    near(r.mean, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_columns),
        cmocka_unit_test(ten_people),
        cmocka_unit_test(at_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
