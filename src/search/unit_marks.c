#include "search/unit_marks.h"

#include <string.h>

kith_status unit_marks_init(unit_marks *m, const problem *p, arena *memory, kith_error *error)
{
    *m = (unit_marks){.unit = p->unit, .n_units = p->n_units};
    m->seen = TRY_ZEROS(m->seen, memory, p->n_units, error);
    return KITH_OK;
}

void unit_marks_begin(unit_marks *m)
{
    if (++m->class == 0) { /* all numbers have been used */
        memset(m->seen, 0, m->n_units * sizeof *m->seen);
        m->class = 1;
    }
}

uint32_t unit_marks_count(unit_marks *m, const uint32_t *members, uint32_t size)
{
    uint32_t n_units = 0;
    unit_marks_begin(m);
    for (uint32_t i = 0; i < size; i++)
        n_units += unit_marks_add(m, members[i]);
    return n_units;
}
