/* Bins in the ID-based protocol: from 68 lists on they have fewer pairs than all pairs, which is
 * slow to test. Here a few lists get bins too, large enough for every name of the tests. */
/* needs: id-based */
/* wrap: id_based_bins_for */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/id_based/id_based_bins.h"
#include "support/id_based_check.h"
#include "support/id_based_view.h"

id_based_bins __wrap_id_based_bins_for(uint32_t lists, bool hashing);
id_based_bins __real_id_based_bins_for(uint32_t lists, bool hashing);

/* Five names without a place have at least four of them with the same three bins: one run of
 * 10^10. No bin of Bob can be full. */
id_based_bins __wrap_id_based_bins_for(uint32_t lists, bool hashing)
{
    if (!hashing)
        return __real_id_based_bins_for(lists, hashing);
    return (id_based_bins){.n_bins = 16 * ID_BASED_TABLES, .capacity = lists, .hashed = true};
}

static void bins_lose_the_right_rows(void **state)
{
    (void)state;
    uint32_t n_mixed = 0;
    id_based_job *j = id_based_job_new(0, 0);
    for (uint32_t i = 0; i < 5; i++) {
        j->k = 2 + i % 3;
        j->lists = 5;
        j->hashing = true;
        id_based_check_draw(j, i % 2 == 0 ? 14 : 10, 12, 5, i);
        id_based_check(j);
        uint32_t n_suppressed = 0;
        for (uint32_t row = 0; row < j->n_rows[0]; row++)
            n_suppressed += j->suppressed[0][row];
        n_mixed += n_suppressed > 0 && n_suppressed < j->n_rows[0];
    }
    assert_true(n_mixed > 1);
    free(j);
}

static void bins_and_all_pairs_agree(void **state)
{
    (void)state;
    bool first[2][16];
    id_based_job *j = id_based_job_new(3, 5);
    for (int hashing = 0; hashing < 2; hashing++) {
        id_based_check_draw(j, 14, 12, 5, 11);
        j->hashing = hashing;
        id_based_check(j);
        for (uint32_t p = 0; p < 2; p++)
            for (uint32_t i = 0; i < j->n_rows[p]; i++) {
                if (hashing)
                    assert_int_equal(first[p][i], j->suppressed[p][i]);
                first[p][i] = j->suppressed[p][i];
            }
    }
    free(j);
}

/* Alice gets the same messages of the same lengths, in the same order, whatever the names are and
 * wherever the run id puts them. */
static void bins_have_the_same_messages_in_every_run(void **state)
{
    (void)state;
    id_based_view *first = NULL;
    id_based_job *j = id_based_job_new(2, 5);
    for (uint32_t i = 0; i < 3; i++) {
        id_based_job_begin(j, 2, 5);
        id_based_job_put(j, 0, 4, 0); /* remains, and two of its rows are sigma */
        id_based_job_put(j, 1, 3, 0);
        id_based_job_put(j, i == 1 ? 3 : 2, 0, i == 2 ? 0 : 1); /* suppressed at Bob */
        id_based_job_put(j, 4, 0, i == 2 ? 1 : 0);
        id_based_view *v = id_based_view_of(j, 0);
        if (first == NULL) {
            first = v;
            continue;
        }
        assert_int_equal(v->count, first->count);
        for (size_t m = 0; m < v->count; m++) {
            assert_string_equal(v->messages[m].type, first->messages[m].type);
            assert_int_equal(v->messages[m].length, first->messages[m].length);
        }
        id_based_view_free(v);
    }
    id_based_view_free(first);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_lose_the_right_rows),
        cmocka_unit_test(bins_and_all_pairs_agree),
        cmocka_unit_test(bins_have_the_same_messages_in_every_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
