/* dominance: no unit has more than a share of the records of a class, so that a record drawn from
 * it is not most likely that unit's. Unions of such classes are such classes: a unit's share of a
 * union lies between its shares of the parts. */
#include "model/criteria.h"

model_finding dominance_judge(const model_spec *model, const class_view *view)
{
    const class_units *units = view->units;
    const double share =
        units == NULL ? 1.0 / view->size : (double)units->most_records / (double)units->n_records;
    return criteria_at_most("share of the rows of one person", share, model->share);
}
