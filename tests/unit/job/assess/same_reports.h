/* Two reports on one release agree to the last digit. Header only. */
#ifndef TESTS_SAME_REPORTS_H
#define TESTS_SAME_REPORTS_H

#include "unit/job/support.h"

#include "job/assess/assess.h"

static inline void same_number(double a, double b)
{
    if (!(a == b || (isnan(a) && isnan(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static inline void same_cells(const loss_cells *a, const loss_cells *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
        same_number(x[i], y[i]);
}

static inline void same_loss(const loss_report *a, const loss_report *b)
{
    same_cells(&a->all, &b->all);
    for (uint32_t j = 0; j < 3; j++)
        same_cells(&a->attribute[j], &b->attribute[j]);
    same_number(a->dm, b->dm);
    same_number(a->cm, b->cm);
    same_number(a->average_class, b->average_class);
    same_number(a->am, b->am);
    same_number(a->arx_loss, b->arx_loss);
    same_number(a->kl, b->kl);
    same_number(a->pmi_2, b->pmi_2);
    same_number(a->pmi_max, b->pmi_max);
    assert_int_equal(a->suppressed, b->suppressed);
    assert_int_equal(a->smallest_class, b->smallest_class);
}

static inline void same_verdicts(const verify_report *a, const verify_report *b, uint32_t n_models)
{
    assert_int_equal(a->holds, b->holds);
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_classes, b->n_classes);
    assert_int_equal(a->smallest, b->smallest);
    assert_int_equal(a->suppressed, b->suppressed);
    for (uint32_t i = 0; i < n_models; i++) {
        const verify_verdict *x = &a->verdict[i], *y = &b->verdict[i];
        assert_int_equal(x->holds, y->holds);
        same_number(x->worst, y->worst);
        assert_int_equal(x->n_violating_classes, y->n_violating_classes);
        assert_int_equal(x->n_violating_rows, y->n_violating_rows);
        assert_int_equal(x->judged, y->judged);
        assert_int_equal(x->with_earlier, y->with_earlier);
    }
}

static inline void same_risk(const risk *a, const risk *b)
{
    assert_int_equal(a->n_classes, b->n_classes);
    assert_int_equal(a->smallest, b->smallest);
    assert_int_equal(a->unique, b->unique);
    assert_int_equal(a->at_risk, b->at_risk);
    same_number(a->average, b->average);
    assert_int_equal(a->has_people, b->has_people);
    same_number(a->journalist_highest, b->journalist_highest);
    same_number(a->journalist_average, b->journalist_average);
    assert_int_equal(a->journalist_at_risk, b->journalist_at_risk);
}

#endif
