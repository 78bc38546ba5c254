/* A joint tree of columns against the plain form of the algorithm. */
#ifndef SUPPORT_COLUMN_TWIN_H
#define SUPPORT_COLUMN_TWIN_H

#include "reference/column_tree_plain_pools.h"
#include "reference/column_tree_plain.h"
#include "support/column_job.h"

/* The classes of both are the same, with the same closures, whatever their order. */
static inline void column_twin_same(const column_job *j, const partition *found,
                                    const partition *wanted)
{
    const uint32_t d = j->whole->n_attributes;
    uint32_t *name = arena_array(j->memory, found->n_classes + 1, sizeof *name);
    memset(name, 0xff, (found->n_classes + 1) * sizeof *name);
    assert_int_equal(found->n_classes, wanted->n_classes);
    for (uint32_t i = 0; i < j->whole->n_records; i++) {
        uint32_t *of = &name[found->class_of[i]];
        if (*of == UINT32_MAX)
            *of = wanted->class_of[i];
        assert_int_equal(*of, wanted->class_of[i]);
    }
    for (size_t c = 0; c < found->n_classes; c++)
        assert_memory_equal(found->closure + c * d, wanted->closure + (size_t)name[c] * d,
                            d * sizeof *found->closure);
}

/* Runs both, and returns the classes. Few records: naming is cheap, and left to the parties it
 * needs three of them. */
static inline partition column_twin_equal(column_job *j)
{
    const bool name = j->options.name == NAMING_ALWAYS || (j->options.name == NAMING_IF_CHEAP &&
                                                           j->m > 2 && j->whole->n_sensitive == 0);
    const column_tree_plain_sites sites = {
        .holder = j->holder, .unit = 1, .name = name, .seed = j->seed};
    partition wanted;
    assert_int_equal(session_run(j->m, column_job_sit, j), KITH_OK);
    assert_int_equal(j->options.pools
                         ? column_tree_plain_pools(&wanted, j->whole, 1, j->memory, NULL)
                         : column_tree_plain(&wanted, j->whole, &sites, j->memory, NULL),
                     KITH_OK);
    const partition found = column_job_join(j);
    column_twin_same(j, &found, &wanted);
    const protocol_report *r = &j->result[0].report;
    assert_string_equal(r->facts[r->n_facts - 1].name, "naming");
    assert_true(r->facts[r->n_facts - 1].value == name);
    return found;
}

#endif
