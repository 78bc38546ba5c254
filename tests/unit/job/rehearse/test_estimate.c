/* What an estimate says about a machine that has other work to do. */
#include "unit/job/support.h"

#include "core/document.h"
#include "job/rehearse/estimate.h"

/* A rehearsal that took ten seconds, eight of them in the run. */
static kith_document *rehearsal(double total, double run)
{
    kith_document *d = document_new();
    assert_non_null(d);
    document_node *seconds = document_object(d, document_root(d), "seconds");
    document_put_number(d, seconds, "total", total);
    document_put_number(d, seconds, "run", run);
    kith_document *finished;
    assert_int_equal(document_finish(&finished, d, NULL), KITH_OK);
    return finished;
}

static void time_of_others_does_not_count(void **state)
{
    (void)state;
    kith_document *d = rehearsal(10, 8);
    /* The processor worked for two of these seconds: the rest went to others. */
    assert_float_equal(estimate_trials_seconds(d, "seconds.run", 2), 1.6, 1e-6);
    /* Two threads had both processors to themselves: the clock is right. */
    assert_float_equal(estimate_trials_seconds(d, "seconds.run", 19), 8, 1e-6);
    kith_document_free(d);
}

static void too_short_to_measure(void **state)
{
    (void)state;
    kith_document *d = rehearsal(0, 0.5);
    assert_float_equal(estimate_trials_seconds(d, "seconds.run", 0), 0.5, 1e-6);
    kith_document_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_of_others_does_not_count),
        cmocka_unit_test(too_short_to_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
