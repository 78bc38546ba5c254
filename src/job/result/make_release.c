#include "job/result/make_release.h"

#include <string.h>

#include "core/error.h"
#include "job/result/class_means.h"

kith_status make_release_check_ranges(const prepared *p, kith_error *error)
{
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const kith_hierarchy *h = p->columns[p->quasi[j]].hierarchy;
        for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++)
            if (2 * strlen(h->label[leaf]) + 3 > RELEASE_CELL_BYTES)
                return error_set(error, KITH_DATA,
                                 "a value of column %s is too long to be released as a range",
                                 p->columns[p->quasi[j]].study->name);
    }
    return KITH_OK;
}

kith_status make_release(release *r, const prepared *p, const search_result *result, context *c,
                         kith_error *error)
{
    release_column *columns = TRY_ZEROS(columns, c->memory, p->n_columns, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        columns[i] = (release_column){.source = p->columns[i].source,
                                      .generalized = p->columns[i].attribute != PREPARE_NONE,
                                      .attribute = p->columns[i].attribute,
                                      .hierarchy = p->columns[i].hierarchy};
        if (p->columns[i].study->mean)
            TRY(class_means_make(&columns[i].means, p, &p->columns[i], result, c, error));
    }
    *r = (release){.table = p->texts,
                   .n_columns = p->n_columns,
                   .columns = columns,
                   .n_attributes = p->problem.n_attributes,
                   .n_rows = p->n_rows,
                   .rows = p->rows,
                   .result = result,
                   .ranges = p->study->search.ranges};
    return r->ranges ? make_release_check_ranges(p, error) : KITH_OK;
}
